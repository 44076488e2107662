import { hash } from 'node:crypto';
import type { AccountStatement, LineSums, RemittanceBatch, StatementLine } from '../../../ledger/events/reconciliation.events.js';
import {
  shown,
  StatementRefused,
  unreadable,
  type ParsedLine,
  type PersonalData,
  type StatedTotal,
  type StatementCloses,
  type StatementItem,
  type StatementOpens,
} from '../formats/statement-item.js';
import { boundsFault } from '../../../ledger/bounds.js';
import { ONE_LINE } from '../../../platform/text/text.js';
import { KeysDigest, UnorderedKeysDigest } from './keys-digest.js';
import { Occurrences } from './occurrences.js';
import { inUnits } from '../../../platform/text/amounts.js';

/** The rules for a file, beyond its form. */
export interface StatementRules {
  /** Stream of the source; part of each line's key. */
  readonly source: string;
  readonly currencies: readonly string[];
  /** Whether the account, as it is written in the file, is the source's. */
  readonly isAccount: (account: string) => boolean;
  /** The current day in the source's time zone: no line may be booked later. */
  readonly today: string;
  /** No line is booked and no balance is of an earlier day; absent: of any day. */
  readonly from?: string;
  /** `numbersOf` statements that count already; absent: none. Lines of another statement with the same number get separate keys. */
  readonly taken?: ReadonlySet<string>;
}

/** A line with the keys that identify it, and with its personal data. */
export interface CheckedLine {
  /** Its fields in the log. */
  readonly stored: StatementLine;
  /** Words that are references only as names of batches that a processor's file has. */
  readonly possible: readonly string[];
  readonly personal: PersonalData | null;
}

interface InFile {
  readonly line: number;
  /** Its digests in the forms of earlier versions. One of them depends on the order of lines, and both are made of the references of then. */
  readonly former_digests: readonly string[];
}

/** A statement as it was read. */
export interface ReadStatement extends AccountStatement, InFile {
  /** The keys of its lines do not contain its day and opening balance: no other statement had its number. */
  readonly has_short_keys: boolean;
}

export interface FileSummary {
  readonly statements: readonly ReadStatement[];
  readonly batches: readonly (RemittanceBatch & InFile)[];
  readonly sums: readonly LineSums[];
  readonly lines: number;
  /** Earliest and latest booking date of its lines; null when there is no line. */
  readonly booked_from: string | null;
  readonly booked_to: string | null;
}

/** Maximum statements and batches of one file: one event records which of them count. */
export const GROUPS_MAX = 1_000;
/** Maximum characters of a bank's number of a statement: an event has room for GROUPS_MAX of them. */
const NUMBER_LENGTH_MAX = 64;
const KEY_CHARS = 32;
/** Separates references in the content of a key. */
const BETWEEN = '\u001f';
/** Digits of a hash by which equal lines are counted. Two different lines that share them get different keys, too: as the first and the second. */
const OCCURRENCE_DIGITS = 12;

interface OpenStatement {
  readonly opens: StatementOpens;
  readonly digest: UnorderedKeysDigest;
  /** Digests over the keys of earlier versions; undefined while they are the same. */
  former: UnorderedKeysDigest | undefined;
  readonly ordered: KeysDigest;
  /** Text that makes its keys different from those of another statement with the same number; empty: none. */
  readonly apart: string;
  /** Lines of statements before it in the file whose keys are made of the same number and text. */
  readonly earlier: readonly Occurrences[];
  lines: number;
  amount: number;
  entries: number;
}

type Sums = { -readonly [Figure in keyof LineSums]: LineSums[Figure] };

interface OpenBatch {
  readonly line: number;
  readonly digest: UnorderedKeysDigest;
  readonly ordered: KeysDigest;
  readonly sums: Sums;
  booked_on: string;
}

