import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { requireBooksTimeZone } from '../../src/app/stores.js';
import { daysIn } from '../../src/ledger/days.js';
import { isTimeZone } from '../../src/ledger/time.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import { knowsTimeZone } from '../../src/platform/postgres/time-zones.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

describe('time zones of Postgres', () => {
  let database: TestDatabase;
  let pool: Pool;

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = createPool({ url: database.url, applicationName: 'test', statementTimeoutMs: 0 });
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  it.each(['SST', 'Asia/JAKARTA', 'Asia/Atlantis', ''])('Postgres has no time zone %j', async (name) => {
    expect(await knowsTimeZone(pool, name)).toBe(false);
  });

  it('zones that both accept have the same days in both', async () => {
    const moments = [2_000, 2_010, 2_020, 2_026].flatMap((year) => [0, 6].map((month) => Date.UTC(year, month, 15, 17, 30)));
    const zones = ['UTC', 'Asia/Jakarta', 'Asia/Kolkata', 'Europe/London', 'Pacific/Pago_Pago', 'America/St_Johns', 'Etc/GMT+7'];
    for (const zone of zones) {
      expect([zone, isTimeZone(zone), await knowsTimeZone(pool, zone)]).toEqual([zone, true, true]);
      const { rows } = await pool.query<{ day: string }>(
        'select (to_timestamp(ms / 1000.0) at time zone $1)::date::text as day from unnest($2::int8[]) with ordinality m (ms, place) order by place',
        [zone, moments],
      );
      expect([zone, rows.map(({ day }) => day)]).toEqual([zone, moments.map(daysIn(zone))]);
    }
  });

  it('the service does not start with a time zone of the books that Postgres does not have', async () => {
    const stores = { databaseUrl: database.url };
    await expect(requireBooksTimeZone(stores, { booksTimeZone: 'Asia/JAKARTA' })).rejects.toThrow(
      'BOOKS_TIMEZONE: the database has no time zone Asia/JAKARTA',
    );
    await expect(requireBooksTimeZone(stores, { booksTimeZone: 'Asia/Jakarta' })).resolves.toBeUndefined();
  });
});
