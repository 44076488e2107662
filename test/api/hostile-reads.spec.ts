import { request } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { issueKey } from '../../src/domain/merchants/merchant.commands.js';
import { eventually } from '../support/eventually.js';
import { startTestService, type TestMerchant, type TestService } from '../support/service.js';

/** A cancelled statement ends within a second; allows more on a busy machine. The statement's own time limit is 30 s. */
const GONE_WITHIN_MS = 10_000;

interface OpenRead {
  readonly status: Promise<number>;
  readonly retryAfter: Promise<string | undefined>;
  leave(): void;
}

describe('a merchant with lists that take very long', () => {
  let service: TestService;
  let hostile: TestMerchant;
  let other: TestMerchant;
  /** Locks the table. */
  let database: pg.Client;
  /** Has no transaction: within one, pg_stat_activity shows the sessions as of the first read. */
  let watcher: pg.Client;
  let reads: OpenRead[];

  beforeAll(async () => {
    service = await startTestService();
    [hostile, other] = [await service.newMerchant(), await service.newMerchant()];
    await service.call('GET', '/v1/charges', { key: hostile.key });
  });
  afterAll(() => service.stop());

  beforeEach(async () => {
    reads = [];
    [database, watcher] = [0, 1].map(() => new pg.Client({ connectionString: service.stores.databaseUrl })) as [pg.Client, pg.Client];
    await Promise.all([database.connect(), watcher.connect()]);
    // Every list of charges reads this table first.
    await database.query('begin; lock table ledger.charge_counts in access exclusive mode');
  });
  afterEach(async () => {
    for (const read of reads) read.leave();
    await database.query('rollback');
    await Promise.all([database.end(), watcher.end()]);
  });

  function list({ key }: TestMerchant): OpenRead {
    const sent = request(new URL('/v1/charges?OrderBy=amount', service.url), { agent: false, headers: { authorization: `Bearer ${key}` } });
    const answered = new Promise<{ status: number; retryAfter: string | undefined }>((resolve) => {
      sent.on('response', (response) => {
        response.resume();
        resolve({ status: response.statusCode!, retryAfter: response.headers['retry-after'] });
      });
      sent.on('error', () => resolve({ status: 0, retryAfter: undefined }));
    });
    sent.end();
    const read = {
      status: answered.then(({ status }) => status),
      retryAfter: answered.then(({ retryAfter }) => retryAfter),
      leave: () => sent.destroy(),
    };
    reads.push(read);
    return read;
  }

  /** Repeats a list after each 503, as a client that does not give up. */
  async function insist(merchant: TestMerchant, enough: AbortSignal): Promise<{ status: number; retryAfter: string | undefined }> {
    for (;;) {
      const read = list(merchant);
      const status = await read.status;
      if (status !== 503 || enough.aborted) return { status, retryAfter: await read.retryAfter };
    }
  }

  /** Returns the number of statements that wait for the table. */
  async function atWork(...applications: readonly string[]): Promise<number> {
    const { rowCount } = await watcher.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%charge_counts%'
          and (application_name = any($1) or $1 = '{}')`,
      [applications],
    );
    return rowCount!;
  }

  it('delays no other merchant, and receives 429 with too many open lists', async () => {
    const enough = new AbortController();
    const open = Array.from({ length: 60 }, () => insist(hostile, enough.signal));
    expect(await Promise.race(open)).toEqual({ status: 429, retryAfter: '1' });
    // Other merchants have places left, and reads of one record need none: all these requests succeed while the hostile merchant's statements wait.
    const stuck: number[] = [];
    for (const path of ['/v1/payouts', '/v1/balances', '/v1/settlements', '/v1/events', '/v1/customers', '/v1/balances?AsOf=2026-01-01T00:00:00Z']) {
      // There may be none for a moment: a list that is not quick restarts among the slow ones.
      let statements = 0;
      await eventually(async () => (statements = await atWork()) > 0);
      stuck.push(statements);
      expect((await service.call('GET', path, { key: other.key })).status).toBe(200);
    }
    // A cancelled statement may be counted together with its successor.
    expect(Math.min(...stuck)).toBeLessThan(3);
    // When the table is free, all requests that were not rejected are answered.
    enough.abort();
    await database.query('rollback');
    const statuses = (await Promise.all(open)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 429).length).toBeLessThan(30);
    expect(statuses.every((status) => [200, 429, 503].includes(status))).toBe(true);
  });

  it('delays finance no more than a merchant, although the lists occupy every slow place', async () => {
    const { key } = await issueKey(service.deps, { kind: 'finance' }, { name: 'Audit', expires_on: null });
    await eventually(async () => (await service.call('GET', '/audit/merchants', { key })).status === 200);
    const enough = new AbortController();
    let answered = 0;
    for (const merchant of [hostile, hostile, hostile, hostile, other, other, other, other])
      void insist(merchant, enough.signal).then(() => (answered += 1));
    for (const path of ['/audit/events?Limit=100', '/audit/journal?Currency=IDR', '/audit/settlements', '/audit/trial-balance']) {
      await eventually(async () => (await atWork('chargebook-api-slow')) === 2);
      expect((await service.call('GET', path, { key })).status).toBe(200);
    }
    // No list has ended, so no place became free for finance.
    expect(answered).toBe(0);
    enough.abort();
  });

  it('a list is quick again after a quick read', async () => {
    const open = list(hostile);
    await eventually(async () => (await atWork('chargebook-api-slow')) === 1);
    await database.query('rollback');
    expect(await open.status).toBe(200);
    // On a busy machine the next list may be slow too; then a later one is quick.
    await eventually(async () => {
      expect(await list(hostile).status).toBe(200);
      await database.query('begin; lock table ledger.charge_counts in access exclusive mode');
      const again = list(hostile);
      await eventually(async () => (await atWork()) > 0);
      const isQuick = (await atWork('chargebook-api')) === 1;
      await database.query('rollback');
      await again.status;
      return isQuick;
    });
  });

  it('an abandoned request cancels its statement', async () => {
    const open = Array.from({ length: 4 }, () => list(hostile));
    await eventually(async () => (await atWork()) > 0);
    for (const read of open) read.leave();
    await eventually(async () => (await atWork()) === 0, GONE_WITHIN_MS);
  });

  it('a request beyond its deadline cancels its statement', async () => {
    const read = list(hostile);
    await eventually(async () => (await atWork()) > 0);
    expect(await read.status).toBe(503);
    await eventually(async () => (await atWork()) === 0, GONE_WITHIN_MS);
  });
});
