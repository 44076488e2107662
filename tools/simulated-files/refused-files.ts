import type { BankEntry, BankStatement, RemittanceRow } from './day.js';
import type { Picks } from './picks.js';
import type { BankFormat } from './terms.js';
import { dayOfBatch, writeCamt053, writeMt940, writeRemittance, type Tampering, type WrittenFile } from './write-files.js';

/** A file that must be refused. */
export interface RefusedFile {
  readonly file: WrittenFile;
  readonly reason: 'sum' | 'scale' | 'batch-changed' | 'gap' | 'reissued' | 'unreadable';
  /** The row, entry or statement whose line the refusal must name; absent: any line. */
  readonly of?: object;
  /** A part of the content that the refusal must expect; absent: any. */
  readonly expected?: string;
}

/** The rows of one currency. */
export interface RemittanceInWork {
  readonly day: string;
  readonly rows: readonly RemittanceRow[];
  /** Rows of the day before. */
  readonly before: readonly RemittanceRow[];
  readonly picks: Picks;
}

/** The statements of a banking day. */
export interface StatementsInWork {
  readonly ours: readonly BankStatement[];
  /** Statements of the last banking day before. */
  readonly before: readonly BankStatement[];
  readonly format: BankFormat;
  readonly picks: Picks;
}

/** Returns undefined when there is nothing in which the defect could be planted. */
type RefusedRemittance = (work: RemittanceInWork) => RefusedFile | undefined;
type RefusedStatements = (work: StatementsInWork) => RefusedFile | undefined;

/** Deviation of a tampered figure, minor units. */
const OFF_BY = 100;
const HUNDREDFOLD = 100;
/** Minimum number of payments, and their share of the rows, from which a wrong factor is recognised. */
const KNOWN_MIN = 3;
const SHARE_MIN = 0.9;
/** Maximum characters of a batch, a reference and the number of a statement. */
const TEXT_MAX = 64;
/** Control characters that no text may have. XML cannot represent those before DEL. */
const CONTROLS = ['\u0000', '\u0007', '\u001b', '\u007f', '\u0085'];
const CONTROLS_IN_XML = ['\u007f', '\u0085'];
const NUMBER_OF_STATEMENT = 'a number of the statement of at most 64 characters, none of them a control character';
const DAY_FROM = 'a day from ';

const hundredfold: RefusedRemittance = ({ day, rows }) => {
  // The factor is recognised by whole payments; partial ones prove nothing.
  const whole = rows.filter(({ kind, deed }) => kind !== 'REFUND' && deed !== null).length;
  if (whole < KNOWN_MIN || whole < SHARE_MIN * rows.length) return undefined;
  return { file: writeRemittance(day, rows, { unit: HUNDREDFOLD }), reason: 'scale' };
};

const changedBatch: RefusedRemittance = ({ day, rows, before, picks }) => {
  const row = picks.of(before, 'batch changed');
  if (!row) return undefined;
  const other = before.map((each) => (each === row ? { ...each, gross: each.gross + OFF_BY } : each));
  const of = other.find(({ batch }) => batch === row.batch)!;
  return { file: writeRemittance(day, [...other, ...rows]), reason: 'batch-changed', of };
};

const longText = (text: string): string => `${text}-`.padEnd(TEXT_MAX + 1, 'X');

/** A row that cannot be read. */
const unreadableRow =
  (expected: string, change: (row: RemittanceRow, work: RemittanceInWork) => Partial<RemittanceRow>): RefusedRemittance =>
  (work) => {
    const { day, rows, picks } = work;
    const row = picks.of(rows, 'unreadable row');
    if (!row) return undefined;
    const of = { ...row, ...change(row, work) };
    return { file: writeRemittance(day, rows.with(rows.indexOf(row), of)), reason: 'unreadable', of, expected };
  };

const inYear = (day: string, year: string): string => year + day.slice('YYYY'.length);

export const REFUSED_REMITTANCES: Readonly<Record<number, RefusedRemittance>> = {
  15: ({ day, rows }) => ({ file: writeRemittance(day, rows, { totalOff: OFF_BY }), reason: 'sum' }),
  16: hundredfold,
  17: changedBatch,
  31: unreadableRow('no control character in the column Batch', ({ batch }, { picks }) => ({
    batch: batch.replace('-', picks.of(CONTROLS, 'control')!),
  })),
  33: unreadableRow('a batch of 1 to 64 characters', ({ batch }) => ({ batch: longText(batch) })),
  34: unreadableRow('a reference of at most 64 characters', ({ reference }) => ({ reference: longText(reference) })),
  39: unreadableRow('a date as YYYY-MM-DD', ({ batch }, { day }) => ({ booked: inYear(dayOfBatch(batch, day), '0000') })),
  40: unreadableRow(DAY_FROM, ({ batch }, { day }) => ({ booked: inYear(dayOfBatch(batch, day), '2016') })),
};

