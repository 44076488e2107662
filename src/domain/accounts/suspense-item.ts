import type { SuspenseAdjustmentKind, SuspenseItem } from '../../ledger/events/adjustment.events.js';
import { daysIn } from '../../ledger/days.js';
import { DAY_MS, milliseconds, type Timestamp } from '../../ledger/time.js';
import { refuse, type Refused } from '../../ledger/decider.js';
import { formatAmount } from '../../platform/text/format.js';

export type AdjustmentRefusal =
  /** There is no such item, or the read model does not have it yet. */
  | 'item-not-found'
  /** The item belongs to another merchant, mode or currency. */
  | 'item-of-another'
  /** An item is resolved as a whole. */
  | 'item-amount-differs'
  /** The kind applies only to received money, to missing money, or to payments. */
  | 'item-not-of-kind'
  /** A close has found the item of the line: it leaves suspense by itself. */
  | 'item-matched'
  /** Unclaimed money can be taken only after a long time in suspense. */
  | 'item-too-young'
  /** A month that has not begun. */
  | 'month-ahead';

/** Fields of an adjustment of any kind. */
export interface AdjustmentOrder {
  readonly proposal_id: string;
  /** Minor units, above zero. */
  readonly amount: number;
  readonly currency: string;
  /** `2026-01`; null: the month in which it is booked. */
  readonly relates_to: string | null;
  /** Time zone of the books, IANA name. */
  readonly time_zone: string;
}

/** Minimum time in suspense before money may be taken as a GAIN. */
export const NOBODYS_AFTER_DAYS = 180;

const MISSING: readonly SuspenseAdjustmentKind[] = ['COST', 'LOSS'];
const PAYMENTS: readonly SuspenseAdjustmentKind[] = ['UNMATCHED_TO_MERCHANT', 'UNMATCHED_SENT_BACK'];

type OfMonth = Pick<AdjustmentOrder, 'relates_to' | 'time_zone'>;

const monthAt = ({ time_zone }: OfMonth, now: Timestamp): string => daysIn(time_zone)(milliseconds(now)).slice(0, 7);

/** Returns the month to which the adjustment belongs. Months are those of the books, which are closed one after the other. */
export const monthOf = (order: OfMonth, now: Timestamp): string => order.relates_to ?? monthAt(order, now);

/**
 * Returns why an adjustment of the kind cannot resolve the item. The item was claimed before, so only the passage of time can change
 * the result, and only in favour of the adjustment.
 */
export function refuseItem(
  { kind, amount, currency }: AdjustmentOrder & { readonly kind: SuspenseAdjustmentKind },
  item: SuspenseItem,
  isOwn: boolean,
  now: Timestamp,
): Refused<AdjustmentRefusal> | undefined {
  if (!isOwn || item.currency !== currency) return refuse('item-of-another', `Item ${item.item_id} is of another account.`);
  if (item.is_matched) return refuse('item-matched', `The line of item ${item.item_id} has been matched.`);
  if (PAYMENTS.includes(kind) && item.processor === null) return refuse('item-not-of-kind', 'This is for payments that no charge could take.');
  if (item.amount < 0 !== MISSING.includes(kind))
    return refuse(
      'item-not-of-kind',
      `The item is ${formatAmount(item.amount, currency)}: ${kind} is for ${MISSING.includes(kind) ? 'missing money' : 'money that came'}.`,
    );
  if (Math.abs(item.amount) !== amount)
    return refuse('item-amount-differs', `An item is resolved in full: it is ${formatAmount(Math.abs(item.amount), currency)}.`);
  const from = milliseconds(item.since) + NOBODYS_AFTER_DAYS * DAY_MS;
  if (kind === 'GAIN' && milliseconds(now) < from)
    return refuse(
      'item-too-young',
      `It may be booked as a gain ${NOBODYS_AFTER_DAYS} days after it arrived, on ${new Date(from).toISOString().slice(0, 10)}.`,
    );
  return undefined;
}

export function refuseMonth(order: OfMonth, now: Timestamp): Refused<AdjustmentRefusal> | undefined {
  return monthOf(order, now) > monthAt(order, now) ? refuse('month-ahead', `${order.relates_to} has not begun.`) : undefined;
}
