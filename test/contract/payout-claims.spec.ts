import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { PostgresPayoutClaims } from '../../src/domain/payouts/payout-claims.js';
import { payoutClaimsMigrations } from '../../src/domain/payouts/payout-claims.migrations.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

describe('claims of payouts', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let claims: PostgresPayoutClaims;

  beforeAll(async () => {
    database = await createTestDatabase(payoutClaimsMigrations);
    pool = new pg.Pool({ connectionString: database.url });
    claims = new PostgresPayoutClaims(pool);
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });
  const age = (id: string, interval: string) =>
    pool.query('update payout_claims set claimed_on = claimed_on - $2::interval where payout_id = $1', [id, interval]);

  it('claims of one payout are granted to one currency, however many run at once', async () => {
    const id = randomUUID();
    const holders = await Promise.all(Array.from({ length: 20 }, (_, i) => claims.claim(id, i % 2 ? 'IDR' : 'SGD').then(({ currency }) => currency)));
    expect(new Set(holders).size).toBe(1);
  });

  it('claims of two processes for the same payouts wait in one order, and each is granted to one currency', async () => {
    const other = new PostgresPayoutClaims(pool);
    for (let round = 0; round < 5; round += 1) {
      const ids = Array.from({ length: 250 }, () => randomUUID());
      const held = await Promise.all([
        Promise.all(ids.map((id) => claims.claim(id, 'IDR'))),
        Promise.all(ids.map((_, i) => other.claim(ids.at(-1 - i)!, 'SGD'))).then((found) => found.reverse()),
      ]);
      const [mine, theirs] = held.map((found) => found.map(({ currency }) => currency));
      expect(mine).toEqual(theirs);
    }
  });

  it('a claim is free again when each request that held it was refused', async () => {
    const id = randomUUID();
    for (let n = 0; n < 2; n++) expect(await claims.claim(id, 'IDR')).toMatchObject({ currency: 'IDR' });
    await claims.release(id, 'IDR');
    expect(await claims.claim(id, 'SGD')).toMatchObject({ currency: 'IDR' });
    await claims.release(id, 'SGD');
    expect(await claims.claim(id, 'SGD')).toMatchObject({ currency: 'IDR' });
    await claims.release(id, 'IDR');
    expect(await claims.claim(id, 'SGD')).toMatchObject({ currency: 'SGD' });
  });

  it('one request takes over a claim whose requests must have ended', async () => {
    const id = randomUUID();
    await claims.claim(id, 'IDR');
    expect(await claims.claim(id, 'SGD')).toMatchObject({ currency: 'IDR', is_old: false });
    await age(id, '61 seconds');
    const old = await claims.claim(id, 'SGD');
    expect(old).toMatchObject({ currency: 'IDR', is_old: true });
    // A request of the holder has come since: a request that looked before has not seen its state, however old the claim gets again.
    expect(await claims.claim(id, 'IDR')).toMatchObject({ is_old: false });
    await age(id, '61 seconds');
    expect(await claims.takeOver(id, old, 'SGD')).toBe(false);
    const older = await claims.claim(id, 'SGD');
    expect(older.is_old).toBe(true);
    const taken = await Promise.all(['SGD', 'MYR'].map((currency) => claims.takeOver(id, older, currency)));
    expect(taken.filter(Boolean)).toHaveLength(1);
  });

  it('claims are removed after a week', async () => {
    const [old, young] = [randomUUID(), randomUUID()];
    await claims.claim(old, 'IDR');
    await age(old, '8 days');
    for (let n = 0; n < 1_000; n++) await claims.claim(young, 'IDR');
    expect((await pool.query('select 1 from payout_claims where payout_id = any($1)', [[old, young]])).rowCount).toBe(1);
  });
});
