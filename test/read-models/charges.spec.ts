import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Pool } from 'pg';
import { loadCharges } from '../../bench/load-charges.js';
import { findCharges, type ChargeListQuery, type ChargeOrderBy, type ListLimits } from '../../projections/charges/charge-list.js';
import { findCharge, findChargeById, findExpirableCharges, type ExpirableCharge } from '../../projections/charges/charge-reads.js';
import { BLOCK_SIZE, chargesInBlocksOf } from '../../projections/charges/charges.js';
import type { ChargeRow } from '../../projections/charges/charges-table.js';
import { search } from '../../projections/charges/search.js';
import type { ChargeCreated, ChargeStatus } from '../../src/ledger/events/charge.events.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import type { Projection } from '../../src/platform/projector/projection.js';
import { milliseconds, timestamp } from '../../src/ledger/time.js';
import { sized } from '../support/nightly.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { World } from '../support/histories.js';
import { explainStatements, onPlans, type Plan } from '../support/explained.js';
import { contents, project } from '../support/projected.js';
import { suiteDatabase } from '../support/suite-database.js';
import { ledgerProjection } from '../../src/ledger/read-model.js';

const ledgerOf = (blockSize: number): Projection => ledgerProjection({ name: 'ledger', readModels: [chargesInBlocksOf(blockSize)] });

let pool: Pool;
suiteDatabase((opened) => (pool = opened));

const allRows = async (): Promise<ChargeRow[]> => {
  const { rows } = await pool.query<ChargeRow & { cell: number }>('select * from ledger.charges order by created_on, id');
  return rows.map((row) => ({ ...row, amount: Number(row.amount) }));
};

/**
 * Charges, mostly of one merchant, as several processes with separate clocks create them: many in the same millisecond, some late,
 * a few hours or days off; then paid, ended and settled.
 */
function crowd(count: number): World {
  const world = new World(2);
  const { log } = world;
  const numbers = fc.sample(fc.tuple(fc.nat(1_000), fc.nat(1_000), fc.integer({ min: 1, max: 100_000 })), { seed: count, numRuns: count });
  for (const [n, [a, b, amount]] of numbers.entries()) {
    log.clockMs += [0, 0, 1, 7, 40][a % 5]!;
    const { clockMs } = log;
    if (a % 11 === 0) log.clockMs -= b;
    if (n % 400 === 7) log.clockMs += b * 10_000;
    if (n % 400 === 211) log.clockMs -= b * 1_000_000;
    // Prices repeat, so that ties are to be broken. One merchant in five is the other one; currencies and channels go by threes.
    world.create((b % 5 === 0 ? 1 : 0) + 2 * (b % 3), amount % 3 === 0 ? 5_000 : amount);
    log.clockMs = clockMs;
    if (a % 3 > 0) world.pay(b);
    else if (b % 2 === 0) world.end(b);
    if (n % 150 === 0) world.settle(n / 150, amount);
  }
  return world;
}

describe('rows of charges', () => {
  it('charge rows are the same in any batch size', async () => {
    const { log } = crowd(250);
    await project(pool, ledgerOf(8), log.events, 1);
    const one = await contents(pool, 'ledger');
    for (const size of [7, 64, 5_000]) {
      await project(pool, ledgerOf(8), log.events, size);
      expect(await contents(pool, 'ledger')).toEqual(one);
    }
  });

  it('the block counts of charges equal a recount', async () => {
    await project(pool, ledgerOf(8), crowd(800).log.events, 50);
    const { rows } = await pool.query(`
      with placed as (
        select merchant_id, cell, 0 as level, timestamptz '-infinity' as starts_on from ledger.charges
        union all select merchant_id, cell, 1, date_trunc('day', block, 'UTC') from ledger.charges
        union all select merchant_id, cell, 2, block from ledger.charges
      ), recounted as (
        select merchant_id, level, starts_on, cell / 8 as channel, cell % 8 as status, count(*) as n from placed group by 1, 2, 3, 4, 5
      ), kept as (
        select merchant_id, level, starts_on, channel, status - 1 as status, n from ledger.charge_counts,
          unnest(array[cancelled, expired, failed, pending, succeeded]) with ordinality as s(n, status) where n <> 0
      ) (select * from recounted except select * from kept) union all (select * from kept except select * from recounted)`);
    expect(rows).toEqual([]);
    const { rows: misplaced } = await pool.query(`
      select c.id from ledger.charges c
       where c.block <> (select max(starts_on) from ledger.charge_counts b where b.merchant_id = c.merchant_id and level = 2 and b.starts_on <= c.created_on)`);
    expect(misplaced).toEqual([]);
  });
});

