import type { Pool } from 'pg';
import { findCharges } from '../projections/charges/charge-list.js';
import type { ChargeListQuery } from '../projections/charges/charge-list.js';
import { customers, findCustomers } from '../projections/customers/customers.js';
import { findAdjustmentsOf } from '../projections/approvals/adjustments.js';
import { findDisputes } from '../projections/disputes/dispute-reads.js';
import { findPayouts } from '../projections/payouts/payouts.js';
import { findRefunds } from '../projections/refunds/refund-reads.js';
import { findSettlements } from '../projections/settlements/settlements.js';
import { ForecastQuery } from '../src/domain/balances/forecast.dto.js';
import { Forecasts } from '../src/domain/balances/forecasts.js';
import { Previews } from '../src/domain/previews/previews.js';
import type { Previewed } from '../src/ledger/streams/previewed.js';
import type { Merchant } from '../src/domain/merchants/known-merchants.js';
import { ledger } from '../src/app/ledger.projection.js';
import { Random } from '../tools/seed/random.js';
import { createPool } from '../src/platform/postgres/pool.js';
import { createReaderIndexes, openBuild } from '../src/platform/projector/build.js';
import { KeyWrapping } from '../src/ledger/crypto/key-wrapping.js';
import { timestamp } from '../src/ledger/time.js';
import { findDeliveries } from '../src/domain/webhooks/delivery-log.js';
import { quantilesOf } from './load.js';
import { loadCharges } from './load-charges.js';
import { loadLists } from './load-lists.js';

export interface ListRow {
  readonly query: string;
  readonly p50_ms: number;
  readonly p99_ms: number;
  /** Maximum that the interface promises; null without a promise. */
  readonly bound_ms: number | null;
}

const MERCHANT = '00000000-0000-4000-8000-0000000000aa';
const FROM = Date.UTC(2026, 0, 1);
const EVERY_MS = 864;
const REPEATS = 200;
/** Records in each of the merchant's other lists. */
const RECORDS = 250_000;
const DEEP_OFFSET = 100_000;
const FORECAST_BOUND_MS = 120;
const PREVIEW_BOUND_MS = 25;
const ACCOUNT = { merchant_id: MERCHANT, currency: 'IDR' };
const WRAPPING = new KeyWrapping(Buffer.alloc(32, 1), 'customer');

/** Measures the lists of one merchant with `rows` charges, in a separate database. */
export async function measureLists(url: string, rows: number): Promise<ListRow[]> {
  const pool = createPool({ url, applicationName: 'bench', statementTimeoutMs: 0, maxConnections: 2 });
  try {
    await loadRows(pool, rows);
    const results: ListRow[] = [];
    for (const [query, bound_ms, read] of listReads(pool, rows)) results.push({ query, bound_ms, ...(await measure(read)) });
    return results;
  } finally {
    await pool.end();
  }
}

async function loadRows(pool: Pool, rows: number): Promise<void> {
  const load = { merchantId: MERCHANT, from: timestamp(FROM) };
  for (const projection of [ledger, customers]) await openBuild(pool, projection);
  await loadCharges(pool, ledger.name, { ...load, charges: rows, everyMs: EVERY_MS });
  await loadLists(pool, { ...load, records: Math.min(RECORDS, rows), everyMs: EVERY_MS }, WRAPPING);
  for (const projection of [ledger, customers]) await createReaderIndexes(pool, projection, projection.name);
  await pool.query('vacuum analyze');
}

type MeasuredList = [query: string, bound_ms: number | null, read: Read];

/** Returns each measured list with the maximum that the interface promises. */
function listReads(pool: Pool, rows: number): MeasuredList[] {
  // The fixed seed repeats the same queries in every run.
  const seeded = new Random(1);
  const random = (below: number): number => Math.floor(seeded.next() * below);
  const read =
    (make: Make): Read =>
    (is_descending) =>
      findCharges(pool, MERCHANT, { page_number: 1, page_size: 10, order_by: 'created_on', is_descending, ...make() });
  return [
    ...[...queries(rows, random), ...deepQueries(rows, random)].map(([query, bound_ms, make]): MeasuredList => [query, bound_ms, read(make)]),
    ...otherLists(pool, rows, random).map(([query, read]): MeasuredList => [query, 100, read]),
    [`forecast of ${Math.min(RECORDS, rows)} pending lines`, FORECAST_BOUND_MS, forecast(pool, rows)],
    ...previews(pool, rows),
  ];
}

type Read = (is_descending: boolean) => Promise<{ readonly items: readonly unknown[] }>;

type Make = () => Partial<ChargeListQuery>;

