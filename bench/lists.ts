import type { Pool } from 'pg';
import { findCharges } from '../projections/charges/charge-list.js';
import type { ChargeListQuery } from '../projections/charges/charge-list.js';
import { ledger } from '../src/app/ledger.projection.js';
import { createPool } from '../src/platform/postgres/pool.js';
import { createReaderIndexes, openBuild } from '../src/platform/projector/build.js';
import { timestamp } from '../src/ledger/time.js';
import { loadCharges } from './load-charges.js';

export interface ListRow {
  readonly query: string;
  readonly p50_ms: number;
  readonly p99_ms: number;
  /** What the interface promises; null where it promises no time. */
  readonly bound_ms: number | null;
}

const MERCHANT = '00000000-0000-4000-8000-0000000000aa';
const FROM = Date.UTC(2026, 0, 1);
const EVERY_MS = 864;
const REPEATS = 200;

/** Lists of one merchant with `rows` charges, in a database of their own. */
export async function measureLists(url: string, rows: number): Promise<ListRow[]> {
  const pool = createPool({ url, applicationName: 'bench', statementTimeoutMs: 0, maxConnections: 2 });
  try {
    const { schema } = await openBuild(pool, ledger);
    await loadCharges(pool, schema, { merchantId: MERCHANT, charges: rows, from: timestamp(FROM), everyMs: EVERY_MS });
    await createReaderIndexes(pool, ledger, schema);
    await pool.query('vacuum analyze');
    const results: ListRow[] = [];
    for (const [query, bound_ms, make] of queries(rows, seededRandom(1))) results.push({ query, bound_ms, ...(await measure(pool, make)) });
    return results;
  } finally {
    await pool.end();
  }
}

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

async function measure(pool: Pool, make: Make): Promise<{ p50_ms: number; p99_ms: number }> {
  const times: number[] = [];
  for (let i = 0; i < REPEATS; i += 1) {
    const query: ChargeListQuery = { page_number: 1, page_size: 10, order_by: 'created_on', is_descending: i % 2 === 1, ...make() };
    const begun = performance.now();
    await findCharges(pool, MERCHANT, query);
    times.push(performance.now() - begun);
  }
  times.sort((a, b) => a - b);
  return { p50_ms: times[REPEATS / 2]!, p99_ms: times[Math.floor(REPEATS * 0.99)]! };
}

/** mulberry32: the same queries in every run. */
function seededRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}
