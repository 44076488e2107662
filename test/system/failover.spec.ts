import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startApi } from '../../src/app/api.js';
import { readConfig, type Config } from '../../src/app/config.js';
import { openStores, type Stores } from '../../src/app/stores.js';
import { startBackground } from '../../src/app/workers/background.js';
import { registerMerchant } from '../../src/domain/merchants/merchant.commands.js';
import { createLogger } from '../../src/platform/process/logging.js';
import { isConnectionFailure } from '../../src/platform/postgres/connection-failure.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import { eventually } from '../support/eventually.js';
import { Pooler } from '../support/pooler.js';
import { startReplicatedPostgres, type ReplicatedPostgres } from '../support/replicated-postgres.js';
import { call, callPatiently, CHARGE_ORDER, newIdempotencyKey, type Answer } from '../support/service.js';

const logger = createLogger('silent');

describe('a failover that leaves open sessions on the previous server', () => {
  let postgres: ReplicatedPostgres;
  let front: Pooler;
  let previous: pg.Pool;
  let next: pg.Pool;
  let dataDir: string;
  let writing: string;
  let reading: string;
  let key: string;
  const stops: (() => Promise<void>)[] = [];

  /** Starts a part of the service on separate sessions: a parameter that has no effect keeps them apart, like those of another process. */
  async function start<Part extends { stop(): Promise<void> }>(
    name: string,
    begin: (config: Config, stores: Stores) => Promise<Part>,
  ): Promise<Part & { readonly stores: Stores }> {
    const env = { PORT: '0', DATA_DIR: dataDir, RATE_LIMIT_PER_SECOND: '0', LOG_LEVEL: 'silent', DATABASE_URL: front.url(`?application=${name}`) };
    const config = readConfig(env);
    const stores = await openStores(config, () => undefined);
    const part = await begin(config, stores);
    stops.unshift(async () => {
      await part.stop();
      await stores.close();
    });
    return { ...part, stores };
  }

  beforeAll(async () => {
    postgres = await startReplicatedPostgres();
    front = await Pooler.before(postgres.primaryUrl);
    [previous, next] = [postgres.primaryUrl, postgres.replicaUrl].map((connectionString) => new pg.Pool({ connectionString, max: 1 })) as [
      pg.Pool,
      pg.Pool,
    ];
    dataDir = await mkdtemp(join(tmpdir(), 'chargebook-failover-'));
    const { stores } = await start('projector', (config, opened) => startBackground(config, opened, logger));
    writing = (await start('writing', (config, opened) => startApi(config, opened, logger))).url;
    reading = (await start('reading', (config, opened) => startApi(config, opened, logger))).url;
    const deps = { store: stores.eventStore, clock: Date.now };
    ({ key } = await registerMerchant(deps, { name: 'Kopi Kita', email: null, country: 'ID', mode: 'test' }));
    for (const url of [writing, reading]) await eventually(async () => (await ask('GET', '/v1/balances', url)).status === 200);
  });
  afterAll(async () => {
    for (const stop of stops) await stop();
    await front.stop();
    await Promise.all([previous.end(), next.end()]);
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const ask = (method: string, path: string, url = reading): Promise<Answer> => call(method, new URL(path, url), { key });
  const create = (): Promise<Answer> =>
    callPatiently('POST', new URL('/v1/charges', writing), { key, body: CHARGE_ORDER, headers: newIdempotencyKey() });

  /** Fences the previous server, promotes the next one, which has all of its events, and has the address lead there. */
  async function failOver(): Promise<void> {
    await previous.query('alter system set default_transaction_read_only = on');
    await previous.query('select pg_reload_conf()');
    await eventually(
      async () => (await previous.query<{ is: string }>(`select current_setting('transaction_read_only') as is`)).rows[0]!.is === 'on',
    );
    const { rows } = await previous.query<{ lsn: string }>('select pg_current_wal_lsn() as lsn');
    await eventually(async () => (await next.query<{ has: boolean }>('select pg_last_wal_replay_lsn() >= $1 as has', [rows[0]!.lsn])).rows[0]!.has);
    await next.query('select pg_promote()');
    front.moveTo(postgres.replicaUrl);
  }

  it('reads of another process show each write on the next server, or report a lag, and its sessions follow', async () => {
    const { body: before } = await create();
    await eventually(async () => (await ask('GET', `/v1/charges/${before.id}`)).status === 200);
    await failOver();

    const unmarked: number[] = [];
    await eventually(async () => {
      const created = await create();
      expect(created.status).toBe(200);
      const read = await ask('GET', `/v1/charges/${created.body.id}`);
      if (!read.headers.has('ledger-lag') && read.status !== 503) unmarked.push(read.status);
      const cancelled = await call('POST', new URL(`/v1/charges/${created.body.id}/cancel`, reading), { key });
      expect([200, 503]).toContain(cancelled.status);
      return unmarked.length === 20;
    });
    expect(new Set(unmarked)).toEqual(new Set([200]));
  });

  it('the simulator pays a charge after the failover', async () => {
    const { body } = await create();
    const paid = await callPatiently('POST', body.action.simulation_url, { body: { outcome: 'succeed' } });
    expect([paid.status, paid.body.status]).toEqual([200, 'SUCCEEDED']);
    await eventually(async () => (await ask('GET', `/v1/charges/${body.id}`)).body.status === 'SUCCEEDED');
  });

  it('a connection that reaches the previous server late is refused, as a failure of the database', async () => {
    const pool = createPool({ url: front.url('?application=late'), applicationName: 'late' });
    const open = await pool.connect();
    front.moveTo(postgres.primaryUrl);
    const late: unknown = await pool.connect().catch((error: unknown) => error);
    front.moveTo(postgres.replicaUrl);
    expect(isConnectionFailure(late)).toBe(true);
    expect((await open.query('show transaction_read_only')).rows).toEqual([{ transaction_read_only: 'off' }]);
    open.release();
    await pool.end();
  });
});
