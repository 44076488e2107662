import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg, { type Pool } from 'pg';
import { recon } from '../../projections/reconciliation/reconciliation.projection.js';
import { createPool, inTransaction } from '../../src/platform/postgres/pool.js';
import type { OrdinalEvent } from '../../src/platform/projector/projection.js';
import { createPipeliningPool } from '../../src/platform/projector/projector.js';
import { closeDay } from '../support/day-closing.js';
import { explainStatements, onPlans, workOf } from '../support/explained.js';
import { Batches } from '../support/histories.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { project, setAutovacuum } from '../support/projected.js';
import { Remittances } from '../support/remittances.js';

const DAYS = 10;
/** Payments, payouts and charges of each day. */
const SIZE = 40;
const BATCH_LINES = 20;
const AMOUNT = 1_000;
const FEE = 10;
/** The first days have no items of the previous ones. */
const STEADY_FROM = 3;
/** The last days that are compared: a statement's work grows if it does on each of them. */
const LAST_DAYS = 3;
/** More rows for each day before: its statement, its batches, and the looks for missing files. Its records would be 160. */
const ROWS_OF_DAY_MAX = 20;

/**
 * A bank and a processor whose days are alike: payments that are remitted on the next day in batches, payouts that succeed and are presented on the
 * next day, charges of the bank; on the first day a line that nothing explains.
 */
async function days(pool: Pool): Promise<OrdinalEvent[][]> {
  const world = new Remittances();
  const batches = new Batches(world.log);
  world.set('live-bca', { currencies: ['IDR'], by_amount: true });
  batches.end();
  let debits: string[] = [];
  let credits: string[] = [];
  for (let day = 1; day <= DAYS; day += 1) {
    world.book([
      ...credits.map((reference) => ({ reference, amount: BATCH_LINES * (AMOUNT - FEE) })),
      ...debits.map((reference) => ({ reference, amount: -AMOUNT })),
      ...debits.map(() => ({ amount: -7, kind: 'CHARGE' as const })),
      ...(day === 1 ? [{ amount: 13 }] : []),
    ]);
    batches.end();
    await closeDay(pool, world, day, world.log.now.slice(0, 10));
    batches.end();
    const first = (day - 1) * SIZE;
    batches.of(SIZE, () => world.pay(AMOUNT));
    const batchOf = (n: number): string => `B-${day}-${Math.floor(n / BATCH_LINES)}`;
    const lines = Array.from({ length: SIZE }, (_, n) => ({ reference: `R${first + n}`, amount: AMOUNT, fee: FEE, batch: batchOf(n) }));
    world.remit(lines);
    batches.end();
    credits = [...new Set(lines.map(({ batch }) => batch))];
    debits = Array.from({ length: SIZE }, () => world.payout(AMOUNT));
    debits.forEach((_, n) => world.payoutGoes('PayoutSucceeded', first + n));
    batches.end();
    world.days(1);
  }
  return batches.all;
}

describe('the work of a bank day', () => {
  let database: TestDatabase;
  let pool: Pool;
  /** Reads the first state all the time, so no vacuum removes a deleted row. */
  let reader: pg.Client;
  let batches: OrdinalEvent[][];
  /** Rows that the statements have looked at since it was cleared. */
  const work = new Map<string, number>();

  beforeAll(async () => {
    database = await createTestDatabase();
    const plain = createPool({ url: database.url, applicationName: 'test', statementTimeoutMs: 0 });
    batches = await days(plain);
    await plain.end();
    reader = new pg.Client({ connectionString: database.url });
    await reader.connect();
    await reader.query('begin isolation level repeatable read');
    await reader.query('select 1');
    await explainStatements(database.url);
    pool = createPipeliningPool({ url: database.url, applicationName: 'test', statementTimeoutMs: 0 }, 1);
    // A look for tables without statistics reads the catalog alone, by a plan that follows autovacuum.
    onPlans(pool, (text, plan) => text.includes('pg_class') || work.set(text, (work.get(text) ?? 0) + workOf(plan)));
  });
  afterAll(async () => {
    await pool.end();
    await reader.end();
    await database.drop();
  });

  it.each([
    ['a close', 'DayCloseOpened', 'live-bca'],
    ["a bank's file", 'StatementAccepted', 'live-bca'],
    ["a processor's file", 'StatementAccepted', 'live-sim'],
  ])('of %s does not grow with the days before it', async (_, type, source) => {
    const isTick = (event: OrdinalEvent): boolean => event.type === type && (event.data as { readonly source: string }).source === source;
    await pool.query('drop schema if exists recon cascade');
    await project(pool, recon, [], 1);
    // Statistics that the server took of some of the days would change plans between the compared ones.
    await setAutovacuum(pool, 'recon', 'off');
    const ticks: ReadonlyMap<string, number>[] = [];
    for (const batch of batches) {
      work.clear();
      await inTransaction(pool, async (tx) => {
        const decoded = batch.map(recon.decode);
        await Promise.all(recon.readModels.map((readModel) => readModel.apply(tx, 'recon', decoded)));
      });
      if (batch.some(isTick)) ticks.push(new Map(work));
    }
    expect(ticks).toHaveLength(DAYS);
    const steady = ticks[STEADY_FROM]!;
    const last = ticks.slice(-LAST_DAYS);
    const grown = [...last[0]!.keys()].flatMap((text) => {
      const rows = Math.min(...last.map((tick) => tick.get(text) ?? 0));
      const before = steady.get(text) ?? 0;
      return rows > before + ROWS_OF_DAY_MAX * (DAYS - STEADY_FROM) ? [`${before} rows, then ${rows}: ${text}`] : [];
    });
    expect(grown).toEqual([]);
  });
});
