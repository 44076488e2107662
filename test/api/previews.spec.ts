import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { daysIn } from '../../src/ledger/days.js';
import { CHARGE_ORDER, newIdempotencyKey, startTestService, type Answer, type TestMerchant, type TestService } from '../support/service.js';

const PAYOUT = {
  ...{ amount: 1_000_000, currency: 'IDR', bank_account_name: 'Siti Rahayu', bank_account_number: '1234567890', bank_name: 'Bank Central Asia' },
  description: 'October takings',
};

/** Members of a problem without those that name the request. */
const withoutIds = ({ body: { instance: _, request_id: __, ...rest } }: Answer): object => rest;

/** The worker settles nothing: the charge stays pending. */
describe('previews', () => {
  let service: TestService;
  let merchant: TestMerchant;
  let charge: { id: string; net_amount: number; settlement_date: string };

  const post = (path: string, body: unknown, key = merchant.key, headers: Record<string, string> = {}): Promise<Answer> =>
    service.call('POST', path, { key, body, headers });
  const get = (path: string): Promise<Answer> => service.call('GET', path, { key: merchant.key });

  beforeAll(async () => {
    service = await startTestService({ ROLES: 'api,projector' });
    merchant = await service.newMerchant();
    const { body } = await post('/v1/charges', { ...CHARGE_ORDER, amount: 5_000_000 }, merchant.key, newIdempotencyKey());
    await service.call('POST', body.action.simulation_url, { body: { outcome: 'succeed' } });
    charge = (await get(`/v1/charges/${body.id}`)).body;
  });
  afterAll(() => service.stop());

  it('a payout shows why it would be refused, and the first day on which it would not be', async () => {
    const { status, body } = await post('/v1/payouts/preview', PAYOUT);
    expect(status).toBe(200);
    const refused = await post('/v1/payouts', PAYOUT, merchant.key, newIdempotencyKey());
    expect(body).toEqual({
      would_succeed: false,
      refusal: { code: 'insufficient-balance', title: refused.body.title, detail: refused.body.detail },
      position: (await get('/v1/balances/IDR/forecast')).body.position,
      ...{ balance_after: null, funded_from: [], approvals_required: 0, pending_reason: null, payout: null },
      earliest_on: daysIn('Asia/Jakarta')(Date.parse(charge.settlement_date)),
    });
    const whole = await post('/v1/payouts/preview', { ...PAYOUT, amount: charge.net_amount });
    expect(whole.body.earliest_on).toBe(body.earliest_on);
    const more = await post('/v1/payouts/preview', { ...PAYOUT, amount: charge.net_amount + 1 });
    expect([more.body.refusal.code, more.body.earliest_on]).toEqual(['insufficient-balance', null]);
  });

  it('a charge is shown as it would be, and changes no balance', async () => {
    const { pending_amount, available_amount, reserved_amount, total_amount, fee_amount } = (await get('/v1/balances/IDR')).body;
    const { status, body } = await post('/v1/charges/preview', CHARGE_ORDER);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ would_succeed: true, refusal: null, funded_from: [], approvals_required: 0, pending_reason: null, earliest_on: null },
      balance_after: { pending_amount, available_amount, reserved_amount, total_amount, fee_amount },
      charge: {
        ...{ id: null, code: null, created_on: null, updated_on: null, status: 'PENDING', settlement_cycle: 'T+2' },
        ...{ merchant_id: merchant.merchant_id, amount: 10_000, fee_amount: 70, net_amount: 9_930, created_by: merchant.key_id },
      },
    });
    expect((await get('/v1/charges')).body.total_item_count).toBe(1);
  });

  it('a refund of pending money is shown with its effect', async () => {
    const { body } = await post(`/v1/charges/${charge.id}/refunds/preview`, { amount: 2_000_000 });
    expect(body.refund).toMatchObject({ id: null, charge_id: charge.id, amount: 2_000_000, refund_status: 'PENDING', created_on: null });
    const { net_amount } = body.refund;
    expect(body.balance_after).toMatchObject({ pending_amount: charge.net_amount - net_amount, reserved_amount: net_amount, available_amount: 0 });
    expect((await get(`/v1/charges/${charge.id}/refunds`)).body).toEqual([]);
  });

  it('a live charge without a rail is refused as its request is', async () => {
    const live = await service.newMerchant({ mode: 'live' });
    const { body } = await post('/v1/charges/preview', CHARGE_ORDER, live.key);
    const { code, title, detail } = (await post('/v1/charges', CHARGE_ORDER, live.key, newIdempotencyKey())).body;
    expect(body.refusal).toEqual({ code, title, detail });
    expect(code).toBe('channel-not-available');
  });

  it('a payout of no balance and of another currency, and one that its fee takes whole, are refused in the response', async () => {
    const codeOf = async (body: object): Promise<string> => (await post('/v1/payouts/preview', { ...PAYOUT, ...body })).body.refusal.code;
    expect(await codeOf({ currency: 'USD' })).toBe('currency-mismatch');
    expect(await codeOf({ amount: 1 })).toBe('amount-out-of-range');
    expect((await post('/v1/payouts/preview', { ...PAYOUT, currency: 'SGD', amount: 1_000 })).body.earliest_on).toBeNull();
  });

  describe.each([
    ['/v1/payouts', PAYOUT, 'payouts:read', 'payouts:write'],
    ['/v1/charges', CHARGE_ORDER, 'charges:read', 'charges:write'],
    ['/v1/charges/CHARGE/refunds', {}, 'refunds:read', 'refunds:write'],
  ])('of %s', (path, body, scope, other) => {
    const preview = (sent: unknown, key?: string, headers?: Record<string, string>): Promise<Answer> =>
      post(`${path.replace('CHARGE', charge.id)}/preview`, sent, key, headers);

    it('refuses a body as the request does', async () => {
      for (const sent of [{ ...body, surprise: 1 }, { ...body, amount: 1.5 }, { ...body, metadata: { simulate: 1 } }, [], '{']) {
        const previewed = await preview(sent);
        const requested = await post(path.replace('CHARGE', charge.id), sent, merchant.key, newIdempotencyKey());
        expect(previewed.status).toBe(400);
        expect(withoutIds(previewed)).toEqual(withoutIds(requested));
      }
      expect((await preview({ ...body, description: 'x'.repeat(1_200_000) })).status).toBe(413);
      expect((await preview(undefined)).status).toBe(400);
    });

    it('ignores an Idempotency-Key', async () => {
      const key = newIdempotencyKey();
      const first = await preview(body, undefined, key);
      expect([first.status, first.headers.get('idempotent-replayed'), first.headers.get('ledger-position')]).toEqual([200, null, null]);
      expect((await preview({ ...body, amount: 1_234 }, undefined, key)).status).toBe(200);
      expect((await preview(body, undefined, { 'idempotency-key': 'no key' })).status).toBe(200);
    });

    it(`needs ${scope}`, async () => {
      expect((await preview(body, await service.newKey(merchant.merchant_id, [scope]))).status).toBe(200);
      expect((await preview(body, await service.newKey(merchant.merchant_id, [other]))).status).toBe(403);
    });

    it('refuses a Min-Ledger-Position beyond the log, as a read does', async () => {
      expect((await preview(body, undefined, { 'min-ledger-position': 'zzzzzzzzzzzz' })).status).toBe(400);
    });
  });

  it('a refund of another merchant’s charge is not found', async () => {
    const other = await service.newMerchant();
    expect((await post(`/v1/charges/${charge.id}/refunds/preview`, {}, other.key)).body.code).toBe('not-found');
    expect((await post('/v1/charges/none/refunds/preview', {})).body.code).toBe('not-found');
  });
});
