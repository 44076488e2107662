import { Readable } from 'node:stream';
import { CsvError, Parser } from 'csv-parse';
import type { CsvProfile, ProfileColumns } from '../../../ledger/events/reconciliation.events.js';
import { datePattern } from './profile.js';
import { StatementRefused, unreadable, type ParsedLine, type StatedTotal, type StatementItem } from './statement-item.js';
import { ONE_LINE } from '../../../platform/text.js';
import { daysIn } from '../../../ledger/days.js';
import { dayOf, dayWithin, isoDay, refuseAmount, signedAmount } from './values.js';
import { REFERENCE_LENGTH_MAX } from './references.js';

/** Maximum characters of a row, and rows that are passed on together. */
const ROW_CHARS_MAX = 16_384;
const ROWS_TOGETHER = 256;
const CURRENCY = /^(?:[A-Z]{3}|[a-z]{3})$/;
const BATCH_LENGTH_MAX = 64;

interface Row {
  readonly record: readonly string[];
  /** Line of the file in which it ends, from 1. */
  readonly at: number;
}

/** Passes rows on together: the overhead of a stream and of the parser's notes for each row is larger than the row itself. */
class Rows extends Parser {
  private rows: Row[] = [];

  override push(record: readonly string[] | null): boolean {
    if (record !== null) this.rows.push({ record, at: this.info.lines });
    if (this.rows.length >= ROWS_TOGETHER || (record === null && this.rows.length > 0)) {
      super.push(this.rows);
      this.rows = [];
    }
    return record !== null || super.push(null);
  }
}

/**
 * Parses a processor's remittance file by its profile. Columns are found by the names in the first row. The file is refused when a column is missing,
 * is there twice, or is not in the profile, because it may determine the meaning of an amount.
 * @throws StatementRefused `unreadable`
 */
export async function* parseCsv(chunks: AsyncIterable<Buffer>, profile: CsvProfile, timeZone: string): AsyncGenerator<StatementItem[]> {
  const rows = new Rows({
    delimiter: profile.delimiter,
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: ROW_CHARS_MAX,
    trim: true,
  });
  const text = Readable.from(decoded(chunks, profile.encoding));
  text.on('error', (error) => rows.destroy(error));
  text.pipe(rows);
  let reader: CsvReader | undefined;
  try {
    for await (const some of rows as AsyncIterable<readonly Row[]>) {
      const items: StatementItem[] = [];
      for (const { record, at } of some) {
        if (reader === undefined) reader = new CsvReader(record, profile, timeZone);
        else reader.row(record, at, items);
      }
      yield items;
    }
  } catch (error) {
    if (error instanceof CsvError) unreadable(rows.info.lines, 'CSV (RFC 4180)', error.code);
    throw error;
  } finally {
    text.destroy();
    rows.destroy();
  }
  if (reader === undefined) unreadable(1, 'a row with the names of columns', 'an empty file');
  reader.end(rows.info.lines);
}

async function* decoded(chunks: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  let lines = 1;
  try {
    for await (const chunk of chunks) {
      const text = decoder.decode(chunk, { stream: true });
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
      yield text;
    }
    yield decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) unreadable(lines, `text in ${encoding}`, 'other bytes');
    throw error;
  }
}

type Column = keyof ProfileColumns;
const AMOUNTS = ['gross', 'fee', 'tax', 'amount'] as const;

class CsvReader {
  private readonly places: ReadonlyMap<Column, number>;
  private readonly width: number;
  /** Cells of each row. When rows end with the delimiter, they have empty cells after the last column: either all rows do, or none. */
  private cells: number | undefined;
  private readonly totalsAt: number | undefined;
  private readonly dayOf: DayReader;
  private lastDay: { readonly written: string; readonly day: string } | undefined;
  private lines = 0;
  private hasTotals = false;

  constructor(
    names: readonly string[],
    private readonly profile: CsvProfile,
    timeZone: string,
  ) {
    const { columns, ignored, totals } = profile;
    const header = names.slice(0, names.findLastIndex((name) => name !== '') + 1);
    const known = new Set([...(Object.values(columns) as string[]), ...ignored]);
    for (const [index, name] of header.entries()) {
      if (!known.has(name)) unreadable(1, 'only columns that the profile names', name);
      if (header.indexOf(name) !== index) unreadable(1, `the column ${name} once`, 'twice');
    }
    for (const name of known) if (!header.includes(name)) unreadable(1, `the column ${name}`, header.join(profile.delimiter));
    this.width = header.length;
    this.places = new Map((Object.entries(columns) as [Column, string][]).map(([column, name]) => [column, header.indexOf(name)]));
    this.totalsAt = totals && header.indexOf(totals.column);
    this.dayOf = profile.dates === 'iso' ? ofIso(timeZone) : ofPattern(datePattern(profile.dates));
  }

