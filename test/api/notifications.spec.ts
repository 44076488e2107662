import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import type { Notification } from '../../src/domain/charges/processor.js';
import { Simulator } from '../../src/rails/simulator/simulator.js';
import { loadServiceSecret } from '../../src/app/service-secret.js';
import { CHARGE_ORDER, newIdempotencyKey, startTestService, type Answer, type TestMerchant, type TestService } from '../support/service.js';

const KEY = randomBytes(32);
let simulator: Simulator;
let service: TestService;
let merchant: TestMerchant;

beforeAll(async () => {
  service = await startTestService({ ENCRYPTION_KEY: KEY.toString('base64') });
  simulator = new Simulator(await loadServiceSecret(service.stores.databaseUrl, KEY));
  merchant = await service.newMerchant();
});
afterAll(() => service.stop());

const create = async (): Promise<string> =>
  (await service.call('POST', '/v1/charges', { key: merchant.key, body: CHARGE_ORDER, headers: newIdempotencyKey() })).body.id as string;
const events = async (id: string): Promise<string[]> =>
  (await service.call('GET', `/v1/charges/${id}/events`, { key: merchant.key })).body.map(({ type }: { type: string }) => type);

function common(charge_id: string): { notification_id: string; charge_id: string; occurred_on: string } {
  return { notification_id: `ntf-${randomUUID()}`, charge_id, occurred_on: new Date().toISOString() };
}
const paid = (id: string, over: object = {}): Notification => ({ kind: 'paid', ...common(id), amount: 10_000, payment_reference: 'BANK-1', ...over });
const failed = (id: string): Notification => ({ kind: 'failed', ...common(id), reason: 'Declined' });
const expired = (id: string): Notification => ({ kind: 'expired', ...common(id) });
const reversed = (id: string): Notification => ({ kind: 'reversed', ...common(id), reason: 'Chargeback' });

function send(body: Buffer | string, headers: object): Promise<Answer> {
  return service.call('POST', '/processors/simulator/notifications', { body: body.toString(), headers: headers as Record<string, string> });
}
function notify(notification: Notification, sender = simulator, at = Date.now()): Promise<Answer> {
  const { body, headers } = sender.sign(notification, at);
  return send(body, headers);
}

