import type { MatchedDifference } from '../../../ledger/events/break.events.js';
import type { Mode } from '../../../ledger/mode.js';
import { refuse, type Refused } from '../../../ledger/decider.js';

/** One side of a break that is open now: nothing is matched with it. */
export interface OpenSide {
  readonly mode: Mode;
  readonly currency: string;
  /** Minor units, signed. */
  readonly amount: number;
}

/** A break, and its sides that are open. */
export interface BreakSides {
  readonly kind: string;
  /** null: the line has been matched since, or there is none. */
  readonly line: (OpenSide & { readonly source: string; readonly line_key: string }) | null;
  /** The item, by its event, or the batch that the line names. null: it names none, or that one has been matched or closed since. */
  readonly books: (OpenSide & ({ readonly event_id: string } | { readonly source: string; readonly batch: string })) | null;
}

/** The content of a proposal. Its digest includes all of it, so operators approve figures. */
export interface SettledDifference extends MatchedDifference {
  readonly mode: Mode;
  readonly line_amount: number;
  readonly book_amount: number;
  /** Event of the item; null: the difference is of a batch. */
  readonly event_id: string | null;
  readonly batch_source: string | null;
  readonly batch: string | null;
}

export type DifferenceRefusal =
  /** The line names nothing with another amount, so there is no difference to book. */
  | 'no-difference'
  /** The line or the item has been matched or closed since. */
  | 'sides-not-open'
  | 'currency-differs'
  /** One is incoming money, the other is outgoing money. */
  | 'sign-differs';

/** Breaks whose line names its item or batch, with another amount. All other kinds lack a side, or that side belongs to another line. */
const DIFFERENCE_KINDS = ['AMOUNT', 'PAYOUT_AMOUNT', 'REMITTANCE_SHORT'] as const;

type Side = Pick<OpenSide, 'currency' | 'amount'>;

interface Bookable<Line, Books> {
  readonly line: Line;
  readonly books: Books;
  /** The line less the books; minor units, not 0. */
  readonly amount: number;
}

/** Returns a line, the item or batch that it names, and the difference between them, if it can be booked. Pure. */
export function bookableDifference<Line extends Side, Books extends Side>(
  kind: string,
  line: Line | null,
  books: Books | null,
): Bookable<Line, Books> | Refused<DifferenceRefusal> {
  if (!(DIFFERENCE_KINDS as readonly string[]).includes(kind))
    return refuse('no-difference', `A break of kind ${kind} has no difference of amount that could be booked.`);
  if (!line || !books) return refuse('sides-not-open', 'Its line, or the item that the line names, is no longer open.');
  if (line.currency !== books.currency) return refuse('currency-differs', `The line is of ${line.currency}, the books have ${books.currency}.`);
  if (Math.sign(line.amount) !== Math.sign(books.amount))
    return refuse('sign-differs', 'One of them is an incoming amount, the other an outgoing one.');
  const amount = line.amount - books.amount;
  return amount === 0 ? refuse('no-difference', 'Both have the same amount.') : { line, books, amount };
}

/** Returns the difference as the content of a proposal. Pure. */
export function differenceIn(sides: BreakSides, account: MatchedDifference['account']): SettledDifference | Refused<DifferenceRefusal> {
  const found = bookableDifference(sides.kind, sides.line, sides.books);
  if ('refusal' in found) return found;
  const { line, books, amount } = found;
  const of = 'event_id' in books ? { event_id: books.event_id } : { batch_source: books.source, batch: books.batch };
  const figures = { mode: line.mode, currency: line.currency, line_amount: line.amount, book_amount: books.amount, amount };
  return { account, ...figures, event_id: null, batch_source: null, batch: null, ...of };
}
