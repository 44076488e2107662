import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { revokeKey } from '../../src/domain/merchants/merchant.commands.js';
import { EventStoreDBServer } from '../support/eventstoredb-server.js';
import { BUSY, eventually, within } from '../support/eventually.js';
import { SilentFront } from '../support/silent-front.js';
import { startServiceProcess, type ServiceProcess } from '../support/service-process.js';
import { call, callPatiently, CHARGE_ORDER, startTestService, type Answer, type TestMerchant, type TestService } from '../support/service.js';

const CLIENTS = 8;
const ANSWERED_WITHIN_MS = 5_000;
const BACK_WITHIN_MS = BUSY * 15_000;
const PAYOUT = { amount: 1_000_000, currency: 'IDR', bank_account_name: 'Toko Melati', bank_account_number: '1234567890003', bank_name: 'BCA' };
const AFFORDED = 37;

/** One process reaches EventStoreDB directly; the other through a network that falls silent. Both reach Postgres. */
describe('EventStoreDB cut off from one process of two', () => {
  let server: EventStoreDBServer;
  let front: SilentFront;
  let service: TestService;
  let cutOff: ServiceProcess;
  let dataDir: string;
  let merchant: TestMerchant;

  beforeAll(async () => {
    server = await EventStoreDBServer.start();
    front = await SilentFront.to({ port: server.port, host: '127.0.0.1' });
    dataDir = await mkdtemp(join(tmpdir(), 'chargebook-cut-off-'));
    const ENCRYPTION_KEY = randomBytes(32).toString('base64');
    service = await startTestService({ EVENTSTORE_URL: server.url, ENCRYPTION_KEY });
    cutOff = await startServiceProcess({
      ROLES: 'api',
      DATA_DIR: dataDir,
      DATABASE_URL: service.stores.databaseUrl,
      EVENTSTORE_URL: `esdb://127.0.0.1:${front.port}?tls=false`,
      ENCRYPTION_KEY,
      LOG_LEVEL: 'silent',
    });
    merchant = await service.newMerchant();
  });
  afterAll(async () => {
    front.heal();
    await cutOff.stop();
    await service.stop();
    await front.stop();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const post = (url: string, path: string, idempotencyKey: string, body: object, ask: typeof callPatiently = call): Promise<Answer> =>
    ask('POST', new URL(path, url), { key: merchant.key, body, headers: { 'idempotency-key': idempotencyKey } });
  const ready = (url: string): Promise<Answer> => call('GET', new URL('/health/ready', url));
  const charge = (url: string, key: string, ask: typeof callPatiently = call): Promise<Answer> =>
    post(url, '/v1/charges', key, { ...CHARGE_ORDER, reference_id: key }, ask);

  it('the process returns 503 while the other serves; after reconnection both agree, with the late appends', async () => {
    const funded = await post(service.url, '/v1/charges', randomUUID(), { ...CHARGE_ORDER, amount: 37_500_000 });
    for (const outcome of ['succeed', 'settle']) await call('POST', funded.body.action.simulation_url, { body: { outcome } });
    expect((await callPatiently('GET', new URL('/v1/balances/IDR', cutOff.url), { key: merchant.key })).status).toBe(200);

    // Both processes have appends under way when the network falls silent.
    const acknowledged = new Map<string, string>();
    const refused = new Set<string>();
    const after = { there: 0, here: [] as Answer[] };
    let isSilent = false;
    let slowestMs = 0;
    const client = async (nth: number): Promise<void> => {
      const isHere = nth % 2 === 0;
      for (let i = 0; after.there < 5 * CLIENTS || after.here.length < CLIENTS; i += 1) {
        const [began, sentSilent] = [performance.now(), isSilent];
        const key = `client-${nth}-${i}`;
        const answer = await (isHere ? charge(cutOff.url, key) : charge(service.url, key, callPatiently));
        if (answer.status === 200) acknowledged.set(key, answer.text);
        else refused.add(key);
        if (isHere) slowestMs = Math.max(slowestMs, performance.now() - began);
        if (sentSilent && isHere) after.here.push(answer);
        if (sentSilent && !isHere && answer.status === 200) after.there += 1;
        if (acknowledged.size >= 100 && !isSilent) {
          isSilent = true;
          front.fallSilent();
        }
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, nth) => client(nth)));
    expect(new Set(after.here.map(({ status, body }) => `${status} ${body.code}`))).toEqual(new Set(['503 unavailable']));
    for (const { headers } of after.here) expect(headers.get('retry-after')).toMatch(/^\d+$/);
    expect(slowestMs).toBeLessThan(BUSY * ANSWERED_WITHIN_MS);
    await eventually(async () => (await ready(cutOff.url)).body.checks.event_store.status === 'failing');
    expect((await ready(cutOff.url)).body).toMatchObject({ status: 'failing', checks: { event_store: { status: 'failing' } } });
    await eventually(async () => (await ready(service.url)).status === 200);
    expect([...refused].filter((key) => Number(key.split('-')[1]) % 2 === 1)).toEqual([]);

    // Requests more payouts than the balance allows, at both processes.
    const ids = Array.from({ length: 50 }, (_, i) => `payout-${i}`);
    const asked = await Promise.all(
      ids.map((id, i) => (i % 2 === 0 ? post(cutOff.url, '/v1/payouts', id, PAYOUT) : post(service.url, '/v1/payouts', id, PAYOUT, callPatiently))),
    );
    for (const [i, { status }] of asked.entries()) expect([i, status]).toEqual([i, i % 2 === 0 ? 503 : 201]);

    front.heal();
    const healedMs = performance.now();
    await eventually(async () => (await ready(cutOff.url)).status === 200, BACK_WITHIN_MS);
    await eventually(async () => (await charge(cutOff.url, 'healed')).status === 200, BACK_WITHIN_MS);
    expect(performance.now() - healedMs).toBeLessThan(BACK_WITHIN_MS);

    const repeated = [...acknowledged].map(async ([key, text], i) => {
      expect((await charge(i % 2 === 0 ? cutOff.url : service.url, key, callPatiently)).text).toBe(text);
    });
    const sentAgain = [...refused].map(async (key) => {
      const [here, there] = await Promise.all([cutOff.url, service.url].map((url) => charge(url, key, callPatiently)));
      expect([here!.status, there!.text]).toEqual([200, here!.text]);
    });
    await Promise.all([...repeated, ...sentAgain]);
    const created = server.log.events.filter(({ type }) => type === 'ChargeCreated');
    expect(created).toHaveLength(acknowledged.size + refused.size + 2);
    expect(new Set(created.map(({ stream }) => stream)).size).toBe(created.length);

    const again = await Promise.all(ids.map((id, i) => post(i % 2 === 0 ? service.url : cutOff.url, '/v1/payouts', id, PAYOUT, callPatiently)));
    expect(again.filter(({ status }) => status === 201)).toHaveLength(AFFORDED);
    expect(again.filter(({ status, body }) => status === 422 && body.code === 'insufficient-balance')).toHaveLength(ids.length - AFFORDED);
    const requested = server.log.events.filter(({ type }) => type === 'PayoutRequested');
    expect([requested.length, new Set(requested.map(({ id }) => id)).size]).toEqual([AFFORDED, AFFORDED]);
    const balances = await Promise.all([cutOff.url, service.url].map((url) => call('GET', new URL('/v1/balances/IDR', url), { key: merchant.key })));
    expect(balances[0]!.body).toEqual(balances[1]!.body);
    expect(balances[0]!.body.available_amount).toBe(237_500);
  }, 180_000);

  it('a key that is revoked meanwhile returns 503, and 401 after reconnection', async () => {
    const other = await service.newMerchant();
    const balance = (url: string): Promise<Answer> => call('GET', new URL('/v1/balances/IDR', url), { key: other.key });
    await eventually(async () => (await balance(cutOff.url)).status === 200);
    front.fallSilent();
    const revoked = () => revokeKey(service.deps, { kind: 'merchant', merchant_id: other.merchant_id }, other.key_id);
    await eventually(() =>
      revoked().then(
        () => true,
        () => false,
      ),
    );
    await within(1_000, () => eventually(async () => (await balance(cutOff.url)).status !== 200));
    expect((await balance(cutOff.url)).status).toBe(503);
    front.heal();
    await eventually(async () => (await balance(cutOff.url)).status === 401, BACK_WITHIN_MS);
    expect((await balance(service.url)).status).toBe(401);
  });
});