function queries(rows: number, random: (below: number) => number): [name: string, bound_ms: number | null, make: Make][] {
  const statuses = ['SUCCEEDED', 'EXPIRED', 'FAILED', 'PENDING', 'CANCELLED'] as const;
  const at = (charge: number): string => timestamp(FROM + charge * EVERY_MS);
  const range = (size: number): Partial<ChargeListQuery> => {
    const first = random(Math.max(1, rows - size));
    return { date_from: at(first), date_to: at(first + size) };
  };
  const deep = (): Partial<ChargeListQuery> => ({ page_number: 80 + random(21), page_size: 100 });
  const filtered = (): Partial<ChargeListQuery> => ({ status: statuses[random(5)]!, channel_code: ['QR_QRIS', 'WALLET_DANA'][random(2)]! });
  const within50k = Math.min(50_000, rows);
  return [
    ['default', 20, () => ({})],
    ['status and channel', 20, filtered],
    ['rare status and channel', 20, () => ({ status: 'CANCELLED', channel_code: 'WALLET_GRABPAY' })],
    ['date range of 50,000', 20, () => range(within50k)],
    ['offset to 10,000', 20, deep],
    ['offset to 10,000, filtered', 20, () => ({ ...filtered(), ...deep() })],
    ['any depth by created_on', 20, () => ({ page_number: 1 + random(rows / 100), page_size: 100 })],
    ['by amount', 20, () => ({ order_by: 'amount' })],
    ['by amount, filtered, offset to 10,000', 20, () => ({ order_by: 'amount', ...filtered(), ...deep() })],
    ['by amount in a date range of 50,000', 20, () => ({ order_by: 'amount', ...range(within50k) })],
    ['by status, offset to 10,000', 20, () => ({ order_by: 'status', ...deep() })],
    ['search, one match', 100, () => ({ search_text: `ORDER-${random(rows)}`.slice(0, 40), page_size: 100 })],
    ['search, up to 1,000 matches', 100, () => ({ search_text: `rder-${100 + random(900)}${random(10)}` })],
    ['search, no match', 100, () => ({ search_text: `nothing-${random(1_000)}` })],
    ['search of 2 characters', null, () => ({ search_text: 'zq' })],
  ];
}

/** Returns a page of 100 after about 100,000 rows, or in the middle of a list of fewer than 200,000. */
const deepPage = (rows: number, random: (below: number) => number) => {
  const first = Math.floor(Math.min(DEEP_OFFSET, rows / 2) / 100);
  return { page_number: first + random(10), page_size: 100 } as const;
};

/** Lists of charges at an offset of 100,000, and searches with 10,000 matches. */
function deepQueries(rows: number, random: (below: number) => number): [name: string, bound_ms: number | null, make: Make][] {
  const deep = (): Partial<ChargeListQuery> => deepPage(rows, random);
  const many = (): Partial<ChargeListQuery> =>
    [{ status: 'SUCCEEDED' } as const, { channel_code: 'QR_QRIS' }, { currency: 'IDR' }, { status: 'SUCCEEDED', channel_code: 'QR_QRIS' } as const][
      random(4)
    ]!;
  const half = (): Partial<ChargeListQuery> => {
    const first = random(Math.max(1, rows / 2));
    return { date_from: timestamp(FROM + first * EVERY_MS), date_to: timestamp(FROM + (first + rows / 2) * EVERY_MS) };
  };
  const anywhere = (): Partial<ChargeListQuery> => ({ page_number: 1 + random(rows / 100), page_size: 100 });
  const search = (): Partial<ChargeListQuery> => ({ search_text: `rder-1${random(10)}`, page_number: 100, page_size: 100 });
  return [
    ['offset 100,000, filtered', 100, () => ({ ...many(), ...deep() })],
    ['by amount, offset 100,000', 100, () => ({ order_by: 'amount', ...deep() })],
    ['by amount, offset 100,000, filtered', 100, () => ({ order_by: 'amount', ...many(), ...deep() })],
    ['by amount, any depth', null, () => ({ order_by: 'amount', ...anywhere() })],
    ['by status, offset 100,000', 100, () => ({ order_by: 'status', ...deep() })],
    ['by status, offset 100,000, filtered', 100, () => ({ order_by: 'status', ...many(), ...deep() })],
    ['by status, any depth', null, () => ({ order_by: 'status', ...anywhere() })],
    ['half of the time, offset 100,000', 100, () => ({ ...half(), ...deep() })],
    ['half of the time, offset 100,000, filtered', 100, () => ({ ...half(), ...many(), ...deep() })],
    ['half by amount, offset 100,000', 100, () => ({ order_by: 'amount', ...half(), ...deep() })],
    ['half by amount, offset 100,000, filtered', 100, () => ({ order_by: 'amount', ...half(), ...many(), ...deep() })],
    ['half by status, offset 100,000', 100, () => ({ order_by: 'status', ...half(), ...deep() })],
    ['search, 10,000 matches, page 100', 100, search],
    ['the same by amount', 100, () => ({ ...search(), order_by: 'amount' })],
    ['the same by status', 100, () => ({ ...search(), order_by: 'status' })],
    ['the same of one status', 100, () => ({ ...search(), status: 'SUCCEEDED', page_number: 60 })],
  ];
}

