import { latinInAscii } from './ascii.js';
import { withTwoDecimals } from './two-decimals.js';

/** SWIFT MT940, customer statements, as they are written. */

export interface Mt940Entry {
  /** Minor units; negative: a debit. */
  readonly amount: number;
  readonly isCharge: boolean;
  /** For the owner of the account: that of the payment. */
  readonly reference: string | null;
  /** Of the bank's own. */
  readonly bankReference: string | null;
  readonly text: string;
}

/** Of one account, currency and day. */
export interface Mt940Statement<Entry extends Mt940Entry = Mt940Entry> {
  /** Of the message. */
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

/** A line of the file, and the entry that it is of. */
export interface Mt940Line<Entry> {
  readonly text: string;
  readonly entry?: Entry;
}

export const MT940_LINE_END = '\r\n';

/** As the standard bounds the six lines of :86:; here it is one, because a break within digits would make another reference of them. */
const TEXT_MAX = 390;
const REFERENCE_MAX = 64;
/** Without a space, so that it is read as one, and without the slashes that part the two references. */
const REFERENCE = /^[0-9A-Za-z](?:[0-9A-Za-z.-]|\/(?!\/))*$/;
/** The standard's character set X, which has braces for what stands around messages alone. */
const OTHERS = /[^0-9A-Za-z/?:().,'+ -]/gu;

/** A message: the lines of one statement, each to be ended by MT940_LINE_END. */
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
  // What :61: cannot hold as it is stands in the text.
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

/** One line of the format's characters, that looks like no field and like no end of a message. Cut between words, lest a part be read as a whole. */
function safeText(text: string): string {
  const line = text
    // Letters alone: a digit of another script must not become part of a reference.
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
