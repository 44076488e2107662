import type { BreakFigure, SealedHead } from './period.events.js';

/**
 * Closes of a bank's days, each day once, in order. DayCloseOpened, in the stream of the BANK source, is the tick at which the day's lines are compared
 * with the books. BankLinesBooked record the result of that tick, part by part, and move money; they are in a stream of their day, because a source's
 * stream is read for each of its decisions. DayClosed, in the source's stream again, follows the last of them.
 */
export const dayStream = (source: string, day: string): string => `recon-day-${source}-${day}`;

interface OfDay {
  /** The event belongs to no merchant. */
  readonly merchant_id: null;
  /** `<mode>-<name>`. */
  readonly source: string;
  readonly mode: 'live' | 'test';
  /** Number of this close of the source, from 1. */
  readonly n: number;
  /** YYYY-MM-DD in the source's time zone. */
  readonly day: string;
}

/** The bank's balance at the end of a day. */
export interface DayClosing {
  readonly currency: string;
  /** Minor units: the closing balance of the last statement up to the day; before the first one, the opening balance of that. */
  readonly closing: number;
}

export interface DayCloseOpened extends OfDay {
  /** Number of the matcher: the passes that match lines at this tick. */
  readonly matcher: number;
  /** One for each currency that has statements. */
  readonly closings: readonly DayClosing[];
  /** Stream of the close's BankLinesBooked: that of its day; in closes of version 1, the stream of the source. */
  readonly lines_stream: string;
  readonly person_id: string;
  readonly key_id: string;
  readonly reason: string;
  readonly opened_on: string;
}

/**
 * Meaning of a line: money of a processor's batch; a line of that batch that belongs to no item of ours; a payout or a return, which their own events
 * have booked; a charge by the bank itself; or unknown. The last two are the difference between a line and its batch, payout, return or item, as
 * operators have approved it: to costs, or to losses.
 */
export type Movement = 'BATCH' | 'UNREMITTED' | 'PAYOUT' | 'RETURN' | 'CHARGE' | 'UNKNOWN' | 'DIFFERENCE_TO_COSTS' | 'DIFFERENCE_TO_LOSSES';

/** One line, and the money that it moves. */
export interface BookedRow {
  readonly movement: Movement;
  /** The row reverses the booking of the line by an earlier close. */
  readonly reversed: boolean;
  /** Source of the line: the bank's; for UNREMITTED, and for the difference of an item in a batch, the processor's. */
  readonly line_source: string;
  readonly line_key: string;
  /** Minor units: the increase at the bank; for UNREMITTED, the processor's amount before its fee; for a difference, the excess of the line. */
  readonly amount: number;
  /** Amount of a BATCH that the processor kept; 0 otherwise. */
  readonly fee: number;
  readonly tax: number;
  /** Set for BATCH and UNREMITTED, and for differences at a processor; null otherwise. */
  readonly batch_source: string | null;
  readonly batch: string | null;
  /** The processor whose money it moves; null when it moves none at a processor. */
  readonly processor: string | null;
  /** The event that booked a PAYOUT or RETURN; for a difference, that of its item; null otherwise. */
  readonly event_id: string | null;
  /** The item in suspense that an UNKNOWN or UNREMITTED line is, or was; null otherwise. */
  readonly item_id: string | null;
}

/** Maximum rows of one event. */
export const ROWS_PER_PART = 500;

export interface BankLinesBooked extends OfDay {
  /** From 1; each part has one currency. */
  readonly part: number;
  /** Number of parts of the whole close. */
  readonly parts: number;
  readonly currency: string;
  readonly rows: readonly BookedRow[];
  readonly booked_on: string;
}

/** Comparison of the books with the bank's balance, minor units. */
export interface DayFigures {
  readonly currency: string;
  /** null: the currency has no statement. */
  readonly closing: number | null;
  /** The bank's money by the books: `bank` up to the tick, and the bookings of this close. */
  readonly book_cash: number;
  /** Booked, but not in a statement yet. */
  readonly payouts: number;
  readonly returns: number;
  /** Payouts in a statement that the bank has not reported as paid yet. */
  readonly under_way: number;
  /** Bookings of this close to costs and losses because a line exceeds its match; below zero when it falls short of it. */
  readonly differences: number;
  /**
   * `closing` less the expected balance, which is `book_cash` plus `payouts` less `returns` and `under_way`; null when there is no statement and
   * something was booked.
   */
  readonly residual: number | null;
}

export interface DayClosed extends OfDay {
  readonly matcher: number;
  /** Ordinal of DayCloseOpened: the figures are the books up to it, and the bookings of this close. */
  readonly position: number;
  /** Signed over all events up to the last part, at least. */
  readonly head: SealedHead;
  readonly parts: number;
  readonly rows: number;
  /** SHA-256, hex, over the rows in their order: the canonical JSON of each, followed by LF. */
  readonly digest: string;
  readonly figures: readonly DayFigures[];
  /** Breaks of the source that are open at `position`. */
  readonly breaks: readonly BreakFigure[];
  readonly closed_on: string;
}

export type DayCloseEvent =
  | { readonly type: 'DayCloseOpened'; readonly data: DayCloseOpened }
  | { readonly type: 'BankLinesBooked'; readonly data: BankLinesBooked }
  | { readonly type: 'DayClosed'; readonly data: DayClosed };
