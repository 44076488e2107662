import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { chargeStream } from '../../src/ledger/events/charge.events.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import { eventually } from '../support/eventually.js';
import { CALLBACK_TOKEN, MemoryProvider, MemoryRoutes } from '../support/memory-provider.js';
import {
  callPatiently,
  CHARGE_ORDER,
  newIdempotencyKey,
  startTestService,
  type Answer,
  type TestMerchant,
  type TestService,
} from '../support/service.js';

let service: TestService;
let provider: MemoryProvider;
let routes: MemoryRoutes;
let live: TestMerchant;

beforeAll(async () => {
  provider = new MemoryProvider();
  routes = new MemoryRoutes(provider);
  service = await startTestService({}, routes);
  live = await service.newMerchant({ mode: 'live' });
});
afterAll(() => service.stop());
beforeEach(() => {
  routes.isStopped = false;
  routes.isUsable = true;
  for (const call of Object.keys(provider.faults)) delete provider.faults[call as keyof typeof provider.faults];
  provider.gate = undefined;
});

const create = (order: object = {}, headers = newIdempotencyKey(), key = live.key): Promise<Answer> =>
  service.call('POST', '/v1/charges', { key, headers, body: { ...CHARGE_ORDER, ...order } });
const detail = async (id: string, key = live.key): Promise<Answer> => service.call('GET', `/v1/charges/${id}`, { key });
const typesOf = async (id: string): Promise<string[]> => (await service.stores.eventStore.read(chargeStream(id))).map(({ type }) => type);
const problem = ({ status, body }: Answer): [number, string] => [status, String(body.type).split('/').at(-1)!];