/** Checks a file's sums against each other while it is read, and gives its lines their keys. */
export class StatementCheck {
  private readonly statements: ReadStatement[] = [];
  private readonly numbers = new Set<string>();
  /** Lines of statements by the part of their keys that is common to each statement. */
  private readonly keyed = new Map<string, Occurrences[]>();
  private readonly batches = new Map<string, OpenBatch>();
  private readonly sums = new Map<string, Sums>();
  private occurrences = new Occurrences();
  /** Counts former keys of lines whose references were read otherwise. */
  private formerOccurrences = new Occurrences();
  private readonly closings = new Map<string, StatementCloses>();
  private open: OpenStatement | undefined;
  private entry = { number: 0, amount: 0 };
  private lines = 0;
  private bookedFrom: string | null = null;
  private bookedTo: string | null = null;

  constructor(private readonly rules: StatementRules) {}

  /** Returns the line, if `item` is one. @throws StatementRefused */
  add(item: StatementItem): CheckedLine | undefined {
    switch (item.is) {
      case 'line':
        return this.line(item);
      case 'opens':
        return this.opens(item);
      case 'total':
        return this.total(item);
      case 'closes':
        return this.closes(item);
    }
  }

  /** Ends the file. @throws StatementRefused */
  end(): FileSummary {
    const { statements, batches, sums, lines, bookedFrom, bookedTo } = this;
    if (statements.length === 0 && lines === 0) unreadable(1, 'a statement or a line', 'none');
    return {
      statements,
      batches: [...batches].map(([batch, { line, digest, ordered, sums: of, booked_on }]) => ({
        batch,
        ...of,
        booked_on,
        digest: digest.hex(),
        former_digests: [ordered.hex()],
        line,
      })),
      sums: [...sums.values()],
      lines,
      booked_from: bookedFrom,
      booked_to: bookedTo,
    };
  }

  private line(line: ParsedLine): CheckedLine {
    const { rules, open } = this;
    const { at, amount, currency, booking_date, batch, kind, value_date, references, keyed, former, entry, gross, fee, tax, personal } = line;
    requireCurrency(rules, currency, at);
    requireDay(rules, booking_date, at);
    const within = open ? numberOf(open.opens) : batch!;
    const figures = `${kind}\0${amount}\0${currency}\0${booking_date}\0${value_date ?? ''}\0${gross ?? ''}\0${fee ?? ''}\0${tax ?? ''}`;
    const identityBy = (names: string): string => `${rules.source}\0${within}\0${names}\0${figures}`;
    const names = keyed.join(BETWEEN);
    // Marked where earlier versions read other references, so that all other lines have the keys that they had.
    const key = this.keyOf(identityBy(former === null ? names : `${BETWEEN}${names}`), at);
    const formerKey = former === null ? key : keyOfNext(hash('sha256', identityBy(former.join(BETWEEN))), this.formerOccurrences);
    const line_key = open?.apart ? hash('sha256', key + open.apart).slice(0, KEY_CHARS) : key;
    this.count(line);
    if (open) {
      if (former !== null) open.former ??= open.digest.copy();
      open.digest.add(key);
      open.former?.add(formerKey);
      open.ordered.add(formerKey);
      open.lines += 1;
      open.amount = exact(open.amount + amount, at);
      open.entries = entry;
    } else this.addToBatch(batch!, line, line_key);
    const entry_key = open ? hash('sha256', [rules.source, within, entry].join('\0') + open.apart).slice(0, KEY_CHARS) : null;
    const group = open ? `${this.statements.length + 1}` : batch!;
    const stored = { at, line_key, entry_key, group, booking_date, value_date, amount, currency, kind, gross, fee, tax, batch, references };
    requireBounds('StatementLines', stored, at);
    const possible = former === null ? [] : former.filter((word) => !references.includes(word));
    return { stored, possible, personal };
  }

  /** Returns the same key in every file that has the statement or the batch. @throws StatementRefused when the file has given it before */
  private keyOf(identity: string, at: number): string {
    const content = hash('sha256', identity);
    const short = shortOf(content);
    if (this.open?.earlier.some((lines) => lines.has(short))) {
      const { number, day } = this.open.opens;
      const found = `line ${at} in two statements ${shown(number)} that begin with the same balance`;
      throw new StatementRefused({ reason: 'reissued', line: at, expected: `each line of ${day} once`, found });
    }
    return keyOfNext(content, this.occurrences);
  }

