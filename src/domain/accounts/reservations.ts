import { NOTHING_TO_DO, refuse, type Decision, type Refused } from '../../ledger/decider.js';
import type { AccountEvent } from '../../ledger/events/account.events.js';
import type { OfReservation, RefundReserved } from '../../ledger/events/refund.events.js';
import type { Timestamp } from '../../ledger/time.js';
import type { AccountState } from './account-state.js';
import { formatAmount } from '../../platform/text/format.js';

/** A refund as its charge permits it, or the reason why it does not. */
export interface RefundReservation {
  readonly refund_id: string;
  /** New for every attempt. */
  readonly reservation_id: string;
  readonly permitted: Omit<RefundReserved, 'reservation_id' | 'reserved_on'> | Refused;
}

export interface ReserveRefund {
  readonly kind: 'reserve-refund';
  readonly reservation: RefundReservation;
  readonly now: Timestamp;
}

export function withoutReservation({ reservations }: AccountState, { refund_id, reservation_id }: OfReservation): AccountState['reservations'] {
  if (reservations.get(refund_id)?.reservation_id !== reservation_id) throw new Error(`reservation ${reservation_id} ends, but is not open`);
  return reservations.delete(refund_id);
}

/** Continues an open reservation. Otherwise refuses for the charge's reason first, then for insufficient balance. */
export function decideReserve(
  state: AccountState,
  { reservation: { refund_id, reservation_id, permitted }, now }: ReserveRefund,
): Decision<AccountEvent, 'refund-not-permitted' | 'insufficient-balance'> {
  if (state.reservations.has(refund_id)) return NOTHING_TO_DO;
  if ('refusal' in permitted) return refuse('refund-not-permitted', permitted.detail);
  if (BigInt(permitted.net_amount) > state.available) {
    const { net_amount, currency } = permitted;
    return refuse(
      'insufficient-balance',
      `The refund needs ${formatAmount(net_amount, currency)}; ${formatAmount(state.available, currency)} are available.`,
    );
  }
  return { events: [{ type: 'RefundReserved', data: { ...permitted, reservation_id, reserved_on: now } }] };
}

/** Ends this reservation. Another reservation of the same refund is not affected. */
export function endReservation(
  { owner, reservations }: AccountState,
  { refund_id, reservation_id }: { readonly refund_id: string; readonly reservation_id: string },
  event: (of: OfReservation) => AccountEvent,
): Decision<AccountEvent, never> {
  const open = reservations.get(refund_id);
  if (!owner || open?.reservation_id !== reservation_id) return NOTHING_TO_DO;
  const { charge_id, amount, fee_amount, net_amount } = open;
  return { events: [event({ charge_id, ...owner, refund_id, amount, fee_amount, net_amount, reservation_id })] };
}
