import type { ProposalMade } from '../ledger/events/proposal.events.js';
import type { Mode } from '../ledger/mode.js';
import { DESK_STREAM, type DeskPolicy } from '../ledger/events/desk.events.js';
import { OPERATORS_STREAM, OPERATOR_ROLES } from '../ledger/events/operator.events.js';
import { deskPolicies } from '../merchants/desk-policy.decider.js';
import { DeskPolicyContent, toDeskPolicy } from '../merchants/desk-policy.dto.js';
import type { KnownMerchants } from '../merchants/known-merchants.js';
import { operators } from '../merchants/operators.decider.js';
import { faultsOfObject, invalid, readObject, type DtoClass } from '../platform/http/validation.js';
import { RolesContent, type ProposalKindName } from './proposal-contents.dto.js';
import { targetOf, type ProposalTarget } from './proposal-target.js';

export type ProposalContent = Readonly<Record<string, unknown>>;

/** What one kind of proposal is about. */
interface ProposalKind<Content extends object> {
  readonly dto: DtoClass<Content>;
  /** Of the approvals that it takes. */
  readonly controllers_required: 0 | 1;
  /** As it is recorded: plain, with nothing that was not said. */
  readonly toContent: (content: Content) => object;
  /** Whose policy counts; null: the house's, which is that of live money. */
  readonly modeOf: (content: Content, known: KnownMerchants) => Mode | null;
  readonly targetOf: (content: Content, made: Pick<ProposalMade, 'proposal_id' | 'reason'>) => ProposalTarget;
}

const POLICY: ProposalKind<DeskPolicyContent> = {
  dto: DeskPolicyContent,
  controllers_required: 1,
  toContent: toDeskPolicy,
  modeOf: ({ mode }) => mode,
  targetOf: (policy: DeskPolicy, { proposal_id }) =>
    targetOf({ stream: DESK_STREAM, merchant_id: null }, deskPolicies, (now) => ({ kind: 'set' as const, policy, proposal_id, now })),
};

const ROLES: ProposalKind<RolesContent> = {
  dto: RolesContent,
  controllers_required: 1,
  toContent: ({ person_id, roles }) => ({ person_id, roles: OPERATOR_ROLES.filter((role) => roles.includes(role)) }),
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
  readonly #kinds: Readonly<Record<ProposalKindName, ProposalKind<object>>> = { POLICY, ROLES } as Record<ProposalKindName, ProposalKind<object>>;

  /** As it is recorded. @throws Problem validation-failed, which leads from the body of the request */
  read(kind: ProposalKindName, content: unknown): ProposalContent {
    const { dto, toContent } = this.#of(kind);
    const read = readObject(content, dto);
    const faults = faultsOfObject(read);
    if (faults.length > 0)
      throw invalid(
        'body',
        faults.map((fault) => ({ ...fault, at: `/content${fault.at}` })),
      );
    return toContent(read as object) as ProposalContent;
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
