import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startApi } from '../../src/app/api.js';
import { startBackground } from '../../src/app/workers/background.js';
import { readConfig } from '../../src/app/config.js';
import { registerMerchant } from '../../src/domain/merchants/merchant.commands.js';
import { createLogger } from '../../src/platform/process/logging.js';
import { openStores, type Stores } from '../../src/app/stores.js';
import { eventually } from '../support/eventually.js';
import { startReplicatedPostgres, type ReplicatedPostgres } from '../support/replicated-postgres.js';
import { type Answer, call, type CallOptions, callUntilShown, CHARGE_ORDER, newIdempotencyKey } from '../support/service.js';

describe('reads from a replica', () => {
  let postgres: ReplicatedPostgres;
  let replica: pg.Pool;
  let dataDir: string;
  let stop: () => Promise<void>;
  let url: string;
  let key: string;

  beforeAll(async () => {
    postgres = await startReplicatedPostgres();
    replica = new pg.Pool({ connectionString: postgres.replicaUrl, max: 1 });
    dataDir = await mkdtemp(join(tmpdir(), 'chargebook-replica-'));
    const stores = await start({ DATABASE_URL: postgres.primaryUrl, READ_DATABASE_URL: postgres.replicaUrl });
    ({ key } = await registerMerchant(
      { store: stores.eventStore, clock: Date.now },
      { name: 'Kopi Kita', email: null, country: 'ID', mode: 'test' },
    ));
    await eventually(async () => (await ask('GET', '/v1/balances')).status === 200);
  });
  afterAll(async () => {
    await stop();
    await replica.end();
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function start(databases: Readonly<Record<string, string>>): Promise<Stores> {
    const env = { PORT: '0', DATA_DIR: dataDir, RATE_LIMIT_PER_SECOND: '0', LOG_LEVEL: 'silent', WEBHOOK_ALLOW_PRIVATE: 'true' };
    const config = readConfig({ ...env, ...databases });
    const logger = createLogger(config.logLevel);
    const stores = await openStores(config, () => undefined);
    const background = await startBackground(config, stores, logger);
    const api = await startApi(config, stores, logger);
    url = api.url;
    stop = async () => {
      await api.stop();
      await background.stop();
      await stores.close();
    };
    return stores;
  }
  const ask = (method: string, path: string, options: CallOptions = {}): Promise<Answer> => call(method, new URL(path, url), { key, ...options });
  const shown = (path: string): Promise<Answer> => callUntilShown('GET', new URL(path, url), { key });
  const create = (): Promise<Answer> => ask('POST', '/v1/charges', { body: CHARGE_ORDER, headers: newIdempotencyKey() });
  const isListed = async (id: string): Promise<boolean> =>
    ((await ask('GET', '/v1/charges?PageSize=100')).body.items as { id: string }[]).some((item) => item.id === id);

  it('reads are answered by the replica and show every acknowledged write', async () => {
    const { rows } = await replica.query<{ is: boolean }>('select pg_is_in_recovery() as is');
    expect(rows[0]!.is).toBe(true);
    for (let i = 0; i < 20; i += 1) {
      const created = await create();
      const [read, list] = [await shown(`/v1/charges/${created.body.id}`), await shown('/v1/charges?PageSize=100')];
      expect([created.status, read.status, list.status]).toEqual([200, 200, 200]);
      expect((list.body.items as { id: string }[]).map(({ id }) => id)).toContain(created.body.id);
    }
  });

  it('reads report a replica that is behind, and wait for it on request', async () => {
    await replica.query('select pg_wal_replay_pause()');
    const created = await create();
    // The primary has projected it; the replica, which is read, has not.
    const read = await ask('GET', `/v1/charges/${created.body.id}`);
    expect([created.status, read.status, read.headers.get('ledger-lag')]).toEqual([200, 404, expect.any(String)]);
    expect(await isListed(created.body.id)).toBe(false);
    const waiting = ask('GET', `/v1/charges/${created.body.id}`, { headers: { 'min-ledger-position': created.headers.get('ledger-position')! } });
    await replica.query('select pg_wal_replay_resume()');
    expect((await waiting).status).toBe(200);
  });

  it('the primary serves writes, and reads of data without a projection', async () => {
    const body = { web_hook_uri: 'http://127.0.0.1:9/', signature_key: 'a secret of 16 or more', events: [] };
    expect((await ask('POST', '/v1/merchants/me/web-hook', { body })).status).toBe(200);
    const test = await ask('POST', '/v1/merchants/me/web-hook/test');
    expect(test.status).toBe(200);
    const { body: deliveries } = await ask('GET', '/v1/merchants/me/web-hook/deliveries');
    expect((deliveries as { id: string }[]).map(({ id }) => id)).toContain(test.body.id);
    expect((await ask('POST', `/v1/merchants/me/web-hook/deliveries/${test.body.id}/redeliver`)).status).toBe(200);
    const customer = await ask('POST', '/v1/customers', { body: { name: 'Sari Dewi' }, headers: newIdempotencyKey() });
    expect((await shown(`/v1/customers/${customer.body.id}`)).body.name).toBe('Sari Dewi');
    expect((await ask('GET', '/health/ready')).body.checks).toMatchObject({ postgres: { status: 'ok' }, postgres_replica: { status: 'ok' } });
  });

  it('the service continues on the replica after its promotion', async () => {
    const headers = newIdempotencyKey();
    const last = await ask('POST', '/v1/charges', { body: CHARGE_ORDER, headers });
    const total = (await shown('/v1/charges')).body.total_item_count as number;
    await stop();
    await replica.query('select pg_promote()');
    await start({ DATABASE_URL: postgres.replicaUrl });
    const repeated = await ask('POST', '/v1/charges', { body: CHARGE_ORDER, headers });
    expect([repeated.status, repeated.headers.get('idempotent-replayed'), repeated.body.id]).toEqual([200, 'true', last.body.id]);
    const created = await create();
    await eventually(() => isListed(created.body.id));
    expect((await shown('/v1/charges')).body.total_item_count).toBe(total + 1);
  });
});
