import { addDays, isBankingDay } from '../../src/ledger/days.js';
import type { Deed } from '../../src/rails/simulator/deeds.js';
import type { Picks } from './picks.js';
import type { Planted, PlantedKind, RemittanceRow } from './day.js';
import { costOf, CURRENCIES, taxOn } from './terms.js';

/** The rows of a day's remittance while defects are planted in them. */
export interface RowsInWork {
  readonly day: string;
  readonly rows: RemittanceRow[];
  /** Rows of earlier days. */
  readonly earlier: readonly RemittanceRow[];
  /** Payments of the other mode. */
  readonly foreign: readonly Deed[];
  /** Returns the name of a batch of the day. */
  readonly batchOf: (currency: string) => string;
  /** Rows that are sent with those of the next day. */
  readonly late: RemittanceRow[];
  readonly picks: Picks;
  readonly planted: Planted[];
}

/** Plants a defect; returns false when the day has no suitable row. */
type Plant = (work: RowsInWork, defect: number) => boolean;

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const HUNDREDFOLD = 100;
/** Minor units. */
const OFF_BY = 100;

/** Payments with a single row on this day. */
function payments({ rows, picks }: RowsInWork): RemittanceRow[] {
  const times = new Map<string, number>();
  for (const { reference } of rows) times.set(reference, (times.get(reference) ?? 0) + 1);
  return rows.filter((row) => row.kind === 'PAYMENT' && row.deed !== null && times.get(row.reference) === 1 && picks.isFree(row));
}

function replace({ rows }: RowsInWork, row: RemittanceRow, ...by: readonly RemittanceRow[]): void {
  rows.splice(rows.indexOf(row), 1, ...by);
}

/** Plants a defect that changes a payment's row. */
const changed =
  (
    kind: PlantedKind,
    change: (row: RemittanceRow, work: RowsInWork) => Partial<RemittanceRow>,
    suits: (row: RemittanceRow) => boolean = () => true,
  ): Plant =>
  (work, defect) => {
    const row = work.picks.of(payments(work).filter(suits), `row ${defect}`);
    if (!row) return false;
    const other = { ...row, ...change(row, work) };
    replace(work, row, other);
    work.picks.take(other);
    work.planted.push({ defect, kind, at: other });
    return true;
  };

/** Plants a defect that adds a row. */
const added =
  (kind: PlantedKind, of: (work: RowsInWork) => RemittanceRow | undefined): Plant =>
  (work, defect) => {
    const row = of(work);
    if (!row) return false;
    work.rows.push(row);
    work.picks.take(row);
    work.planted.push({ defect, kind, at: row });
    return true;
  };

function unknownPayment(work: RowsInWork, reference: string): RemittanceRow | undefined {
  const like = work.picks.of(payments(work), `like ${reference}`);
  return like && { ...like, reference, deed: null };
}

function otherReference({ reference }: RemittanceRow, { rows, earlier, picks }: RowsInWork): string {
  const known = new Set([...rows, ...earlier].map((row) => row.reference));
  const others = [...LETTERS].map((letter) => reference.slice(0, -1) + letter).filter((other) => !known.has(other));
  return picks.of(others, 'letter')!;
}

const missing: Plant = (work, defect) => {
  const row = work.picks.of(payments(work), 'missing');
  if (!row) return false;
  replace(work, row);
  work.planted.push({ defect, kind: 'LEDGER_ONLY', deed: row.deed! });
  return true;
};

/** @param isSameDay whether the payment is in the same file: it was reversed before its batch's day */
const notDeducted =
  (isSameDay: boolean): Plant =>
  (work, defect) => {
    const { rows, picks, planted } = work;
    const paidToday = (reversal: RemittanceRow): RemittanceRow | undefined =>
      rows.find((row) => row.kind === 'PAYMENT' && row.reference === reversal.reference && row.deed !== null);
    const reversal = picks.of(
      rows.filter((row) => row.kind === 'REVERSAL' && picks.isFree(row) && (paidToday(row) !== undefined) === isSameDay),
      'reversal',
    );
    if (!reversal) return false;
    const payment = paidToday(reversal);
    replace(work, reversal);
    if (payment) {
      picks.take(payment);
      planted.push({ defect, kind: 'STATUS', at: payment });
    } else planted.push({ defect, kind: 'LEDGER_ONLY', deed: reversal.deed! });
    return true;
  };

