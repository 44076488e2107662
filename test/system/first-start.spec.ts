import { afterEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase } from '../support/postgres.js';
import { startServiceProcess } from '../support/service-process.js';
import { call, CHARGE_ORDER, newIdempotencyKey, startTestService } from '../support/service.js';

const LISTS = ['charges', 'balances', 'customers', 'payouts', 'settlements', 'events'];

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
}, 30_000);

describe('the first start', () => {
  it('says that it listens when everything can be read', async () => {
    const database = await createTestDatabase();
    closing.push(() => database.drop());
    const dataDir = await mkdtemp(join(tmpdir(), 'chargebook-first-'));
    closing.push(() => rm(dataDir, { recursive: true, force: true }));
    const service = await startServiceProcess({ DATA_DIR: dataDir, DATABASE_URL: database.url });
    closing.push(() => service.stop());
    const key = /sk_test_[0-9A-Za-z]{36}/.exec(service.lines.join('\n'))![0];
    const statuses = await Promise.all(LISTS.map(async (list) => (await call('GET', `${service.url}/v1/${list}`, { key })).status));
    expect(statuses).toEqual(LISTS.map(() => 200));
  }, 60_000);

  it('of a process that does not project answers reads with 503 until somebody does', async () => {
    const service = await startTestService({ ROLES: 'api' });
    closing.push(() => service.stop());
    const { key } = await service.newMerchant();
    const charge = await service.call('POST', '/v1/charges', { key, headers: newIdempotencyKey(), body: CHARGE_ORDER });
    expect(charge.status).toBe(200);
    for (const list of LISTS) {
      const answer = await service.call('GET', `/v1/${list}`, { key });
      expect([list, answer.status, answer.body.code]).toEqual([list, 503, 'unavailable']);
    }
    const page = await service.call('GET', charge.body.action.simulation_url);
    expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
  }, 60_000);
});