describe('a charge of a live merchant', () => {
  it('a charge is stored, requested from the provider, and returned with its instruction', async () => {
    const { status, body } = await create();
    expect(status).toBe(200);
    const [known] = provider.of(body.id);
    expect(known!.order).toMatchObject({ amount: 10_000, merchant_name: 'Kopi Kita', attempt: 1, expires_on: expect.any(String) });
    expect(body).toMatchObject({ status: 'PENDING', processor_reference: known!.reference });
    expect(body.action).toEqual({
      type: 'PRESENT_TO_CUSTOMER',
      embedded_url: expect.stringContaining('/pay/'),
      simulation_url: null,
      qr_string: `00020101021226${known!.reference}`,
    });
    expect(await typesOf(body.id)).toEqual(['ChargeCreated', 'ChargeInstructed']);
    expect((await detail(body.id)).body).toMatchObject({
      processor: 'memory-live',
      processor_reference: known!.reference,
      action: body.action,
      status: 'PENDING',
    });
  });

  it('redirects to the provider for a channel with redirection', async () => {
    const { body } = await create({ channel_code: 'wallet_dana', action_flow: 'redirection' });
    expect(body.action).toMatchObject({ type: 'REDIRECT_CUSTOMER', redirect_url: expect.stringContaining('https://provider.test/pr-') });
  });

  it('rejects before anything is stored: no route, bounds of service and rail, parts of a rupiah, a stopped or unusable rail', async () => {
    const creates = provider.count('create');
    expect(problem(await create({ channel_code: 'wallet_shopeepay', action_flow: 'redirection' }))).toEqual([422, 'channel-not-available']);
    expect(problem(await create({ amount: 99 }))).toEqual([422, 'amount-out-of-range']);
    expect(problem(await create({ amount: 9_900 }))).toEqual([422, 'amount-out-of-range']);
    expect(problem(await create({ amount: 10_050 }))).toEqual([422, 'amount-out-of-range']);
    routes.isStopped = true;
    expect(problem(await create({ amount: 99 }))).toEqual([422, 'amount-out-of-range']);
    const headers = newIdempotencyKey();
    const stopped = await create({}, headers);
    expect(problem(stopped)).toEqual([503, 'unavailable']);
    expect(Number(stopped.headers.get('retry-after'))).toBeGreaterThan(0);
    routes.isStopped = false;
    routes.isUsable = false;
    expect(problem(await create({}, headers))).toEqual([503, 'unavailable']);
    routes.isUsable = true;
    expect(provider.count('create')).toBe(creates);
    expect((await create({}, headers)).status).toBe(200);
  });

  it('a repeat returns the first response, also while the rail is stopped', async () => {
    const headers = newIdempotencyKey();
    const first = await create({}, headers);
    routes.isStopped = true;
    const again = await create({}, headers);
    expect(again.status).toBe(200);
    expect(again.text).toBe(first.text);
    expect(problem(await create({ amount: 20_000 }, headers))).toEqual([422, 'idempotency-key-reused']);
  });

  it('an unknown outcome leads to a second request to the provider, and a repeat with the same key continues', async () => {
    provider.faults.create = ['lost'];
    const once = await create();
    expect(once.status).toBe(200);
    expect(provider.of(once.body.id)).toHaveLength(2);
    expect(once.body.processor_reference).toBe(provider.of(once.body.id)[1]!.reference);

    provider.faults.create = ['unknown', 'unknown'];
    const headers = newIdempotencyKey();
    expect(problem(await create({}, headers))).toEqual([503, 'unavailable']);
    const continues = await create({}, headers);
    expect(continues.status).toBe(200);
    expect(await typesOf(continues.body.id)).toEqual(['ChargeCreated', 'ChargeInstructed']);
    expect((await create({}, headers)).text).toBe(continues.text);
  });

  it('a charge is requested from the provider at most five times', async () => {
    provider.faults.create = Array.from({ length: 5 }, () => 'unknown' as const);
    const headers = newIdempotencyKey();
    const creates = provider.count('create');
    for (let n = 0; n < 4; n += 1) expect(problem(await create({}, headers))).toEqual([503, 'unavailable']);
    expect(provider.count('create') - creates).toBe(5);
  });

  it('a definite refusal of the provider fails the charge, with its failure code', async () => {
    provider.faults.create = [{ no: 'CHANNEL_UNAVAILABLE' }];
    const headers = newIdempotencyKey();
    const refused = await create({}, headers);
    expect(refused.status).toBe(200);
    expect(refused.body).toMatchObject({ status: 'FAILED', failure_code: 'CHANNEL_UNAVAILABLE', processor_reference: null });
    expect(await typesOf(refused.body.id)).toEqual(['ChargeCreated', 'ChargeFailed']);
    expect((await create({}, headers)).text).toBe(refused.text);
    expect((await detail(refused.body.id)).body).toMatchObject({ status: 'FAILED', failure_code: 'CHANNEL_UNAVAILABLE', action: null });
    const told = async (type: string): Promise<any> =>
      (await service.call('GET', `/v1/events?Type=${type}&PageSize=100`, { key: live.key })).body.find(
        ({ data }: any) => data.id === refused.body.id,
      );
    await eventually(async () => (await told('charge.failed')) !== undefined);
    expect((await told('charge.failed')).data).toMatchObject({ status: 'FAILED', failure_code: 'CHANNEL_UNAVAILABLE' });
    // A message shows the charge as of its event, without later changes.
    const { data } = await told('charge.created');
    expect(data.status).toBe('PENDING');
    expect(data).not.toHaveProperty('failure_code');
  });

  it('a provider without capacity causes 503 with its Retry-After, and a repeat succeeds', async () => {
    provider.faults.create = ['retryable'];
    const headers = newIdempotencyKey();
    const answer = await create({}, headers);
    expect([...problem(answer), answer.headers.get('retry-after')]).toEqual([503, 'unavailable', '2']);
    expect((await create({}, headers)).status).toBe(200);
  });

  it('50 concurrent requests have one instruction', async () => {
    const headers = newIdempotencyKey();
    const other = await service.another();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        service.call('POST', `${n % 2 ? other.url : service.url}/v1/charges`, { key: live.key, headers, body: CHARGE_ORDER }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.action.qr_string)).size).toBe(1);
    const { id, processor_reference } = answers[0]!.body;
    expect((await typesOf(id)).filter((type) => type === 'ChargeInstructed')).toHaveLength(1);
    expect(provider.of(id).length).toBeLessThanOrEqual(5);
    expect(provider.of(id).some(({ reference }) => reference === processor_reference)).toBe(true);
  });

  it('a channel that needs input of the payer returns only the page', async () => {
    const creates = provider.count('create');
    const headers = newIdempotencyKey();
    const first = await create({ channel_code: 'wallet_ovo', action_flow: 'redirection' }, headers);
    expect(first.body).toMatchObject({ status: 'PENDING', processor_reference: null });
    expect(Object.keys(first.body.action)).toEqual(['type', 'embedded_url', 'simulation_url']);
    expect(provider.count('create')).toBe(creates);
    expect((await detail(first.body.id)).body.action).toBeNull();
  });
});

