import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { PROJECTIONS } from '../../src/app/projections.js';
import { startApi } from '../../src/app/api.js';
import { startBackground } from '../../src/app/workers/background.js';
import { readConfig } from '../../src/app/config.js';
import { ensureDemoMerchant } from '../../src/domain/merchants/demo-merchant.js';
import { EventStoreDBEventStore } from '../../src/platform/event-store/eventstoredb/eventstoredb-event-store.js';
import { copyLog } from '../../src/platform/event-store/log-copy.js';
import { createLogger } from '../../src/platform/process/logging.js';
import { openStores, type Stores } from '../../src/app/stores.js';
import { projectionStatus } from '../../src/platform/projector/projection-status.js';
import { startRestorableServer } from '../support/eventstoredb-process.js';
import { eventually } from '../support/eventually.js';
import { callUntilShown, CHARGE_ORDER, newIdempotencyKey, type Answer, type CallOptions } from '../support/service.js';

interface Service {
  readonly databaseUrl: string;
  /** Key of the demo merchant, at the first start. */
  readonly key: string | undefined;
  readonly ask: (method: string, path: string, options?: CallOptions) => Promise<Answer>;
  stop(): Promise<void>;
}

const run = promisify(execFile);

let directory: string;
let running: Service | undefined;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'chargebook-restore-'));
});
afterEach(async () => {
  await running?.stop();
  await rm(directory, { recursive: true, force: true });
});

/** The whole service on the embedded Postgres below `dataDir`. */
async function start(dataDir: string, env: Readonly<Record<string, string>> = {}): Promise<Service> {
  const config = readConfig({ PORT: '0', DATA_DIR: dataDir, RATE_LIMIT_PER_SECOND: '0', LOG_LEVEL: 'silent', ...env });
  const logger = createLogger(config.logLevel);
  const stores = await openStores(config, () => undefined);
  const background = await startBackground(config, stores, logger);
  const demo = await ensureDemoMerchant({ store: stores.eventStore, clock: Date.now });
  const api = await startApi(config, stores, logger);
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    await api.stop();
    await background.stop();
    await stores.close();
  };
  return (running = {
    databaseUrl: stores.databaseUrl,
    key: demo?.api_key,
    ask: (method, path, options) => callUntilShown(method, new URL(path, api.url), options),
    stop: () => (stopped ??= stop()),
  });
}

const charge = ({ ask }: Service, key: string): Promise<Answer> =>
  ask('POST', '/v1/charges', { key, body: CHARGE_ORDER, headers: newIdempotencyKey() });
const count = async ({ ask }: Service, key: string): Promise<number> => (await ask('GET', '/v1/charges?PageSize=1', { key })).body.total_item_count;

