import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { RemoteOrder, RemoteRefund } from '../../../src/domain/charges/remote/remote-processor.js';
import { channelByCode } from '../../../src/ledger/channels.js';
import type { FaultRates } from '../../../tools/provider-simulators/faults.js';
import { XenditSimulator, type XenditSimulatorOptions } from '../../../tools/provider-simulators/xendit.js';
import type { Outbound, OutboundOptions } from '../../../src/rails/calls/outbound.js';
import { systemRailClock } from '../../../src/rails/calls/rail-clock.js';
import { XenditProcessor } from '../../../src/rails/xendit/xendit-processor.js';
import { eventually } from '../../support/eventually.js';
import { outboundTo } from '../../support/rail-calls.js';
import { railFixture } from '../../support/rail-facts.js';

const SECRET_KEY = 'xnd_development_double';
const TOKEN = 'token-of-the-simulator';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

/** Callbacks that the simulator has sent to us. */
let received: { readonly headers: IncomingMessage['headers']; readonly raw: Buffer; readonly body: any }[];
let listener: Server;
let answerWith: number;
beforeEach(async () => {
  received = [];
  answerWith = 200;
  listener = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks);
      received.push({ headers: request.headers, raw, body: JSON.parse(raw.toString()) });
      response.writeHead(answerWith).end();
    });
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  open.push({ close: () => (listener.closeAllConnections(), listener.close()) });
});

async function startSimulator(faults: FaultRates = {}, options: Partial<XenditSimulatorOptions> = {}): Promise<XenditSimulator> {
  const simulator = await XenditSimulator.listen({
    port: 0,
    seed: 16,
    faults,
    slowMs: 1_000,
    secretKey: SECRET_KEY,
    callbackToken: TOKEN,
    callbackUrl: `http://127.0.0.1:${(listener.address() as AddressInfo).port}/`,
    perMinute: 1_000_000,
    lateMs: 50,
    refundsAfterMs: null,
    ...options,
  });
  open.push(simulator);
  return simulator;
}

function adapterOf(simulator: XenditSimulator, options: Partial<OutboundOptions> = {}): { xendit: XenditProcessor; calls: Outbound } {
  const calls = outboundTo(simulator.url, options);
  open.push(calls);
  const xendit = new XenditProcessor({
    name: 'simulator',
    mode: 'sandbox',
    calls,
    credentials: () => ({ current: { secret_key: SECRET_KEY, callback_token: TOKEN } }),
    allowedChannels: () => new Set(['WALLET_OVO', 'QR_PAYNOW']),
    returnUrl: () => 'https://pay.example.com/return',
    clock: Date.now,
    report: () => undefined,
  });
  return { xendit, calls };
}

async function control(simulator: XenditSimulator, name: string, body: object = {}): Promise<any> {
  const answer = await fetch(`${simulator.url}/control/${name}`, { method: 'POST', body: JSON.stringify(body) });
  return { status: answer.status, ...((await answer.json()) as object) };
}