export const writeStatements = (format: BankFormat, all: readonly BankStatement[], tampering?: Tampering): WrittenFile =>
  (format === 'camt053' ? writeCamt053 : writeMt940)(inOrder(all), tampering);

/** Groups the statements by currency, one after the other. */
const inOrder = (all: readonly BankStatement[]): BankStatement[] =>
  [...new Set(all.map(({ currency }) => currency))].flatMap((currency) => all.filter((each) => each.currency === currency));

const behindGap: RefusedStatements = ({ ours, before, format }) => {
  if (before.length === 0) return undefined;
  const later = ours.map((each) => ({
    ...each,
    number: `${Number(each.number) + 1}`,
    opening: each.opening + OFF_BY,
    closing: each.closing + OFF_BY,
  }));
  return { file: writeStatements(format, later), reason: 'gap', of: later[0]! };
};

const issuedAgain: RefusedStatements = ({ ours, before, format }) => {
  const again = before.find(({ entries }) => entries.length > 0);
  if (!again) return undefined;
  const other = { ...again, entries: inTwo(again) };
  const others = before.map((each) => (each === again ? other : each));
  return { file: writeStatements(format, [...others, ...ours]), reason: 'reissued', of: other };
};

/** The same sum in other lines. */
function inTwo({ entries: [first, ...others] }: BankStatement): BankEntry[] {
  return [{ ...first!, amount: first!.amount - OFF_BY }, { ...first!, amount: OFF_BY }, ...others];
}

/** A statement whose number cannot be recorded. */
const misnumbered =
  (numberOf: (number: string, work: StatementsInWork) => string): RefusedStatements =>
  (work) => {
    const { ours, format, picks } = work;
    const statement = picks.of(ours, 'misnumbered');
    if (!statement) return undefined;
    const of = { ...statement, number: numberOf(statement.number, work) };
    return { file: writeStatements(format, ours.with(ours.indexOf(statement), of)), reason: 'unreadable', of, expected: NUMBER_OF_STATEMENT };
  };

/** Two statements without a number, on one day and with one opening balance: nothing distinguishes their equal lines. */
const indistinct: RefusedStatements = ({ ours, format, picks }) => {
  const statement = picks.of(
    ours.filter(({ entries }) => entries.some(({ kind }) => kind !== 'PAYOUT')),
    'indistinct',
  );
  if (!statement) return undefined;
  const entry = statement.entries.find(({ kind }) => kind !== 'PAYOUT')!;
  const back = { ...entry, amount: -entry.amount };
  const first = { ...statement, number: '0', entries: [{ ...entry }, back], closing: statement.opening };
  const all = ours.flatMap((each) => (each === statement ? [first, { ...each, number: '0' }] : [each]));
  return { file: writeStatements(format, all), reason: 'reissued', of: entry, expected: `each line of ${statement.day} once` };
};

/** An entry of a wrong year. */
const inWrongYear =
  (year: string, expectedIn: Readonly<Record<BankFormat, string>>): RefusedStatements =>
  ({ ours, format, picks }) => {
    const statement = picks.of(
      ours.filter(({ entries }) => entries.length > 0),
      'statement of a wrong year',
    );
    const entry = statement && picks.of(statement.entries, 'entry of a wrong year');
    if (!entry) return undefined;
    const of = { ...entry, booked: inYear(statement.day, year) };
    const other = { ...statement, entries: statement.entries.with(statement.entries.indexOf(entry), of) };
    const file = writeStatements(format, ours.with(ours.indexOf(statement), other));
    return { file, reason: 'unreadable', of, expected: expectedIn[format] };
  };

export const REFUSED_STATEMENTS: Readonly<Record<number, RefusedStatements>> = {
  18: behindGap,
  19: ({ ours, format }) => ({ file: writeStatements(format, ours, { closingOff: OFF_BY }), reason: 'sum' }),
  20: issuedAgain,
  32: misnumbered((number, { format, picks }) => `${number}${picks.of(format === 'camt053' ? CONTROLS_IN_XML : CONTROLS, 'control')}1`),
  35: misnumbered((number) => number.padEnd(TEXT_MAX + 1, '0')),
  36: indistinct,
  // A year of MT940 has two digits: 00 is 2000.
  41: inWrongYear('0000', { camt053: 'the booking date of the entry', mt940: DAY_FROM }),
  42: inWrongYear('2016', { camt053: DAY_FROM, mt940: DAY_FROM }),
};
