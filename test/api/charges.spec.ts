import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
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
let merchant: TestMerchant;

beforeAll(async () => {
  service = await startTestService();
  merchant = await service.newMerchant();
});
afterAll(() => service.stop());

const create = (overrides: object = {}, headers: Record<string, string> = newIdempotencyKey(), key = merchant.key): Promise<Answer> =>
  service.call('POST', '/v1/charges', { key, body: { ...CHARGE_ORDER, ...overrides }, headers });
const get = (path: string, key = merchant.key): Promise<Answer> => service.call('GET', path, { key });
const play = (charge: Answer, outcome: string): Promise<Answer> => service.call('POST', charge.body.action.simulation_url, { body: { outcome } });

const WHEN = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('creating a charge', () => {
  it('returns 200 with shape A and the location of the charge', async () => {
    const answer = await create();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('location')).toBe(`/v1/charges/${answer.body.id}`);
    expect(answer.headers.get('ledger-position')).toMatch(/^[0-9a-z]+$/);
    expect(answer.headers.get('ledger-lag')).toBeNull();
    expect(answer.headers.get('idempotent-replayed')).toBeNull();
    expect(answer.body).toEqual({
      id: expect.stringMatching(UUID),
      code: expect.stringMatching(/^CHG_[0-9A-Z]{16}$/),
      merchant_id: merchant.merchant_id,
      reference_id: 'order-1001',
      amount: 10_000,
      currency: 'IDR',
      channel_code: 'QR_QRIS',
      action_flow: 'PAYLOAD',
      status: 'PENDING',
      description: 'Two coffees',
      meta_data: { table: '7' },
      created_by: merchant.key_id,
      updated_by: merchant.key_id,
      created_on: expect.stringMatching(WHEN),
      updated_on: answer.body.created_on,
      action: {
        type: 'PRESENT_TO_CUSTOMER',
        embedded_url: expect.stringContaining(`${service.url}/pay/`),
        simulation_url: expect.stringContaining(`${service.url}/simulate/`),
        qr_string: expect.stringMatching(/^000201.*6304[0-9A-F]{4}$/),
      },
    });
  });

  it('sets defaults for absent fields, and reads 10000.0 as 10000', async () => {
    const body = '{"amount":10000.0,"currency":"idr","channel_code":"QR_qris","action_flow":"Embedded","reference_id":"x"}';
    const answer = await service.call('POST', '/v1/charges', { key: merchant.key, body, headers: newIdempotencyKey() });
    expect(answer.body).toMatchObject({ amount: 10_000, currency: 'IDR', action_flow: 'EMBEDDED', description: null, meta_data: {} });
  });

  it('keeps metadata keys that have a meaning in JavaScript', async () => {
    const body = `{"amount":10000,"currency":"IDR","channel_code":"qr_qris","action_flow":"payload","reference_id":"x",
      "metadata":{"__proto__":"a","constructor":"b","toString":"c"}}`;
    const answer = await service.call('POST', '/v1/charges', { key: merchant.key, body, headers: newIdempotencyKey() });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('"meta_data":{"__proto__":"a","constructor":"b","toString":"c"}');
    expect((await get(`/v1/charges/${answer.body.id}`)).text).toContain('"meta_data":{"__proto__":"a","constructor":"b","toString":"c"}');
  });

  it('rejects every channel with 422 for a live merchant without a payment provider', async () => {
    const live = await service.newMerchant({ mode: 'live' });
    const answer = await create({ channel_code: 'wallet_ovo', action_flow: 'redirection', amount: 20_000 }, newIdempotencyKey(), live.key);
    expect([answer.status, answer.body.type]).toEqual([422, expect.stringContaining('/problems/channel-not-available')]);
  });

  it('reads that start after the response return the charge', async () => {
    const answer = await create({ reference_id: `visible-${randomUUID()}` });
    const [detail, list, search] = await Promise.all([
      get(`/v1/charges/${answer.body.id}`),
      get(`/v1/charges?Id=${answer.body.id}`),
      get(`/v1/charges?SearchText=${answer.body.reference_id}`),
    ]);
    expect(detail.status).toBe(200);
    expect(list.body.total_item_count).toBe(1);
    expect(search.body.items[0]?.id).toBe(answer.body.id);
  });
});