  private count(line: ParsedLine): void {
    const { at, amount, booking_date, currency, entry } = line;
    this.lines += 1;
    if (this.bookedFrom === null || booking_date < this.bookedFrom) this.bookedFrom = booking_date;
    if (this.bookedTo === null || booking_date > this.bookedTo) this.bookedTo = booking_date;
    let sums = this.sums.get(currency);
    if (!sums) this.sums.set(currency, (sums = noSums(currency)));
    add(sums, line);
    if (entry !== this.entry.number) this.entry = { number: entry, amount };
    else this.entry.amount = exact(this.entry.amount + amount, at);
  }

  private addToBatch(batch: string, line: ParsedLine, line_key: string): void {
    const found = this.batches.get(batch);
    if (found && found.sums.currency !== line.currency) unreadable(line.at, `lines of batch ${batch} in ${found.sums.currency}`, line.currency);
    if (!found && this.batches.size >= GROUPS_MAX) unreadable(line.at, `at most ${GROUPS_MAX} batches`, 'more');
    const open = found ?? newBatch(line);
    if (!found) this.batches.set(batch, open);
    add(open.sums, line);
    if (line.booking_date > open.booked_on) open.booked_on = line.booking_date;
    open.digest.add(line_key);
    open.ordered.add(line_key);
  }

  private opens(opens: StatementOpens): undefined {
    const { at, account, currency, number, page, opening } = opens;
    // The account is personal or confidential, so the refusal does not repeat the one in the file.
    if (!this.rules.isAccount(account))
      throw new StatementRefused({ reason: 'wrong-account', line: at, expected: 'the account of the source', found: 'another' });
    requireCurrency(this.rules, currency, at);
    if (number.length > NUMBER_LENGTH_MAX || !ONE_LINE.test(number))
      unreadable(at, `a number of the statement of at most ${NUMBER_LENGTH_MAX} characters, none of them a control character`, number);
    if (this.statements.length >= GROUPS_MAX) unreadable(at, `at most ${GROUPS_MAX} statements`, 'more');
    const before = this.closings.get(currency);
    if (before && before.closing !== opening)
      throw new StatementRefused({ reason: 'gap', line: at, expected: `an opening balance of ${inUnits(before.closing)}`, found: inUnits(opening) });
    const name = numberName(currency, number);
    const isTaken = isNought(number) || this.numbers.has(name) || this.rules.taken?.has(name) === true;
    this.numbers.add(name);
    const apart = isTaken ? `\0${opens.day}\0${opening}${page === null ? '' : `\0${page}`}` : '';
    // Leaves out the account, which could be guessed from the digest.
    const ordered = new KeysDigest(JSON.stringify([number, currency, opening]));
    this.occurrences = new Occurrences();
    this.formerOccurrences = new Occurrences();
    this.entry = { number: 0, amount: 0 };
    const earlier = this.keyed.get(name + apart) ?? [];
    this.keyed.set(name + apart, [...earlier, this.occurrences]);
    const empty = { digest: new UnorderedKeysDigest(), former: undefined, lines: 0, amount: 0, entries: 0 };
    this.open = { opens, ordered, apart, earlier, ...empty };
  }

  private closes(closes: StatementCloses): undefined {
    const { opens, lines, amount } = this.open!;
    const { at, closing, closes_on } = closes;
    const expected = exact(opens.opening + amount, at);
    if (closing !== expected)
      throw sum(at, `a closing balance of ${inUnits(expected)} (opening ${inUnits(opens.opening)} and ${lines} lines)`, inUnits(closing));
    requireDay(this.rules, closes_on, at);
    const { currency } = opens;
    this.statements.push(this.asStatement(this.open!, closes));
    this.closings.set(currency, closes);
    this.open = undefined;
  }

  private asStatement({ opens, digest, former, ordered, apart, lines }: OpenStatement, { closing, closes_on }: StatementCloses): ReadStatement {
    const { currency, opening, page } = opens;
    const number = `${closes_on.slice(0, 4)}/${opens.number}${page === null ? '' : `/${page}`}`;
    const group = `${this.statements.length + 1}`;
    const about = JSON.stringify([opens.number, page, currency, opening, closing, closes_on]);
    const digested = digest.hex(about);
    const former_digests = [(former ?? digest).hex(about), ordered.hex(JSON.stringify([closing, closes_on]))];
    const stored = { group, number, currency, opening, closing, closes_on, lines, digest: digested };
    requireBounds('StatementAccepted', stored, opens.at);
    return { ...stored, former_digests, line: opens.at, has_short_keys: apart === '' };
  }

