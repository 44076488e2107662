import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { findDayPart } from '../../projections/reconciliation/days/day-close-reads.js';
import { recon } from '../../projections/reconciliation/reconciliation.projection.js';
import { PROJECTIONS } from '../../src/app/projections.js';
import { createPool, inTransaction } from '../../src/platform/postgres/pool.js';
import { createPipeliningPool } from '../../src/platform/projector/projector.js';
import type { OrdinalEvent, Projection } from '../../src/platform/projector/projection.js';
import { bankCrowd } from '../support/bank-crowd.js';
import { explainStatements, onPlans, workOf } from '../support/explained.js';
import { Batches, World } from '../support/histories.js';
import { sized } from '../support/nightly.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { project, setAutovacuum } from '../support/projected.js';

/** Postgres chooses another plan for each. */
const SIZES = { merchant: [250, 1_000], bank: [250, 500] };
const KINDS = ['merchant', 'bank'] as const;
const largest = (kind: keyof typeof SIZES): string => `${kind} ${Math.max(...SIZES[kind])}`;
/** Statistics are taken at one of so many moments. The crowd is played twice for each, which takes minutes for all of them. */
const MOMENTS_APART = sized(5, 1);
const WHENEVER_MS = 480_000;
/** Maximum rows of all nodes of a plan, per record: a linear statement joins each given record with a few rows, a quadratic one with all of the others. */
const ROWS_PER_RECORD_MAX = 20;

/**
 * Statistics of the planner. A number: taken before the commit of that batch, or after it with 0.5 more. Of pages without rows: taken of every table
 * while the batch that fills its first pages is open, as its next statements find them.
 */
type Statistics = 'none' | 'of pages without rows' | number;

interface Crowd {
  /** Number of records that meet in it. */
  readonly records: number;
  readonly batches: readonly (readonly OrdinalEvent[])[];
  /** Indexes of batches at which statistics are taken, in turn. */
  readonly moments: readonly number[];
}

/** One merchant's crowd: `size` records of each kind meet in one batch, and all charges in one settlement. */
function merchantCrowd(size: number): Crowd {
  const world = new World(1);
  const batches = new Batches(world.log);
  /** Opened in one batch and closed in another, as by a settlement run of several seconds. */
  const settle = (): void => {
    world.settle(0, 1);
    const [opened, ...rest] = batches.cut();
    batches.all.push([opened!], rest.slice(0, -2), rest.slice(-2));
  };
  batches.end();
  batches.of(size, () => world.create(0, 1_000));
  batches.of(size, () => world.pay(0));
  batches.of(size / 2, (n) => world.payAgain(n, 500));
  settle();
  batches.of(size, () => world.requestPayout(0, 100));
  for (let moves = 0; moves < 3; moves++) batches.of(size, () => world.movePayout(1));
  batches.of(size / 4, () => world.returnPayout(0));
  batches.of(size / 2, () => world.reverse(0));
  settle();
  return { batches: batches.all, records: size, moments: [...batches.all.keys()] };
}

/** A bank's crowd. Statistics are taken where a statement has just found many new rows, or is about to. */
async function bankCrowdOf(pool: Pool, size: number): Promise<Crowd> {
  const batches = await bankCrowd(pool, size);
  const isTick = ({ type }: OrdinalEvent): boolean => ['StatementAccepted', 'StatementReplaced', 'DayCloseOpened'].includes(type);
  // Payments, payouts, and lines of both.
  return { batches, records: 4 * size, moments: [...batches.keys()].filter((index) => batches[index]!.some(isTick)) };
}

