import type { ProposalMade } from '../ledger/events/proposal.events.js';
import { DESK_STREAM, type DeskPolicy } from '../ledger/events/desk.events.js';
import { OPERATORS_STREAM } from '../ledger/events/operator.events.js';
import { deskPolicies } from '../merchants/desk-policy.decider.js';
import type { KnownMerchants } from '../merchants/known-merchants.js';
import { operators } from '../merchants/operators.decider.js';
import type { EventStore } from '../platform/event-store/event-store.js';
import type { RolesContent } from './proposal-contents.dto.js';
import { CHANNEL, FEE, railKind } from './merchant-kinds.js';
import type { ProposalContent, ProposalKind, ProposalKindName } from './proposal-kind.js';
import { targetOf, type ProposalTarget } from './proposal-target.js';

const POLICY: ProposalKind<DeskPolicy> = {
  controllers_required: 1,
  modeOf: ({ mode }) => mode,
  targetOf: (policy: DeskPolicy, { proposal_id }) =>
    targetOf({ stream: DESK_STREAM, merchant_id: null }, deskPolicies, (now) => ({ kind: 'set' as const, policy, proposal_id, now })),
};

const ROLES: ProposalKind<RolesContent> = {
  controllers_required: 1,
  modeOf: () => null,
  targetOf: ({ person_id, roles }, { proposal_id, reason }) =>
    targetOf({ stream: OPERATORS_STREAM, merchant_id: null }, operators, (now) => ({
      kind: 'set-roles' as const,
      person_id,
      roles,
      reason,
      proposal_id,
      now,
    })),
};

/** This build does not know what is proposed. */
export class UnknownKind extends Error {
  override readonly name = 'UnknownKind';
}

/** Every kind of this build. */
export class ProposalKinds {
  readonly #kinds: Readonly<Record<ProposalKindName, ProposalKind<object>>>;

  constructor(store: EventStore) {
    // Each is given what was read for it, or what it has recorded itself.
    this.#kinds = { POLICY, ROLES, FEE, CHANNEL, RAIL: railKind(store) } as unknown as Readonly<Record<ProposalKindName, ProposalKind<object>>>;
  }

  /** What it takes, by the policy in force. @throws UnknownKind */
  rulesOf(kind: ProposalKindName, content: ProposalContent, known: KnownMerchants) {
    const { controllers_required, modeOf } = this.#of(kind);
    return { controllers_required, policy: known.deskPolicy(modeOf(content, known) ?? 'live') };
  }

  /** Where and how it takes effect. @throws UnknownKind */
  targetOf(made: Pick<ProposalMade, 'proposal_id' | 'kind' | 'content' | 'reason'>): ProposalTarget {
    return this.#of(made.kind).targetOf(made.content, made);
  }

  #of(kind: string): ProposalKind<object> {
    if (!Object.hasOwn(this.#kinds, kind)) throw new UnknownKind(`this version does not know proposals of kind ${kind}`);
    return this.#kinds[kind as ProposalKindName];
  }
}
