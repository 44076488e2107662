import type { AccountEvent, SettlementLine } from './events/account.events.js';
import { HOUSE_OWNERS, type AccountAdjusted, type HouseAdjusted, type HouseEvent } from './events/adjustment.events.js';
import type { ChargeEvent } from './events/charge.events.js';
import type { BankLinesBooked, BookedRow } from './events/day-close.events.js';
import type { ReconciliationEvent } from './events/reconciliation.events.js';
import type { ChargeDisputeWon } from './events/dispute.events.js';
import type { RefundReturnsTo } from './events/refund.events.js';
import type { PayoutEvent } from './events/payout.events.js';
import { unreachable } from './unreachable.js';

/**
 * An account of the books. Balances, journal, trial balance and as-of reads all derive from the one table in this file, with at most one money move
 * per event. The accounts of HouseAccount are house accounts; the others belong to the merchant.
 */
export type Account = HouseAccount | 'pending' | 'available' | 'reserved' | 'refunding' | 'disputed';
export type HouseAccount = 'processor' | 'bank' | 'returns' | 'suspense' | 'fees' | 'costs' | 'tax' | 'losses' | 'equity';

/** `amount` moves from one account to another; positive minor units. Every event's postings sum to zero by construction. */
export interface Posting {
  readonly from: Account;
  readonly to: Account;
  readonly amount: bigint;
}

/** Changes of a balance record beside its postings. */
export interface CountChange {
  readonly pending_count: number;
  readonly available_count: number;
}

export interface MoneyMove {
  /** Owner of this part of the books: a merchant, or the owner of the house accounts (HOUSE_OWNERS). */
  readonly merchant_id: string;
  readonly currency: string;
  readonly postings: readonly Posting[];
  readonly counts: CountChange;
}

const MONEY_EVENT_TYPES = {
  ChargePaid: true,
  ChargePaymentUnmatched: true,
  ChargeReversed: true,
  ChargeRefundClaimed: true,
  ChargeRefundSucceeded: true,
  ChargeRefundFailed: true,
  ChargeRefundCancelled: true,
  ChargeRefundBounced: true,
  ChargeDisputeHeld: true,
  ChargeDisputeLost: true,
  ChargeDisputeWon: true,
  FundsSettled: true,
  RefundReserved: true,
  RefundReleased: true,
  PayoutRequested: true,
  PayoutCancelled: true,
  PayoutFailed: true,
  PayoutSucceeded: true,
  PayoutReturned: true,
  AccountAdjusted: true,
  HouseAdjusted: true,
  BankLinesBooked: true,
} as const;

/** The events that move money; every other known event moves none. */
export type MoneyEvent = Extract<
  ChargeEvent | AccountEvent | PayoutEvent | HouseEvent | ReconciliationEvent,
  { readonly type: keyof typeof MONEY_EVENT_TYPES }
>;

export function movesMoney(event: { readonly type: string; readonly data: object }): event is MoneyEvent {
  return Object.hasOwn(MONEY_EVENT_TYPES, event.type);
}

/** Returns the money that `event` moves. Leaves out postings of zero (a net of 0 after a fee of the whole amount). */
export function moneyMove(event: MoneyEvent): MoneyMove {
  const { currency } = event.data;
  if (isOfHouse(event)) {
    const postings = event.type === 'HouseAdjusted' ? adjustedByHouse(event.data) : bookedLines(event.data);
    return { merchant_id: HOUSE_OWNERS[event.data.mode], currency, postings: postings.filter(({ amount }) => amount > 0n), counts: NO_COUNTS };
  }
  const { postings, counts = NO_COUNTS } = effect(event);
  return { merchant_id: event.data.merchant_id, currency, postings: postings.filter(({ amount }) => amount > 0n), counts };
}

type OfHouse = Extract<MoneyEvent, { readonly type: 'HouseAdjusted' | 'BankLinesBooked' }>;

/** Bookings of house accounts, which belong to no merchant; the event has their mode. */
export const isOfHouse = (event: MoneyEvent): event is OfHouse => event.data.merchant_id === null;

const NO_COUNTS: CountChange = { pending_count: 0, available_count: 0 };

