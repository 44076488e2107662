import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { readConfig } from '../../src/app/config.js';
import { openStores } from '../../src/app/stores.js';
import { startBackground } from '../../src/app/workers/background.js';
import { createLogger } from '../../src/platform/process/logging.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import type { OrdinalEvent } from '../../src/platform/projector/projection.js';
import { ElectedWorker } from '../../src/platform/worker/elected-worker.js';
import { closeDay } from '../support/day-closing.js';
import { eventually } from '../support/eventually.js';
import { appendRecorded } from '../support/in-memory-event-store.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { Remittances } from '../support/remittances.js';
import { createServiceDatabase } from '../support/service-database.js';

/** Payments, payouts, and batches of one payment each. */
const SIZE = 300;
/** Passes of each worker in a window. */
const PASSES = 5;
/** Passes an hour apart. */
const RARE = ['abandoned files'];
/** Passes after an event only. */
const ASKED = ['sealing'];

/** Payments that are remitted and payouts that are presented, on a bank's day that is closed. The payments are due for settlement. */
async function history(pool: Pool): Promise<readonly OrdinalEvent[]> {
  const world = new Remittances();
  world.set('live-bca');
  for (let n = 0; n < SIZE; n += 1) world.pay(1_000);
  const lines = Array.from({ length: SIZE }, (_, n) => ({ reference: `R${n}`, amount: 1_000, batch: `B-${n}` }));
  world.remit(lines);
  const debits = Array.from({ length: SIZE }, () => world.payout(100));
  debits.forEach((_, n) => world.payoutGoes('PayoutSucceeded', n));
  world.book([...lines.map(({ batch, amount }) => ({ reference: batch, amount })), ...debits.map((reference) => ({ reference, amount: -100 }))]);
  await closeDay(pool, world, 1, world.log.now.slice(0, 10));
  return world.log.events;
}

describe('the workers of a service that has nothing to do', () => {
  let played: TestDatabase;
  let database: TestDatabase;
  let dataDir: string;
  let pool: Pool;
  let events: readonly OrdinalEvent[];

  beforeAll(async () => {
    played = await createTestDatabase();
    const plain = createPool({ url: played.url, applicationName: 'test', statementTimeoutMs: 0 });
    events = await history(plain);
    await plain.end();
    database = await createServiceDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'chargebook-idle-'));
    pool = createPool({ url: database.url, applicationName: 'test' });
  });
  afterAll(async () => {
    await pool.end();
    await Promise.all([played.drop(), database.drop(), rm(dataDir, { recursive: true, force: true })]);
  });

  /** Rows that statements have read, by table, since the database was created. */
  const rowsRead = async (): Promise<Map<string, number>> => {
    const { rows } = await pool.query<{ name: string; read: number }>(
      `select schemaname || '.' || relname as name, (seq_tup_read + coalesce(idx_tup_fetch, 0))::int4 as read from pg_stat_user_tables`,
    );
    return new Map(rows.map(({ name, read }) => [name, read]));
  };

  const passes = (): Map<string, number> => new Map(ElectedWorker.running.map(({ name, passes: { done } }) => [name, done]));

  /** Rows that were read while each worker has made some passes, of tables with more of them than passes. */
  async function busyTables(): Promise<string[]> {
    const [before, from] = [passes(), await rowsRead()];
    const grown = () => [...passes()].map(([name, done]) => [name, done - before.get(name)!] as const);
    await eventually(() => grown().every(([name, more]) => more >= PASSES || [...RARE, ...ASKED].includes(name)));
    const all = grown().reduce((sum, [, more]) => sum + more, 0);
    return [...(await rowsRead())]
      .map(([name, read]) => [name, read - from.get(name)!] as const)
      .flatMap(([name, more]) => (more > all ? [name] : []));
  }

  it('read less than one row in each pass, however many records have ended', async () => {
    const env = { DATA_DIR: dataDir, DATABASE_URL: database.url, LOG_LEVEL: 'silent', ROLES: 'projector,worker', SETTLEMENT_INTERVAL_SECONDS: '1' };
    const config = readConfig(env);
    const stores = await openStores(config, () => undefined);
    await appendRecorded(stores.eventStore, events);
    const background = await startBackground(config, stores, createLogger(config.logLevel));
    const done = `select (select count(*) from ledger.settlement_lines) = $1 and not exists (select from ledger.settlement_candidates)
      and (select count(*) from recon.matches) = 3 * $1
      and (select ordinal from ledger.checkpoint) = (select count(*) from event_store.events)
      and (select events from chain.head) = (select count(*) from event_store.events) as done`;
    await eventually(async () => (await pool.query<{ done: boolean }>(done, [SIZE])).rows[0]!.done);
    // Postgres counts rows with a delay: the first windows may have those of the work before.
    let busy: string[] = [];
    await eventually(async () => (busy = await busyTables()).length === 0).catch((error: unknown) => {
      if (busy.length === 0) throw error;
    });
    expect(busy).toEqual([]);
    expect([...passes().keys()]).toHaveLength(14);
    await background.stop();
    await stores.close();
  });
});
