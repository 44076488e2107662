import type { DeskPolicy } from '../../ledger/events/desk.events.js';
import type { ProposalMade } from '../../ledger/events/proposal.events.js';
import type { Mode } from '../../ledger/mode.js';
import type { KnownMerchants } from '../merchants/known-merchants.js';
import type { ProposalTarget, Refused } from './proposal-target.js';

export type ProposalContent = Readonly<Record<string, unknown>>;

/** What can be proposed. */
export const PROPOSAL_KINDS = [
  'POLICY',
  'ROLES',
  'FEE',
  'CHANNEL',
  'RAIL',
  'ADJUSTMENT',
  'BREAK_ACCEPT',
  'MATCH_DIFFERENCE',
  'FORGET_FILE',
  'PAYOUT_RESOLVE',
  'SET_ASIDE',
  'MONTH_CLOSE',
  'ACCEPT_DIFFERENCES',
] as const;
export type ProposalKindName = (typeof PROPOSAL_KINDS)[number];

/** What one kind of proposal takes and does; how its content is read from a request stands in proposal-contents.ts. */
export interface ProposalKind<Content extends object> {
  /** How many persons must approve it, and how many of them must be controllers. @param policy in force; null: none was ever set */
  readonly approvalsOf: (content: Content, policy: DeskPolicy | null) => Pick<ProposalMade, 'approvals_required' | 'controllers_required'>;
  /** Whose policy counts; null: the house's, which is that of live money. */
  readonly modeOf: (content: Content, known: KnownMerchants) => Mode | null;
  /** As it is recorded: with what it is about as that stands, where persons are to approve just this. A repeat is told by what was sent. */
  readonly completed?: (content: Content) => Promise<object>;
  readonly targetOf: (content: Content, made: Pick<ProposalMade, 'proposal_id' | 'reason'>) => ProposalTarget | Promise<ProposalTarget>;
  /** What has no target as things stand. */
  readonly refusalOf?: (content: Content) => Promise<Refused | undefined>;
}

/** As settings take them. */
export const approvalsOfSettings =
  (controllers_required: 0 | 1): ProposalKind<object>['approvalsOf'] =>
  (_, policy) => ({ approvals_required: Math.max(1, policy?.settings ?? 0), controllers_required });
