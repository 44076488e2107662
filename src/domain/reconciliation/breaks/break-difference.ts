import type { MatchedDifference } from '../../../ledger/events/break.events.js';
import type { Mode } from '../../../ledger/mode.js';

/** One side of a break, as it is open now: nothing is matched with it. */
export interface OpenSide {
  readonly mode: Mode;
  readonly currency: string;
  /** Minor units, signed. */
  readonly amount: number;
}

/** A break, and what of it is open. */
export interface BreakSides {
  readonly kind: string;
  /** null: the line is matched by now, or there is none. */
  readonly line: (OpenSide & { readonly source: string; readonly line_key: string }) | null;
  /** What the line names: an item, by its event, or a batch. null: it names none, or that is matched or closed by now. */
  readonly books: (OpenSide & ({ readonly event_id: string } | { readonly source: string; readonly batch: string })) | null;
}

/** What a proposal is about, so that persons approve figures: all of it is in its digest. */
export interface SettledDifference extends MatchedDifference {
  readonly mode: Mode;
  readonly line_amount: number;
  readonly book_amount: number;
  /** Of the item; null: it is of a batch. */
  readonly event_id: string | null;
  readonly batch_source: string | null;
  readonly batch: string | null;
}

export type DifferenceRefusal =
  /** Its line names nothing with another amount: there is nothing to take the difference from. */
  | 'no-difference'
  /** Line or item are matched or closed by now. */
  | 'sides-not-open'
  | 'currency-differs'
  /** One is money that comes, the other money that goes. */
  | 'sign-differs';

interface Refused {
  readonly refusal: DifferenceRefusal;
  readonly detail: string;
}

/** Breaks whose line names what it is of, with another amount. All others lack a side, or the side is another line's. */
export const DIFFERENCE_KINDS = ['AMOUNT', 'PAYOUT_AMOUNT', 'REMITTANCE_SHORT'] as const;
export const mayDiffer = (kind: string): boolean => (DIFFERENCE_KINDS as readonly string[]).includes(kind);

/** By what the line is another than what it names. Pure. */
export function differenceIn({ kind, line, books }: BreakSides, account: MatchedDifference['account']): SettledDifference | Refused {
  if (!mayDiffer(kind)) return refuse('no-difference', `A break of kind ${kind} has no difference of amount that could be booked.`);
  if (!line || !books) return refuse('sides-not-open', 'Its line, or what that names, is not open any more.');
  if (line.currency !== books.currency) return refuse('currency-differs', `The line is of ${line.currency}, the books have ${books.currency}.`);
  if (Math.sign(line.amount) !== Math.sign(books.amount))
    return refuse('sign-differs', 'One of them is money that comes, the other money that goes.');
  const amount = line.amount - books.amount;
  if (amount === 0) return refuse('no-difference', 'Both have the same amount.');
  const of = 'event_id' in books ? { event_id: books.event_id } : { batch_source: books.source, batch: books.batch };
  const figures = { mode: line.mode, currency: line.currency, line_amount: line.amount, book_amount: books.amount, amount };
  return { account, ...figures, event_id: null, batch_source: null, batch: null, ...of };
}

const refuse = (refusal: DifferenceRefusal, detail: string): Refused => ({ refusal, detail });
