import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres.js';
import { collect } from '../support/events.js';
import { eventually } from '../support/eventually.js';
import { newFinanceKey, writeHistory } from '../support/finance.js';
import { CHARGE_ORDER, newIdempotencyKey, startTestService, type Answer, type TestMerchant, type TestService } from '../support/service.js';

describe('moments on a separate server', () => {
  let directory: string;
  let postgres: Awaited<ReturnType<typeof startEmbeddedPostgres>>;
  let service: TestService;
  let merchant: TestMerchant;
  let key: string;
  let position: number;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'chargebook-moments-'));
    postgres = await startEmbeddedPostgres(join(directory, 'postgres'));
    await onServer(`update pg_database set datallowconn = true where datname = 'template0'`);
    service = await startTestService({ POINT_IN_TIME_URL: postgres.url });
    merchant = await service.newMerchant();
    key = (await newFinanceKey(service)).key;
    await writeHistory(service, [merchant], 60, 3);
    position = (await collect(service.stores.eventStore, null, (_, caughtUp) => caughtUp)).length;
  });
  afterAll(async () => {
    await service.stop();
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  });

  const finance = (method: string, path: string, body?: unknown): Promise<Answer> =>
    service.call(method, path, { key, ...(body !== undefined && { body }) });

  async function onServer(statement: string, path = new URL(postgres.url).pathname): Promise<number> {
    const client = new pg.Client({ connectionString: new URL(path, postgres.url).href });
    await client.connect();
    const { rowCount } = await client.query(statement);
    await client.end();
    return rowCount ?? 0;
  }

  const databases = (): Promise<number> => onServer(`select from pg_database where datname like '%\\_at\\_%'`);
  /** New databases are copies of it. */
  const onTemplate = (statement: string): Promise<number> => onServer(statement, '/template0');

  it.each(['CREATE TABLE', 'CREATE INDEX'])(
    'a full disk at %s ends the build with the reason, drops the database and leaves the service alone',
    async (step) => {
      await onTemplate(
        `create function full_disk() returns event_trigger language plpgsql as $$
         begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$;
         create event trigger full_disk on ddl_command_start when tag in ('${step}') execute function full_disk()`,
      );
      expect((await finance('POST', '/audit/moments', { position })).status).toBe(202);
      await eventually(async () => (await finance('GET', `/audit/moments/${position}`)).body.state === 'FAILED');
      expect((await finance('GET', `/audit/moments/${position}`)).body).toMatchObject({
        reason: 'the disk of the database is full',
        size_bytes: null,
      });
      await eventually(async () => (await databases()) === 0);
      expect((await finance('GET', `/at/${position}/audit/merchants`)).body).toMatchObject({
        code: 'moment-not-open',
        detail: expect.stringContaining('It cannot be read: the disk of the database is full.'),
      });
      const created = await service.call('POST', '/v1/charges', { key: merchant.key, body: CHARGE_ORDER, headers: newIdempotencyKey() });
      expect([created.status, (await service.call('GET', '/health/ready')).status]).toEqual([200, 200]);
      await onTemplate('drop function full_disk cascade');
    },
  );

  it('a moment that failed is built again when it is opened again', async () => {
    expect((await finance('POST', '/audit/moments', { position })).status).toBe(202);
    await eventually(async () => (await finance('GET', `/audit/moments/${position}`)).body.state === 'READY');
    expect((await finance('GET', `/at/${position}/audit/merchants`)).body.items).toHaveLength(1);
    expect(await databases()).toBe(1);
    expect((await finance('DELETE', `/audit/moments/${position}`)).status).toBe(204);
    await eventually(async () => (await databases()) === 0);
  });
});
