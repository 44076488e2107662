import type { SettlementStatus } from '../../ledger/events/charge.events.js';
import { DISPUTE_STAGES, type DisputeStage } from '../../ledger/events/dispute.events.js';
import { comesBack } from '../../domain/charges/disputes/charge-disputes.js';
import type { Refund } from '../../domain/charges/charge-state.js';
import type { Dispute } from '../../domain/charges/disputes/dispute-state.js';
import type { Payment } from './payment.js';
import { unreachable } from '../../ledger/unreachable.js';

/** What can be played on a test charge. */
export const OUTCOMES = ['succeed', 'fail', 'expire', 'settle', 'reverse'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** What can be played on a refund of a test charge. */
export const REFUND_OUTCOMES = ['refund-succeed', 'refund-fail', 'refund-bounce'] as const;
export type RefundOutcome = (typeof REFUND_OUTCOMES)[number];

/** A dispute begins, or its processor speaks of one again. */
export const DISPUTE_OPENING = 'dispute-open';

/** What can be played on a dispute that there is. */
export const DISPUTE_OUTCOMES = ['dispute-reopen', 'dispute-win', 'dispute-lose'] as const;
export type DisputeOutcome = (typeof DISPUTE_OUTCOMES)[number];

/** The outcomes that a refund's state permits. One that waits is handed to the processor first. */
export function permittedRefundOutcomes({ status }: Pick<Refund, 'status'>): readonly RefundOutcome[] {
  if (status === 'PENDING' || status === 'PROCESSING') return ['refund-succeed', 'refund-fail'];
  return status === 'SUCCEEDED' ? ['refund-bounce'] : [];
}

/** null after the last. */
export function stageAfter({ stage }: Pick<Dispute, 'stage'>): DisputeStage | null {
  return DISPUTE_STAGES[DISPUTE_STAGES.indexOf(stage) + 1] ?? null;
}

/** The outcomes that change a dispute. Money of one that was lost may still come back. */
export function permittedDisputeOutcomes(dispute: Dispute): readonly DisputeOutcome[] {
  const next = stageAfter(dispute);
  const reopen: readonly DisputeOutcome[] = next !== null && comesBack(dispute, next) ? ['dispute-reopen'] : [];
  switch (dispute.status) {
    case 'INQUIRY':
    case 'ACTION_REQUIRED':
    case 'UNDER_REVIEW':
      return ['dispute-win', 'dispute-lose', ...reopen];
    case 'LOST':
      return ['dispute-win', ...reopen];
    case 'WON':
      return reopen;
    default:
      return unreachable(dispute.status);
  }
}

/** The statuses of a test charge: what the simulation answers. */
export interface ChargeStatuses {
  readonly status: Payment['status'];
  readonly settlement_status: SettlementStatus;
}

/** The outcomes that a charge's state permits, by the tables of the interface. */
export function permittedOutcomes({ status, settlement_status }: ChargeStatuses): readonly Outcome[] {
  if (status === 'PENDING') return ['succeed', 'fail', 'expire'];
  // Money that arrives late is never lost.
  if (status !== 'SUCCEEDED') return ['succeed'];
  switch (settlement_status) {
    case 'PENDING':
    case 'PROCESSING':
      return ['settle', 'reverse'];
    case 'SETTLED':
      return ['reverse'];
    case 'REVERSED':
    case 'UNKNOWN':
      return [];
    default:
      return unreachable(settlement_status);
  }
}
