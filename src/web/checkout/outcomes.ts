import type { SettlementStatus } from '../../ledger/events/charge.events.js';
import { DISPUTE_STAGES, type DisputeStage } from '../../ledger/events/dispute.events.js';
import { comesBack } from '../../domain/charges/disputes/charge-disputes.js';
import type { Refund } from '../../domain/charges/charge-state.js';
import type { Dispute } from '../../domain/charges/disputes/dispute-state.js';
import type { Payment } from './payment.js';
import { unreachable } from '../../ledger/unreachable.js';

/** Outcomes that can be simulated for a test charge. */
export const OUTCOMES = ['succeed', 'fail', 'expire', 'settle', 'reverse'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Outcomes that can be simulated for a refund of a test charge. */
export const REFUND_OUTCOMES = ['refund-succeed', 'refund-fail', 'refund-bounce'] as const;
export type RefundOutcome = (typeof REFUND_OUTCOMES)[number];

/** Opens a dispute, or reports a known dispute again. */
export const DISPUTE_OPENING = 'dispute-open';

/** Outcomes that can be simulated for an existing dispute. */
export const DISPUTE_OUTCOMES = ['dispute-reopen', 'dispute-win', 'dispute-lose'] as const;
export type DisputeOutcome = (typeof DISPUTE_OUTCOMES)[number];

/** Returns the outcomes that a refund's state permits. A pending refund is first handed to the processor. */
export function permittedRefundOutcomes({ status }: Pick<Refund, 'status'>): readonly RefundOutcome[] {
  if (status === 'PENDING' || status === 'PROCESSING') return ['refund-succeed', 'refund-fail'];
  return status === 'SUCCEEDED' ? ['refund-bounce'] : [];
}

/** Returns the next stage; null after the last one. */
export function stageAfter({ stage }: Pick<Dispute, 'stage'>): DisputeStage | null {
  return DISPUTE_STAGES[DISPUTE_STAGES.indexOf(stage) + 1] ?? null;
}

/** Returns the outcomes that change a dispute. Money of a lost dispute may still come back. */
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

/** The statuses of a test charge, as the simulation returns them. */
export interface ChargeStatuses {
  readonly status: Payment['status'];
  readonly settlement_status: SettlementStatus;
}

/** Returns the outcomes that a charge's state permits, by the tables of the interface. */
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
