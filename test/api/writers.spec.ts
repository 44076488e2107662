import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { readConfig } from '../../src/app/config.js';
import { loadServiceSecret } from '../../src/app/service-secret.js';
import { openStores, type Stores } from '../../src/app/stores.js';
import { merchantStream } from '../../src/ledger/events/merchant.events.js';
import { issueKey, setChannel, setFee } from '../../src/domain/merchants/merchant.commands.js';
import type { DirectoryDeps } from '../../src/domain/operators/directory.js';
import { Simulator } from '../../src/rails/simulator/simulator.js';
import {
  callUntilShown,
  CHARGE_ORDER,
  newIdempotencyKey,
  startTestService,
  type Answer,
  type TestMerchant,
  type TestService,
} from '../support/service.js';

const WRITERS = 50;
const KEY = randomBytes(32);
/** No server listens there. */
const URI = 'https://127.0.0.1:1/hook';

/** Two services on one database. Each has a separate connection, command queue and cache, as two processes have. */
let service: TestService;
let other: { readonly url: string };
let otherStores: Stores;
let simulator: Simulator;
let merchant: TestMerchant;

beforeAll(async () => {
  service = await startTestService({ ENCRYPTION_KEY: KEY.toString('base64'), WEBHOOK_ALLOW_PRIVATE: 'true' });
  other = await service.another(() => Date.now());
  otherStores = await openStores(readConfig({ DATABASE_URL: service.stores.databaseUrl }), () => undefined);
  simulator = new Simulator(await loadServiceSecret(service.stores.databaseUrl, KEY));
  merchant = await service.newMerchant();
});
afterAll(async () => {
  await otherStores.close();
  await service.stop();
});

const atOnce = <T>(work: (nth: number) => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: WRITERS }, (_, nth) => work(nth)));
/** Returns the URL at one process, or at both in turn. */
const at = (processes: number, nth: number, path: string): URL => new URL(path, nth % processes === 0 ? service.url : other.url);
const post = (url: URL, body: object): Promise<Answer> => callUntilShown('POST', url, { key: merchant.key, body });
const create = async (): Promise<{ id: string; action: { simulation_url: string } }> =>
  (await service.call('POST', '/v1/charges', { key: merchant.key, body: CHARGE_ORDER, headers: newIdempotencyKey() })).body;
const eventsOf = async (id: string): Promise<{ type: string; data: { payment_reference?: string } }[]> =>
  (await service.call('GET', `/v1/charges/${id}/events?PageSize=100`, { key: merchant.key })).body;
const merchantEvents = () => service.stores.eventStore.read(merchantStream(merchant.merchant_id), { from: 0, limit: 1_000 });

