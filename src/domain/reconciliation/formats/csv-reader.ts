import type { CsvProfile, FigureColumns, LineKind, RowKind } from '../../../ledger/events/reconciliation.events.js';
import { ONE_LINE } from '../../../platform/text/text.js';
import { dayReader, type DayReader } from './dates.js';
import { JoinedRows } from './joined-rows.js';
import { columnsOf, hasParts, isPart, namesIn } from './profile.js';
import { BATCH_LENGTH_MAX, REFERENCE_LENGTH_MAX } from './references.js';
import { StatementRefused, unreadable, type ParsedLine, type StatedTotal, type StatementItem } from './statement-item.js';
import { dayOf, dayWithin, refuseAmount, signedAmount } from './values.js';
import { inUnits } from '../../../platform/text/amounts.js';

const CURRENCY = /^(?:[A-Z]{3}|[a-z]{3})$/;
/** Separates the texts of several columns of kinds. */
const BETWEEN_KINDS = '/';

const FIGURES = ['gross', 'fee', 'tax', 'amount'] as const;
type FigureName = (typeof FIGURES)[number];
/** Returns a figure of a row, before the sign that its kind or another column states; null: its cells are empty. */
type FigureReader = (record: readonly string[], at: number) => number | null;

/** Reads the rows behind the row of names, in their order. */
export class CsvReader {
  private readonly header: readonly string[];
  private readonly kinds: readonly number[];
  private readonly references: readonly number[];
  private readonly currencies: readonly number[];
  private readonly places: Readonly<Record<'booking_date' | 'value_date' | 'batch' | 'sign' | 'joined_by', number | undefined>>;
  private readonly figures: Readonly<Record<FigureName, FigureReader | undefined>>;
  private readonly totalsAt: number | undefined;
  private readonly dayOf: DayReader;
  /** undefined: each row is a line. */
  private readonly joined: JoinedRows | undefined;
  /** Cells of each row. When rows end with the delimiter, they have empty cells after the last column: either all rows do, or none. */
  private cells: number | undefined;
  private lastDay: { readonly written: string; readonly day: string } | undefined;
  private lines = 0;
  private hasTotals = false;

  /** @param names the row of names, in line `at` of the file @param given batch that was given with the file @throws StatementRefused `unreadable` */
  constructor(
    { record: names, at }: { readonly record: readonly string[]; readonly at: number },
    private readonly profile: CsvProfile,
    timeZone: string,
    private readonly given: string | undefined,
  ) {
    const { columns, totals, dates, kinds } = profile;
    this.header = names.slice(0, names.findLastIndex((name) => name !== '') + 1);
    const known = columnsOf(profile);
    for (const [index, name] of this.header.entries()) {
      if (!known.has(name)) unreadable(at, 'only columns that the profile names', name);
      if (this.header.indexOf(name) !== index) unreadable(at, `the column ${name} once`, 'twice');
    }
    for (const name of known) if (!this.header.includes(name)) unreadable(at, `the column ${name}`, this.header.join(profile.delimiter));
    const placeOf = (name: string | undefined): number | undefined => (name === undefined ? undefined : this.header.indexOf(name));
    const placesOf = (of: FigureColumns | undefined): number[] => namesIn(of).map((name) => this.header.indexOf(name));
    const { booking_date, value_date, batch, sign, joined_by } = columns;
    this.places = {
      booking_date: placeOf(booking_date),
      value_date: placeOf(value_date),
      batch: placeOf(batch),
      sign: placeOf(sign),
      joined_by: placeOf(joined_by),
    };
    this.currencies = placesOf(columns.currency);
    this.kinds = placesOf(columns.kind);
    this.references = placesOf(columns.reference);
    const { gross, fee, tax, amount } = columns;
    this.figures = { gross: this.figure(gross), fee: this.figure(fee), tax: this.figure(tax), amount: this.figure(amount) };
    this.totalsAt = placeOf(totals?.column);
    this.dayOf = dayReader(dates, timeZone);
    const words = Object.values(kinds);
    if (hasParts(profile))
      this.joined = new JoinedRows({ fee: words.some((word) => word.endsWith('FEE')), tax: words.some((word) => word.endsWith('TAX')) });
  }

