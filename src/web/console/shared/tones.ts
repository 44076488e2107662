import type { BreakStatus } from '../../../../projections/reconciliation/matches/match-reads.js';
import type { StatementStatus } from '../../../../projections/reconciliation/statements.js';
import type { ProposalStatus } from '../../../../projections/approvals/proposals.js';
import type { SuspenseStatus } from '../../../../projections/approvals/suspense.js';
import type { DisputeStatus } from '../../../../projections/disputes/disputes.js';
import type { RefundStatus } from '../../../../projections/refunds/refunds.js';
import type { ChargeStatus, SettlementStatus } from '../../../ledger/events/charge.events.js';
import type { PayoutStatus } from '../../../domain/payouts/payouts.dto.js';
import type { PendingReason } from '../../../domain/payouts/pending-reason.js';
import type { MomentState } from '../../../point-in-time/moments.js';
import type { RailView } from '../../../rails/registry/rail-view.js';
import type { DayStatus } from '../../../domain/reconciliation/days/days.dto.js';
import type { Delivery } from '../../../domain/webhooks/delivery-log.js';
import type { SETTLEMENT_STATES } from './console.dto.js';

/** States that only the console has: those of endpoints and operators, overdue amounts of processors, and missing files of sources. */
export const CONSOLE_STATES = ['OK', 'FAILING', 'DISABLED', 'ACTIVE', 'SUSPENDED', 'OVERDUE', 'NO FILE'] as const;

/** State of any record, or reason for which a payout is pending. A word has the same tone for all records. */
export type State =
  | ChargeStatus
  | SettlementStatus
  | (typeof SETTLEMENT_STATES)[number]
  | PayoutStatus
  | RefundStatus
  | DisputeStatus
  | Delivery['status']
  | ProposalStatus
  | BreakStatus
  | StatementStatus
  | SuspenseStatus
  | DayStatus
  | MomentState
  | PendingReason
  | Uppercase<RailView['state']>
  | (typeof CONSOLE_STATES)[number];

/**
 * `good`: ended as intended; `on`: continues by itself or waits for its turn; `warn`: an operator has to act; `bad`: failed; `off`: ended
 * without effect, or is neutral. The style sheet has a class for each except `off`, which is plain.
 */
export type Tone = 'good' | 'on' | 'warn' | 'bad' | 'off';

const TONES: Readonly<Record<State, Tone>> = {
  PENDING: 'on',
  PROCESSING: 'on',
  SUCCEEDED: 'good',
  FAILED: 'bad',
  BUILDING: 'on',
  READY: 'good',
  EXPIRED: 'off',
  CANCELLED: 'off',
  REVERSED: 'bad',
  UNKNOWN: 'off',
  OPEN: 'on',
  CLOSED: 'on',
  SETTLED: 'good',
  INQUIRY: 'warn',
  ACTION_REQUIRED: 'warn',
  UNDER_REVIEW: 'on',

  WON: 'good',
  LOST: 'bad',
  APPROVED: 'on',
  EXECUTED: 'good',
  REJECTED: 'bad',
  WITHDRAWN: 'off',
  VOIDED: 'bad',
  RECEIVED: 'on',
  READ: 'on',
  ACCEPTED: 'good',
  REPLACED: 'off',
  CLAIMED: 'on',
  RESOLVED: 'good',
  INCOMPLETE: 'bad',
  COMPLETE: 'good',
  approval: 'warn',
  'no-rail': 'warn',
  'bank-unknown': 'warn',
  'beneficiary-differs': 'warn',
  'rail-paused': 'warn',
  'quiet-hours': 'on',
  'rail-unavailable': 'warn',
  'awaiting-bank': 'on',
  'waiting-rail': 'warn',
  'outcome-unknown': 'on',
  held: 'bad',
  GREEN: 'good',
  AMBER: 'warn',
  RED: 'bad',
  OK: 'good',
  FAILING: 'bad',
  DISABLED: 'bad',
  ACTIVE: 'good',
  SUSPENDED: 'bad',
  OVERDUE: 'bad',
  'NO FILE': 'bad',
};

export const toneOf = (state: State): Tone => TONES[state];
