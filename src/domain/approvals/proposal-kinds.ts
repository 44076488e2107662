import type { ProposalMade } from '../../ledger/events/proposal.events.js';
import { APPROVAL_POLICY_STREAM, type ApprovalPolicy } from '../../ledger/events/approval-policy.events.js';
import { OPERATORS_STREAM } from '../../ledger/events/operator.events.js';
import { approvalPolicies } from '../operators/approval-policy.decider.js';
import type { KnownMerchants } from '../merchants/known-merchants.js';
import { operators } from '../operators/operators.decider.js';
import type { EventStore } from '../../platform/event-store/event-store.js';
import type { RolesContent } from './proposal-contents.dto.js';
import { adjustmentKind, type AdjustmentServices } from './adjustment-kind.js';
import { monthCloseKind, type ClosingServices } from './month-close-kind.js';
import { ACCEPT_DIFFERENCES, CALENDAR, setAsideKind } from './operating-kinds.js';
import { CHANNEL, FEE } from './merchant-kinds.js';
import { approvalsOfSettings, type ProposalContent, type ProposalKind, type ProposalKindName } from './proposal-kind.js';
import { refusedIn, targetOf, type ProposalTarget } from './proposal-target.js';
import type { Refused } from '../../ledger/decider.js';

const POLICY: ProposalKind<ApprovalPolicy> = {
  approvalsOf: approvalsOfSettings(1),
  modeOf: ({ mode }) => mode,
  targetOf: (policy: ApprovalPolicy, { proposal_id }) =>
    targetOf({ stream: APPROVAL_POLICY_STREAM, refused: refusedIn(null) }, approvalPolicies, (now) => ({
      kind: 'set' as const,
      policy,
      proposal_id,
      now,
    })),
};

const ROLES: ProposalKind<RolesContent> = {
  approvalsOf: approvalsOfSettings(1),
  modeOf: () => null,
  targetOf: ({ person_id, roles }, { proposal_id, reason }) =>
    targetOf({ stream: OPERATORS_STREAM, refused: refusedIn(null) }, operators, (now) => ({
      kind: 'set-roles' as const,
      person_id,
      roles,
      reason,
      proposal_id,
      now,
    })),
};

/** This build does not know the kind of the proposal. */
export class UnknownKind extends Error {
  override readonly name = 'UnknownKind';
}

/** Kinds whose records belong to rails and reconciliation, which are above approvals; the composition root passes them in. */
export type UpperKinds = Readonly<Record<'RAIL' | 'PAYOUT_RESOLVE' | 'BREAK_ACCEPT' | 'MATCH_DIFFERENCE' | 'FORGET_FILE', ProposalKind<never>>>;

/** Token for {@link UpperKinds}. */
export const UPPER_KINDS = Symbol('UpperKinds');

/** Every kind of this build. */
export class ProposalKinds {
  readonly #kinds: Readonly<Record<ProposalKindName, ProposalKind<object>>>;

  constructor(store: EventStore, adjustments: AdjustmentServices, closing: ClosingServices, upper: UpperKinds) {
    const { reads } = adjustments;
    // Each kind receives only content that was read for it, or that it recorded itself.
    const kinds: { readonly [Name in ProposalKindName]: ProposalKind<never> } = {
      ...upper,
      POLICY,
      ROLES,
      FEE,
      CHANNEL,
      CALENDAR,
      ADJUSTMENT: adjustmentKind(store, adjustments),
      SET_ASIDE: setAsideKind(reads.pool),
      ACCEPT_DIFFERENCES,
      MONTH_CLOSE: monthCloseKind(store, reads, closing),
    };
    this.#kinds = kinds as unknown as Readonly<Record<ProposalKindName, ProposalKind<object>>>;
  }

  /** Returns the approvals that it needs under the policy in force. @throws UnknownKind */
  rulesOf(kind: ProposalKindName, content: ProposalContent, known: KnownMerchants) {
    const { approvalsOf, modeOf } = this.#of(kind);
    const policy = known.approvalPolicy(modeOf(content, known) ?? 'live');
    return { ...approvalsOf(content, policy), policy };
  }

  /** Returns the content to record for the sent content. @throws UnknownKind */
  async completed(kind: ProposalKindName, content: ProposalContent): Promise<ProposalContent> {
    return ((await this.#of(kind).completed?.(content)) as ProposalContent | undefined) ?? content;
  }

  /** Returns where and how it takes effect. @throws UnknownKind */
  targetOf(made: Pick<ProposalMade, 'proposal_id' | 'kind' | 'content' | 'reason'>): ProposalTarget | Promise<ProposalTarget> {
    return this.#of(made.kind).targetOf(made.content, made);
  }

  /** Returns the refusal of content that no operator should be asked to approve. @throws UnknownKind */
  async refusalOf(kind: ProposalKindName, content: ProposalContent): Promise<Refused | undefined> {
    return this.#of(kind).refusalOf?.(content);
  }

  #of(kind: string): ProposalKind<object> {
    if (!Object.hasOwn(this.#kinds, kind)) throw new UnknownKind(`this version does not know proposals of kind ${kind}`);
    return this.#kinds[kind as ProposalKindName];
  }
}
