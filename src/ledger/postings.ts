import type { FundsSettled, PayoutCancelled, PayoutFailed, PayoutRequested, PayoutSucceeded, SettlementLine } from './events/account.events.js';
import type { ChargePaid, ChargeReversed } from './events/charge.events.js';
import type { PayoutReturned } from './events/payout.events.js';

/**
 * One event, one money move: balances, journal, trial balance and as-of reads all come from this table.
 * processor, bank, returns and fees are the house's accounts; pending, available and reserved are the merchant's.
 */
export type Account = 'processor' | 'bank' | 'returns' | 'fees' | 'pending' | 'available' | 'reserved';

/** `amount` moves from one account to another; positive minor units. Every event's postings sum to zero by their form. */
export interface Posting {
  readonly from: Account;
  readonly to: Account;
  readonly amount: bigint;
}

/** What an event does to a balance record beside its postings. */
export interface CountChange {
  readonly pending_count: number;
  readonly available_count: number;
}

export interface MoneyMove {
  readonly merchant_id: string;
  readonly currency: string;
  readonly postings: readonly Posting[];
  readonly counts: CountChange;
}

/** The events that move money; every other known event moves none. */
export type MoneyEvent =
  | { readonly type: 'ChargePaid'; readonly data: ChargePaid }
  | { readonly type: 'ChargeReversed'; readonly data: ChargeReversed }
  | { readonly type: 'FundsSettled'; readonly data: FundsSettled }
  | { readonly type: 'PayoutRequested'; readonly data: PayoutRequested }
  | { readonly type: 'PayoutCancelled'; readonly data: PayoutCancelled }
  | { readonly type: 'PayoutFailed'; readonly data: PayoutFailed }
  | { readonly type: 'PayoutSucceeded'; readonly data: PayoutSucceeded }
  | { readonly type: 'PayoutReturned'; readonly data: PayoutReturned };

const MONEY_EVENT_TYPES: Readonly<Record<MoneyEvent['type'], true>> = {
  ChargePaid: true,
  ChargeReversed: true,
  FundsSettled: true,
  PayoutRequested: true,
  PayoutCancelled: true,
  PayoutFailed: true,
  PayoutSucceeded: true,
  PayoutReturned: true,
};

export function movesMoney(event: { readonly type: string; readonly data: object }): event is MoneyEvent {
  return Object.hasOwn(MONEY_EVENT_TYPES, event.type);
}

/** The money that `event` moves. Lines of nothing (a net of 0 after a fee of the whole amount) are left out. */
export function moneyMove(event: MoneyEvent): MoneyMove {
  const { merchant_id, currency } = event.data;
  const { postings, counts = NO_COUNTS } = effect(event);
  return { merchant_id, currency, postings: postings.filter((posting) => posting.amount > 0n), counts };
}

const NO_COUNTS: CountChange = { pending_count: 0, available_count: 0 };

function effect(event: MoneyEvent): { postings: Posting[]; counts?: CountChange } {
  switch (event.type) {
    case 'ChargePaid':
      return {
        postings: [move('processor', 'pending', event.data.net_amount), move('processor', 'fees', event.data.fee_amount)],
        counts: { pending_count: 1, available_count: 0 },
      };
    case 'ChargeReversed':
      // Once claimed, the money is on its way to available: the processor is paid back from `returns` until the next settlement takes it.
      return event.data.claimed_in === null
        ? {
            postings: [move('pending', 'processor', event.data.net_amount), move('fees', 'processor', event.data.fee_amount)],
            counts: { pending_count: -1, available_count: 0 },
          }
        : { postings: [move('returns', 'processor', event.data.amount)] };
    case 'FundsSettled': {
      const charges = event.data.lines.filter((line) => line.kind === 'charge').length;
      const reversals = event.data.lines.filter((line) => line.kind === 'reversal').length;
      return {
        postings: event.data.lines.flatMap(settledLine),
        counts: { pending_count: -charges, available_count: charges - reversals },
      };
    }
    case 'PayoutRequested':
      return { postings: [move('available', 'reserved', event.data.amount)] };
    case 'PayoutCancelled':
    case 'PayoutFailed':
      return { postings: [move('reserved', 'available', event.data.amount)] };
    case 'PayoutSucceeded':
      return { postings: [move('reserved', 'bank', event.data.net_amount), move('reserved', 'fees', event.data.fee_amount)] };
    case 'PayoutReturned':
      return { postings: [move('bank', 'returns', event.data.net_amount)] };
    default:
      throw new Error(`no posting rule for ${(event satisfies never as { type: string }).type}`);
  }
}

function settledLine(line: SettlementLine): Posting[] {
  switch (line.kind) {
    case 'charge':
      return [move('pending', 'available', line.net_amount)];
    case 'reversal':
      return [move('available', 'returns', line.net_amount), move('fees', 'returns', line.fee_amount)];
    case 'return':
      return [move('returns', 'available', line.net_amount), move('fees', 'available', line.fee_amount)];
    default:
      throw new Error(`no posting rule for line ${line.kind satisfies never as string}`);
  }
}

function move(from: Account, to: Account, amount: number): Posting {
  return { from, to, amount: BigInt(amount) };
}
