import { NOTHING_TO_DO, refuse, type Decider } from '../../../ledger/decider.js';
import { ROWS_PER_PART, type BankLinesBooked, type DayCloseEvent } from '../../../ledger/events/day-close.events.js';
import type { Timestamp } from '../../../ledger/time.js';

/** The booked parts of a close: the newest of them, and the number of all. Pure. */
export interface BookedParts extends Pick<BankLinesBooked, 'n' | 'part'> {
  /** null: none is booked yet. */
  readonly parts: number | null;
}

export interface BookPart extends Omit<BankLinesBooked, 'merchant_id' | 'booked_on'> {
  readonly kind: 'book-part';
  readonly now: Timestamp;
}

export type BookRefusal =
  /** The close has ended, and another was opened. */
  | 'close-ended'
  | 'part-out-of-order'
  /** The close was begun with another number of parts. */
  | 'parts-differ';

/** Decides in the stream of a close's lines. In the stream of a source, which has those of closes of version 1, only the newest close counts. */
export const bookedLines: Decider<BookedParts | null, BookPart, DayCloseEvent, BookRefusal> = {
  initial: null,

  evolve(state, { type, data }): BookedParts | null {
    if (type === 'DayCloseOpened') return { n: data.n, part: 0, parts: null };
    return type === 'BankLinesBooked' ? { n: data.n, part: data.part, parts: data.parts } : state;
  },

  decide(state, { kind: _, now, ...booked }) {
    const { n, day, part, parts, rows } = booked;
    if (rows.length === 0 || rows.length > ROWS_PER_PART) throw new Error(`a part of ${rows.length} lines`);
    const last = state ?? { n, part: 0, parts: null };
    if (n !== last.n) return refuse('close-ended', `Close ${last.n} has begun, and ${n} has ended.`);
    if (part <= last.part) return NOTHING_TO_DO;
    if (part > last.part + 1) return refuse('part-out-of-order', `Part ${last.part + 1} of ${day} comes first.`);
    if (part > parts || (last.parts !== null && last.parts !== parts))
      return refuse('parts-differ', `The close of ${day} has ${last.parts ?? 'fewer'} parts, not ${parts}.`);
    return { events: [{ type: 'BankLinesBooked', data: { merchant_id: null, ...booked, booked_on: now } }] };
  },
};

/** No event before one of these changes the state. */
export const isNewestPart = ({ type }: { readonly type: string }): boolean => type === 'BankLinesBooked' || type === 'DayCloseOpened';