describe('charges of test merchants', () => {
  it('test charges use the simulator while a provider delays live charges', async () => {
    let open = (): void => undefined;
    provider.gate = new Promise((resolve) => (open = resolve));
    const keys = Array.from({ length: 200 }, () => newIdempotencyKey());
    const waiting = Promise.all(keys.map((headers) => create({}, headers)));
    const before = provider.count('create');
    await eventually(() => Promise.resolve(provider.count('create') >= before + 150));
    const { key } = await service.newMerchant();
    const order = { key, body: CHARGE_ORDER };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => callPatiently('POST', `${service.url}/v1/charges`, { ...order, headers: newIdempotencyKey() })),
    );
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(body.action.simulation_url).not.toBeNull();
      expect(body).not.toHaveProperty('processor_reference');
    }
    open();
    // On a busy machine some requests wait too long and return 503; a repeat succeeds.
    for (const [n, { status }] of (await waiting).entries()) expect(status === 503 ? (await create({}, keys[n])).status : status).toBe(200);
  });

  it('use a sandbox when one is routed, in any amount', async () => {
    const merchant = await service.newMerchant();
    routes.sandboxMerchants.add(merchant.merchant_id);
    const { body } = await create({ amount: 10_050 }, newIdempotencyKey(), merchant.key);
    expect((await detail(body.id, merchant.key)).body).toMatchObject({
      processor: 'memory-sandbox',
      processor_reference: expect.stringMatching(/^pr-/),
    });
    expect(routes.sandbox.of(body.id)).toHaveLength(1);
  });

  it('a repeat resumes at the sandbox, although its merchant is routed there no more', async () => {
    const merchant = await service.newMerchant();
    routes.sandboxMerchants.add(merchant.merchant_id);
    routes.sandbox.faults.create = ['unknown', 'unknown'];
    const headers = newIdempotencyKey();
    expect(problem(await create({}, headers, merchant.key))).toEqual([503, 'unavailable']);
    routes.sandboxMerchants.delete(merchant.merchant_id);
    const again = await create({}, headers, merchant.key);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect(routes.sandbox.of(again.body.id)).toHaveLength(1);
    expect((await detail((await create({}, newIdempotencyKey(), merchant.key)).body.id, merchant.key)).body.processor).toBe('SIMULATOR');
  });
});

const notify = (body: object, rail = 'memory-live', headers: Record<string, string> = { 'x-callback-token': CALLBACK_TOKEN }): Promise<Answer> =>
  service.call('POST', `/v1/rails/${rail}/notifications`, { body, headers });
const about = (charge_id: string | null, processor_reference: string | null = null): object => ({ about: 'charge', charge_id, processor_reference });
const inbox = async (): Promise<{ rows: number; waiting: number; unknown: number }> => {
  const pool = createPool({ url: service.stores.databaseUrl, applicationName: 'remote-charges-test', maxConnections: 1 });
  try {
    const { rows } = await pool.query<Record<'rows' | 'waiting' | 'unknown', bigint>>(
      'select count(*) as rows, count(due_on) as waiting, count(*) filter (where is_unknown) as unknown from rail_inbox',
    );
    return { rows: Number(rows[0]!.rows), waiting: Number(rows[0]!.waiting), unknown: Number(rows[0]!.unknown) };
  } finally {
    await pool.end();
  }
};
const statusOf = async (id: string): Promise<string> => String((await detail(id)).body.status);