describe('a backup', () => {
  it('a restored backup of DATA_DIR has all events, read models, keys and persons', async () => {
    const [live, backup] = [join(directory, 'live'), join(directory, 'restored')];
    const before = await start(live);
    const key = before.key!;
    const headers = newIdempotencyKey();
    const first = await before.ask('POST', '/v1/charges', { key, body: CHARGE_ORDER, headers });
    const customer = await before.ask('POST', '/v1/customers', {
      key,
      body: { name: 'Sari Dewi', email: 'sari@example.com' },
      headers: newIdempotencyKey(),
    });
    await before.ask('POST', first.body.action.simulation_url, { body: { outcome: 'succeed' } });
    const detail = async ({ ask }: Service): Promise<object> => {
      const { action: _, ...rest } = (await ask('GET', `/v1/charges/${first.body.id}`, { key })).body;
      return rest as object;
    };
    const shown = await detail(before);
    const balances = await before.ask('GET', '/v1/balances', { key });
    await before.stop();
    await run('cp', ['-a', live, backup]); // as docs/operations.md says
    await rm(live, { recursive: true });

    const after = await start(backup);
    expect(after.key).toBeUndefined();
    // But for addresses, which name the port that it listens on.
    expect(await detail(after)).toEqual(shown);
    expect((await after.ask('GET', '/v1/balances', { key })).text).toBe(balances.text);
    expect((await after.ask('GET', `/v1/customers/${customer.body.id}`, { key })).body).toMatchObject({
      name: 'Sari Dewi',
      email: 'sari@example.com',
    });
    // The page's address and the fingerprint rest on the secret that ENCRYPTION_KEY opens.
    const pathOf = ({ body }: Answer): string => new URL(body.action.embedded_url as string).pathname;
    const repeated = await after.ask('POST', '/v1/charges', { key, body: CHARGE_ORDER, headers });
    expect([repeated.headers.get('idempotent-replayed'), repeated.body.id, pathOf(repeated)]).toEqual(['true', first.body.id, pathOf(first)]);
    expect((await charge(after, key)).status).toBe(200);
    expect(await count(after, key)).toBe(2);
  });

  it('an event store older than the read models is detected at run time and at the start, and the reported remedy works', async () => {
    const dataDir = join(directory, 'live');
    const before = await start(dataDir);
    const key = before.key!;
    for (let i = 0; i < 3; i += 1) await charge(before, key);
    const kept = await newestPosition(before);
    for (let i = 0; i < 3; i += 1) await charge(before, key);
    await expect(count(before, key)).resolves.toBe(6);
    // As if the event store alone had been put back to where it was after three.
    await sql(
      before,
      `alter table event_store.events disable trigger events_are_facts; delete from event_store.events where position > ${kept};
       update event_store.head set position = ${kept}; alter table event_store.events enable always trigger events_are_facts`,
    );
    const isStopped = async ({ ask }: Service): Promise<boolean> => {
      const checks = (await ask('GET', '/health/ready')).body.checks as Record<string, { stopped_since?: string }>;
      return checks['projection_ledger']!.stopped_since !== undefined;
    };
    await eventually(() => isStopped(before));
    await before.stop();

    const noticing = await start(dataDir);
    await eventually(() => isStopped(noticing));
    const error = await stopOf(noticing);
    expect(error).toMatch(/^the event store is not the one that projection ledger was built from: its last event .* An older backup was restored/);
    await noticing.stop();

    // The way out that it names, for each projection.
    expect(error).toContain('"drop schema ledger cascade"');
    await whileStopped(dataDir, dropReadModels);

    const repaired = await start(dataDir);
    await eventually(async () => (await count(repaired, key).catch(() => -1)) === 3);
    expect((await charge(repaired, key)).status).toBe(200);
    await eventually(async () => (await count(repaired, key)) === 4);
  });
});

describe('the move to EventStoreDB', () => {
  it('a move to EventStoreDB keeps events, read models and the sealed chain, and continues there', async () => {
    const server = await startRestorableServer();
    try {
      const dataDir = join(directory, 'live');
      const before = await start(dataDir);
      const key = before.key!;
      const headers = newIdempotencyKey();
      const first = await before.ask('POST', '/v1/charges', { key, body: CHARGE_ORDER, headers });
      await before.ask('POST', first.body.action.simulation_url, { body: { outcome: 'succeed' } });
      const balances = await before.ask('GET', '/v1/balances', { key });
      const events = await newestPosition(before);
      const sealed = async (service: Service) =>
        (await sql(service, 'select events::int4, hash from chain.head')).rows[0] as { events: number; hash: Buffer } | undefined;
      await eventually(async () => (await sealed(before))?.events === events);
      const head = await sealed(before);
      await before.stop();

      await whileStopped(dataDir, async (stores) => {
        const there = new EventStoreDBEventStore({ url: server.url });
        expect(await copyLog(stores.eventStore, there, { signal: new AbortController().signal })).toMatchObject({ events, copied: events });
        await there.close();
        await dropReadModels(stores);
      });

      const after = await start(dataDir, { EVENTSTORE_URL: server.url });
      await eventually(async () => (await count(after, key).catch(() => -1)) === 1);
      expect((await after.ask('GET', '/v1/balances', { key })).text).toBe(balances.text);
      expect(await sealed(after)).toEqual(head);
      const repeated = await after.ask('POST', '/v1/charges', { key, body: CHARGE_ORDER, headers });
      expect([repeated.headers.get('idempotent-replayed'), repeated.body.id]).toEqual(['true', first.body.id]);
      expect((await charge(after, key)).status).toBe(200);
      await eventually(async () => (await count(after, key)) === 2);
      await eventually(async () => (await sealed(after))?.events === events + 1);
      await after.stop();
    } finally {
      await server.stop();
    }
  });
});