describe('the row of a charge', () => {
  type Step = (world: World) => void;
  const paid: Step = (world) => world.pay(0);
  const failed: Step = (world) => world.end(0);
  const expired: Step = (world) => world.end(1);
  const cancelled: Step = (world) => world.end(2);
  const settled: Step = (world) => world.settle(0, 1);
  const reversed: Step = (world) => world.reverse(0);

  async function after(...steps: readonly Step[]): Promise<{ row: ChargeRow; world: World }> {
    const world = new World(1);
    const { id, merchant_id } = world.create(0, 10_000);
    for (const step of steps) {
      world.log.clockMs += 1_000;
      step(world);
    }
    await project(pool, ledgerOf(4), world.log.events, 1);
    return { row: (await findCharge(pool, merchant_id, id))!, world };
  }

  it('the row of a new charge has the fields of its creation', async () => {
    const { row, world } = await after();
    const { action: _, charge_id: id, ...events } = world.log.events[1]!.data as ChargeCreated;
    expect(row).toEqual({
      ...events,
      id,
      status: 'PENDING',
      settlement_status: 'UNKNOWN',
      updated_by: 'key_test',
      updated_on: events.created_on,
      revision: 0,
      paid_on: null,
      failed_on: null,
      failure_reason: null,
      settlement_date: null,
      settlement_on: null,
      reversed_on: null,
      reversed_at: null,
      return_url: null,
      processor_reference: null,
      action: null,
      failure_code: null,
      is_remote: null,
      refunded_amount: 0,
      disputed_amount: 0,
      taken_amount: 0,
    });
  });

  it.each<[string, readonly Step[], Partial<ChargeRow>]>([
    ['was paid', [paid], { status: 'SUCCEEDED', settlement_status: 'PENDING', updated_by: 'key_test', revision: 1 }],
    ['failed', [failed], { status: 'FAILED', settlement_status: 'UNKNOWN', failure_reason: 'declined' }],
    ['expired', [expired], { status: 'EXPIRED' }],
    ['was cancelled', [cancelled], { status: 'CANCELLED' }],
    ['was paid late', [failed, paid], { status: 'SUCCEEDED', settlement_status: 'PENDING', revision: 2 }],
    ['was settled', [paid, settled], { status: 'SUCCEEDED', settlement_status: 'SETTLED', updated_by: 'System', revision: 2 }],
    ['was reversed before any settlement', [paid, reversed], { status: 'SUCCEEDED', settlement_status: 'REVERSED', settlement_on: null }],
    ['was reversed after its settlement', [paid, settled, reversed], { settlement_status: 'SETTLED', revision: 3 }],
    ['was reversed, and the money taken back', [paid, settled, reversed, settled], { settlement_status: 'REVERSED', revision: 4 }],
  ])('the row shows a charge that %s', async (_, steps, expected) => {
    const { row, world } = await after(...steps);
    expect(row).toMatchObject(expected);
    expect(row.updated_on).toBe(world.log.events.at(-1)!.metadata.occurred_on);
    const { items } = await findCharges(pool, row.merchant_id, { page_number: 1, page_size: 10, order_by: 'created_on', is_descending: false });
    expect(items[0]!.settlement_on).toBe(row.settlement_on);
    expect({ paid: 'paid_on' in items[0]!, due: 'settlement_date' in items[0]!, failed: 'failed_on' in items[0]! }).toEqual({
      paid: row.status === 'SUCCEEDED',
      due: row.status === 'SUCCEEDED',
      failed: row.status === 'FAILED',
    });
  });

  it('the update time of a charge is never before its creation, whatever the clock', async () => {
    const { row } = await after((world) => {
      world.log.clockMs -= 60_000;
      world.pay(0);
    });
    expect(row.updated_on).toBe(row.created_on);
  });

  it('a merchant cannot read the charge of another merchant', async () => {
    const { row } = await after();
    expect(await findCharge(pool, row.id, row.id)).toBeUndefined();
    expect(await findChargeById(pool, row.id)).toEqual(row);
  });

  it('the projection stops when the status of a charge row contradicts the event', async () => {
    const { world } = await after(paid);
    const [, created, payment] = world.log.events;
    await expect(project(pool, ledgerOf(4), [created!, payment!, { ...payment!, revision: 2 }], 1)).rejects.toThrow('1 charges of the batch');
    await expect(project(pool, ledgerOf(4), [payment!], 1)).rejects.toThrow('1 charges of the batch');
  });
});