describe('a notification of a provider', () => {
  it('a notification is acknowledged at once, and booked after a query at the provider', async () => {
    const { body } = await create();
    const [known] = provider.of(body.id);
    const paid = provider.pay(known!);
    expect((await notify(about(body.id, known!.reference))).status).toBe(200);
    await eventually(async () => (await statusOf(body.id)) === 'SUCCEEDED');
    const { data } = (await service.stores.eventStore.read(chargeStream(body.id))).at(-1)!;
    expect(data).toMatchObject({ payment_reference: paid.payment_reference, amount: 10_000, late_after: null });
  });

  it('a notification with only the provider’s reference finds its charge', async () => {
    const { body } = await create();
    const [known] = provider.of(body.id);
    provider.pay(known!);
    await notify(about(null, known!.reference));
    await eventually(async () => (await statusOf(body.id)) === 'SUCCEEDED');
  });

  it('a wrong token returns 401, and nothing of the notification is stored', async () => {
    const { body } = await create();
    provider.pay(provider.of(body.id)[0]!);
    const before = await inbox();
    for (const headers of [{}, { 'x-callback-token': 'another' }])
      expect(problem(await notify(about(body.id), 'memory-live', headers))).toEqual([401, 'unauthenticated']);
    expect(problem(await notify(about(body.id), 'no-such-rail'))).toEqual([404, 'not-found']);
    expect(await inbox()).toEqual(before);
    expect(await statusOf(body.id)).toBe('PENDING');
  });

  it('forged, repeated and reordered notifications book nothing by themselves', async () => {
    const { body } = await create();
    const [known] = provider.of(body.id);
    const forged = { ...about(body.id, known!.reference), status: 'SUCCEEDED', amount: 1 };
    for (let n = 0; n < 3; n += 1) expect((await notify(forged)).status).toBe(200);
    await eventually(async () => (await inbox()).waiting === 0);
    expect(await typesOf(body.id)).toEqual(['ChargeCreated', 'ChargeInstructed']);
    provider.pay(known!);
    for (let n = 0; n < 5; n += 1) expect((await notify({ ...about(body.id, known!.reference), n })).status).toBe(200);
    await eventually(async () => (await statusOf(body.id)) === 'SUCCEEDED' && (await inbox()).waiting === 0);
    expect((await typesOf(body.id)).filter((type) => type === 'ChargePaid')).toHaveLength(1);
    const { rows } = await inbox();
    await notify(forged);
    expect((await inbox()).rows).toBe(rows);
  });

  it('unknown charges are acknowledged with 200, and their notifications are kept', async () => {
    const before = await inbox();
    for (const unknown of [about(randomUUID()), about('order-1', 'pr-nobody'), about(null, null)]) expect((await notify(unknown)).status).toBe(200);
    const after = await inbox();
    expect([after.rows - before.rows, after.unknown - before.unknown]).toEqual([3, 3]);
  });

  it('a provider that does not respond is queried again', async () => {
    const { body } = await create();
    const [known] = provider.of(body.id);
    provider.pay(known!);
    provider.faults.query = ['unknown'];
    expect((await notify(about(body.id, known!.reference))).status).toBe(200);
    await eventually(async () => (await statusOf(body.id)) === 'SUCCEEDED');
  });

  it('a payment of another amount or currency does not pay the charge', async () => {
    const [other, foreign] = [(await create()).body, (await create()).body];
    provider.pay(provider.of(other.id)[0]!, { amount: 9_000 });
    provider.pay(provider.of(foreign.id)[0]!, { currency: 'MYR' });
    const queries = provider.count('query');
    for (const { id } of [other, foreign]) await notify(about(id));
    await eventually(() => provider.count('query') >= queries + 2);
    // A wrong response may be a temporary mistake of the provider, so the service keeps querying it.
    await eventually(async () => (await inbox()).waiting === 2);
    for (const { id } of [other, foreign]) expect(await typesOf(id)).toEqual(['ChargeCreated', 'ChargeInstructed']);
    provider.of(other.id)[0]!.payments.splice(0);
    provider.of(foreign.id)[0]!.payments.splice(0);
    await eventually(async () => (await inbox()).waiting === 0);
  });

  it('a payment of an instruction that the customer never received finds the charge by our reference', async () => {
    provider.faults.create = ['lost'];
    const { body } = await create();
    const [orphan] = provider.of(body.id);
    provider.pay(orphan!);
    await notify(about(body.id, orphan!.reference));
    await eventually(async () => (await statusOf(body.id)) === 'SUCCEEDED');
  });
});

describe('a cancellation', () => {
  it('a cancellation is booked first, then sent to the provider; a payment meanwhile is a late payment', async () => {
    const [idle, paid] = [(await create()).body, (await create()).body];
    const known = provider.of(paid.id)[0]!;
    for (const { id } of [idle, paid])
      expect((await service.call('POST', `/v1/charges/${id}/cancel`, { key: live.key })).body.status).toBe('CANCELLED');
    provider.pay(known);
    await eventually(() => Promise.resolve(provider.of(idle.id)[0]!.status === 'CANCELLED'));
    await eventually(async () => (await statusOf(paid.id)) === 'SUCCEEDED');
    expect((await service.stores.eventStore.read(chargeStream(paid.id))).at(-1)!.data).toMatchObject({ late_after: 'CANCELLED' });
  });
});

describe('a refund of a charge at a provider', () => {
  const paidCharge = async (): Promise<string> => {
    const { body } = await create();
    provider.pay(provider.of(body.id)[0]!);
    await notify(about(body.id));
    await eventually(async () => (await statusOf(body.id)) === 'SUCCEEDED');
    return body.id as string;
  };
  const refund = (id: string): Promise<Answer> =>
    service.call('POST', `/v1/charges/${id}/refunds`, { key: live.key, headers: newIdempotencyKey(), body: {} });
  const refundStatus = async (id: string): Promise<string> =>
    String((await service.call('GET', `/v1/refunds/${id}`, { key: live.key })).body.refund_status);

  it('a refund is requested once, and then only queried', async () => {
    provider.faults.refund = ['lost'];
    const { status, body } = await refund(await paidCharge());
    expect(status).toBe(201);
    await eventually(() => Promise.resolve(provider.refunds.has(body.id)));
    expect(await refundStatus(body.id)).toBe('PROCESSING');
    const asked = provider.count('refund');
    provider.refunds.set(body.id, { status: 'REFUNDED' });
    await notify({ about: 'refund', refund_id: body.id });
    await eventually(async () => (await refundStatus(body.id)) === 'SUCCEEDED');
    expect(provider.count('refund')).toBe(asked);
  });

  it('a definite refusal fails the refund, and a retryable error repeats the request', async () => {
    provider.faults.refund = ['retryable', { no: 'REFUND_NOT_SUPPORTED' }];
    const { body } = await refund(await paidCharge());
    await eventually(async () => (await refundStatus(body.id)) === 'FAILED');
    expect(provider.refunds.has(body.id)).toBe(false);
  });
});