const misspelt: Plant = (work, defect) => {
  const row = work.picks.of(payments(work), 'misspelt');
  if (!row) return false;
  const other = { ...row, reference: otherReference(row, work) };
  replace(work, row, other);
  work.picks.take(other);
  work.planted.push({ defect, kind: 'PROCESSOR_ONLY', at: other, joined: defect }, { defect, kind: 'LEDGER_ONLY', deed: row.deed!, joined: defect });
  return true;
};

const twiceInBatch: Plant = (work, defect) => {
  const row = work.picks.of(payments(work), 'twice');
  if (!row) return false;
  const again = { ...row };
  replace(work, row, row, again);
  work.picks.take(row);
  work.picks.take(again);
  work.planted.push({ defect, kind: 'DUPLICATE', at: again });
  return true;
};

const otherCurrency: Plant = (work, defect) => {
  const row = work.picks.of(payments(work), 'currency');
  if (!row) return false;
  const currency = work.picks.of(
    CURRENCIES.filter((other) => other !== row.currency),
    'other currency',
  )!;
  const other = { ...row, currency, batch: work.batchOf(currency) };
  replace(work, row, other);
  work.picks.take(other);
  work.planted.push({ defect, kind: 'CURRENCY', at: other });
  return true;
};

/** The file of the day is not sent. Its rows are in the next one, dated the next day; one is dated the day before, which must not hide the missing day. */
const notSent: Plant = (work, defect) => {
  const { day, rows, earlier, late, picks, planted } = work;
  const old = picks.of(payments(work), 'old row');
  if (!old || !isBankingDay(day) || earlier.length === 0 || planted.length > 0) return false;
  const named = (row: RemittanceRow, on: string): RemittanceRow => ({ ...row, batch: row.batch.replace(/\d{8}/, on.replaceAll('-', '')) });
  const others = rows.filter((row) => row !== old).map((row) => named(row, addDays(day, 1)));
  const before = named(old, addDays(day, -1));
  // A separate batch: those of the day before were accepted.
  late.push(...others, { ...before, batch: `${before.batch}L` });
  rows.length = 0;
  planted.push({ defect, kind: 'FILE_MISSING', day });
  return true;
};

export const ROW_DEFECTS: Readonly<Record<number, Plant>> = {
  1: missing,
  2: notDeducted(false),
  3: added('PROCESSOR_ONLY', (work) => unknownPayment(work, `SIM-${work.picks.letters(12, 'lost')}`)),
  4: added('PROCESSOR_ONLY', (work) => unknownPayment(work, '')),
  5: misspelt,
  6: added('PROCESSOR_ONLY', (work) => {
    const deed = work.picks.of(work.foreign, 'foreign');
    if (!deed) return undefined;
    const { reference, currency, amount: gross } = deed;
    return { batch: work.batchOf(currency), kind: 'PAYMENT', reference, currency, gross, ...costOf(deed.channel_code!, gross), deed };
  }),
  // Its fee stays correct.
  7: changed(
    'AMOUNT',
    ({ gross }) => ({ gross: gross + 1 }),
    ({ deed, gross, fee }) => costOf(deed!.channel_code!, gross + 1).fee === fee,
  ),
  8: changed('AMOUNT', ({ gross, fee, tax }) => ({ gross: gross * HUNDREDFOLD, fee: fee * HUNDREDFOLD, tax: tax * HUNDREDFOLD })),
  // The tax is correct for the wrong fee.
  9: changed('FEE', ({ fee }) => ({ fee: fee + OFF_BY, tax: taxOn(fee + OFF_BY) })),
  10: changed('TAX', ({ tax }) => ({ tax: tax + OFF_BY })),
  11: otherCurrency,
  12: twiceInBatch,
  13: added('DUPLICATE', (work) => {
    const row = work.picks.of(
      work.earlier.filter(({ deed, reference, gross }) => deed?.kind === 'PAYMENT' && deed.reference === reference && deed.amount === gross),
      'again',
    );
    return row && { ...row, batch: work.batchOf(row.currency) };
  }),
  14: notDeducted(true),
  43: notSent,
};
