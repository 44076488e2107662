import { ignoring } from '../../src/ledger/catalogue.js';
import type { ChargeEvent, ChargeStatus } from '../../src/ledger/events/charge.events.js';
import type { LoggedEvent } from '../../src/ledger/read-model.js';
import type { StoredCharge } from './charges-table.js';
import { unreachable } from '../../src/ledger/unreachable.js';

/** Columns that later events increase or decrease. */
export const SUMS = ['refunded_amount', 'disputed_amount', 'taken_amount', 'earned_fee'] as const satisfies readonly (keyof StoredCharge)[];
export type SumChanges = { -readonly [Sum in (typeof SUMS)[number]]?: number };

/** Columns that later events set. */
export const CHANGEABLE = [
  ...(['status', 'settlement_status', 'updated_by', 'updated_on', 'paid_on', 'failed_on', 'failure_reason', 'settlement_date'] as const),
  ...(['settlement_on', 'revision', 'reversed_on', 'reversed_at', 'claimed_net_amount', 'processor_reference', 'action'] as const),
  'failure_code',
] as const satisfies readonly (keyof StoredCharge)[];

/** Absent columns are unchanged. */
export type Change = { -readonly [Column in (typeof CHANGEABLE)[number]]?: StoredCharge[Column] } & {
  /** Changes of the sums. */
  add?: SumChanges;
  /** The status before the first event of the batch that set one. */
  was?: ChargeStatus;
};

type ChangeEvent = Exclude<ChargeEvent, { readonly type: 'ChargeCreated' | 'SettlementLineRefused' }>;

/** Events of a charge that change none of its columns. */
const changesNothing = ignoring(
  ...(['dispute proceedings', 'dispute evidence', 'ChargeInstructing', 'ChargeInstructionClosed', 'ChargePaymentUnmatched'] as const),
  ...(['ChargeReversalClaimed', 'ChargeRefundDeclined', 'ChargeRefundSubmitted', 'ChargeLineClaimed'] as const),
);

/** Returns the changes that an event in a charge's own stream makes. */
export function changeOf(event: ChangeEvent & Pick<LoggedEvent, 'ordinal'>): Change {
  if (changesNothing(event)) return {};
  switch (event.type) {
    case 'ChargePaid': {
      const { paid_on, settlement_date, late_after, fee_amount } = event.data;
      const add = { earned_fee: fee_amount };
      return { status: 'SUCCEEDED', was: late_after ?? 'PENDING', settlement_status: 'PENDING', paid_on, settlement_date, add };
    }
    case 'ChargeFailed':
      return {
        status: 'FAILED',
        was: 'PENDING',
        failed_on: event.data.failed_on,
        failure_reason: event.data.reason,
        ...(event.data.failure_code !== undefined && { failure_code: event.data.failure_code }),
      };
    case 'ChargeInstructed':
      return { processor_reference: event.data.processor_reference, action: JSON.stringify(event.data.action) };
    case 'ChargeExpired':
      return { status: 'EXPIRED', was: 'PENDING' };
    case 'ChargeCancelled':
      return { status: 'CANCELLED', was: 'PENDING' };
    case 'ChargeSettlementClaimed':
      return { settlement_status: 'PROCESSING', claimed_net_amount: event.data.net_amount };
    case 'ChargeReversed': {
      const { claimed_in, fee_amount, reversed_on } = event.data;
      const reversed = { reversed_on, reversed_at: event.ordinal };
      // When a settlement has claimed the charge, the settlement that takes the money back changes the status.
      if (claimed_in !== null) return reversed;
      return { settlement_status: 'REVERSED', ...reversed, add: { earned_fee: -fee_amount } };
    }
    case 'ChargeRefundClaimed':
      return { add: { taken_amount: event.data.amount } };
    case 'ChargeRefundSucceeded':
      return { add: { refunded_amount: event.data.amount, earned_fee: -event.data.fee_amount } };
    case 'ChargeRefundFailed':
    case 'ChargeRefundCancelled': {
      const { amount, fee_amount, to } = event.data;
      return { add: { taken_amount: -amount, earned_fee: to === 'PROCESSOR' ? -fee_amount : 0 } };
    }
    case 'ChargeRefundBounced': {
      const { amount, fee_amount } = event.data;
      return { add: { taken_amount: -amount, refunded_amount: -amount, earned_fee: fee_amount } };
    }
    case 'ChargeDisputeHeld':
      return { add: { disputed_amount: event.data.amount, taken_amount: event.data.amount } };
    case 'ChargeDisputeWon': {
      const { amount, fee_amount, from } = event.data;
      return { add: { disputed_amount: -amount, taken_amount: -amount, earned_fee: from === 'PROCESSOR' ? fee_amount : 0 } };
    }
    case 'ChargeDisputeLost':
      return { add: { earned_fee: -event.data.fee_amount } };
    default:
      return unreachable(event);
  }
}
