import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ProcessorRoutes, RemoteProcessor } from '../../src/domain/charges/remote/remote-processor.js';
import { chargeStream, type ChargeEvent } from '../../src/ledger/events/charge.events.js';
import { XenditSimulator } from '../../tools/provider-simulators/xendit.js';
import type { Outbound } from '../../src/rails/calls/outbound.js';
import { XenditProcessor } from '../../src/rails/xendit/xendit-processor.js';
import { eventually } from '../support/eventually.js';
import { outboundTo } from '../support/rail-calls.js';
import {
  callPatiently,
  CHARGE_ORDER,
  newIdempotencyKey,
  startTestService,
  type Answer,
  type TestMerchant,
  type TestService,
} from '../support/service.js';

const SECRET_KEY = 'xnd_development_double';
const TOKEN = 'token-of-the-simulator';
const RAIL = 'simulator';
const CHARGES = 24;
/** Minor units. */
const AMOUNT = 1_000_000;
/** All faults at once, by the simulator's names. Another suite tests the circuit breaker. */
const FAULTS = {
  ...{ slow: 0.1, 'lost-answer': 0.07, '5xx-after': 0.05, '429': 0.05, garbage: 0.05 },
  ...{ repeat: 0.2, reorder: 0.2, late: 0.1, forge: 0.2, 'bad-signature': 0.1, 'wrong-amount': 0.1 },
};

let service: TestService;
let merchant: TestMerchant;
let simulator: XenditSimulator;
let calls: Outbound;

beforeAll(async () => {
  const rail: { processor?: RemoteProcessor } = {};
  const routes: ProcessorRoutes = {
    route: () => rail.processor && { processor: rail.processor, merchant_name_id: null, is_stopped: false },
    named: (name) => (name === RAIL ? rail.processor : undefined),
  };
  service = await startTestService({}, routes);
  simulator = await XenditSimulator.listen({
    ...{ port: 0, seed: 16, faults: FAULTS, slowMs: 300, secretKey: SECRET_KEY, callbackToken: TOKEN },
    callbackUrl: `${service.url}/v1/rails/${RAIL}/notifications`,
    ...{ perMinute: 1_000_000, lateMs: 500, refundsAfterMs: 500 },
  });
  calls = outboundTo(simulator.url);
  rail.processor = new XenditProcessor({
    ...{ name: RAIL, mode: 'sandbox', calls, clock: Date.now },
    credentials: () => ({ current: { secret_key: SECRET_KEY, callback_token: TOKEN } }),
    allowedChannels: () => new Set(),
    returnUrl: () => 'https://pay.example.com/return',
    report: () => undefined,
  });
  merchant = await service.newMerchant();
});
afterAll(async () => {
  await service.stop();
  await calls.close();
  await simulator.close();
});

async function control(name: string, body: object = {}): Promise<any> {
  const answer = await fetch(`${simulator.url}/control/${name}`, { method: 'POST', body: JSON.stringify(body) });
  return answer.json();
}

const create = (): Promise<Answer> =>
  callPatiently('POST', `${service.url}/v1/charges`, {
    key: merchant.key,
    headers: newIdempotencyKey(),
    body: { ...CHARGE_ORDER, amount: AMOUNT },
  });
const eventsOf = async (id: string): Promise<ChargeEvent[]> => (await service.stores.eventStore.read(chargeStream(id))) as unknown as ChargeEvent[];
const typesOf = async (id: string): Promise<string[]> => (await eventsOf(id)).map(({ type }) => type);

describe('charges at a provider with every fault at once', () => {
  it('bookings equal the provider’s payments: each once, and only with the charge’s amount', async () => {
    const answers = await Promise.all(Array.from({ length: CHARGES }, create));
    const shown = answers
      .filter(({ status, body }) => status === 200 && body.status === 'PENDING')
      .map(({ body }) => body as { id: string; processor_reference: string });
    // All five attempts of a create may be lost, but only for a few charges.
    expect(shown.length).toBeGreaterThan(CHARGES * 0.8);
    const paying = shown.filter((_, n) => n % 4 !== 0);
    for (const { processor_reference } of paying) await control('pay', { payment_request_id: processor_reference });
    const { payments } = (await control('truth')) as { payments: readonly { payment_id: string; amount: number }[] };
    expect(payments).toHaveLength(paying.length);
    // A payment of another amount does not pay the charge.
    const right = payments.filter(({ amount }) => amount === AMOUNT).map(({ payment_id }) => payment_id);
    expect(right.length).toBeGreaterThan(0);
    const booked = async () =>
      (await Promise.all(shown.map(({ id }) => eventsOf(id)))).flat().flatMap((event) => (event.type === 'ChargePaid' ? [event.data] : []));
    await eventually(async () => (await booked()).length >= right.length, 120_000);
    const paid = await booked();
    expect(paid.map(({ payment_reference }) => payment_reference).toSorted()).toEqual(right.toSorted());
    expect(new Set(paid.map(({ amount }) => amount))).toEqual(new Set([AMOUNT]));
    const expected = ['ChargeCreated', 'ChargeInstructed', 'ChargePaid', 'ChargePaymentUnmatched'];
    for (const { id } of shown) expect((await typesOf(id)).filter((type) => !expected.includes(type))).toEqual([]);
  }, 240_000);
});

describe('a refund at the same provider', () => {
  it('returns the money once', async () => {
    await control('faults', { ...FAULTS, 'wrong-amount': 0 });
    const { body } = await create();
    await control('pay', { payment_request_id: body.processor_reference });
    await eventually(async () => (await typesOf(body.id)).includes('ChargePaid'));
    const refund = await callPatiently('POST', `${service.url}/v1/charges/${body.id}/refunds`, {
      key: merchant.key,
      headers: newIdempotencyKey(),
      body: { amount: 400_000 },
    });
    expect(refund.status).toBe(201);
    await eventually(async () => (await typesOf(body.id)).includes('ChargeRefundSucceeded'));
    const { refunds } = (await control('truth')) as { refunds: readonly { reference_id: string }[] };
    expect(refunds.filter(({ reference_id }) => reference_id === refund.body.id)).toHaveLength(1);
  }, 180_000);
});