describe('the statements of read models', () => {
  let database: TestDatabase;
  let pool: Pool;
  let others: Pool;
  /** Maximum work of one execution, by statement. */
  const work = new Map<string, number>();
  let measured = 0;
  const crowds = new Map<string, Crowd>();

  beforeAll(async () => {
    database = await createTestDatabase();
    const plain = createPool({ url: database.url, applicationName: 'test', statementTimeoutMs: 0 });
    for (const size of SIZES.merchant) crowds.set(`merchant ${size}`, merchantCrowd(size));
    for (const size of SIZES.bank) crowds.set(`bank ${size}`, await bankCrowdOf(plain, size));
    await plain.end();
    await explainStatements(database.url);
    pool = createPipeliningPool({ url: database.url, applicationName: 'test', statementTimeoutMs: 0 }, 1);
    others = createPipeliningPool(
      { url: database.url, applicationName: 'test', statementTimeoutMs: 0, settings: { idle_in_transaction_session_timeout: '0' } },
      2,
    );
    onPlans(pool, (text, plan) => {
      measured += 1;
      work.set(text, Math.max(work.get(text) ?? 0, workOf(plan)));
    });
  });
  afterAll(async () => {
    await Promise.all([pool.end(), others.end()]);
    await database.drop();
  });

  /** Holds an old snapshot meanwhile, as a backup does. Without it chance decides which versions of rows are pruned: autovacuum reads the catalogs, too. */
  const whileAllVersionsStay = (work: () => Promise<void>): Promise<void> =>
    inTransaction(
      others,
      async (reader) => {
        await reader.query('select from pg_class limit 1');
        await work();
      },
      'begin isolation level repeatable read',
    );

  /** Statements that did more for a crowd than linear work. */
  async function beyondLinear(projection: Projection, name: string, planning: string, statistics: Statistics): Promise<string[]> {
    const { batches, records } = crowds.get(name)!;
    // New tables, because each crowd has the same ids, and a bitmap index scan also counts the entries of deleted rows.
    await pool.query(`drop schema if exists ${projection.name} cascade`);
    await project(pool, projection, [], 1);
    const tables = await setAutovacuum(pool, projection.name, 'off');
    if (statistics === 'of pages without rows')
      await pool.query('update pg_class set relpages = 1, reltuples = 0 where oid = any($1::regclass[])', [tables]);
    await pool.query(`set plan_cache_mode = ${planning}`);
    work.clear();
    const applyAll = async (): Promise<void> => {
      for (const [index, batch] of batches.entries()) {
        await inTransaction(pool, async (tx) => {
          const decoded = batch.map(projection.decode);
          await Promise.all(projection.readModels.map((readModel) => readModel.apply(tx, projection.name, decoded)));
          // Another session does not see the rows that this one has written: tables have pages, and no rows.
          if (index === statistics) await others.query(`analyze ${tables.join(', ')}`);
        });
        if (index + 0.5 === statistics) await others.query(`analyze ${tables.join(', ')}`);
      }
    };
    await whileAllVersionsStay(applyAll);
    return [...work].filter(([, rows]) => rows > ROWS_PER_RECORD_MAX * records).map(([text, rows]) => `${rows} rows: ${text}`);
  }

  // The guesses of the planner are far off in these cases, and a statement must not depend on them. A rebuild begins without statistics.
  const cases = KINDS.flatMap((kind) =>
    SIZES[kind].flatMap((size) =>
      ['force_custom_plan', 'force_generic_plan'].flatMap((planning) =>
        (['none', 'of pages without rows'] as const).map((statistics) => [kind, size, planning, statistics] as const),
      ),
    ),
  );
  describe.each(cases)('crowds of one %s and %i records of each kind, with %s, statistics %s', (kind, size, planning, statistics) => {
    it.each(PROJECTIONS.map((projection) => [projection.name, projection] as const))('of %s do no more than linear work', async (_, projection) =>
      expect(await beyondLinear(projection, `${kind} ${size}`, planning, statistics)).toEqual([]),
    );
  });

  // Autovacuum takes statistics at any moment, and they are wrong from the next batch on. Only a plan that is made for each execution follows
  // them at a known moment: Postgres drops generic plans whenever its queue of invalidations overflows.
  const concerned = [...PROJECTIONS.map((projection) => ['merchant', projection] as const), ['bank', recon] as const];
  it.each(concerned.map(([kind, projection]) => [projection.name, kind, projection] as const))(
    'statements of %s do no more than linear work for a %s, whenever statistics are taken',
    async (_, kind, projection) => {
      // The larger size: with few pages, plans are good in spite of wrong statistics.
      const crowd = largest(kind);
      for (const index of crowds.get(crowd)!.moments.filter((_, nth) => nth % MOMENTS_APART === 1 % MOMENTS_APART))
        for (const at of [index, index + 0.5]) expect([at, ...(await beyondLinear(projection, crowd, 'force_custom_plan', at))]).toEqual([at]);
    },
    WHENEVER_MS,
  );

  it('a part of a close is read without the rows of its other parts', async () => {
    await beyondLinear(recon, largest('bank'), 'force_custom_plan', 'none');
    work.clear();
    expect((await findDayPart(pool, 'live-bca', 1, 2))?.rows).toHaveLength(500);
    expect([...work.values()].map((rows) => rows <= 1_000)).toEqual([true]);
  });

  it('at least 20 plans of statements were measured', () => {
    expect(measured).toBeGreaterThan(20);
  });
});
