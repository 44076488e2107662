import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { PROJECTIONS } from '../../src/app/projections.js';
import {
  apiConnections,
  BACKGROUND_CONNECTIONS,
  COMMAND_CONNECTIONS,
  momentConnections,
  PROJECTION_COUNT,
  serviceConnections,
} from '../../src/app/connections.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres.js';
import { eventually } from '../support/eventually.js';
import { runCli } from '../support/run-cli.js';
import { startServiceProcess, type ServiceProcess } from '../support/service-process.js';
import { call, CHARGE_ORDER } from '../support/service.js';

const WORKERS = 2;
/** Default of POINT_IN_TIME_MAX. */
const MOMENTS_MAX = 4;
const CLIENTS = 48;
const ROUNDS = 12;
const LISTS = ['charges', 'charges?Search=coffee', 'balances', 'customers', 'payouts', 'settlements', 'events'];

describe('connections to Postgres', () => {
  let dataDir: string;
  let service: ServiceProcess;
  let postgres: EmbeddedPostgres;
  const mine: pg.Client[] = [];

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'chargebook-connections-'));
    service = await startServiceProcess({ DATA_DIR: dataDir }, ['--workers', String(WORKERS)]);
    postgres = await startEmbeddedPostgres(join(dataDir, 'postgres'));
  });
  afterEach(async () => {
    await Promise.all(mine.splice(0).map((client) => client.end()));
    await postgres.stop();
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** @throws when the server has no place for `url` any more. */
  async function connect(url: string): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: url, application_name: 'test' });
    client.on('error', () => undefined);
    await client.connect();
    mine.push(client);
    return client;
  }

  it('connections to Postgres never exceed the documented sums, and a command gets one when all others are taken', async () => {
    const admin = await connect(postgres.url);
    const count = async (): Promise<number> => {
      const { rows } = await admin.query<{ n: number }>(`select count(*)::int4 as n from pg_stat_activity where backend_type = 'client backend'`);
      // This one, and the guard of this process's use of the server, are no part of the service.
      return rows[0]!.n - 2;
    };
    const key = /sk_test_[0-9A-Za-z]{36}/.exec(service.lines.join('\n'))![0];
    let peak = 0;
    let asking = true;
    const sampling = (async () => {
      while (asking) peak = Math.max(peak, await count());
    })();
    await Promise.all(
      Array.from({ length: CLIENTS }, async (_, client) => {
        for (let round = 0; round < ROUNDS; round += 1) {
          const headers = { 'idempotency-key': `connections-${client}-${round}` };
          await call('POST', `${service.url}/v1/charges`, { key, headers, body: CHARGE_ORDER });
          await call('POST', `${service.url}/v1/customers`, { key, headers, body: { name: `Ayu ${client}`, type: 'INDIVIDUAL' } });
          await call('GET', `${service.url}/v1/${LISTS[(client + round) % LISTS.length]}`, { key });
        }
      }),
    );
    asking = false;
    await sampling;
    expect(peak).toBeLessThanOrEqual(serviceConnections(WORKERS) + momentConnections(MOMENTS_MAX, WORKERS));
    expect(peak).toBeGreaterThan(BACKGROUND_CONNECTIONS);

    // Commands run: the service has its places all the same.
    for (let commands = 2; commands < COMMAND_CONNECTIONS; commands += 1) await connect(postgres.url);
    // Connections of an ordinary user take all free places. The service may release a place meanwhile.
    await eventually(async () => {
      const refusal: unknown = await (async () => {
        for (;;) await connect(postgres.boundedUrl);
      })().catch((error: unknown) => error);
      expect(refusal).toMatchObject({ code: '53300' });
      return 2 + (await count()) === serviceConnections(WORKERS) + momentConnections(MOMENTS_MAX, WORKERS) + COMMAND_CONNECTIONS;
    });
    const issued = await runCli(['key', 'issue', '--merchant', (await merchantId(admin))!, '--json'], { DATA_DIR: dataDir });
    expect(issued).toMatchObject({ code: 0, stderr: '' });
    const { key_id } = JSON.parse(issued.stdout) as { key_id: string };
    expect(await runCli(['key', 'revoke', key_id, '--json'], { DATA_DIR: dataDir })).toMatchObject({ code: 0, stderr: '' });
  });
});

async function merchantId(admin: pg.Client): Promise<string | undefined> {
  const { rows } = await admin.query<{ data: { merchant_id: string } }>(`select data from event_store.events where type = 'MerchantRegistered'`);
  return rows[0]?.data.merchant_id;
}

describe('the sums of connections', () => {
  it('the sums of connections count every projection and equal those in docs/operations-reference.md', async () => {
    expect(PROJECTIONS).toHaveLength(PROJECTION_COUNT);
    const text = await readFile('docs/operations-reference.md', 'utf8');
    const row = (words: string): number[] =>
      /\|([\d| ]+)\|$/m
        .exec(text.slice(text.indexOf(`| ${words} |`) + words.length + 3))![1]!
        .split('|')
        .map(Number);
    const workers = row('`--workers`');
    expect(workers.length).toBeGreaterThan(3);
    expect(row('each API process')).toEqual(workers.map(apiConnections));
    expect(row('`npm start -- --workers`')).toEqual(workers.map(serviceConnections));
    expect(text).toContain(`takes ${apiConnections(1)} by itself`);
    expect(text).toContain(`with \`projector,worker\` ${BACKGROUND_CONNECTIONS}`);
    expect(text).toContain(`\`npm start\` ${serviceConnections(undefined)}`);
    const ofWorker = 2 * momentConnections(MOMENTS_MAX, 1) - momentConnections(MOMENTS_MAX, 2);
    expect(text).toContain(`add ${momentConnections(MOMENTS_MAX, 1) - ofWorker} for each API process and ${ofWorker} for a worker`);
    expect(text).toContain(`${COMMAND_CONNECTIONS} for commands`);
  });
});
