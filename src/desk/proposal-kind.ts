import type { ProposalMade } from '../ledger/events/proposal.events.js';
import type { Mode } from '../ledger/mode.js';
import type { KnownMerchants } from '../merchants/known-merchants.js';
import type { DtoClass, MemberFault } from '../platform/http/validation.js';
import type { ProposalTarget } from './proposal-target.js';

export type ProposalContent = Readonly<Record<string, unknown>>;

/** What one kind of proposal is about. */
export interface ProposalKind<Sent extends object, Content extends object = Sent> {
  readonly dto: DtoClass<Sent>;
  /** Of the approvals that it takes. */
  readonly controllers_required: 0 | 1;
  /** What is wrong with one that its class allows; led to from the content. */
  readonly faultsOf?: (sent: Sent) => MemberFault[];
  /** As it is recorded: plain, with nothing that was not said. */
  readonly toContent: (sent: Sent) => Content;
  /** Whose policy counts; null: the house's, which is that of live money. */
  readonly modeOf: (content: Content, known: KnownMerchants) => Mode | null;
  readonly targetOf: (content: Content, made: Pick<ProposalMade, 'proposal_id' | 'reason'>) => ProposalTarget;
}