  /** Adds the content of the row to `items`. @throws StatementRefused */
  row(record: readonly string[], at: number, items: StatementItem[]): void {
    const { totals } = this.profile;
    if (totals && record[this.totalsAt!] === totals.value) return void items.push(...this.awaited(), ...this.totals(record, at));
    if (this.hasTotals) unreadable(at, 'no row after the totals', record.join(this.profile.delimiter));
    this.requireCells(record, at);
    const kind = this.kindOf(record, at);
    if (kind === 'SKIPPED') return;
    this.lines += 1;
    if (!this.joined) return void items.push(this.line(record, at, kind as LineKind));
    const part = isPart(kind) ? kind : undefined;
    const line = this.line(record, at, isPart(kind) ? 'CHARGE' : kind);
    items.push(...this.joined.add(line, part, this.cell(record, 'joined_by')!));
  }

  /** Returns the last lines. @throws StatementRefused when the totals that the profile requires are missing: the file may be cut */
  end(at: number): readonly StatementItem[] {
    if (this.profile.totals && !this.hasTotals) unreadable(at, 'the row of totals', 'the end of the file');
    return this.awaited();
  }

  private awaited(): readonly ParsedLine[] {
    return this.joined?.end() ?? [];
  }

  private requireCells(record: readonly string[], at: number): void {
    const width = this.header.length;
    this.cells ??= Math.max(record.length, width);
    if (record.length !== this.cells) unreadable(at, `${this.cells} cells`, `${record.length}`);
    for (let behind = width; behind < record.length; behind += 1)
      if (record[behind] !== '') unreadable(at, `no cell after ${width} columns`, record[behind]!);
  }

  private kindOf(record: readonly string[], at: number): RowKind {
    const { kinds } = this.profile;
    if (this.kinds.length === 0) return 'PAYMENT';
    const written = this.kinds.map((place) => record[place]).join(BETWEEN_KINDS);
    return Object.hasOwn(kinds, written) ? kinds[written]! : unreadable(at, 'a kind of the profile', written);
  }

