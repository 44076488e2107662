import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { readEvent, SCHEMA_VERSIONS, type LedgerEventType } from '../../src/ledger/catalogue.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import { collect } from '../support/events.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { readRecorded, startWithoutWorker, type Recorded, type RecordedService } from '../support/recorded-database.js';
import { runCli } from '../support/run-cli.js';
import { call, CHARGE_ORDER, newIdempotencyKey } from '../support/service.js';

/** Ages in days grow with the time since the recording. */
const withoutAges = (text: string): string => text.replace(/"age_days":\d+/g, '"age_days":0');

describe('a database of the version 1.0.0', () => {
  const { dump, encryption_key, keys, projections, responses } = readRecorded();
  let database: TestDatabase;
  let pool: pg.Pool;
  let tables: unknown[];
  let service: RecordedService;

  beforeAll(async () => {
    database = await createTestDatabase();
    const restoring = new pg.Client({ connectionString: database.url });
    await restoring.connect();
    await restoring.query(dump);
    await restoring.end();
    pool = createPool({ url: database.url, applicationName: 'test', maxConnections: 1 });
    tables = await liveTables();
    service = await startWithoutWorker(database.url, encryption_key);
  });
  afterAll(async () => {
    await service.stop();
    await pool.end();
    await database.drop();
  });

  /** Returns the identity of each table and index of the read models: a new build has others. */
  async function liveTables(): Promise<unknown[]> {
    const { rows } = await pool.query(
      `select c.oid::int8, n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind in ('r', 'i') and n.nspname = any ($1) order by 1`,
      [projections.map(({ name }) => name)],
    );
    return rows;
  }

  const checkpoints = async (): Promise<Recorded['projections']> =>
    Promise.all(
      projections.map(async ({ name }) => {
        const { rows } = await pool.query<Omit<Recorded['projections'][number], 'name'>>(`select version, ordinal::int4 from ${name}.checkpoint`);
        return { name, ...rows[0]! };
      }),
    );

  it('events of an earlier database are read in their current shape', async () => {
    const stored = await collect(service.stores.eventStore, null, (_, caughtUp) => caughtUp);
    expect(stored.length).toBe(projections[0]!.ordinal);
    expect(new Set(stored.map(({ type }) => type)).size).toBeGreaterThan(60);
    for (const event of stored) expect(readEvent(event).metadata.schema_version).toBe(SCHEMA_VERSIONS[event.type as LedgerEventType]);
  });

  it('an earlier database returns the same responses as before, byte for byte except ages', async () => {
    for (const { key, path, accept, text } of responses) {
      const answer = await call('GET', new URL(path, service.url), { key: keys[key]!, headers: { accept } });
      expect({ key, path, accept, text: withoutAges(answer.text) }).toEqual({ key, path, accept, text: withoutAges(text) });
    }
    expect(responses.length).toBeGreaterThan(100);
  });

  it('an earlier database stays in use: no read model is rebuilt, and a new charge joins the old ones', async () => {
    expect(await checkpoints()).toEqual(projections);
    const key = Object.values(keys)[0]!;
    const created = await call('POST', new URL('/v1/charges', service.url), { key, body: CHARGE_ORDER, headers: newIdempotencyKey() });
    expect(created.status).toBe(200);
    const headers = { 'min-ledger-position': created.headers.get('ledger-position')! };
    const read = await call('GET', new URL(`/v1/charges/${created.body.id}`, service.url), { key, headers });
    expect(read).toMatchObject({ status: 200, body: { id: created.body.id, status: 'PENDING' } });
    expect(await liveTables()).toEqual(tables);
  });

  it('an earlier database equals a replay of its events, and its chain verifies', async () => {
    const env = { DATABASE_URL: database.url, ENCRYPTION_KEY: encryption_key };
    expect(await runCli(['projections', 'verify', '--json'], env)).toMatchObject({ code: 0, stderr: '' });
    expect(await runCli(['audit', 'verify'], env)).toMatchObject({ code: 0, stderr: '' });
  });
});
