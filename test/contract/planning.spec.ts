import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { addInPieces, plannedForMany } from '../../projections/reconciliation/planning.js';
import { lengthenLimits } from '../../src/platform/postgres/time-limits.js';
import { createPipeliningPool } from '../../src/platform/projector/projector.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

describe('statements of a tick', () => {
  const STATEMENT_TIMEOUT_MS = 100;
  /** Longer than the client of such a pool waits. */
  const LONG = 'select pg_sleep(1)';
  let database: TestDatabase;
  let pool: pg.Pool;

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = createPipeliningPool({ url: database.url, applicationName: 'test', statementTimeoutMs: STATEMENT_TIMEOUT_MS }, 1);
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  it('statements of a tick may exceed the time limit of the projector, later ones may not', async () => {
    const tx = await pool.connect();
    try {
      await tx.query('begin');
      await expect(plannedForMany(tx, () => tx.query(LONG).then(({ rowCount }) => rowCount))).resolves.toBe(1);
      await expect(tx.query(LONG)).rejects.toMatchObject({ code: '57014' });
    } finally {
      tx.release(true);
    }
  });

  it('a projector that has lengthened its limits after a timeout gives statements of a tick that many times more', async () => {
    const tx = await pool.connect();
    const limit = async () => (await tx.query<{ limit: string }>(`select current_setting('statement_timeout') as limit`)).rows[0]!.limit;
    try {
      await tx.query('begin');
      const limits = await plannedForMany(tx, limit);
      await tx.query(lengthenLimits({ statement: 10, idleInTransaction: 10 }));
      const before = await limit();
      expect([limits, before, await plannedForMany(tx, limit), await limit()]).toEqual(['6s', '1s', '1min', before]);
    } finally {
      tx.release(true);
    }
  });
});

describe('a process that is busy in a tick', () => {
  const IDLE_MAX_MS = '100';
  let database: TestDatabase;
  let pool: pg.Pool;

  beforeAll(async () => {
    database = await createTestDatabase();
    const settings = { idle_in_transaction_session_timeout: IDLE_MAX_MS };
    pool = createPipeliningPool({ url: database.url, applicationName: 'test', statementTimeoutMs: 0, settings }, 1);
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  /** Lets the session wait, as building very many rows does. */
  function build(): void {
    for (const until = performance.now() + 5 * Number(IDLE_MAX_MS); performance.now() < until;);
  }

  it('keeps its session while it builds rows, and not afterwards', async () => {
    const tx = await pool.connect();
    tx.on('error', () => undefined);
    try {
      await tx.query('begin');
      const built = plannedForMany(tx, async () => {
        await tx.query('select 1');
        build();
        return (await tx.query('select 1')).rowCount;
      });
      await expect(built).resolves.toBe(1);
      build();
      await expect(tx.query('select 1')).rejects.toThrow();
    } finally {
      tx.release(true);
    }
  });
});

describe('very many rows', () => {
  it('adds many rows in pieces that are made as they are sent, so that the server never waits for all of them', async () => {
    const rows = Array.from({ length: 2_500 }, (_, n) => n);
    const added: number[] = [];
    let made = 0;
    await addInPieces(
      rows,
      (n) => {
        made += 1;
        return -n;
      },
      async (piece) => {
        expect(made).toBeLessThanOrEqual(added.length + 1_000);
        await Promise.resolve();
        added.push(...piece);
      },
    );
    expect(added).toEqual(rows.map((n) => -n));
  });
});