describe('the same Idempotency-Key', () => {
  it('returns the first response byte for byte, for any order and case of the repeated fields', async () => {
    const headers = newIdempotencyKey();
    const first = await create({}, headers);
    const { metadata, description, ...rest } = CHARGE_ORDER;
    const body = { metadata, description, ...rest, channel_code: 'QR_QRIS', currency: 'idr' };
    const again = await service.call('POST', '/v1/charges', {
      key: merchant.key,
      body,
      headers: { 'Idempotency-Key': `"${headers['idempotency-key']}"` },
    });
    expect(again.status).toBe(200);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
  });

  it('returns the first response also after the charge has changed', async () => {
    const headers = newIdempotencyKey();
    const first = await create({}, headers);
    await play(first, 'succeed');
    expect((await create({}, headers)).text).toBe(first.text);
  });

  it('rejects a different body', async () => {
    const headers = newIdempotencyKey();
    await create({}, headers);
    const other = await create({ amount: 10_001 }, headers);
    expect(other.status).toBe(422);
    expect(other.body.code).toBe('idempotency-key-reused');
  });

  it('the same key of two merchants creates two charges', async () => {
    const headers = newIdempotencyKey();
    const stranger = await service.newMerchant();
    const [mine, theirs] = [await create({}, headers), await create({}, headers, stranger.key)];
    expect(theirs.status).toBe(200);
    expect(theirs.body.id).not.toBe(mine.body.id);
  });

  it('50 equal requests at once on two processes create one charge, with 50 equal responses', async () => {
    const other = await service.another();
    const headers = newIdempotencyKey();
    const body = { ...CHARGE_ORDER, reference_id: `fifty-${randomUUID()}` };
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        callPatiently('POST', `${i % 2 ? other.url : service.url}/v1/charges`, { key: merchant.key, body, headers }),
      ),
    );
    // The processes listen on different addresses. The winner writes its address into the charge, and all other responses repeat it.
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
    // On a busy machine the first response may be 503, and all others are replays.
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null).length).toBeLessThanOrEqual(1);
    expect((await get(`/v1/charges?SearchText=${body.reference_id}`)).body.total_item_count).toBe(1);
  });

  it('a rejected request leaves the key free', async () => {
    const headers = newIdempotencyKey();
    expect((await create({ amount: 1 }, headers)).status).toBe(422);
    expect((await create({}, headers)).status).toBe(200);
  });
});

