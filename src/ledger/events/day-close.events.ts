import type { BreakFigure, SealedHead } from './period.events.js';

/**
 * Events of a BANK's source, in its stream: each day is closed once, in order. DayCloseOpened is the tick at which the day's lines are held
 * against the books; BankLinesBooked are what that tick has shown, part by part, and move money; DayClosed is behind the last of them.
 */
interface OfDay {
  /** Of no merchant. */
  readonly merchant_id: null;
  /** `<mode>-<name>`. */
  readonly source: string;
  readonly mode: 'live' | 'test';
  /** Which close of the source it is, from 1. */
  readonly n: number;
  /** YYYY-MM-DD in the source's time zone. */
  readonly day: string;
}

/** What the bank says at the end of a day. */
export interface DayClosing {
  readonly currency: string;
  /** Minor units: with what the last statement up to the day closes; before the first one, with what that opens. */
  readonly closing: number;
}

export interface DayCloseOpened extends OfDay {
  /** By which passes lines are matched at this tick. */
  readonly matcher: number;
  /** Of each currency that has statements. */
  readonly closings: readonly DayClosing[];
  readonly person_id: string;
  readonly key_id: string;
  readonly reason: string;
  readonly opened_on: string;
}

/**
 * What a line is: money of a batch of a processor; one of that batch's lines that is of no item of ours; a payout or a return, which
 * their own facts have booked; a charge of the bank's own; or nobody knows. Beside it, by how much a line is another than the batch,
 * payout, return or item that it is of, as persons have approved: to costs, or to losses.
 */
export const MOVEMENTS = [
  ...(['BATCH', 'UNREMITTED', 'PAYOUT', 'RETURN', 'CHARGE', 'UNKNOWN'] as const),
  ...(['DIFFERENCE_TO_COSTS', 'DIFFERENCE_TO_LOSSES'] as const),
] as const;
export type Movement = (typeof MOVEMENTS)[number];

/** One line, and what it moves. */
export interface BookedRow {
  readonly movement: Movement;
  /** It takes back what an earlier close has booked of the line. */
  readonly reversed: boolean;
  /** Of the line: the bank's source; of UNREMITTED, and of the difference of an item in a batch, the processor's. */
  readonly line_source: string;
  readonly line_key: string;
  /** Minor units: what the bank has more; of UNREMITTED what the processor says that it was before its fee; of a difference what the line has more. */
  readonly amount: number;
  /** Of BATCH: what the processor has kept; 0 otherwise. */
  readonly fee: number;
  readonly tax: number;
  /** Of BATCH and UNREMITTED, and of differences at a processor; null otherwise. */
  readonly batch_source: string | null;
  readonly batch: string | null;
  /** Whose money it moves; null where it moves none at a processor. */
  readonly processor: string | null;
  /** Of PAYOUT and RETURN: the event that has booked it; of a difference that of its item; null otherwise. */
  readonly event_id: string | null;
  /** Of UNKNOWN and UNREMITTED: the item in suspense that it is, or was; null otherwise. */
  readonly item_id: string | null;
}

/** No more of them in one event. */
export const ROWS_PER_PART = 500;

export interface BankLinesBooked extends OfDay {
  /** From 1; each is of one currency. */
  readonly part: number;
  /** Of the whole close. */
  readonly parts: number;
  readonly currency: string;
  readonly rows: readonly BookedRow[];
  readonly booked_on: string;
}

/** What holds the books against the bank's balance, minor units. */
export interface DayFigures {
  readonly currency: string;
  /** null: there is no statement of the currency. */
  readonly closing: number | null;
  /** What the books say that the bank has: `bank` up to the tick, and what this close has booked. */
  readonly book_cash: number;
  /** Booked, and not in a statement yet. */
  readonly payouts: number;
  readonly returns: number;
  /** Payouts in a statement whose bank has not told us yet that they are paid. */
  readonly under_way: number;
  /** Of what this close has booked, what went to costs and losses because a line has more than what it is of; below zero where it has less. */
  readonly differences: number;
  /** `closing` less `book_cash`, and what explains the rest of it; null where there is no statement and something was booked. */
  readonly residual: number | null;
}

export interface DayClosed extends OfDay {
  readonly matcher: number;
  /** Ordinal of DayCloseOpened: the figures are what the books were up to it, and what this close has booked. */
  readonly position: number;
  /** Signed over all events up to the last part, at least. */
  readonly head: SealedHead;
  readonly parts: number;
  readonly rows: number;
  /** Over the rows in their order: SHA-256, hex, of the canonical JSON of each and LF. */
  readonly digest: string;
  readonly figures: readonly DayFigures[];
  /** Of the source, open at `position`. */
  readonly breaks: readonly BreakFigure[];
  readonly closed_on: string;
}

export type DayCloseEvent =
  | { readonly type: 'DayCloseOpened'; readonly data: DayCloseOpened }
  | { readonly type: 'BankLinesBooked'; readonly data: BankLinesBooked }
  | { readonly type: 'DayClosed'; readonly data: DayClosed };