  private total({ at, of, what, value }: StatedTotal): undefined {
    const found = of === 'entry' ? this.entry.amount : of === 'statement' ? this.ofStatement(what) : this.ofFile(what, at);
    const written = what === 'count' ? String : inUnits;
    if (found !== value) throw sum(at, `${written(found)} (${what} of the ${of})`, written(value));
  }

  private ofStatement(what: StatedTotal['what']): number {
    return what === 'count' ? this.open!.entries : this.open!.amount;
  }

  private ofFile(what: StatedTotal['what'], at: number): number {
    if (what === 'count') return this.lines;
    const all = [...this.sums.values()];
    if (all.length > 1) unreadable(at, 'totals of one currency', all.map(({ currency }) => currency).join(', '));
    return all[0]?.[what] ?? 0;
  }
}

const shortOf = (content: string): number => Number.parseInt(content.slice(0, OCCURRENCE_DIGITS), 16);

/** Returns the key of a line with this hash of its content, by its number among the equal ones. */
const keyOfNext = (content: string, among: Occurrences): string => hash('sha256', `${content}\0${among.add(shortOf(content))}`).slice(0, KEY_CHARS);

const numberName = (currency: string, number: string): string => `${currency} ${number}`;

/**
 * Returns the names of a statement's number without its year, of which the keys of its lines are made: it is not known before the closing balance. A
 * page has its own number at the end, which may as well be part of the bank's number.
 */
export function numbersOf({ currency, number }: Pick<AccountStatement, 'currency' | 'number'>): string[] {
  const written = number.slice('YYYY/'.length);
  return [written, written.replace(/\/\d+$/, '')].map((each) => numberName(currency, each));
}

/** Returns true when a number is zero or absent. @param number as the bank writes it */
export const isNought = (number: string): boolean => /^0*(?:\/|$)/.test(number);

const newBatch = ({ at, currency, booking_date }: ParsedLine): OpenBatch => ({
  ...{ line: at, digest: new UnorderedKeysDigest(), ordered: new KeysDigest(), sums: noSums(currency), booked_on: booking_date },
});

const numberOf = ({ number, currency }: StatementOpens): string => `${number}\0${currency}`;

function requireCurrency({ currencies }: StatementRules, currency: string, at: number): void {
  if (!currencies.includes(currency))
    throw new StatementRefused({ reason: 'wrong-account', line: at, expected: currencies.join(', '), found: currency });
}

/** A day of another year is a fault of the file: the days since then would all lack a file. */
function requireDay({ from = '', today }: StatementRules, day: string, at: number): void {
  if (day > today) throw new StatementRefused({ reason: 'future', line: at, expected: `${today} at the latest`, found: day });
  if (day < from) unreadable(at, `a day from ${from} on`, day);
}

/** Refuses the file before anything is recorded: its events could not be appended. @throws StatementRefused */
function requireBounds(type: 'StatementLines' | 'StatementAccepted', stored: object, at: number): void {
  const fault = boundsFault(type, stored);
  if (fault !== undefined) unreadable(at, 'values that can be recorded', fault);
}

const noSums = (currency: string): Sums => ({ currency, lines: 0, amount: 0, gross: 0, fee: 0, tax: 0 });

function add(sums: Sums, { at, amount, gross, fee, tax }: ParsedLine): void {
  sums.lines += 1;
  sums.amount = exact(sums.amount + amount, at);
  sums.gross = exact(sums.gross + (gross ?? 0), at);
  sums.fee = exact(sums.fee + (fee ?? 0), at);
  sums.tax = exact(sums.tax + (tax ?? 0), at);
}

/** @throws StatementRefused when a sum is too large to be exact */
function exact(value: number, at: number): number {
  return Number.isSafeInteger(value) ? value : unreadable(at, 'sums below 2^53', `${value}`);
}

const sum = (line: number, expected: string, found: string): StatementRefused => new StatementRefused({ reason: 'sum', line, expected, found });
