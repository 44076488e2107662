import type { SettlementStatus } from '../ledger/events/charge.events.js';
import type { Refund } from '../charges/charge-state.js';
import type { Payment } from './payment.js';

/** What can be played on a test charge. */
export const OUTCOMES = ['succeed', 'fail', 'expire', 'settle', 'reverse'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** What can be played on a refund of a test charge. */
export const REFUND_OUTCOMES = ['refund-succeed', 'refund-fail', 'refund-bounce'] as const;
export type RefundOutcome = (typeof REFUND_OUTCOMES)[number];

export function isRefundOutcome(outcome: Outcome | RefundOutcome): outcome is RefundOutcome {
  return (REFUND_OUTCOMES as readonly string[]).includes(outcome);
}

/** The outcomes that a refund's state permits. One that waits is handed to the processor first. */
export function permittedRefundOutcomes({ status }: Pick<Refund, 'status'>): readonly RefundOutcome[] {
  if (status === 'PENDING' || status === 'PROCESSING') return ['refund-succeed', 'refund-fail'];
  return status === 'SUCCEEDED' ? ['refund-bounce'] : [];
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
      throw new Error(`no outcomes for ${settlement_status satisfies never as string}`);
  }
}