function effect(event: Exclude<MoneyEvent, OfHouse>): { postings: Posting[]; counts?: CountChange } {
  switch (event.type) {
    case 'ChargePaid':
      return {
        postings: [move('processor', 'pending', event.data.net_amount), move('processor', 'fees', event.data.fee_amount)],
        counts: { pending_count: 1, available_count: 0 },
      };
    case 'ChargePaymentUnmatched':
      // The processor owes it to us, and its owner is not known yet.
      return { postings: [move('processor', 'suspense', event.data.amount)] };
    case 'ChargeReversed':
      // Once claimed, the money is on its way to available: the processor is paid back from `returns` until the next settlement takes it.
      return event.data.claimed_in === null
        ? {
            postings: [move('pending', 'processor', event.data.net_amount), move('fees', 'processor', event.data.fee_amount)],
            counts: { pending_count: -1, available_count: 0 },
          }
        : { postings: [move('returns', 'processor', event.data.amount)] };
    case 'ChargeRefundClaimed':
      // When a settlement has claimed the charge, the account reserves the money before (RefundReserved).
      return { postings: event.data.source === 'PENDING' ? [move('pending', 'refunding', event.data.net_amount)] : [] };
    case 'RefundReserved':
      return { postings: [move('available', 'refunding', event.data.net_amount)] };
    case 'RefundReleased':
      return { postings: [move('refunding', 'available', event.data.net_amount)] };
    case 'ChargeRefundSucceeded':
      return { postings: [move('refunding', 'processor', event.data.net_amount), move('fees', 'processor', event.data.fee_amount)] };
    case 'ChargeRefundFailed':
    case 'ChargeRefundCancelled':
      return { postings: takenBack(event.data) };
    case 'ChargeRefundBounced':
      return {
        postings: [
          move('processor', event.data.to === 'PENDING' ? 'pending' : 'returns', event.data.net_amount),
          move('processor', 'fees', event.data.fee_amount),
        ],
      };
    case 'ChargeDisputeHeld':
      return { postings: [move(event.data.from === 'PENDING' ? 'pending' : 'returns', 'disputed', event.data.net_amount)] };
    case 'ChargeDisputeLost':
      return { postings: [move('disputed', 'processor', event.data.net_amount), move('fees', 'processor', event.data.fee_amount)] };
    case 'ChargeDisputeWon':
      return { postings: wonBack(event.data) };
    case 'FundsSettled':
      return settled(event.data.lines);
    case 'PayoutRequested':
      return { postings: [move('available', 'reserved', event.data.amount)] };
    case 'PayoutCancelled':
    case 'PayoutFailed':
      return { postings: [move('reserved', 'available', event.data.amount)] };
    case 'PayoutSucceeded':
      return { postings: [move('reserved', 'bank', event.data.net_amount), move('reserved', 'fees', event.data.fee_amount)] };
    case 'PayoutReturned':
      return { postings: [move('bank', 'returns', event.data.net_amount)] };
    case 'AccountAdjusted':
      return { postings: adjusted(event.data) };
    default:
      return unreachable(event);
  }
}

function settled(lines: readonly SettlementLine[]): { postings: Posting[]; counts: CountChange } {
  const charges = lines.filter((line) => line.kind === 'charge').length;
  const reversals = lines.filter((line) => line.kind === 'reversal').length;
  return { postings: lines.flatMap(settledLine), counts: { pending_count: -charges, available_count: charges - reversals } };
}

/** Returns the money to the merchant; or to the processor, including the fee, when the charge's reversal has taken the rest. */
function takenBack({
  to,
  net_amount,
  fee_amount,
}: {
  readonly to: RefundReturnsTo;
  readonly net_amount: number;
  readonly fee_amount: number;
}): Posting[] {
  switch (to) {
    case 'PENDING':
      return [move('refunding', 'pending', net_amount)];
    case 'RETURNS':
      return [move('refunding', 'returns', net_amount)];
    case 'PROCESSOR':
      return [move('refunding', 'processor', net_amount), move('fees', 'processor', fee_amount)];
    default:
      return unreachable(to);
  }
}

