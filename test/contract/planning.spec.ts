import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { addInPieces, plannedForMany } from '../../projections/reconciliation/planning.js';
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