describe('expirable charges', () => {
  it('expirable charges are the pending ones past their expiry, page by page', async () => {
    const world = crowd(300);
    await project(pool, ledgerOf(64), world.log.events, 100);
    const pending = (await allRows()).filter(({ status }) => status === 'PENDING');
    const now = pending[Math.floor(pending.length / 2)]!.expires_on;
    const expected = pending
      .filter(({ expires_on }) => expires_on <= now)
      .map(({ id, expires_on }) => `${expires_on} ${id}`)
      .sort();
    const found: ExpirableCharge[] = [];
    for (;;) {
      const page = await findExpirableCharges(pool, now, found.at(-1) ?? null, 7);
      found.push(...page);
      if (page.length < 7) break;
    }
    expect(found.map(({ id, expires_on }) => `${expires_on} ${id}`)).toEqual(expected);
    expect(found.length).toBeGreaterThan(10);
  });
});

describe.each([16, 500, 100_000])('the list of charges, in blocks of %i', (blockSize) => {
  const world = crowd(2_600);
  const [merchant] = world.merchants as [string];
  let rows: ChargeRow[];
  beforeAll(async () => {
    await project(pool, ledgerOf(blockSize), world.log.events, 500);
    rows = (await allRows()).filter((row) => row.merchant_id === merchant);
  });

  const statuses: ChargeStatus[] = ['PENDING', 'SUCCEEDED', 'FAILED', 'EXPIRED', 'CANCELLED'];
  const orders: ChargeOrderBy[] = ['created_on', 'amount', 'status'];
  const moments = fc
    .nat(1_000)
    .chain((n) => fc.integer({ min: -1, max: 1 }).map((shift) => timestamp(milliseconds(rows[n % rows.length]!.created_on) + shift)));
  const sometimes = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined, freq: 2 });
  const queries = (): fc.Arbitrary<ChargeListQuery> =>
    fc.record({
      page_number: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 5, max: 30 })),
      page_size: fc.constantFrom(1, 3, 10, 100, 100),
      order_by: fc.constantFrom(...orders),
      is_descending: fc.boolean(),
      currency: sometimes(fc.constantFrom('IDR', 'MYR', 'USD')),
      channel_code: sometimes(fc.constantFrom('QR_QRIS', 'QR_PAYNOW', 'WALLET_OVO')),
      status: sometimes(fc.constantFrom(...statuses)),
      date_from: sometimes(moments),
      date_to: sometimes(moments),
    });

  function expected(query: ChargeListQuery): { total: number; ids: string[] } {
    const { order_by: by, currency, channel_code, status, date_from, date_to } = query;
    const found = rows.filter(
      (row) =>
        (!currency || row.currency === currency) &&
        (!channel_code || row.channel_code === channel_code) &&
        (!status || row.status === status) &&
        (!date_from || row.created_on >= date_from) &&
        (!date_to || row.created_on <= date_to),
    );
    const compare = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0);
    found.sort((a, b) => (compare(a[by], b[by]) || compare(a.id, b.id)) * (query.is_descending ? -1 : 1));
    const offset = (query.page_number - 1) * query.page_size;
    return { total: found.length, ids: found.slice(offset, offset + query.page_size).map(({ id }) => id) };
  }

  // Small limits: every way to find a page is taken, and guesses with no deviation miss it often.
  it.each<[string, ListLimits | undefined]>([
    ['as it is', undefined],
    ['with few sorted and guesses that miss', { deepOffset: 20, sortedMax: 15, keptMax: 30, guess: { sampled: 400, deviations: 0 } }],
    ['with few sorted and guesses by some charges', { deepOffset: 200, sortedMax: 60, keptMax: 100, guess: { sampled: 150, deviations: 2 } }],
    ['with few sorted and guesses by no charge', { deepOffset: 5_000, sortedMax: 15, keptMax: 5_000, guess: { sampled: 0, deviations: 4 } }],
  ])('the list of charges, %s, equals a filter over all rows for any query', async (_, limits) => {
    await fc.assert(
      fc.asyncProperty(queries(), async (query) => {
        const { total, items } = await findCharges(pool, merchant, query, limits);
        expect({ total, ids: items.map(({ id }) => id) }).toEqual(expected(query));
      }),
      { numRuns: sized(150, 500), seed: 4 + blockSize },
    );
  });
});