/** When the dispute had been lost before, the fee is returned too. */
function wonBack({ from, to, net_amount, fee_amount }: ChargeDisputeWon): Posting[] {
  const account = to === 'PENDING' ? 'pending' : 'returns';
  return from === 'DISPUTED'
    ? [move('disputed', account, net_amount)]
    : [move('processor', account, net_amount), move('processor', 'fees', fee_amount)];
}

function settledLine(line: SettlementLine): Posting[] {
  switch (line.kind) {
    case 'charge':
      return [move('pending', 'available', line.net_amount)];
    case 'reversal':
      return [move('available', 'returns', line.net_amount), move('fees', 'returns', line.fee_amount)];
    case 'return':
      return [move('returns', 'available', line.net_amount), move('fees', 'available', line.fee_amount)];
    case 'refund-return':
    case 'dispute-release':
      return [move('returns', 'available', line.net_amount)];
    case 'dispute-hold':
      return [move('available', 'returns', line.net_amount)];
    case 'dispute-fee':
      return [move('available', 'fees', line.net_amount)];
    default:
      return unreachable(line.kind);
  }
}

function adjusted({ kind, direction, amount, fee_amount, net_amount }: AccountAdjusted): Posting[] {
  switch (kind) {
    case 'UNMATCHED_TO_MERCHANT':
      return [move('suspense', 'available', net_amount), move('suspense', 'fees', fee_amount)];
    case 'TOP_UP':
      return [move('suspense', 'available', amount)];
    case 'FEE_CORRECTION':
      return [direction === 'back' ? move('available', 'fees', amount) : move('fees', 'available', amount)];
    case 'CLAWBACK':
      return [move('available', 'losses', amount)];
    case 'COVER':
      return [move('losses', 'available', amount)];
    default:
      return unreachable(kind);
  }
}

function adjustedByHouse({ kind, processor, amount }: HouseAdjusted): Posting[] {
  switch (kind) {
    case 'UNMATCHED_SENT_BACK':
      return [move('suspense', 'processor', amount)];
    case 'COST':
      return [move('costs', 'suspense', amount)];
    case 'LOSS':
      return [move('losses', 'suspense', amount)];
    case 'GAIN':
      return [move('suspense', 'losses', amount)];
    case 'WRITE_OFF':
      return [move('losses', 'processor', amount)];
    case 'OPENING':
      // Money that a processor had paid before its statements are read, or other money in the bank at that time.
      return [move('bank', processor === null ? 'equity' : 'processor', amount)];
    default:
      return unreachable(kind);
  }
}

const bookedLines = ({ rows }: BankLinesBooked): Posting[] => rows.flatMap((row) => (row.reversed ? bookedLine(row).map(turned) : bookedLine(row)));

/** Amounts are signed: a negative amount moves in the opposite direction. */
function bookedLine({ movement, processor, amount, fee, tax }: BookedRow): Posting[] {
  switch (movement) {
    case 'BATCH':
      return [signed('bank', 'processor', amount), signed('costs', 'processor', fee), signed('tax', 'processor', tax)];
    case 'UNREMITTED':
      // A line of a batch that belongs to no item of ours: with the batch, the processor has been credited for it.
      return [signed('processor', 'suspense', amount)];
    case 'PAYOUT':
    case 'RETURN':
      return [];
    case 'DIFFERENCE_TO_COSTS':
    case 'DIFFERENCE_TO_LOSSES':
      return [signed(processor === null ? 'bank' : 'processor', movement === 'DIFFERENCE_TO_COSTS' ? 'costs' : 'losses', amount)];
    case 'CHARGE':
    case 'UNKNOWN':
      return [signed('bank', movement === 'CHARGE' ? 'costs' : 'suspense', amount)];
    default:
      return unreachable(movement);
  }
}

const signed = (from: Account, to: Account, amount: number): Posting => (amount < 0 ? move(to, from, -amount) : move(from, to, amount));
const turned = ({ from, to, amount }: Posting): Posting => ({ from: to, to: from, amount });

function move(from: Account, to: Account, amount: number): Posting {
  return { from, to, amount: BigInt(amount) };
}