const ask = async (
  simulator: XenditSimulator,
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; headers: Headers; body: any }> => {
  const headers = { authorization: `Basic ${Buffer.from(`${SECRET_KEY}:`).toString('base64')}`, 'api-version': '2024-11-11' };
  const answer = await fetch(simulator.url + path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
};

let count = 0;
function order(code = 'QR_QRIS', changes: Partial<RemoteOrder> = {}): RemoteOrder {
  const channel = channelByCode(code)!;
  const input = { WALLET_OVO: '081234567890', BANK_REDIRECT_FPX: 'CIMB' }[code];
  return {
    charge_id: `charge-${(count += 1)}`,
    merchant_id: 'm',
    merchant_name: 'Warung',
    merchant_name_id: null,
    channel,
    amount: channel.currency === 'IDR' ? 1_000_000 : 1_050,
    description: 'Order 1001',
    return_url: null,
    expires_on: new Date(Date.now() + 600_000).toISOString(),
    attempt: 1,
    ...(input === undefined ? {} : { input }),
    ...changes,
  };
}

/** Creates it, where nothing goes wrong. */
async function created(xendit: XenditProcessor, wanted = order()): Promise<{ wanted: RemoteOrder; reference: string }> {
  const outcome = await xendit.create(wanted);
  if (outcome.is !== 'accepted') throw new Error(`not created: ${outcome.code}`);
  return { wanted, reference: outcome.value.processor_reference };
}

/** Members of fixtures that the simulator may leave out: we neither send nor read them. */
const LEFT_OUT = new Set([
  ...['customer_id', 'metadata', 'description', 'fee', 'estimated_settlement_time', 'capture_id', 'invoice_id', 'payment_method_type'],
  // Only channels that redirect have these.
  ...['success_return_url', 'failure_return_url'],
]);

/** Names and types, of which the value has at least those of the printed one. */
function expectLike(value: any, printed: any, where = ''): void {
  if (Array.isArray(printed)) {
    expect([where, Array.isArray(value)]).toEqual([where, true]);
    if (printed.length > 0) expectLike(value[0], printed[0], `${where}[0]`);
  } else if (typeof printed === 'object' && printed !== null) {
    for (const [name, member] of Object.entries(printed)) if (!LEFT_OUT.has(name)) expectLike(value?.[name], member, `${where}.${name}`);
  } else if (printed !== null && value !== null) expect([where, typeof value]).toEqual([where, typeof printed]);
}

describe('simulator of Xendit, compared with the answers that Xendit prints', () => {
  it.each(['dana', 'fpx', 'grabpay', 'ovo', 'paynow', 'qris', 'shopeepay', 'touchngo'])('creates as xendit-create-%s', async (name) => {
    const { request, response } = railFixture(`xendit-create-${name}`);
    const answer = await ask(await startSimulator(), request.method, request.path, request.body);
    expect(answer.status).toBe(response.http);
    expectLike(answer.body, response.body);
    expect(answer.body.actions.map(({ descriptor }: any) => descriptor)).toEqual(response.body.actions.map(({ descriptor }: any) => descriptor));
    expect(answer.body).toMatchObject({ ...request.body, status: response.body.status });
  });

  it('answers, cancels, refunds, lists and simulates as printed', async () => {
    const simulator = await startSimulator();
    const { body } = railFixture('xendit-create-qris').request;
    const create = async (): Promise<string> => (await ask(simulator, 'POST', '/v3/payment_requests', body)).body.payment_request_id;
    const [waiting, failed, paid, cancelled] = [await create(), await create(), await create(), await create()];
    await control(simulator, 'fail', { payment_request_id: failed });
    expectLike(
      (await ask(simulator, 'POST', `/v3/payment_requests/${paid}/simulate`, { amount: 10_000 })).body,
      railFixture('xendit-simulate').response.body,
    );
    for (const [name, id] of [
      ['requires-action', waiting],
      ['failed', failed],
      ['succeeded', paid],
    ]) {
      const { response } = railFixture(`xendit-get-${name}`);
      const answer = await ask(simulator, 'GET', `/v3/payment_requests/${id}`);
      expect([answer.status, answer.body.status]).toEqual([response.http, response.body.status]);
      expectLike(answer.body, response.body);
    }
    const cancel = await ask(simulator, 'POST', `/v3/payment_requests/${cancelled}/cancel`);
    expect(cancel).toMatchObject({ status: 200, body: { status: 'CANCELED' } });
    expectLike(cancel.body, { ...railFixture('xendit-cancel').response.body, actions: [] });
    const refund = railFixture('xendit-refund');
    const refunded = await ask(simulator, 'POST', '/refunds', { ...refund.request.body, payment_request_id: paid });
    expect(refunded).toMatchObject({ status: refund.response.http, body: { status: 'PENDING' } });
    expectLike(refunded.body, refund.response.body);
    const listed = await ask(simulator, 'GET', `/transactions?reference_id=${body.reference_id}`);
    expectLike(listed.body, railFixture('xendit-transactions').response.body);
    expectLike((await ask(simulator, 'GET', '/balance?account_type=CASH&currency=IDR')).body, railFixture('xendit-balance').response.body);
    await control(simulator, 'clock', { advance_ms: 48 * 3_600_000 });
    const expired = await ask(simulator, 'GET', `/v3/payment_requests/${waiting}`);
    expect(expired.body.status).toBe('EXPIRED');
    expectLike(expired.body, railFixture('xendit-get-expired').response.body);
  });

  it('rejects requests as printed', async () => {
    const simulator = await startSimulator();
    const { body } = railFixture('xendit-create-qris').request;
    const fpx = railFixture('xendit-create-fpx').request.body;
    const create = async (of = body): Promise<string> => (await ask(simulator, 'POST', '/v3/payment_requests', of)).body.payment_request_id;
    const [paid, cancelled, bank] = [await create(), await create(), await create(fpx)];
    for (const payment_request_id of [paid, bank]) await control(simulator, 'pay', { payment_request_id });
    await ask(simulator, 'POST', `/v3/payment_requests/${cancelled}/cancel`);
    const refund = (payment_request_id: string, change: object = {}) =>
      ask(simulator, 'POST', '/refunds', { ...railFixture('xendit-refund').request.body, payment_request_id, ...change });
    const exceeded = await refund(paid, { amount: 10_001 });
    await refund(paid, { amount: 4_000 });
    const inProgress = await refund(paid, { amount: 4_000, reference_id: 'another' });
    const answers = {
      '400-api-validation': await ask(simulator, 'POST', '/v3/payment_requests', { ...body, currency: 'MYR' }),
      '404': await ask(simulator, 'GET', '/v3/payment_requests/pr-none'),
      'cancel-inactive': await ask(simulator, 'POST', `/v3/payment_requests/${cancelled}/cancel`),
      'cancel-ineligible': await ask(simulator, 'POST', `/v3/payment_requests/${paid}/cancel`),
      'refund-exceeded': exceeded,
      'refund-in-progress': inProgress,
      'refund-not-supported': await refund(bank, { currency: 'MYR', amount: 1 }),
      'refund-balance': await (await control(simulator, 'faults', { 'short-house': 1 }), refund(paid)),
      '500': await (await control(simulator, 'faults', { '5xx-after': 1 }), ask(simulator, 'GET', '/balance')),
      '429': await (await control(simulator, 'faults', { '429': 1 }), ask(simulator, 'GET', '/balance')),
    };
    for (const [name, { status, body, headers }] of Object.entries(answers)) {
      const { response } = railFixture(`xendit-error-${name}`);
      expect([name, status, body.error_code, typeof body.message]).toEqual([name, response.http, response.body.error_code, 'string']);
      for (const header of Object.keys(response.headers ?? {})) expect(headers.get(header)).toMatch(/^[\d.]+$/);
    }
  });

  it('sends callbacks as printed, until they are acknowledged', async () => {
    const simulator = await startSimulator();
    const create = async () =>
      (await ask(simulator, 'POST', '/v3/payment_requests', railFixture('xendit-create-qris').request.body)).body.payment_request_id;
    const [paid, failed] = [await create(), await create(), await create()];
    answerWith = 500;
    await control(simulator, 'pay', { payment_request_id: paid });
    await eventually(() => received.length === 1);
    answerWith = 200;
    await eventually(() => received.length === 2);
    expect(received[0]!.raw).toEqual(received[1]!.raw);
    await control(simulator, 'fail', { payment_request_id: failed });
    const refund = railFixture('xendit-refund').request.body;
    for (const [reference_id, status] of [
      ['r-1', 'SUCCEEDED'],
      ['r-2', 'FAILED'],
    ]) {
      await ask(simulator, 'POST', '/refunds', { ...refund, payment_request_id: paid, reference_id, amount: 5_000 });
      await control(simulator, 'settle', { reference_id, status });
    }
    await control(simulator, 'clock', { advance_ms: 48 * 3_600_000 });
    await eventually(() => received.length === 6);
    const names = ['payment.capture', 'payment.failure', 'refund.succeeded', 'refund.failed', 'payment_request.expiry'];
    for (const name of names) {
      const got = received.findLast(({ body }) => body.event === name)!;
      expect(got.headers['x-callback-token']).toBe(TOKEN);
      expectLike(got.body, railFixture(`xendit-callback-${name.replace(/[._]/g, '-')}`).request.body);
    }
  });

  it('accepts its own key and version only, and no more calls than are documented', async () => {
    const simulator = await startSimulator({}, { perMinute: 3 });
    expect((await fetch(`${simulator.url}/balance`)).status).toBe(401);
    const headers = { authorization: `Basic ${Buffer.from(`${SECRET_KEY}:`).toString('base64')}` };
    expect((await fetch(`${simulator.url}/v3/payment_requests/x`, { headers })).status).toBe(400);
    expect((await ask(simulator, 'GET', '/balance')).status).toBe(200);
    expect(await ask(simulator, 'GET', '/balance')).toMatchObject({ status: 429 });
  });

  it('follows /control, and rejects wrong commands', async () => {
    const simulator = await startSimulator();
    for (const [name, body, status] of [
      ['pay', { reference_id: 'none' }, 400],
      ['faults', { slow: 2 }, 400],
      ['faults', { slow: '1' }, 400],
      ['faults', { sleepy: 1 }, 400],
      ['faults', {}, 200],
      ['settle', { status: 'LOST' }, 400],
      ['clock', { advance_ms: 'x' }, 400],
      ['toString', {}, 404],
    ] as const)
      expect([name, (await control(simulator, name, body)).status]).toEqual([name, status]);
  });
});

describe('Xendit adapter over the simulator', () => {
  it.each(['QR_QRIS', 'WALLET_DANA', 'WALLET_SHOPEEPAY', 'WALLET_OVO', 'WALLET_TNG', 'WALLET_GRABPAY', 'BANK_REDIRECT_FPX', 'QR_PAYNOW'])(
    'books a payment by %s',
    async (code) => {
      const simulator = await startSimulator();
      const { xendit } = adapterOf(simulator);
      const { wanted, reference } = await created(xendit, order(code));
      expect(await xendit.query(reference)).toEqual({ is: 'accepted', value: { status: 'WAITING' } });
      expect(await xendit.find(wanted.charge_id)).toEqual({ is: 'accepted', value: [] });
      const { payment_id } = await control(simulator, 'pay', { reference_id: wanted.charge_id });
      const payment = { payment_reference: payment_id, amount: wanted.amount, currency: wanted.channel.currency };
      expect(await xendit.query(reference)).toEqual({ is: 'accepted', value: { status: 'PAID', payment } });
      expect(await xendit.find(wanted.charge_id)).toEqual({ is: 'accepted', value: [payment] });
      expect(await xendit.cancel(reference)).toEqual({ is: 'accepted', value: { status: 'PAID', payment } });
      await eventually(() => received.length === 1);
      expect(xendit.parse(received[0]!.raw, received[0]!.headers, '', 0)).toEqual({
        about: 'charge',
        charge_id: wanted.charge_id,
        processor_reference: reference,
      });
    },
  );

  it('refunds once', async () => {
    const simulator = await startSimulator();
    const { xendit } = adapterOf(simulator);
    const { wanted, reference } = await created(xendit);
    const { payment_id } = await control(simulator, 'pay', { reference_id: wanted.charge_id });
    const refund: RemoteRefund = {
      refund_id: 'refund-1',
      charge_id: wanted.charge_id,
      processor_reference: reference,
      payment_reference: payment_id,
      amount: 600_000,
      currency: 'IDR',
    };
    expect(await xendit.findRefund(refund)).toEqual({ is: 'accepted', value: undefined });
    expect(await xendit.refund(refund)).toEqual({ is: 'accepted', value: { status: 'PROCESSING' } });
    expect(await xendit.refund({ ...refund, refund_id: 'refund-2' })).toEqual({ is: 'retryable', code: 'REFUND_IN_PROGRESS' });
    expect(await xendit.findRefund(refund)).toEqual({ is: 'accepted', value: { status: 'PROCESSING' } });
    await control(simulator, 'settle');
    expect(await xendit.findRefund(refund)).toEqual({ is: 'accepted', value: { status: 'REFUNDED' } });
    expect(await xendit.refund({ ...refund, refund_id: 'refund-2' })).toMatchObject({ is: 'rejected', code: 'REFUND_AMOUNT_EXCEEDED' });
    await eventually(() => received.length === 2);
    expect(xendit.parse(received[1]!.raw, received[1]!.headers, '', 0)).toEqual({ about: 'refund', refund_id: 'refund-1' });
    expect((await control(simulator, 'truth')).refunds).toMatchObject([{ reference_id: 'refund-1', amount: 600_000, status: 'SUCCEEDED' }]);
  });

  it('reads requests that were cancelled, failed or expired unpaid', async () => {
    const simulator = await startSimulator();
    const { xendit } = adapterOf(simulator);
    const [one, two, three] = [await created(xendit), await created(xendit), await created(xendit)];
    expect(await xendit.cancel(one.reference)).toEqual({ is: 'accepted', value: { status: 'CANCELLED' } });
    expect(await xendit.cancel(one.reference)).toEqual({ is: 'accepted', value: { status: 'CANCELLED' } });
    await control(simulator, 'fail', { reference_id: two.wanted.charge_id, failure_code: 'USER_DECLINED' });
    expect(await xendit.query(two.reference)).toEqual({ is: 'accepted', value: { status: 'FAILED', code: 'USER_DECLINED' } });
    await control(simulator, 'clock', { advance_ms: 48 * 3_600_000 });
    expect(await xendit.query(three.reference)).toEqual({ is: 'accepted', value: { status: 'EXPIRED' } });
  });
});

describe('faults', () => {
  const truth = async (simulator: XenditSimulator) => (await control(simulator, 'truth')) as { requests: any[]; payments: any[]; refunds: any[] };

  it.each([
    ['lost-answer', 'unknown', 1],
    ['5xx-after', 'unknown', 1],
    ['garbage', 'unknown', 1],
    ['wrong-amount', 'unknown', 1],
    ['429', 'retryable', 0],
    ['token-dies', 'retryable', 0],
  ] as const)('%s: a creation is %s, and there are %d requests', async (fault, is, requests) => {
    const simulator = await startSimulator({ [fault]: 1 });
    const outcome = await adapterOf(simulator).xendit.create(order());
    expect(outcome.is).toBe(is);
    expect((await truth(simulator)).requests).toHaveLength(requests);
  });

  it('slow: a request without an answer in time has still been executed', async () => {
    // A clock twenty times as fast: 8 s are 400 ms.
    const fast = {
      ...systemRailClock,
      monotonic: () => performance.now() * 20,
      after: (ms: number, action: () => void) => systemRailClock.after(ms / 20, action),
    };
    const simulator = await startSimulator({ slow: 1 }, { slowMs: 60_000 });
    const outcome = await adapterOf(simulator, { clock: fast }).xendit.create(order());
    expect(outcome).toEqual({ is: 'unknown', code: 'no-answer-in-time' });
    expect((await truth(simulator)).requests).toHaveLength(1);
  });

  it('skew: the adapter measures the difference of the clocks, and continues', async () => {
    const simulator = await startSimulator({ skew: 1 });
    const { xendit, calls } = adapterOf(simulator);
    await created(xendit);
    await created(xendit);
    expect(Math.round(calls.skewMs! / 10_000)).toBe(12);
  });

  it('not-found-early: a request that is not found is never "not paid"', async () => {
    const { xendit } = adapterOf(await startSimulator({ 'not-found-early': 1 }));
    const { reference } = await created(xendit);
    expect(await xendit.query(reference)).toEqual({ is: 'unknown', code: 'DATA_NOT_FOUND' });
  });

  it('wrong-amount: a payer pays another amount, and every answer reports it', async () => {
    const simulator = await startSimulator();
    const { xendit } = adapterOf(simulator);
    const [one, two] = [await created(xendit), await created(xendit)];
    await control(simulator, 'pay', { reference_id: one.wanted.charge_id, amount: 500 });
    await control(simulator, 'faults', { 'wrong-amount': 1 });
    await control(simulator, 'pay', { reference_id: two.wanted.charge_id });
    for (const [{ wanted, reference }, amount] of [
      [one, 500],
      [two, two.wanted.amount + 10_000],
    ] as const) {
      expect(await xendit.query(reference)).toMatchObject({ value: { status: 'PAID', payment: { amount } } });
      expect(await xendit.find(wanted.charge_id)).toMatchObject({ value: [{ amount }] });
      expect((await truth(simulator)).payments).toContainEqual(expect.objectContaining({ reference_id: wanted.charge_id, amount }));
    }
  });

  it('short-house: a refund is retryable', async () => {
    const simulator = await startSimulator({ 'short-house': 1 });
    const { xendit } = adapterOf(simulator);
    const { wanted, reference } = await created(xendit);
    const { payment_id } = await control(simulator, 'pay', { reference_id: wanted.charge_id });
    const refund = {
      refund_id: 'r',
      charge_id: wanted.charge_id,
      processor_reference: reference,
      payment_reference: payment_id,
      amount: 100,
      currency: 'IDR',
    };
    expect(await xendit.refund(refund)).toEqual({ is: 'retryable', code: 'INSUFFICIENT_BALANCE' });
    expect((await truth(simulator)).refunds).toEqual([]);
  });

  it('paid-after-expired: the payment arrives after the end', async () => {
    const simulator = await startSimulator({ 'paid-after-expired': 1 });
    const { xendit } = adapterOf(simulator);
    const { wanted, reference } = await created(xendit);
    expect(await xendit.cancel(reference)).toEqual({ is: 'accepted', value: { status: 'CANCELLED' } });
    await eventually(async () => (await truth(simulator)).payments.length === 1);
    expect(await xendit.query(reference)).toMatchObject({ value: { status: 'PAID' } });
    expect(await xendit.find(wanted.charge_id)).toMatchObject({ value: [{ amount: wanted.amount }] });
  });

  it('late: the list of transactions does not show the payment yet', async () => {
    const simulator = await startSimulator({ late: 1 }, { lateMs: 3_600_000 });
    const { xendit } = adapterOf(simulator);
    const { wanted } = await created(xendit);
    await control(simulator, 'pay', { reference_id: wanted.charge_id });
    expect(await xendit.find(wanted.charge_id)).toEqual({ is: 'accepted', value: [] });
    expect(received).toEqual([]);
    await control(simulator, 'clock', { advance_ms: 3_600_000 });
    expect(await xendit.find(wanted.charge_id)).toMatchObject({ value: [{ amount: wanted.amount }] });
  });

  it('repeat, reorder: callbacks come more than once, and in another order', async () => {
    const simulator = await startSimulator({ repeat: 1, reorder: 1 }, { lateMs: 1_000 });
    const { xendit } = adapterOf(simulator);
    const orders: string[] = [];
    for (let each = 0; each < 8; each += 1) orders.push((await created(xendit)).wanted.charge_id);
    // At once: on a busy machine the time for one payment exceeds the delay of a callback, and none is overtaken.
    await Promise.all(orders.map((reference_id) => control(simulator, 'pay', { reference_id })));
    await eventually(() => orders.every((id) => received.filter(({ body }) => body.data.reference_id === id).length >= 2));
    expect([...new Set(received.map(({ body }) => body.data.reference_id))]).not.toEqual(orders);
  });

  it('forge, bad-signature: the query decides; a callback with a wrong token is rejected', async () => {
    const simulator = await startSimulator({ forge: 1, 'bad-signature': 1 });
    const { xendit } = adapterOf(simulator);
    const unpaid = await created(xendit);
    const paid = await created(xendit);
    await control(simulator, 'pay', { reference_id: paid.wanted.charge_id });
    await eventually(() => received.length === 3);
    const parsed = received.map(({ raw, headers }) => xendit.parse(raw, headers, '', 0));
    expect(parsed.filter((verified) => verified === undefined)).toHaveLength(1);
    expect(parsed).toContainEqual({ about: 'charge', charge_id: unpaid.wanted.charge_id, processor_reference: unpaid.reference });
    expect(await xendit.query(unpaid.reference)).toEqual({ is: 'accepted', value: { status: 'WAITING' } });
  });

  it('faults follow the same course in every run with one seed', async () => {
    const run = async () => {
      const { xendit } = adapterOf(await startSimulator({ '429': 0.3, 'lost-answer': 0.3, garbage: 0.3 }));
      const outcomes = [];
      for (let each = 0; each < 8; each += 1) outcomes.push((await xendit.create(order())).is);
      return outcomes;
    };
    const first = await run();
    expect(new Set(first).size).toBeGreaterThan(1);
    expect(await run()).toEqual(first);
  });

  it('all at once: accepted creations exist, retryable ones do not, and queries report exactly the payments made', async () => {
    const simulator = await startSimulator(
      Object.fromEntries(
        ['lost-answer', '5xx-after', '429', 'garbage', 'token-dies', 'not-found-early', 'wrong-amount', 'skew'].map((name) => [name, 0.1]),
      ),
      { callbackUrl: null },
    );
    const creations: { charge_id: string; is: string }[] = [];
    const queries: { reference: string; status: string; isPaid: boolean }[] = [];
    for (let each = 0; each < 60; each += 1) {
      const { xendit, calls } = adapterOf(simulator);
      const wanted = order();
      let reference: string | undefined;
      for (let attempt = 0; attempt < 5 && reference === undefined; attempt += 1) {
        const outcome = await xendit.create({ ...wanted, attempt });
        creations.push({ charge_id: wanted.charge_id, is: outcome.is });
        if (outcome.is === 'accepted') reference = outcome.value.processor_reference;
        if (outcome.is === 'retryable') break;
      }
      const isPaid = reference !== undefined && each % 2 === 0 && (await control(simulator, 'pay', { payment_request_id: reference })).status === 200;
      const state = reference === undefined ? undefined : await xendit.query(reference);
      if (state?.is === 'accepted') queries.push({ reference: reference!, status: state.value.status, isPaid });
      await calls.close();
    }
    const { requests } = await truth(simulator);
    for (const charge_id of new Set(creations.map((creation) => creation.charge_id))) {
      const counted = (...kinds: string[]) => creations.filter((creation) => creation.charge_id === charge_id && kinds.includes(creation.is)).length;
      const there = requests.filter(({ reference_id }) => reference_id === charge_id).length;
      expect(there).toBeGreaterThanOrEqual(counted('accepted'));
      expect(there).toBeLessThanOrEqual(counted('accepted', 'unknown'));
    }
    expect(queries.length).toBeGreaterThan(20);
    expect(queries.filter(({ status, isPaid }) => (status === 'PAID') !== isPaid)).toEqual([]);
    expect(new Set(creations.map(({ is }) => is))).toEqual(new Set(['accepted', 'unknown', 'retryable']));
  });
});