describe('an older backup of EventStoreDB', () => {
  it('a restored log that has grown past its old end stops neither a start nor a status, and the reported remedy works', async () => {
    const server = await startRestorableServer();
    try {
      const [dataDir, env] = [join(directory, 'live'), { EVENTSTORE_URL: server.url }];
      const first = await start(dataDir, env);
      const key = first.key!;
      for (let i = 0; i < 3; i += 1) await charge(first, key);
      await first.stop();
      await server.backUp();
      const lost = await start(dataDir, env);
      for (let i = 0; i < 3; i += 1) await charge(lost, key);
      await expect(count(lost, key)).resolves.toBe(6);
      const { ordinal: known } = (await sql(lost, 'select ordinal::int4 from ledger.checkpoint')).rows[0] as { ordinal: number };
      await eventually(async () => (await sql(lost, 'select 1 from chain.head where events = $1', [known])).rowCount === 1);
      await lost.stop();

      await server.restore();
      const elsewhere = await start(join(directory, 'elsewhere'), env);
      for (let i = 0; i < 8; i += 1) await charge(elsewhere, key);
      await elsewhere.stop();

      const noticing = await start(dataDir, env);
      await eventually(async () => /is not the one/.test((await stopOf(noticing)) ?? ''));
      const pool = new pg.Pool({ connectionString: noticing.databaseUrl });
      const store = new EventStoreDBEventStore({ url: server.url });
      const status = await projectionStatus(pool, store, PROJECTIONS);
      await Promise.all([pool.end(), store.close()]);
      expect(status.projections).toContainEqual(expect.objectContaining({ name: 'ledger', state: 'stopped', position: known }));
      await noticing.stop();

      await whileStopped(dataDir, dropReadModels);
      const repaired = await start(dataDir, env);
      await eventually(async () => (await count(repaired, key).catch(() => -1)) === 11);
      expect((await charge(repaired, key)).status).toBe(200);
      // Nothing can be sealed on top of the lost events, and health reports it.
      await eventually(async () => (await repaired.ask('GET', '/health/ready')).body.checks.sealing.oldest_unsealed_seconds > 1);
    } finally {
      await running?.stop();
      await server.stop();
    }
  });
});

async function stopOf(service: Service): Promise<string | undefined> {
  const { rows } = await sql(service, `select error from projector.stops where projection = 'ledger'`);
  return (rows as { error: string }[])[0]?.error;
}

async function whileStopped(dataDir: string, work: (stores: Stores) => Promise<void>): Promise<void> {
  const stores = await openStores(readConfig({ DATA_DIR: dataDir }), () => undefined);
  try {
    await work(stores);
  } finally {
    await stores.close();
  }
}

/** As docs/operations.md says. */
async function dropReadModels({ databaseUrl }: Pick<Stores, 'databaseUrl'>): Promise<void> {
  const [, statement] = /^psql "\$DATABASE_URL" -c '(drop schema [^']+)'$/m.exec(await readFile('docs/operations.md', 'utf8'))!;
  for (const { name } of PROJECTIONS) expect(statement).toContain(name);
  await sql({ databaseUrl }, statement!);
}

async function newestPosition(service: Service): Promise<number> {
  const { rows } = await sql(service, 'select position::int4 from event_store.head');
  return (rows[0] as { position: number }).position;
}

async function sql({ databaseUrl }: Pick<Service, 'databaseUrl'>, statements: string, values?: unknown[]): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await client.query(statements, values);
  } finally {
    await client.end();
  }
}