  /** Adds the content of the row to `items`. */
  row(record: readonly string[], at: number, items: StatementItem[]): void {
    const { totals } = this.profile;
    if (totals && record[this.totalsAt!] === totals.value) return void items.push(...this.totals(record, at));
    if (this.hasTotals) unreadable(at, 'nothing behind the totals', record.join(this.profile.delimiter));
    this.requireCells(record, at);
    this.lines += 1;
    items.push(this.line(record, at));
  }

  private requireCells(record: readonly string[], at: number): void {
    this.cells ??= Math.max(record.length, this.width);
    if (record.length !== this.cells) unreadable(at, `${this.cells} cells`, `${record.length}`);
    for (let behind = this.width; behind < record.length; behind += 1)
      if (record[behind] !== '') unreadable(at, `nothing behind ${this.width} columns`, record[behind]!);
  }

  /** @throws StatementRefused when the totals that the profile requires are missing: the file may be cut */
  end(at: number): void {
    if (this.profile.totals && !this.hasTotals) unreadable(at, 'the row of totals', 'the end of the file');
  }

  private line(record: readonly string[], at: number): ParsedLine {
    const { kinds, signs } = this.profile;
    const cell = (column: Column): string | undefined => this.cell(record, column);
    const written = cell('kind');
    const kind =
      written === undefined ? 'PAYMENT' : Object.hasOwn(kinds, written) ? kinds[written]! : unreadable(at, 'a kind of the profile', written);
    const isTaken = signs === 'kinds' && kind !== 'PAYMENT' && kind !== 'TRANSFER';
    const amountOf = (column: (typeof AMOUNTS)[number]): number | null => {
      const text = cell(column);
      if (text === undefined) return null;
      // An empty cell means 0: the net proves that nothing was deducted.
      if (text === '' && (column === 'fee' || column === 'tax')) return 0;
      const amount =
        signedAmount(text, this.profile) ?? refuseAmount(at, `an amount in the column ${this.profile.columns[column]}`, text, this.profile);
      return isTaken && amount !== 0 ? -amount : amount;
    };
    const code = cell('currency')!;
    if (!CURRENCY.test(code)) unreadable(at, 'a currency of ISO 4217', code);
    const currency = code.toUpperCase();
    const batch = cell('batch')!;
    if (batch === '' || batch.length > BATCH_LENGTH_MAX) unreadable(at, `a batch of 1 to ${BATCH_LENGTH_MAX} characters`, batch);
    const reference = cell('reference')!;
    if (reference.length > REFERENCE_LENGTH_MAX) unreadable(at, `a reference of at most ${REFERENCE_LENGTH_MAX} characters`, reference);
    for (const [column, value] of [['batch', batch] as const, ['reference', reference] as const])
      if (!ONE_LINE.test(value)) unreadable(at, `no control character in the column ${this.profile.columns[column]}`, value);
    const booking_date = this.day(cell('booking_date')!, at);
    const valued = cell('value_date');
    const value_date = valued ? (this.dayOf(valued, dayOf) ?? (this.day(valued, at) && booking_date)) : null;
    const [amount, gross, fee, tax] = [amountOf('amount')!, amountOf('gross')!, amountOf('fee'), amountOf('tax')];
    const net = gross - (fee ?? 0) - (tax ?? 0);
    if (amount !== net) throw new StatementRefused({ reason: 'sum', line: at, expected: `${net} (gross less fee and tax)`, found: `${amount}` });
    const references = reference === '' ? [] : [reference];
    // Written field by field: spreads took a sixth of the whole reading.
    return {
      is: 'line',
      at,
      entry: this.lines,
      booking_date,
      value_date,
      amount,
      currency,
      kind,
      gross,
      fee,
      tax,
      batch,
      references,
      keyed: references,
      former: null,
      personal: null,
    };
  }

  private totals(record: readonly string[], at: number): StatedTotal[] {
    this.hasTotals = true;
    return AMOUNTS.flatMap((what) => {
      const text = this.cell(record, what);
      if (!text || text === this.profile.totals!.value) return [];
      const value = signedAmount(text, this.profile) ?? refuseAmount(at, `a total in the column ${this.profile.columns[what]}`, text, this.profile);
      return [{ is: 'total', at, of: 'file', what, value } as const];
    });
  }

  private cell(record: readonly string[], column: Column): string | undefined {
    const place = this.places.get(column);
    return place === undefined ? undefined : record[place];
  }

  /** Rows of the same day follow each other, so the last day is kept. */
  private day(written: string, at: number): string {
    if (written !== this.lastDay?.written) {
      const day = this.dayOf(written, dayWithin) ?? unreadable(at, `a date as ${this.profile.dates}`, written);
      this.lastDay = { written, day };
    }
    return this.lastDay.day;
  }
}

/** @param of decides which days exist */
type DayReader = (written: string, of: typeof dayOf) => string | undefined;

function ofIso(timeZone: string): DayReader {
  const dayAt = daysIn(timeZone);
  return (written, of) => isoDay(written, dayAt, of);
}

function ofPattern(pattern: RegExp): DayReader {
  return (written, of) => {
    const groups = pattern.exec(written)?.groups;
    return groups && of(groups['YYYY']!, groups['MM']!, groups['DD']!);
  };
}
