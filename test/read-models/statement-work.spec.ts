import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { PROJECTIONS } from '../../src/app/projections.js';
import { inTransaction } from '../../src/platform/postgres/pool.js';
import { createPipeliningPool } from '../../src/platform/projector/projector.js';
import type { OrdinalEvent, Projection } from '../../src/platform/projector/projection.js';
import { explainStatements, onPlans, type Plan } from '../support/explained.js';
import { World } from '../support/histories.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { project } from '../support/projected.js';

/** Postgres chooses another plan for each. */
const SIZES = [250, 1_000];
/** Maximum rows of all nodes of a plan, per record: a linear statement joins each given record with a few rows, a quadratic one with all of the others. */
const ROWS_PER_RECORD_MAX = 20;
/** The same with old statistics, of which Postgres may conclude that it reads a table of a few pages sooner than its index, up to the row. */
const ROWS_WITH_OLD_STATISTICS_MAX = 100;

/** One merchant's crowd: `size` records of each kind meet in one batch, and all charges in one settlement. */
function crowd(size: number): OrdinalEvent[][] {
  const world = new World(1);
  const { log } = world;
  const batches: OrdinalEvent[][] = [];
  let taken = 0;
  const batch = (): void => {
    batches.push(log.events.slice(taken));
    taken = log.events.length;
  };
  const times = (count: number, step: (n: number) => void): void => {
    for (let n = 0; n < count; n++) step(n);
    batch();
  };
  /** Opened in one batch and closed in another, as by a settlement run of several seconds. */
  const settle = (): void => {
    world.settle(0, 1);
    const events = log.events.slice(taken);
    const [opened, ...rest] = events;
    batches.push([opened!], rest.slice(0, -2), rest.slice(-2));
    taken = log.events.length;
  };
  batch();
  times(size, () => world.create(0, 1_000));
  times(size, () => world.pay(0));
  times(size / 2, (n) => world.payAgain(n, 500));
  settle();
  times(size, () => world.requestPayout(0, 100));
  for (let moves = 0; moves < 3; moves++) times(size, () => world.movePayout(1));
  times(size / 4, () => world.returnPayout(0));
  times(size / 2, () => world.reverse(0));
  settle();
  return batches;
}

/** Rows that a statement looked at, those of every node and loop. */
function workOf(plan: Plan): number {
  const each = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Join Filter'] ?? 0);
  return each * plan['Actual Loops'] + (plan.Plans ?? []).reduce((sum, inner) => sum + workOf(inner), 0);
}

async function tablesOf(pool: Pool, schema: string): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(`select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = $1`, [
    schema,
  ]);
  return rows.map(({ name }) => name);
}

describe('the statements of read models', () => {
  let database: TestDatabase;
  let pool: Pool;
  let others: Pool;
  /** Maximum work of one execution, by statement. */
  const work = new Map<string, number>();
  let measured = 0;

  beforeAll(async () => {
    database = await createTestDatabase();
    await explainStatements(database.url);
    pool = createPipeliningPool({ url: database.url, applicationName: 'test', statementTimeoutMs: 0 }, 1);
    others = createPipeliningPool({ url: database.url, applicationName: 'test', statementTimeoutMs: 0 }, 1);
    onPlans(pool, (text, plan) => {
      measured += 1;
      work.set(text, Math.max(work.get(text) ?? 0, workOf(plan)));
    });
  });
  afterAll(async () => {
    await Promise.all([pool.end(), others.end()]);
    await database.drop();
  });

  /** Statements that did more for a crowd of `size` than linear work. @param analyzedIn the batch before whose commit statistics are taken, or behind it with 0.5 more; undefined: never */
  async function beyondLinear(projection: Projection, size: number, planning: string, analyzedIn?: number): Promise<string[]> {
    await project(pool, projection, [], 1);
    const tables = await tablesOf(pool, projection.name);
    // Prevents autovacuum from taking statistics meanwhile.
    for (const table of tables) await pool.query(`alter table ${table} set (autovacuum_enabled = off)`);
    await pool.query(`set plan_cache_mode = ${planning}`);
    work.clear();
    for (const [index, batch] of crowd(size).entries()) {
      await inTransaction(pool, async (tx) => {
        const decoded = batch.map(projection.decode);
        await Promise.all(projection.readModels.map((readModel) => readModel.apply(tx, projection.name, decoded)));
        // Another session does not see the rows that this one has written: tables have pages, and no rows.
        if (index === analyzedIn) await others.query(`analyze ${tables.join(', ')}`);
      });
      if (index + 0.5 === analyzedIn) await others.query(`analyze ${tables.join(', ')}`);
    }
    const max = analyzedIn === undefined ? ROWS_PER_RECORD_MAX : ROWS_WITH_OLD_STATISTICS_MAX;
    return [...work].filter(([, rows]) => rows > max * size).map(([text, rows]) => `${rows} rows: ${text}`);
  }

  // Without statistics, as in a rebuild: the guesses of the planner are far off there, and a statement must not depend on them.
  describe.each(SIZES.flatMap((size) => ['force_custom_plan', 'force_generic_plan'].map((planning) => [size, planning] as const)))(
    'crowds of %i records, with %s',
    (size, planning) => {
      it.each(PROJECTIONS.map((projection) => [projection.name, projection] as const))(
        'statements of %s do no more than linear work for a crowd of one merchant',
        async (_, projection) => expect(await beyondLinear(projection, size, planning)).toEqual([]),
      );
    },
  );

  // Autovacuum takes statistics at any moment, and they are wrong from the next batch on. Only a plan that is made for each execution follows
  // them at a known moment: Postgres drops generic plans whenever its queue of invalidations overflows.
  it.each(PROJECTIONS.map((projection) => [projection.name, projection] as const))(
    'statements of %s do no more than linear work, whenever statistics are taken',
    async (_, projection) => {
      const [size] = SIZES;
      for (const index of crowd(size!).keys())
        for (const at of [index, index + 0.5]) expect([at, ...(await beyondLinear(projection, size!, 'force_custom_plan', at))]).toEqual([at]);
    },
  );

  it('at least 20 plans of statements were measured', () => {
    expect(measured).toBeGreaterThan(20);
  });
});