describe.each([
  ['one process', 1],
  ['two processes', 2],
])('fifty writers at once, at %s', (_, processes) => {
  it('cancel one charge: all receive the same response, and one cancellation is recorded', async () => {
    const { id } = await create();
    const answers = await atOnce((nth) => callUntilShown('POST', at(processes, nth, `/v1/charges/${id}/cancel`), { key: merchant.key }));
    expect([...new Set(answers.map(({ status, text }) => `${status} ${text}`))]).toHaveLength(1);
    expect([answers[0]!.status, answers[0]!.body.status]).toEqual([200, 'CANCELLED']);
    expect((await eventsOf(id)).map(({ type }) => type)).toEqual(['ChargeCreated', 'ChargeCancelled']);
  });

  it('send fifty payments of one charge: one pays it, the others are recorded once each', async () => {
    const { id } = await create();
    const answers = await atOnce(async (nth) => {
      const { body, headers } = simulator.sign(
        {
          kind: 'paid',
          notification_id: `ntf-${randomUUID()}`,
          charge_id: id,
          occurred_on: new Date().toISOString(),
          amount: 10_000,
          payment_reference: `BANK-${nth}`,
        },
        Date.now(),
      );
      return callUntilShown('POST', at(processes, nth, '/processors/simulator/notifications'), {
        body: body.toString(),
        headers: headers as unknown as Record<string, string>,
      });
    });
    expect(answers.map(({ status, body }) => [status, body.applied])).toEqual(Array(WRITERS).fill([200, true]));
    const events = (await eventsOf(id)).slice(1);
    expect(events.map(({ type }) => type)).toEqual(['ChargePaid', ...Array<string>(WRITERS - 1).fill('ChargePaymentUnmatched')]);
    expect(new Set(events.map(({ data }) => data.payment_reference)).size).toBe(WRITERS);
  });

  it('cancel and pay one charge: it is paid once and cancelled at most once, and each response matches the outcome', async () => {
    const { id, action } = await create();
    const answers = await atOnce((nth) =>
      nth % 4 < 2
        ? callUntilShown('POST', at(processes, nth, `/v1/charges/${id}/cancel`), { key: merchant.key })
        : callUntilShown('POST', at(processes, nth, new URL(action.simulation_url).pathname), { body: { outcome: 'succeed' } }),
    );
    const events = (await eventsOf(id)).map(({ type }) => type);
    // A payment after a cancellation is accepted.
    expect([
      ['ChargeCreated', 'ChargePaid'],
      ['ChargeCreated', 'ChargeCancelled', 'ChargePaid'],
    ]).toContainEqual(events);
    // A simulated payment of a paid charge returns 409.
    for (const { status } of answers) expect([200, 409]).toContain(status);
    const isDone = (isCancel: boolean): boolean => answers.some(({ status }, nth) => nth % 4 < 2 === isCancel && status === 200);
    expect([isDone(true), isDone(false)]).toEqual([events.includes('ChargeCancelled'), true]);
  });

  it('set one webhook: all receive 200, and each setting appends one event', async () => {
    const before = (await merchantEvents()).length;
    const hook = (nth: number) => ({ web_hook_uri: `${URI}/${processes}/${nth}`, signature_key: `key-of-writer-${nth}-${processes}` });
    const answers = await atOnce((nth) => post(at(processes, nth, '/v1/merchants/me/web-hook'), hook(nth)));
    expect(answers.map(({ status, body }, nth) => [status, body.web_hook_uri === hook(nth).web_hook_uri])).toEqual(Array(WRITERS).fill([200, true]));
    const events = (await merchantEvents()).slice(before) as unknown as { type: string; data: { web_hook_uri: string } }[];
    expect(events.map(({ type }) => type)).toEqual(Array(WRITERS).fill('WebHookSet'));
    expect(new Set(events.map(({ data }) => data.web_hook_uri)).size).toBe(WRITERS);
    // Every process shows the newest setting.
    for (const nth of [0, 1]) {
      const { body } = await callUntilShown('GET', at(processes, nth, '/v1/merchants/me/web-hook'), { key: merchant.key });
      expect(body.web_hook_uri).toBe(events.at(-1)!.data.web_hook_uri);
    }
  });

  it('change fees, channels, keys and the webhook of one merchant: each change is recorded once', async () => {
    const before = (await merchantEvents()).length;
    const shells: DirectoryDeps[] = [service.deps, { store: otherStores.eventStore, clock: Date.now }];
    const done = await atOnce(async (nth) => {
      const deps = shells[nth % processes]!;
      const value = 1_000 + processes * WRITERS + nth;
      switch (nth % 5) {
        case 0:
          await setFee(deps, merchant.merchant_id, { kind: 'payout', currency: 'IDR' }, { type: 'FIXED', value });
          return `MerchantFeeSet ${value}`;
        case 1:
          await setChannel(deps, merchant.merchant_id, 'WALLET_OVO', { min_amount: 10_000 + value });
          return `MerchantChannelSet ${10_000 + value}`;
        case 2:
          await issueKey(deps, { kind: 'merchant', merchant_id: merchant.merchant_id }, { name: `key ${value}`, expires_on: null });
          return `ApiKeyIssued key ${value}`;
        default: {
          const web_hook_uri = `${URI}/${value}`;
          const { status } = await post(at(processes, nth, '/v1/merchants/me/web-hook'), { web_hook_uri, signature_key: `key-of-writer-${value}` });
          return `${status === 200 ? 'WebHookSet' : status} ${web_hook_uri}`;
        }
      }
    });
    const events = (await merchantEvents()).slice(before) as unknown as { type: string; data: Record<string, any> }[];
    const said = events.map(({ type, data }) => `${type} ${data['fee']?.value ?? data['min_amount'] ?? data['name'] ?? data['web_hook_uri']}`);
    expect(said.toSorted()).toEqual(done.toSorted());
  });
});
