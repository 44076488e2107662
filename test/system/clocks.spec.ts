import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { issueKey, revokeKey } from '../../src/domain/merchants/merchant.commands.js';
import { eventually, within } from '../support/eventually.js';
import { call, CHARGE_ORDER, newIdempotencyKey, startTestService, type Answer, type TestMerchant, type TestService } from '../support/service.js';

const MONTH_MS = 30 * 86_400_000;

describe('a process with a wrong clock beside one with a right clock', () => {
  let service: TestService;
  let merchant: TestMerchant;
  /** Lead of the clock of the other process. */
  let skewMs = 0;
  let wrong: { readonly url: string };

  beforeAll(async () => {
    service = await startTestService();
    wrong = await service.another(() => Date.now() + skewMs);
    merchant = await service.newMerchant();
  });
  afterAll(async () => service.stop());

  const there = (method: string, path: string, options: Parameters<typeof call>[2] = {}): Promise<Answer> =>
    service.call(method, `${wrong.url}${path}`, { key: merchant.key, ...options });
  const create = (): Promise<Answer> => there('POST', '/v1/charges', { body: CHARGE_ORDER, headers: newIdempotencyKey() });
  const entries = async (): Promise<number> => {
    let count = 0;
    for await (const { events, caughtUp } of service.stores.unguarded.subscribe(null, { signal: AbortSignal.timeout(30_000) })) {
      count += events.length;
      if (caughtUp) break;
    }
    return count;
  };

  it('a process refuses writes while its clock is ahead, reports why, serves reads, and resumes once it is right', async () => {
    const first = await create();
    expect(first.status).toBe(200);
    const before = await entries();
    skewMs = MONTH_MS;
    const writes: [string, string, object?][] = [
      ['POST', '/v1/charges', CHARGE_ORDER],
      ['POST', `/v1/charges/${first.body.id}/cancel`],
      ['POST', '/v1/payouts', { amount: 1 }],
      ['POST', '/v1/customers', { name: 'Sari' }],
      ['DELETE', '/v1/merchants/me/web-hook'],
      ['POST', '/v1/merchants/me/web-hook/test'],
    ];
    for (const [method, path, body] of writes) {
      const answer = await there(method, path, { body, headers: newIdempotencyKey() });
      expect([path, answer.status, answer.headers.get('retry-after')]).toEqual([path, 503, '5']);
      expect(answer.body).toMatchObject({ code: 'unavailable', detail: expect.stringContaining('2592000 s ahead of the database') });
    }
    expect(await entries()).toBe(before);
    // A request without a valid key is rejected first; the wrong clock ends no key; reads are the same as everywhere.
    expect((await there('POST', '/v1/charges', { key: `${merchant.key}x`, body: CHARGE_ORDER })).status).toBe(401);
    expect((await there('GET', `/v1/charges/${first.body.id}`)).text).toBe(
      (await service.call('GET', `/v1/charges/${first.body.id}`, merchant)).text,
    );
    expect((await there('GET', `/v1/balances?AsOf=${encodeURIComponent(new Date(Date.now() + 86_400_000).toISOString())}`)).status).toBe(400);

    const ready = await there('GET', '/health/ready');
    expect([ready.status, ready.body.checks.clock.status]).toEqual([503, 'failing']);
    expect(Math.round(ready.body.checks.clock.skew_seconds / 10)).toBe(MONTH_MS / 10_000);
    const skew = Number(/^clock_skew_seconds (\S+)/m.exec((await there('GET', '/metrics')).text)![1]);
    expect(Math.round(skew / 10)).toBe(MONTH_MS / 10_000);
    expect((await service.call('GET', '/health/ready')).status).toBe(200);

    skewMs = 0;
    expect((await create()).status).toBe(200);
    expect(await there('GET', '/health/ready')).toMatchObject({ status: 200, body: { checks: { clock: { status: 'ok' } } } });
  });

  it('a process with a clock behind continues to write and raises an alarm', async () => {
    skewMs = -60_000;
    expect((await create()).status).toBe(200);
    const ready = await there('GET', '/health/ready');
    expect([ready.status, ready.body.checks.clock]).toEqual([200, { status: 'ok', skew_seconds: expect.any(Number), alarm: 'behind' }]);
    expect(Math.round(ready.body.checks.clock.skew_seconds / 10)).toBe(-6);
    skewMs = 0;
  });

  it('metrics report an event of a process with a wrong clock when a command reads it', async () => {
    // As a process would have that compares nothing.
    const charge = (await service.call('POST', '/v1/charges', { ...merchant, body: CHARGE_ORDER, headers: newIdempotencyKey() })).body;
    const stream = `charge-${charge.id}`;
    const [created] = await service.stores.unguarded.read(stream);
    const { merchant_id, actor, $correlationId, $causationId } = created!.metadata;
    const metadata = {
      merchant_id,
      actor,
      $correlationId,
      $causationId,
      schema_version: 1,
      occurred_on: new Date(Date.now() + MONTH_MS).toISOString(),
    };
    const paid = {
      charge_id: charge.id,
      merchant_id,
      currency: 'IDR',
      amount: charge.amount,
      fee_amount: 0,
      net_amount: charge.amount,
      paid_on: metadata.occurred_on.replace('Z', '+00:00'),
      settlement_date: '2026-02-03',
      payment_reference: 'early',
      late_after: null,
    };
    const event = { id: randomUUID(), type: 'ChargePaid', data: paid, metadata: { ...metadata, occurred_on: paid.paid_on } };
    await expect(service.stores.eventStore.append(stream, 0, [event])).rejects.toThrow('ahead of the database');
    const before = eventsAhead((await service.call('GET', '/metrics')).text);
    expect((await service.stores.unguarded.append(stream, 0, [event])).ok).toBe(true);
    expect((await service.call('POST', `/v1/charges/${charge.id}/cancel`, { ...merchant, headers: newIdempotencyKey() })).status).toBe(409);
    expect(eventsAhead((await service.call('GET', '/metrics')).text)).toBeGreaterThan(before);
  });

  it.each([
    ['ahead', MONTH_MS],
    ['behind', -MONTH_MS],
  ])('a process with a clock %s revokes at once: a merchant’s key, finance’s key and its sessions', async (_, skew) => {
    const shop = await service.newMerchant();
    const finance = await issueKey(service.deps, { kind: 'finance' }, { name: 'auditors', expires_on: null });
    const asked = async (): Promise<number[]> => {
      const answers = [];
      for (const url of [service.url, wrong.url]) {
        answers.push(await call('GET', new URL('/v1/balances', url), shop));
        answers.push(await call('GET', new URL('/audit/merchants', url), finance));
        answers.push(await call('GET', new URL('/console', url), { headers: { cookie } }));
      }
      return answers.map(({ status }) => status);
    };
    const body = new URLSearchParams({ key: finance.key }).toString();
    const form = { origin: service.url, 'content-type': 'application/x-www-form-urlencoded' };
    const cookie = (await service.call('POST', '/console/login', { body, headers: form })).headers.get('set-cookie')!.split(';')[0]!;
    expect(await asked()).toEqual([200, 200, 200, 200, 200, 200]);
    const deps = { store: service.stores.unguarded, clock: () => Date.now() + skew };
    await revokeKey(deps, { kind: 'merchant', merchant_id: shop.merchant_id }, shop.key_id);
    await revokeKey(deps, { kind: 'finance' }, finance.key_id);
    await within(1_000, () => eventually(async () => !(await asked()).includes(200)));
    expect(await asked()).toEqual([401, 401, 303, 401, 401, 303]);
  });
});

const eventsAhead = (metrics: string): number => Number(/^facts_ahead_of_clock_total (\d+)/m.exec(metrics)![1]);
