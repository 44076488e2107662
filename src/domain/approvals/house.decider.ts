import { monthOf, refuseItem, refuseMonth, type AdjustmentOrder, type AdjustmentRefusal } from '../accounts/suspense-item.js';
import { refuse, type Decider, type Refused } from '../../ledger/decider.js';
import {
  isSuspenseKind,
  type HouseAdjusted,
  type HouseAdjustmentKind,
  type HouseEvent,
  type SuspenseItem,
} from '../../ledger/events/adjustment.events.js';
import type { Timestamp } from '../../ledger/time.js';
import { unreachable } from '../../ledger/unreachable.js';
import { formatAmount } from '../../platform/text/format.js';

/** An open item: an amount that a processor or the bank owes us, or that we owe it, and that is not paid yet. */
export type ItemAtProcessor = Pick<SuspenseItem, 'item_id' | 'mode' | 'currency' | 'amount' | 'charge_id' | 'processor'>;

/** Items of a processor that an opening closes. */
export interface OwedItems {
  /** Their sum, minor units. */
  readonly amount: bigint;
  readonly items: number;
}

/** A source of statements, with the sum of its opening. */
export interface OpenedSource {
  readonly source: string;
  /** null: a bank. */
  readonly processor: string | null;
  /** Ordinal up to which the opening includes the processor's items; null for a bank. */
  readonly position: number | null;
  /** These items; null for a bank, and while the log has no event at `position`. */
  readonly owed: OwedItems | null;
}

export interface HouseAdjustmentOrder extends AdjustmentOrder {
  readonly kind: HouseAdjustmentKind;
  readonly mode: 'live' | 'test';
  /** The subject of the adjustment. Its kind determines which one is set; the others are null. */
  readonly item: SuspenseItem | null;
  readonly at_processor: ItemAtProcessor | null;
  readonly opening: OpenedSource | null;
}

/** State for the next decision about house accounts in one mode and currency. */
export interface HouseState {
  /** Sources that have been opened, and items at processors that have been written off. Each can be only once. */
  readonly opened: ReadonlySet<string>;
  readonly written_off: ReadonlySet<string>;
}

export interface HouseCommand {
  readonly kind: 'adjust';
  readonly order: HouseAdjustmentOrder;
  readonly now: Timestamp;
}

export type HouseRefusal =
  | AdjustmentRefusal
  | 'source-not-found'
  /** A source can be opened once. */
  | 'source-opened'
  /** The log has no event at the position of the opening yet. */
  | 'position-ahead'
  /** The processor's items add up to another amount. */
  | 'opening-differs'
  | 'item-written-off';

/** Decides adjustments of house accounts, in the stream `house-<mode>-<currency>`. Pure. */
export const house: Decider<HouseState, HouseCommand, HouseEvent, HouseRefusal> = {
  initial: { opened: new Set(), written_off: new Set() },

  evolve(state, event): HouseState {
    switch (event.type) {
      case 'HouseAdjusted': {
        const { kind, source, item_id } = event.data;
        if (kind === 'OPENING') return { ...state, opened: new Set([...state.opened, source!]) };
        return kind === 'WRITE_OFF' ? { ...state, written_off: new Set([...state.written_off, item_id!]) } : state;
      }
      case 'AdjustmentRefused':
        return state;
      default:
        return unreachable(event);
    }
  },

  decide(state, { order, now }) {
    const refused = refuseMonth(order, now) ?? refuseSubject(state, order, now);
    if (refused) return refused;
    const { proposal_id, kind, mode, currency, amount, item, at_processor, opening } = order;
    const about = item ?? at_processor;
    const data: HouseAdjusted = {
      merchant_id: null,
      mode,
      currency,
      proposal_id,
      kind,
      amount,
      item_id: about?.item_id ?? null,
      charge_id: about?.charge_id ?? null,
      processor: kind === 'UNMATCHED_SENT_BACK' || kind === 'WRITE_OFF' ? about!.processor : (opening?.processor ?? null),
      source: opening?.source ?? null,
      position: opening?.position ?? null,
      items: opening?.owed?.items ?? null,
      relates_to: monthOf(order, now),
      adjusted_on: now,
    };
    return { events: [{ type: 'HouseAdjusted', data }] };
  },
};

function refuseSubject(state: HouseState, order: HouseAdjustmentOrder, now: Timestamp): Refused<HouseRefusal> | undefined {
  const { kind, item, mode } = order;
  if (kind === 'OPENING') return refuseOpening(state, order);
  if (kind === 'WRITE_OFF') return refuseWriteOff(state, order);
  if (!isSuspenseKind(kind)) throw new Error(`no adjustment of kind ${kind satisfies never as string}`);
  if (item === null) return refuse('item-not-found', 'There is no such item in suspense.');
  return refuseItem({ ...order, kind }, item, item.mode === mode, now);
}

function refuseWriteOff(state: HouseState, { at_processor: item, mode, currency, amount }: HouseAdjustmentOrder): Refused<HouseRefusal> | undefined {
  if (item === null) return refuse('item-not-found', 'There is no such open item at a processor.');
  if (item.processor === null) return refuse('item-not-of-kind', 'It is a payout or its return: only an item at a processor is written off.');
  if (item.mode !== mode || item.currency !== currency) return refuse('item-of-another', `Item ${item.item_id} is of another mode or currency.`);
  if (item.amount < 0) return refuse('item-not-of-kind', 'Only an amount that the processor owes is written off.');
  if (item.amount !== amount) return refuse('item-amount-differs', `An item is written off in full: it is ${formatAmount(item.amount, currency)}.`);
  return state.written_off.has(item.item_id) ? refuse('item-written-off', `Item ${item.item_id} has been written off.`) : undefined;
}

function refuseOpening(state: HouseState, { opening, currency, amount }: HouseAdjustmentOrder): Refused<HouseRefusal> | undefined {
  if (opening === null) return refuse('source-not-found', 'There is no such source of statements of this mode and currency.');
  if (state.opened.has(opening.source)) return refuse('source-opened', `Source ${opening.source} has been opened.`);
  const { processor, position, owed } = opening;
  if (position === null) return undefined;
  if (owed === null) return refuse('position-ahead', `The log has no event at position ${position} yet.`);
  if (owed.amount !== BigInt(amount))
    return refuse('opening-differs', `${processor} owed ${formatAmount(owed.amount, currency)} up to position ${position}.`);
  return undefined;
}