  private line(record: readonly string[], at: number, kind: LineKind): ParsedLine {
    const currency = this.currency(record, at);
    const booking_date = this.day(this.cell(record, 'booking_date')!, at);
    const batch = this.batch(record, at, booking_date, currency);
    const references = this.referencesOf(record, at);
    const valued = this.cell(record, 'value_date');
    const value_date = valued ? (this.dayOf(valued, dayOf) ?? (this.day(valued, at) && booking_date)) : null;
    const { gross, fee, tax, amount } = this.figuresOf(record, at, kind);
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

  /** Computes the figure that the file does not state, and compares those that it states. */
  private figuresOf(
    record: readonly string[],
    at: number,
    kind: LineKind,
  ): { gross: number; fee: number | null; tax: number | null; amount: number } {
    const { figures } = this;
    const isTaken = this.isTaken(record, at, kind);
    const read = (reader: FigureReader): number | null => {
      const value = reader(record, at);
      return isTaken && value ? -value : value;
    };
    // An empty cell means 0: the net proves that nothing was deducted.
    const fee = figures.fee ? (read(figures.fee) ?? 0) : null;
    const tax = figures.tax ? (read(figures.tax) ?? 0) : null;
    const deducted = (fee ?? 0) + (tax ?? 0);
    const stated = figures.gross && read(figures.gross);
    const net = figures.amount && read(figures.amount);
    if (net === null || (net === undefined && stated === null)) this.refuseEmpty(net === null ? 'amount' : 'gross', at);
    // A charge of the processor, and a transfer, has no payment of a customer: files leave its gross empty.
    if (stated === null && kind !== 'CHARGE' && kind !== 'TRANSFER') this.refuseEmpty('gross', at);
    const gross = stated ?? net! + deducted;
    const amount = net ?? gross - deducted;
    if (amount !== gross - deducted)
      throw new StatementRefused({
        reason: 'sum',
        line: at,
        expected: `${inUnits(gross - deducted)} (gross less fee and tax)`,
        found: inUnits(amount),
      });
    return { gross, fee, tax, amount };
  }

  private refuseEmpty(figure: FigureName, at: number): never {
    return unreadable(at, `an amount in the column ${namesIn(this.profile.columns[figure]).join(' or ')}`, '');
  }

  private isTaken(record: readonly string[], at: number, kind: LineKind): boolean {
    const { signs, sign_texts } = this.profile;
    if (signs === 'written') return false;
    if (signs === 'kinds') return kind !== 'PAYMENT' && kind !== 'TRANSFER';
    const text = this.cell(record, 'sign')!;
    return (Object.hasOwn(sign_texts!, text) ? sign_texts![text] : unreadable(at, 'a sign of the profile', text)) === 'MINUS';
  }

  private currency(record: readonly string[], at: number): string {
    let code = this.profile.currency;
    for (const place of this.currencies) {
      const text = record[place]!;
      if (code !== undefined && text !== code && text !== '') unreadable(at, `the currency ${code} in the column ${this.header[place]}`, text);
      code = text || code;
    }
    if (!CURRENCY.test(code ?? '')) unreadable(at, 'a currency of ISO 4217', code ?? '');
    return code!.toUpperCase();
  }

  private batch(record: readonly string[], at: number, day: string, currency: string): string {
    if (this.profile.batch === 'day') return `${day}-${currency}`;
    const batch = this.cell(record, 'batch') ?? this.given!;
    if (batch === '' || batch.length > BATCH_LENGTH_MAX) unreadable(at, `a batch of 1 to ${BATCH_LENGTH_MAX} characters`, batch);
    return this.oneLine(batch, at, this.places.batch);
  }

  private referencesOf(record: readonly string[], at: number): string[] {
    const found: string[] = [];
    for (const place of this.references) {
      const reference = record[place]!;
      if (reference.length > REFERENCE_LENGTH_MAX) unreadable(at, `a reference of at most ${REFERENCE_LENGTH_MAX} characters`, reference);
      if (reference !== '' && !found.includes(reference)) found.push(this.oneLine(reference, at, place));
    }
    return found;
  }

  private oneLine(text: string, at: number, place: number | undefined): string {
    if (!ONE_LINE.test(text))
      unreadable(at, `no control character in ${place === undefined ? 'the batch' : `the column ${this.header[place]}`}`, text);
    return text;
  }

  private totals(record: readonly string[], at: number): StatedTotal[] {
    this.hasTotals = true;
    return FIGURES.flatMap((what) => {
      const [name] = namesIn(this.profile.columns[what]);
      const text = name === undefined ? undefined : record[this.header.indexOf(name)];
      if (!text || text === this.profile.totals!.value) return [];
      const value = signedAmount(text, this.profile) ?? refuseAmount(at, `a total in the column ${name}`, text, this.profile);
      return [{ is: 'total', at, of: 'file', what, value } as const];
    });
  }

  private figure(columns: FigureColumns | undefined): FigureReader | undefined {
    if (columns === undefined) return undefined;
    if (typeof columns === 'string') return this.column(columns, this.profile.signs === 'column');
    if ('debit' in columns) return this.debitOrCredit(columns.debit, columns.credit);
    const readers = columns.map((name) => this.column(name, this.profile.signs === 'column'));
    return (record, at) => readers.reduce<number | null>((sum, read) => addTo(sum, read(record, at)), null);
  }

  private debitOrCredit(debit: string, credit: string): FigureReader {
    const [readDebit, readCredit] = [this.column(debit, true), this.column(credit, true)];
    return (record, at) => {
      const [less, more] = [readDebit(record, at), readCredit(record, at)];
      if (less && more) unreadable(at, `an amount in one of the columns ${debit} and ${credit}`, 'in both');
      return less === null ? more : (more ?? 0) - less;
    };
  }

  private column(name: string, isUnsigned: boolean): FigureReader {
    const { profile } = this;
    const place = this.header.indexOf(name);
    return (record, at) => {
      const text = record[place]!;
      if (text === '') return null;
      const amount = signedAmount(text, profile) ?? refuseAmount(at, `an amount in the column ${name}`, text, profile);
      if (isUnsigned && amount < 0) unreadable(at, `an amount without a sign in the column ${name}`, text);
      return amount;
    };
  }

  private cell(record: readonly string[], column: keyof CsvReader['places']): string | undefined {
    const place = this.places[column];
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

const addTo = (sum: number | null, value: number | null): number | null => (value === null ? sum : (sum ?? 0) + value);