describe('bounds of a channel', () => {
  it.each([
    [{ amount: 99 }, 422, 'amount-out-of-range'],
    [{ amount: 1_000_000_001 }, 422, 'amount-out-of-range'],
    [{ currency: 'MYR' }, 422, 'currency-mismatch'],
    [{ action_flow: 'redirection' }, 422, 'action-flow-not-supported'],
    [{ channel_code: 'wallet_ovo', amount: 20_000 }, 422, 'action-flow-not-supported'],
    [{ channel_code: 'wallet_unheard_of' }, 400, 'validation-failed'],
  ])('%j returns %i %s', async (overrides, status, code) => {
    const answer = await create(overrides);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it.each([0, -1, 1.5, '10000', null, 2 ** 53, 1e300])('rejects an amount of %j with 400 and its pointer', async (amount) => {
    const answer = await create({ amount });
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual([expect.objectContaining({ pointer: '/amount' })]);
  });

  it('reports every fault in one response', async () => {
    const answer = await service.call('POST', '/v1/charges', {
      key: merchant.key,
      headers: newIdempotencyKey(),
      body: { amont: 1, description: 'a\u0000b' },
    });
    expect(answer.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`).sort()).toEqual([
      '/action_flow required',
      '/amont unknown-field',
      '/amount required',
      '/channel_code required',
      '/currency required',
      '/description control-character',
      '/reference_id required',
    ]);
  });

  it('rejects a request without an Idempotency-Key', async () => {
    expect((await create({}, {})).body).toMatchObject({ status: 400, code: 'idempotency-key-missing' });
    expect((await create({}, { 'idempotency-key': 'k'.repeat(256) })).body).toMatchObject({ status: 400, code: 'idempotency-key-malformed' });
  });
});

describe('reading a charge', () => {
  it('returns shape B, with the fee, net amount and settlement cycle of a future success', async () => {
    const created = await create();
    const { body } = await get(`/v1/charges/${created.body.id}`);
    const { action, ...shapeA } = created.body;
    expect(action).toBeDefined();
    expect(body).toEqual({
      ...shapeA,
      refunded_amount: 0,
      disputed_amount: 0,
      refundable_amount: 0,
      fee: { type: 'PERCENTAGE', value: 0.7 },
      fee_amount: 70,
      net_amount: 9_930,
      charge_statement_id: expect.stringMatching(UUID),
      processor: 'SIMULATOR',
      settlement_cycle: 'T+2',
      settlement_status: 'UNKNOWN',
      settlement_on: null,
      owned_by: merchant.merchant_id,
      last_modified_by: merchant.key_id,
      last_modified_on: created.body.created_on,
    });
  });

  it('returns the same 404 for unknown, malformed and other merchants’ ids', async () => {
    const created = await create();
    const stranger = await service.newMerchant();
    const answers = [
      await get(`/v1/charges/${randomUUID()}`),
      await get('/v1/charges/not-an-id'),
      await get(`/v1/charges/${created.body.id}`, stranger.key),
      await get(`/v1/charges/${created.body.id}/events`, stranger.key),
      await service.call('POST', `/v1/charges/${created.body.id}/cancel`, { key: stranger.key }),
    ];
    const shown = answers.map(({ status, body: { instance: _, request_id: __, ...rest } }) => ({ status, ...rest }));
    for (const answer of shown) expect(answer).toEqual(shown[0]);
    expect(shown[0]).toMatchObject({ status: 404, code: 'not-found' });
  });
});

describe('a payment in the simulator', () => {
  it('sets the charge to SUCCEEDED and makes its net amount pending', async () => {
    const payee = await service.newMerchant();
    const created = await create({}, newIdempotencyKey(), payee.key);
    expect(await play(created, 'succeed')).toMatchObject({ status: 200, body: { status: 'SUCCEEDED', settlement_status: 'PENDING' } });
    const { body } = await get(`/v1/charges/${created.body.id}`, payee.key);
    expect(body).toMatchObject({ status: 'SUCCEEDED', settlement_status: 'PENDING', updated_by: 'System', settlement_on: null });
    expect(body.paid_on).toMatch(WHEN);
    expect(body.settlement_date).toMatch(WHEN);
    const balance = (await get('/v1/balances/idr', payee.key)).body;
    expect(balance).toMatchObject({
      currency: 'IDR',
      total_amount: 9_930,
      pending_amount: 9_930,
      available_amount: 0,
      fee_amount: 70,
      pending_count: 1,
    });
    expect(await play(created, 'succeed')).toMatchObject({ status: 409 });
  });

  it('books money that arrives after a cancellation', async () => {
    const created = await create();
    const cancelled = await service.call('POST', `/v1/charges/${created.body.id}/cancel`, { key: merchant.key });
    expect(cancelled).toMatchObject({ status: 200, body: { status: 'CANCELLED', updated_by: merchant.key_id } });
    expect((await service.call('POST', `/v1/charges/${created.body.id}/cancel`, { key: merchant.key })).text).toBe(cancelled.text);
    expect((await play(created, 'succeed')).body).toEqual({ status: 'SUCCEEDED', settlement_status: 'PENDING' });
    const refused = await service.call('POST', `/v1/charges/${created.body.id}/cancel`, { key: merchant.key });
    expect(refused.body).toMatchObject({ status: 409, code: 'state-conflict' });
  });

  it('the merchant sees the complete history', async () => {
    const created = await create();
    await play(created, 'fail');
    await play(created, 'succeed');
    const { body, headers } = await get(`/v1/charges/${created.body.id}/events`);
    expect(headers.get('x-total-count')).toBe('3');
    expect(body.map(({ type }: { type: string }) => type)).toEqual(['ChargeCreated', 'ChargeFailed', 'ChargePaid']);
    expect(body[2].data.late_after).toBe('FAILED');
    expect(body[0].actor).toBe(merchant.key_id);
    const page = await get(`/v1/charges/${created.body.id}/events?PageSize=1&PageNumber=3`);
    expect(page.body.map(({ type }: { type: string }) => type)).toEqual(['ChargePaid']);
  });
});

describe('a settled charge', () => {
  it('the history contains the settlement, with the charge’s own line only', async () => {
    const created = await create();
    await play(await create(), 'succeed');
    await play(created, 'succeed');
    await play(created, 'settle');
    const { body } = await get(`/v1/charges/${created.body.id}/events`);
    expect(body.map(({ type }: { type: string }) => type)).toEqual(['ChargeCreated', 'ChargePaid', 'ChargeSettlementClaimed', 'FundsSettled']);
    expect(body[3].data.lines).toEqual([{ kind: 'charge', record_id: created.body.id, net_amount: 9_930, fee_amount: 70 }]);
    await play(created, 'reverse');
    const reversed = (await get(`/v1/charges/${created.body.id}/events`)).body.map(({ type }: { type: string }) => type);
    expect(reversed.slice(4)).toEqual(['ChargeReversed', 'ChargeReversalClaimed', 'FundsSettled']);
  });
});

describe('the list of charges', () => {
  it('pages, filters and orders charges, with exact totals', async () => {
    const lister = await service.newMerchant();
    const charges: Answer[] = [];
    for (let i = 0; i < 12; i += 1) {
      charges.push(await create({ amount: 10_000 + (i % 3), reference_id: `R-${i}%_` }, newIdempotencyKey(), lister.key));
    }
    await play(charges[4]!, 'succeed');
    await play(charges[5]!, 'fail');
    const page = await get('/v1/charges?pagesize=5&PAGENUMBER=3', lister.key);
    expect(page.body).toMatchObject({ page_number: 3, page_size: 5, page_count: 3, total_item_count: 12 });
    expect(page.body.items.map(({ id }: { id: string }) => id)).toEqual(charges.slice(10).map(({ body }) => body.id));
    const paid = (await get('/v1/charges?Status=Succeeded', lister.key)).body;
    expect(paid.items).toEqual([
      expect.objectContaining({
        id: charges[4]!.body.id,
        settlement_on: null,
        paid_on: expect.stringMatching(WHEN),
        settlement_date: expect.any(String),
      }),
    ]);
    const failed = (await get('/v1/charges?Status=failed', lister.key)).body.items[0];
    expect(failed).toHaveProperty('failed_on');
    expect(failed).not.toHaveProperty('paid_on');
    expect(failed).not.toHaveProperty('settlement_date');
    const from = encodeURIComponent(charges[3]!.body.created_on).replace('%2B', '+');
    expect((await get(`/v1/charges?DateFrom=${from}`, lister.key)).body.total_item_count).toBe(9);
    expect((await get('/v1/charges?SearchText=r-7%25_', lister.key)).body.items.map(({ id }: { id: string }) => id)).toEqual([charges[7]!.body.id]);
    const byAmount = (await get('/v1/charges?OrderBy=amount&IsDescending=true&PageSize=100', lister.key)).body.items;
    const expected = charges.map(({ body }) => body).sort((a, b) => b.amount - a.amount || (b.id > a.id ? 1 : -1));
    expect(byAmount.map(({ id }: { id: string }) => id)).toEqual(expected.map(({ id }) => id));
    expect((await get('/v1/charges?PageNumber=9', lister.key)).body.items).toEqual([]);
    expect((await get('/v1/charges?IsDescending=false&PageSize=1', lister.key)).body.items[0].id).toBe(charges[0]!.body.id);
  });

  it.each([
    ['PageSize=0', 'PageSize'],
    ['PageSize=101', 'PageSize'],
    ['PageNumber=0', 'PageNumber'],
    ['PageNumber=1.5', 'PageNumber'],
    ['Status=paid', 'Status'],
    ['ChannelCode=cash', 'ChannelCode'],
    ['DateFrom=2026-01-01', 'DateFrom'],
    ['Id=1', 'Id'],
    ['IsDescending=yes', 'IsDescending'],
    ['OrderBy=id', 'OrderBy'],
    ['SearchText=', 'SearchText'],
    ['PageSize=1&pagesize=2', 'PageSize'],
    ['Sort=amount', 'Sort'],
  ])('rejects %s', async (query, parameter) => {
    const answer = await get(`/v1/charges?${query}`);
    expect(answer.body).toMatchObject({ status: 400, code: 'validation-failed', errors: [{ parameter }] });
  });

  it('a new merchant’s list is empty', async () => {
    const nobody = await service.newMerchant();
    expect((await get('/v1/charges', nobody.key)).body).toEqual({ page_number: 1, page_size: 10, page_count: 0, total_item_count: 0, items: [] });
  });
});

describe('ledger positions', () => {
  it('a read with the position of a write waits for that write', async () => {
    const created = await create();
    const position = created.headers.get('ledger-position')!;
    const read = await service.call('GET', `/v1/charges/${created.body.id}`, { key: merchant.key, headers: { 'min-ledger-position': position } });
    expect(read.status).toBe(200);
    const nonsense = await service.call('GET', '/v1/charges', { key: merchant.key, headers: { 'min-ledger-position': 'x!' } });
    expect(nonsense.body).toMatchObject({ status: 400, code: 'validation-failed' });
  });

  // The last one exceeds the positions of both engines.
  it.each(['zzzzzzzzzzzz', '3w5e11264sgsf', 'zzzzzzzzzzzzzzzzzzzzzzzzz'])(
    'positions beyond the head of the log return 400 and mark no merchant’s reads as stale: %s',
    async (beyond) => {
      const behind = await service.call('GET', '/v1/charges', { key: merchant.key, headers: { 'min-ledger-position': beyond } });
      expect(behind.body).toMatchObject({ status: 400, code: 'validation-failed', detail: 'Min-Ledger-Position lies behind the end of the log.' });
      const other = await service.newMerchant();
      expect((await service.call('GET', '/v1/charges', { key: other.key })).headers.get('ledger-lag')).toBeNull();
    },
  );
});

describe('balances', () => {
  it('include every currency of the merchant’s channels, also those with zeros', async () => {
    const nobody = await service.newMerchant();
    const { body } = await get('/v1/balances', nobody.key);
    expect(body.map(({ currency }: { currency: string }) => currency).sort()).toEqual(['IDR', 'MYR', 'SGD']);
    for (const balance of body)
      expect(balance).toMatchObject({
        total_amount: 0,
        available_amount: 0,
        pending_amount: 0,
        reserved_amount: 0,
        fee_amount: 0,
        available_count: 0,
        pending_count: 0,
      });
    expect((await get('/v1/balances/USD', nobody.key)).status).toBe(404);
    expect((await get('/v1/balances/zzz', nobody.key)).status).toBe(404);
  });

  it('balances as of a moment', async () => {
    const payee = await service.newMerchant();
    const before = new Date().toISOString();
    const created = await create({}, newIdempotencyKey(), payee.key);
    await play(created, 'succeed');
    const { paid_on } = (await get(`/v1/charges/${created.body.id}`, payee.key)).body;
    const asOf = (moment: string) => get(`/v1/balances/IDR?AsOf=${encodeURIComponent(moment)}`, payee.key);
    expect((await asOf(before)).body).toMatchObject({ pending_amount: 0, pending_count: 0, fee_amount: 0 });
    expect((await asOf(paid_on)).body).toMatchObject({ pending_amount: 9_930, pending_count: 1, fee_amount: 70 });
    expect((await asOf('2020-01-01T00:00:00Z')).body).toMatchObject({ pending_amount: 0 });
    expect((await asOf('2100-01-01T00:00:00Z')).body).toMatchObject({ status: 400, errors: [{ parameter: 'AsOf' }] });
  });
});
