import { latinInAscii } from '../../../platform/text/ascii.js';
import { withTwoDecimals } from '../../../platform/text/amounts.js';

/** Writes SWIFT MT940, customer statements. */

export interface Mt940Entry {
  /** Minor units; negative: a debit. */
  readonly amount: number;
  readonly isCharge: boolean;
  /** Reference for the owner of the account: that of the payment. */
  readonly reference: string | null;
  /** The bank's own reference. */
  readonly bankReference: string | null;
  readonly text: string;
}

/** A statement of one account, currency and day. */
export interface Mt940Statement<Entry extends Mt940Entry = Mt940Entry> {
  /** Reference of the message. */
  readonly reference: string;
  readonly account: string;
  readonly number: string;
  readonly currency: string;
  /** YYYY-MM-DD */
  readonly day: string;
  /** Minor units. */
  readonly opening: number;
  readonly entries: readonly Entry[];
  readonly closing: number;
}

/** A line of the file, and the entry that it belongs to. */
export interface Mt940Line<Entry> {
  readonly text: string;
  readonly entry?: Entry;
}

export const MT940_LINE_END = '\r\n';

/** The standard's limit for the six lines of :86:. The text here is one line, because a line break within digits would change a reference. */
const TEXT_MAX = 390;
const REFERENCE_MAX = 64;
/** Without spaces, so that it is read as one, and without double slashes, which separate the two references. */
const REFERENCE = /^[0-9A-Za-z](?:[0-9A-Za-z.-]|\/(?!\/))*$/;
/** The complement of the standard's character set X, without braces, which only enclose messages. */
const OTHERS = /[^0-9A-Za-z/?:().,'+ -]/gu;

/** Returns the lines of a message, one statement; MT940_LINE_END follows each. */
export function mt940Lines<Entry extends Mt940Entry>(statement: Mt940Statement<Entry>): Mt940Line<Entry>[] {
  const { reference, account, number, currency, day, opening, entries, closing } = statement;
  const date = day.slice(2).replaceAll('-', '');
  const balance = (amount: number): string => `${markOf(amount)}${date}${currency}${unsigned(amount)}`;
  return [
    { text: `:20:${reference}` },
    { text: `:25:${account}` },
    { text: `:28C:${number}` },
    { text: `:60F:${balance(opening)}` },
    ...entries.flatMap((entry) => entryLines(entry, date)),
    { text: `:62F:${balance(closing)}` },
    { text: '-' },
  ];
}

function entryLines<Entry extends Mt940Entry>(entry: Entry, date: string): Mt940Line<Entry>[] {
  const { amount, isCharge, reference, bankReference } = entry;
  const references = [reference, bankReference].map((each) => (each !== null && isWritable(each) ? each : null));
  const behind = `${references[0] ?? 'NONREF'}${references[1] === null ? '' : `//${references[1]}`}`;
  // The text has the references that :61: cannot represent.
  const others = [reference, bankReference].filter((each) => each !== null && !isWritable(each));
  const text = safeText([entry.text, ...others].join(' '));
  return [
    { text: `:61:${date}${date.slice(2)}${markOf(amount)}${unsigned(amount)}${isCharge ? 'NCHG' : 'NTRF'}${behind}`, entry },
    ...(text === '' ? [] : [{ text: `:86:${text}` }]),
  ];
}

const markOf = (amount: number): 'C' | 'D' => (amount < 0 ? 'D' : 'C');
const unsigned = (amount: number): string => withTwoDecimals(Math.abs(amount), ',');

const isWritable = (reference: string): boolean => reference.length <= REFERENCE_MAX && REFERENCE.test(reference) && !reference.endsWith('/');

/**
 * Returns one line in the format's characters that resembles no field and no end of a message. It is cut between words, so that no part is read as a
 * whole.
 */
function safeText(text: string): string {
  const line = text
    // Converts letters only: a digit of another script must not become part of a reference.
    .replaceAll(/\p{Script=Latin}\p{Mn}*/gu, latinInAscii)
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(OTHERS, '.')
    .replace(/^[ :-]+/, '')
    .trimEnd();
  if (line.length <= TEXT_MAX) return line;
  const cut = line.slice(0, TEXT_MAX + 1);
  const end = cut.lastIndexOf(' ');
  return end > 0 ? cut.slice(0, end).trimEnd() : cut.slice(0, TEXT_MAX);
}