/** The merchant's other lists at an offset of 100,000. */
function otherLists(pool: Pool, rows: number, random: (below: number) => number): [name: string, read: Read][] {
  const page = (is_descending: boolean) => ({ ...deepPage(Math.min(RECORDS, rows), random), is_descending });
  const half = { date_from: timestamp(FROM), date_to: timestamp(FROM + (Math.min(RECORDS, rows) * EVERY_MS * 3) / 4) };
  const settlements =
    (more: object): Read =>
    (is_descending) =>
      findSettlements(pool, MERCHANT, { ...page(is_descending), ...more });
  const adjustments =
    (more: object): Read =>
    (is_descending) =>
      findAdjustmentsOf(pool, MERCHANT, { ...page(is_descending), ...more });
  const of =
    <Query>(
      find: (db: Pool, merchantId: string, query: Query & ReturnType<typeof page>) => Promise<{ readonly items: readonly unknown[] }>,
      more: Query,
    ): Read =>
    (is_descending) =>
      find(pool, MERCHANT, { ...page(is_descending), ...more });
  return [
    ['customers', (is_descending) => findCustomers(pool, WRAPPING, MERCHANT, page(is_descending))],
    ['payouts', of(findPayouts, {})],
    ['payouts of a currency and status', of(findPayouts, { currency: 'IDR', payout_status: 'SUCCEEDED' as const })],
    ['payouts of a time', of(findPayouts, half)],
    ['settlements', settlements({})],
    ['settlements of a currency', settlements({ currency: 'IDR' })],
    ['refunds', of(findRefunds, {})],
    ['refunds of a currency and status', of(findRefunds, { currency: 'IDR', refund_status: 'SUCCEEDED' as const })],
    ['refunds of a time', of(findRefunds, half)],
    ['disputes', of(findDisputes, {})],
    ['disputes of a currency and status', of(findDisputes, { currency: 'IDR', dispute_status: 'LOST' as const })],
    ['adjustments', adjustments({})],
    ['adjustments of a currency', adjustments({ currency: 'IDR' })],
    ['deliveries', () => findDeliveries(pool, MERCHANT, { number: page(true).page_number, size: 100 })],
  ];
}

/** The forecast of the merchant's balance, as of the last record. */
function forecast(pool: Pool, rows: number): Read {
  const forecasts = forecastsOf(rows);
  return async () => ({ items: (await forecasts.make(pool, ACCOUNT, new ForecastQuery())).days });
}

/** The figures of previews of refused payouts that the lines of the first day, of all days and no lines cover. */
function previews(pool: Pool, rows: number): MeasuredList[] {
  const made = new Previews(pool, { shows: async () => undefined }, forecastsOf(rows));
  const on = { currency: ACCOUNT.currency, position: 1n };
  const refused = (needs: number): Previewed<null> => ({ problem: 'insufficient-balance', detail: '', needs, ...on });
  const pending = Math.min(RECORDS, rows) * 990;
  const cases = [
    ['covered on the first day', refused(Math.round(pending * 0.3))],
    ['covered on the last day', refused(Math.round(pending * 0.7))],
    ['never covered', refused(2 * pending)],
  ] as const;
  return cases.map(([name, decision]): MeasuredList => [
    `preview ${name}, ${Math.min(RECORDS, rows)} pending lines`,
    PREVIEW_BOUND_MS,
    async () => ({ items: [await made.make(MERCHANT, () => decision)] }),
  ]);
}

function forecastsOf(rows: number): Forecasts {
  const merchant = { timezone: 'Asia/Jakarta', country: 'ID' } as Merchant;
  const calendar = { current: async () => ({ years: new Map(), holidays: new Map() }) };
  return new Forecasts({ merchant: () => merchant }, calendar, () => FROM + Math.min(RECORDS, rows) * EVERY_MS);
}

async function measure(read: Read): Promise<{ p50_ms: number; p99_ms: number }> {
  const times: number[] = [];
  for (let i = 0; i < REPEATS; i += 1) {
    const begun = performance.now();
    await read(i % 2 === 1);
    times.push(performance.now() - begun);
  }
  return quantilesOf(times);
}