describe('a deep page by amount or status in a large date range', () => {
  const MERCHANT = '00000000-0000-4000-8000-0000000000aa';
  const OTHER_MERCHANT = '00000000-0000-4000-8000-0000000000bb';
  const CHARGES = 20_000;
  const from = Date.UTC(2026, 0, 1);
  let explained: TestDatabase;
  let reads: Pool;
  let sorted = 0;
  let read = 0;
  beforeAll(async () => {
    explained = await createTestDatabase();
    await explainStatements(explained.url);
    reads = createPool({ url: explained.url, applicationName: 'test', maxConnections: 1 });
    onPlans(reads, (_, plan) => {
      sorted = Math.max(sorted, sortedBy(plan));
      read = Math.max(read, readBy(plan));
    });
    const ledger = ledgerProjection({ name: 'ledger', readModels: [chargesInBlocksOf(BLOCK_SIZE), search] });
    await project(reads, ledger, [], 1);
    // So that statistics are those of a test, and of no autovacuum that meets it.
    await reads.query('alter table ledger.charges set (autovacuum_enabled = off)');
    await loadCharges(reads, 'ledger', { merchantId: MERCHANT, charges: CHARGES, from: timestamp(from), everyMs: 1_000 });
    // Half of them have one price, so that ids alone order them.
    await reads.query('update ledger.charges set amount = 500000 where hashtext(id::text) % 2 = 0');
  });
  afterAll(async () => {
    await reads.end();
    await explained.drop();
  });

  /** The most rows that a node of the plan sorted. */
  function sortedBy(plan: Plan): number {
    const inner = plan.Plans ?? [];
    const own = plan['Node Type'].endsWith('Sort') ? inner[0]!['Actual Rows'] : 0;
    return Math.max(own, ...inner.map(sortedBy));
  }

  /** Counts the charges that were read from the table because their index lacks a column. */
  function readBy(plan: Plan): number {
    const rows = (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'];
    const own = plan['Node Type'] === 'Index Scan' && plan['Relation Name'] === 'charges' ? rows : 0;
    return (plan.Plans ?? []).reduce((sum, inner) => sum + readBy(inner), own);
  }

  const moveAway = (merchant: string, by: string): string =>
    `update ledger.charges set merchant_id = '${merchant}', created_on = created_on + interval '${by}'`;
  /** States of the planner's statistics. The order matters: each starts from the state before it. */
  const STATISTICS: Readonly<Record<string, readonly string[]>> = {
    none: [],
    'none, and all pages visible': ['vacuum ledger.charges'],
    'of another merchant and day': [moveAway(OTHER_MERCHANT, '-9 days'), 'vacuum analyze ledger.charges', moveAway(MERCHANT, '9 days')],
    'of another merchant and day, and all pages visible': ['vacuum ledger.charges'],
    'of pages without rows': ["update pg_class set reltuples = 0 where oid = 'ledger.charges'::regclass"],
    'of what is there': ['vacuum analyze ledger.charges'],
  };

  describe.each(Object.entries(STATISTICS))('with statistics %s', (_, statements) => {
    beforeAll(async () => {
      for (const statement of statements) await reads.query(statement);
    });

    it.each((['amount', 'status'] as const).flatMap((order_by) => [false, true].map((is_descending) => [order_by, is_descending] as const)))(
      'a deep page by %s, descending %s, sorts and reads only a few charges',
      async (order_by, is_descending) => {
        const limits = { deepOffset: 1_000, sortedMax: 1_000, keptMax: 1_000, guess: { sampled: 1_000, deviations: 4 } };
        const range = { date_from: timestamp(from + 2_000_000), date_to: timestamp(from + 17_000_000) };
        for (let page_number = 1; page_number <= 140; page_number += sized(15, 3)) {
          sorted = read = 0;
          const { total, items } = await findCharges(reads, MERCHANT, { ...range, page_number, page_size: 100, order_by, is_descending }, limits);
          expect({ total: Math.round(total / 1_000), items: items.length }).toEqual({ total: 15, items: 100 });
          const few = Math.round(0.25 * total);
          expect({ page_number, sorted: Math.max(sorted, few), read: Math.max(read, few) }).toEqual({ page_number, sorted: few, read: few });
          expect(read).toBeGreaterThan(0);
        }
      },
    );
  });
});
