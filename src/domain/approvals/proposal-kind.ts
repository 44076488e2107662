import type { ApprovalPolicy } from '../../ledger/events/approval-policy.events.js';
import type { ProposalMade } from '../../ledger/events/proposal.events.js';
import type { Mode } from '../../ledger/mode.js';
import type { KnownMerchants } from '../merchants/known-merchants.js';
import type { ProposalTarget } from './proposal-target.js';
import type { Refused } from '../../ledger/decider.js';

export type ProposalContent = Readonly<Record<string, unknown>>;

/** The kinds of proposals. */
export const PROPOSAL_KINDS = [
  'POLICY',
  'ROLES',
  'FEE',
  'CHANNEL',
  'RAIL',
  'CALENDAR',
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

/** Rules and effect of one kind of proposal; proposal-contents.ts reads its content from a request. */
export interface ProposalKind<Content extends object> {
  /** Returns how many operators must approve it, and how many of them must be controllers. @param policy in force; null: none was ever set */
  readonly approvalsOf: (content: Content, policy: ApprovalPolicy | null) => Pick<ProposalMade, 'approvals_required' | 'controllers_required'>;
  /** Returns the mode whose policy applies; null: a setting of the whole installation, for which the policy of live money applies. */
  readonly modeOf: (content: Content, known: KnownMerchants) => Mode | null;
  /** Returns the content to record, where operators must approve the present state of its subject too. A repeat is recognised by the sent content. */
  readonly completed?: (content: Content) => Promise<object>;
  readonly targetOf: (content: Content, made: Pick<ProposalMade, 'proposal_id' | 'reason'>) => ProposalTarget | Promise<ProposalTarget>;
  /** Returns the refusal of content that has no target at present. */
  readonly refusalOf?: (content: Content) => Promise<Refused | undefined>;
}

/** Approvals that settings need. */
export const approvalsOfSettings =
  (controllers_required: 0 | 1): ProposalKind<object>['approvalsOf'] =>
  (_, policy) => ({ approvals_required: Math.max(1, policy?.settings ?? 0), controllers_required });
