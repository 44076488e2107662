import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import { findLastEvent } from '../../src/point-in-time/last-event.js';
import { momentId, type MomentId } from '../../src/point-in-time/moment-id.js';
import type { MomentScenario } from '../../src/point-in-time/moments.js';
import { openMoments } from '../../src/point-in-time/open-moments.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import { eventually } from '../support/eventually.js';
import { everyRead } from '../support/every-read.js';
import { sized } from '../support/nightly.js';
import { documentsOf } from '../support/openapi.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { randomNumbers } from '../support/random-numbers.js';
import { readRecorded, startWithoutWorker, type RecordedService } from '../support/recorded-database.js';
import { startServiceProcess } from '../support/service-process.js';
import { call, type Answer } from '../support/service.js';

const SEED = 20_261_130;
const KILLS = sized(4, 20);
/** Longest life of a worker after it has begun to build, ms: about as long as a build of the recorded month. */
const LIFE_MS = 400;

describe('moments', () => {
  const { dump, encryption_key, keys, projections } = readRecorded();
  const position = projections[0]!.ordinal;
  let database: TestDatabase;
  let pool: Pool;
  let service: RecordedService;
  let env: Readonly<Record<string, string>>;

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = createPool({ url: database.url, applicationName: 'test', maxConnections: 1, statementTimeoutMs: 0 });
    await pool.query(dump);
    service = await startWithoutWorker(database.url, encryption_key);
    env = { DATABASE_URL: database.url, ENCRYPTION_KEY: encryption_key, ROLES: 'worker' };
  });
  afterAll(async () => {
    await service.stop();
    await pool.end();
    await database.drop();
  });

  const finance = (method: string, path: string, body?: unknown): Promise<Answer> =>
    call(method, new URL(path, service.url), { key: keys['finance']!, ...(body !== undefined && { body }) });
  const stateOf = async (id: MomentId): Promise<string> => (await finance('GET', `/audit/moments/${id}`)).body.state;

  async function hasBegun(): Promise<boolean> {
    const { rows } = await pool.query<{ begun: boolean }>('select version is not null as begun from point_in_time.moments');
    return rows[0]!.begun;
  }

  /** Returns all answers as of the moment, without the ids of their requests. */
  async function answers(id: MomentId): Promise<readonly string[]> {
    const document = (await documentsOf(service.url)).get('openapi/audit.json')!;
    const all = await everyRead(document, keys['finance']!, [], ({ path, accept }) =>
      call('GET', new URL(`/at/${id}${path}`, service.url), { key: keys['finance']!, headers: { accept } }),
    );
    return all.map(({ path, answer }) => `${path} ${answer.status} ${answer.text.replace(/"request_id":"[^"]*"/, '')}`);
  }

  const otherFees: MomentScenario = {
    name: 'other',
    scenario: { name: 'Other', charge_fees: [{ merchant: '*', channel: '*', fee: { type: 'PERCENTAGE', value: 2 } }], from: null, to: null },
  };

  /** Opens the last event of the log as a moment. */
  async function open(scenario: MomentScenario | undefined): Promise<MomentId> {
    const { moments } = openMoments(pool, service.stores.databaseUrl, service.config);
    const last = await findLastEvent({ pool, store: service.stores.eventStore }, { position }, Date.now());
    const { state, name } = await moments.open(last, 'cli:test', scenario);
    expect(state).toBe('BUILDING');
    return momentId(position, name);
  }

  it.each([
    ['at the recorded fees', undefined],
    ['at other fees', otherFees],
  ])('a build %s survives any kill -9 of its worker, is never served before it is complete, and equals an undisturbed one', async (_, scenario) => {
    const random = randomNumbers(SEED);
    const id = await open(scenario);
    for (let kill = 0; kill < KILLS && (await stateOf(id)) === 'BUILDING'; kill += 1) {
      const worker = await startServiceProcess(env);
      await eventually(hasBegun);
      await delay(random(LIFE_MS));
      const isServed = (await finance('GET', `/at/${id}/audit/merchants`)).status === 200;
      expect(!isServed || (await stateOf(id)) === 'READY').toBe(true);
      await worker.kill();
    }
    const worker = await startServiceProcess(env);
    await eventually(async () => (await stateOf(id)) === 'READY');
    const disturbed = await answers(id);
    expect((await finance('DELETE', `/audit/moments/${id}`)).status).toBe(204);
    expect(await open(scenario)).toBe(id);
    await eventually(async () => (await stateOf(id)) === 'READY');
    await eventually(async () => (await finance('GET', `/at/${id}/audit/merchants`)).status === 200);
    expect(await answers(id)).toEqual(disturbed);
    expect(disturbed.filter((answer) => answer.includes(' 200 ')).length).toBeGreaterThan(40);
    expect((await finance('DELETE', `/audit/moments/${id}`)).status).toBe(204);
    await worker.stop();
  });

  it('API processes that were killed while they served a moment are replaced, and hold up neither its build nor its end', async () => {
    const random = randomNumbers(SEED);
    const worker = await startServiceProcess(env);
    for (let kill = 0; kill < KILLS; kill += 1) {
      const api = await startServiceProcess({ ...env, ROLES: 'api' });
      const ask = (path: string): Promise<number | undefined> =>
        call('GET', new URL(path, api.url), { key: keys['finance']! }).then(
          ({ status }) => status,
          () => undefined,
        );
      expect((await finance('POST', '/audit/moments', { position })).status).toBeLessThan(300);
      // From the beginning of the build on: refused until it is complete.
      const asking = (async () => {
        const statuses = new Set<number | undefined>();
        while (!statuses.has(undefined)) statuses.add(await ask(`/at/${position}/audit/journal`));
        return statuses;
      })();
      await eventually(async () => (await stateOf(String(position))) === 'READY');
      await delay(random(LIFE_MS));
      await api.kill();
      expect([...(await asking)].filter((status) => ![200, 404, 503, undefined].includes(status))).toEqual([]);
      const [next, other] = [service.url, await startServiceProcess({ ...env, ROLES: 'api' })];
      for (const url of [next, other.url])
        expect((await call('GET', new URL(`/at/${position}/audit/merchants`, url), { key: keys['finance']! })).status).toBe(200);
      await other.stop();
      expect((await finance('DELETE', `/audit/moments/${position}`)).status).toBe(204);
    }
    await worker.stop();
  });

  it('all processes of one port serve the same moments, and notice a close within a second', async () => {
    const worker = await startServiceProcess(env);
    const processes = await startServiceProcess({ ...env, ROLES: 'api' }, ['--workers', '2']);
    // Each request has a new connection, which the processes accept in turn.
    const ask = async (): Promise<number[]> =>
      Promise.all(
        Array.from({ length: 8 }, async () => {
          const headers = { authorization: `Bearer ${keys['finance']!}`, connection: 'close' };
          const answer = await fetch(new URL(`/at/${position}/audit/merchants`, processes.url), { headers });
          await answer.arrayBuffer();
          return answer.status;
        }),
      );
    const all = (status: number): Promise<void> => eventually(async () => (await ask()).every((each) => each === status));
    expect((await finance('POST', '/audit/moments', { position })).status).toBe(202);
    await all(200);
    expect((await finance('DELETE', `/audit/moments/${position}`)).status).toBe(204);
    await all(404);
    await processes.stop();
    await worker.stop();
  });

  it('a worker that finds the database of a closed moment drops it, and no other database', async () => {
    const [own, name] = [new URL(database.url).pathname.slice(1), (at: number): string => `${new URL(database.url).pathname.slice(1)}_at_${at}`];
    await pool.query(`create database ${name(7)}`);
    await pool.query(`create database ${name(8)}`);
    await pool.query(`insert into point_in_time.databases values ($1, 7)`, [name(7)]);
    const worker = await startServiceProcess(env);
    const found = async (): Promise<string[]> =>
      (await pool.query<{ datname: string }>(`select datname from pg_database where datname in ($1, $2)`, [name(7), name(8)])).rows.map(
        ({ datname }) => datname,
      );
    await eventually(async () => (await found()).length === 1);
    expect(await found()).toEqual([name(8)]);
    // Nor is one replaced that has the name of a moment.
    expect((await finance('POST', '/audit/moments', { position: 8 })).status).toBe(202);
    await eventually(async () => (await finance('GET', '/audit/moments/8')).body.state === 'FAILED');
    expect((await finance('GET', '/audit/moments/8')).body.reason).toBe(
      `the database ${own}_at_8 exists, and the service has not made it: rename or drop it`,
    );
    await worker.stop();
    await pool.query(`drop database ${name(8)}`);
  });
});