describe('a notification', () => {
  it('an applied notification is visible to every read that starts afterwards', async () => {
    const id = await create();
    const answer = await notify(paid(id));
    expect([answer.status, answer.body]).toEqual([200, { charge_id: id, applied: true }]);
    const record = await service.call('GET', `/v1/charges/${id}`, { key: merchant.key });
    expect(record.body).toMatchObject({ status: 'SUCCEEDED', settlement_status: 'PENDING', updated_by: 'System' });
  });

  it.each([
    ['paid', paid],
    ['failed', failed],
    ['expired', expired],
  ] as const)('a repeated notification of kind %s changes nothing and returns 200', async (_, make) => {
    const id = await create();
    const notification = make(id);
    expect((await notify(notification)).body.applied).toBe(true);
    const before = await events(id);
    for (let repeat = 0; repeat < 3; repeat += 1) expect((await notify(notification)).body).toEqual({ charge_id: id, applied: false });
    expect(await events(id)).toEqual(before);
  });

  it('a notification that arrives many times at once is applied once', async () => {
    const id = await create();
    const notification = paid(id);
    const answers = await Promise.all(Array.from({ length: 20 }, () => notify(notification)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(answers.filter(({ body }) => body.applied)).toHaveLength(1);
    expect(await events(id)).toEqual(['ChargeCreated', 'ChargePaid']);
  });

  it('a late failure or expiry after the payment changes nothing', async () => {
    const id = await create();
    await notify(paid(id));
    for (const late of [failed(id), expired(id)]) expect((await notify(late)).body).toEqual({ charge_id: id, applied: false });
    expect(await events(id)).toEqual(['ChargeCreated', 'ChargePaid']);
  });

  it('a payment after a failure is booked as late money', async () => {
    const id = await create();
    await notify(failed(id));
    expect((await notify(paid(id))).body.applied).toBe(true);
    expect(await events(id)).toEqual(['ChargeCreated', 'ChargeFailed', 'ChargePaid']);
  });

  it('a reversal before its payment returns 409, and is applied when it is repeated afterwards', async () => {
    const id = await create();
    const reversal = reversed(id);
    expect((await notify(reversal)).body).toMatchObject({ status: 409, code: 'state-conflict' });
    await notify(paid(id));
    expect((await notify(reversal)).body.applied).toBe(true);
    expect((await notify(reversal)).body.applied).toBe(false);
    expect(await events(id)).toEqual(['ChargeCreated', 'ChargePaid', 'ChargeReversed']);
  });

  it('a payment of another amount and a second payment are recorded without a booking', async () => {
    const id = await create();
    const before = await service.call('GET', '/v1/balances/IDR', { key: merchant.key });
    await notify(paid(id, { amount: 9_999, payment_reference: 'BANK-LESS' }));
    expect(await events(id)).toEqual(['ChargeCreated', 'ChargePaymentUnmatched']);
    const after = await service.call('GET', '/v1/balances/IDR', { key: merchant.key });
    expect(after.body.pending_amount).toBe(before.body.pending_amount);
    await notify(paid(id));
    await notify(paid(id, { payment_reference: 'BANK-2' }));
    await notify(paid(id, { payment_reference: 'BANK-2' }));
    expect(await events(id)).toEqual(['ChargeCreated', 'ChargePaymentUnmatched', 'ChargePaid', 'ChargePaymentUnmatched']);
  });
});

describe('a notification that is refused records nothing', () => {
  it('401 with another key, another body, no signature, or a signature six minutes old or ahead', async () => {
    const id = await create();
    const good = simulator.sign(paid(id), Date.now());
    const { 'simulator-signature': signature, 'simulator-timestamp': time } = good.headers as Record<string, string>;
    const answers = [
      await notify(paid(id), new Simulator(randomBytes(32))),
      await send(good.body.toString().replace('10000', '10001'), good.headers),
      await send(good.body, {}),
      await send(good.body, { 'simulator-timestamp': time }),
      await send(good.body, { 'simulator-signature': signature }),
      await send(good.body, { 'simulator-timestamp': 'now', 'simulator-signature': signature }),
      await send(good.body, { 'simulator-timestamp': time, 'simulator-signature': 'v1=zz' }),
      await notify(paid(id), simulator, Date.now() - 6 * 60_000),
      await notify(paid(id), simulator, Date.now() + 6 * 60_000),
    ];
    for (const { status, headers, body } of answers) {
      expect(status).toBe(401);
      expect(headers.get('content-type')).toMatch('application/problem+json');
      expect(headers.get('www-authenticate')).toBe('Simulator-Signature');
      expect(body).toMatchObject({ code: 'unauthenticated', instance: '/processors/simulator/notifications' });
    }
    expect(await events(id)).toEqual(['ChargeCreated']);
  });

  it('404 for a charge that does not exist', async () => {
    expect((await notify(paid(randomUUID()))).body).toMatchObject({ status: 404, code: 'not-found' });
  });

  it('400 with a valid signature but a malformed notification, with the pointer of the fault', async () => {
    const id = await create();
    for (const [fault, pointer] of [
      [{ amount: 1.5 }, '/amount'],
      [{ amount: 0 }, '/amount'],
      [{ kind: 'refunded' }, '/kind'],
      [{ charge_id: 'x' }, '/charge_id'],
      [{ extra: 1 }, ''],
    ] as const) {
      const answer = await notify({ ...paid(id), ...fault } as Notification);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ code: 'validation-failed', errors: [{ pointer }] });
    }
    expect((await send('{', {})).body).toMatchObject({ status: 400, code: 'malformed-json' });
    // An empty body carries no signature.
    expect((await send('', {})).status).toBe(401);
    expect(await events(id)).toEqual(['ChargeCreated']);
  });

  it('415 without JSON, 405 with another method, 413 with a body that is too large', async () => {
    const good = simulator.sign(paid(await create()), Date.now());
    expect((await send(good.body, { ...good.headers, 'content-type': 'text/plain' })).status).toBe(415);
    expect((await service.call('GET', '/processors/simulator/notifications')).status).toBe(405);
    expect((await send('x'.repeat(70_000), good.headers)).status).toBe(413);
  });
});
