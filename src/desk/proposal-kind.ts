import type { ProposalMade } from '../ledger/events/proposal.events.js';
import type { Mode } from '../ledger/mode.js';
import type { KnownMerchants } from '../merchants/known-merchants.js';
import type { ProposalTarget } from './proposal-target.js';

export type ProposalContent = Readonly<Record<string, unknown>>;

/** What can be proposed. */
export const PROPOSAL_KINDS = ['POLICY', 'ROLES', 'FEE', 'CHANNEL', 'RAIL'] as const;
export type ProposalKindName = (typeof PROPOSAL_KINDS)[number];

/** What one kind of proposal takes and does; how its content is read from a request stands in proposal-contents.ts. */
export interface ProposalKind<Content extends object> {
  /** Of the approvals that it takes. */
  readonly controllers_required: 0 | 1;
  /** Whose policy counts; null: the house's, which is that of live money. */
  readonly modeOf: (content: Content, known: KnownMerchants) => Mode | null;
  readonly targetOf: (content: Content, made: Pick<ProposalMade, 'proposal_id' | 'reason'>) => ProposalTarget;
}
