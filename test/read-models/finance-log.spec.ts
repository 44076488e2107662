import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { loadFinanceLog } from '../../bench/finance-log.js';
import { balances } from '../../projections/balances/balances.js';
import { settlements } from '../../projections/settlements/settlements.js';
import { findTrialBalance } from '../../projections/balances/trial-balance.js';
import { readConfig } from '../../src/app/config.js';
import { MIGRATIONS } from '../../src/app/migrations.js';
import { EmbeddedEventStore } from '../../src/platform/event-store/embedded/embedded-event-store.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { project } from '../support/projected.js';
import { ledgerProjection } from '../../src/ledger/read-model.js';

const CHARGES = 600;

let database: TestDatabase;
let dataDir: string;
let pool: Pool;
let store: EmbeddedEventStore;
beforeAll(async () => {
  database = await createTestDatabase(MIGRATIONS);
  dataDir = await mkdtemp(join(tmpdir(), 'chargebook-test-'));
  pool = createPool({ url: database.url, applicationName: 'test' });
  store = new EmbeddedEventStore({ databaseUrl: database.url });
});
afterAll(async () => {
  await store.close();
  await pool.end();
  await database.drop();
  await rm(dataDir, { recursive: true });
});

describe('the log that the finance benchmark fills', () => {
  it('the log of the finance benchmark is one that the engine could have written, and its books balance', async () => {
    const config = readConfig({ DATA_DIR: dataDir });
    const stores = { eventStore: store, databaseUrl: database.url, close: () => Promise.resolve() };
    await loadFinanceLog(config, stores, { charges: CHARGES, merchants: 5 }, () => undefined);

    const { rows: counts } = await pool.query<{ type: string; count: number }>(
      'select type, count(*)::int as count from event_store.events group by type',
    );
    const events = Object.fromEntries(counts.map(({ type, count }) => [type, count]));
    expect(events['ChargeCreated']).toBe(CHARGES);
    for (const type of ['ChargePaid', 'FundsSettled', 'PayoutSucceeded']) expect([type, events[type]! > 50]).toEqual([type, true]);
    expect(events['SettlementOpened']).toBe(events['FundsSettled']);
    expect(events['PayoutRegistered']).toBe(events['PayoutRequested']);
    const { rows: gaps } = await pool.query(
      `select position, stream, revision from (
         select *, row_number() over (order by position) as nth, row_number() over (partition by stream order by position) - 1 as place
           from event_store.events) e
        where position <> nth or revision <> place`,
    );
    expect(gaps).toEqual([]);

    const read = [];
    for await (const batch of store.subscribe(null, { signal: AbortSignal.timeout(30_000) })) {
      read.push(...batch.events);
      if (batch.caughtUp) break;
    }
    expect(read).toHaveLength(Object.values(events).reduce((sum, count) => sum + count, 0));
    const ledger = ledgerProjection({ name: 'ledger', readModels: [balances, settlements] });
    await project(
      pool,
      ledger,
      read.map((event, index) => ({ ...event, ordinal: index + 1 })),
      5_000,
    );
    const books = await findTrialBalance(pool);
    expect(books.map(({ currency, difference }) => [currency, difference])).toEqual([
      ['IDR', 0n],
      ['MYR', 0n],
    ]);
    expect(books.every(({ accounts }) => accounts.every(({ account, balance }) => account !== 'available' || balance >= 0n))).toBe(true);
  });
});
