import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, inTime } from '../support/eventually.js';
import { newFinanceKey } from '../support/finance.js';
import { CHARGE_ORDER, newIdempotencyKey, startTestService, type Answer, type TestService } from '../support/service.js';

describe('refunds', () => {
  let service: TestService;
  let key: string;
  let merchant_id: string;

  beforeAll(async () => {
    service = await startTestService({ SETTLEMENT_INTERVAL_SECONDS: '3600' });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    ({ key, merchant_id } = await service.newMerchant());
  });

  const get = async (path: string) => (await service.call('GET', path, { key })).body;
  const create = async (body: object = CHARGE_ORDER) => {
    const { body: charge } = await service.call('POST', '/v1/charges', { key, headers: newIdempotencyKey(), body });
    const play = (outcome: string, more: object = {}): Promise<Answer> =>
      service.call('POST', charge.action.simulation_url, { body: { outcome, ...more } });
    return { id: charge.id as string, play };
  };
  const paid = async (body?: object) => {
    const charge = await create(body);
    await charge.play('succeed');
    return charge;
  };
  const settled = async (body?: object) => {
    const charge = await paid(body);
    await charge.play('settle');
    return charge;
  };
  const refund = (chargeId: string, body: object = {}, headers: Record<string, string> = newIdempotencyKey()): Promise<Answer> =>
    service.call('POST', `/v1/charges/${chargeId}/refunds`, { key, headers, body });
  const statusOf = async (id: string): Promise<string> => (await get(`/v1/refunds/${id}`)).refund_status;
  const stick = { metadata: { simulate: 'stick' } };

  it('return a part of a pending charge through the processor, with a part of the fee', async () => {
    // With `stick` the processor reports nothing by itself, so the state before the success stays.
    const charge = await paid();
    const asked = {
      amount: 4000,
      reason: 'requested_by_customer',
      reference_id: 'r-1',
      description: 'cold',
      metadata: { desk: '3', ...stick.metadata },
    };
    const answer = await refund(charge.id, asked);
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe(`/v1/refunds/${answer.body.id}`);
    expect(answer.body).toEqual({
      id: expect.any(String),
      charge_id: charge.id,
      merchant_id,
      amount: 4000,
      fee_amount: 28,
      net_amount: 3972,
      currency: 'IDR',
      source: 'PENDING',
      refund_status: 'PENDING',
      status_reason: null,
      processor_reason: null,
      reason: 'REQUESTED_BY_CUSTOMER',
      reference_id: 'r-1',
      description: 'cold',
      meta_data: { desk: '3', simulate: 'stick' },
      submitted_on: null,
      succeeded_on: null,
      failed_on: null,
      cancelled_on: null,
      created_by: expect.stringMatching(/^key_/),
      created_on: expect.any(String),
      updated_by: expect.stringMatching(/^key_/),
      updated_on: expect.any(String),
    });
    expect(await get('/v1/balances/IDR')).toMatchObject({ pending_amount: 5958, reserved_amount: 3972, fee_amount: 70, total_amount: 5958 });
    expect(await get(`/v1/charges/${charge.id}`)).toMatchObject({ refunded_amount: 0, refundable_amount: 6000, disputed_amount: 0, fee_amount: 70 });
    expect((await charge.play('refund-succeed')).body.refund).toEqual({ id: answer.body.id, refund_status: 'SUCCEEDED' });
    expect(await get('/v1/balances/IDR')).toMatchObject({ pending_amount: 5958, reserved_amount: 0, fee_amount: 42, pending_count: 1 });
    expect(await get(`/v1/charges/${charge.id}`)).toMatchObject({ refunded_amount: 4000, refundable_amount: 6000, status: 'SUCCEEDED' });
    // The rest of the charge is settled; its refund afterwards uses the available balance.
    await charge.play('settle');
    expect(await get('/v1/balances/IDR')).toMatchObject({ pending_amount: 0, available_amount: 5958 });
    const rest = await refund(charge.id);
    expect(rest.body).toMatchObject({ amount: 6000, fee_amount: 42, net_amount: 5958, source: 'AVAILABLE' });
    await eventually(async () => (await statusOf(rest.body.id)) === 'SUCCEEDED');
    expect(await get('/v1/balances/IDR')).toMatchObject({ available_amount: 0, reserved_amount: 0, fee_amount: 0, available_count: 1 });
    expect(await get(`/v1/charges/${charge.id}`)).toMatchObject({ refunded_amount: 10_000, refundable_amount: 0 });
    expect((await refund(charge.id)).body).toMatchObject({ status: 422, code: 'refund-exceeds-charge' });
  });

  it('a repeat returns the first response, byte for byte, and another body with its key is rejected', async () => {
    for (const charge of [await paid(), await settled()]) {
      const headers = newIdempotencyKey();
      const answers = await Promise.all(Array.from({ length: 10 }, () => refund(charge.id, { amount: 4000 }, headers)));
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect(answers[0]!.status).toBe(201);
      expect(answers.filter(({ headers: of }) => of.get('idempotent-replayed') === 'true').length).toBe(9);
      // An amount that is left out makes another request, as does another amount.
      for (const body of [{}, { amount: 4001 }]) expect((await refund(charge.id, body, headers)).body.code).toBe('idempotency-key-reused');
      expect((await get(`/v1/charges/${charge.id}/refunds`)).length).toBe(1);
      await eventually(async () => (await statusOf(answers[0]!.body.id)) === 'SUCCEEDED');
      expect((await refund(charge.id, { amount: 4000 }, headers)).text).toBe(answers[0]!.text);
    }
  });

  it('a refund can be cancelled until its hand-over, and returns the money to its balance', async () => {
    const cancel = (id: string): Promise<Answer> => service.call('POST', `/v1/refunds/${id}/cancel`, { key });
    const [charge, second] = await inTime(async () => {
      ({ key } = await service.newMerchant());
      const charge = await paid();
      const { body: first } = await refund(charge.id, { amount: 4000 });
      const cancelled = await cancel(first.id);
      if (cancelled.status === 409) return undefined;
      expect([cancelled.status, cancelled.body]).toMatchObject([200, { refund_status: 'CANCELLED', status_reason: 'REQUESTED' }]);
      expect((await cancel(first.id)).text).toBe(cancelled.text);
      expect(await get('/v1/balances/IDR')).toMatchObject({ pending_amount: 9930, reserved_amount: 0 });
      await charge.play('settle');
      const { body: second } = await refund(charge.id, { amount: 4000 });
      const { status } = await cancel(second.id);
      if (status === 409) return undefined;
      expect(status).toBe(200);
      return [charge, second] as const;
    });
    await eventually(async () => (await get('/v1/balances/IDR')).available_amount === 9930);
    const settlement = (await get('/v1/settlements')).at(-1);
    expect(settlement.totals).toEqual({ net_amount: 3972, charges: 0, reversals: 0, returns: 0, refunds: 1, disputes: 0 });
    expect((await get(`/v1/settlements/${settlement.id}`)).lines).toEqual([
      { kind: 'REFUND_RETURN', charge_id: charge.id, refund_id: second.id, net_amount: 3972 },
    ]);
    const { body: third } = await refund(charge.id, { amount: 1000, ...stick });
    await eventually(async () => (await statusOf(third.id)) === 'PROCESSING');
    expect((await cancel(third.id)).body.code).toBe('state-conflict');
    expect((await cancel(charge.id)).status).toBe(404);
  });

  it('metadata.simulate lets a refund be rejected, or returned after its success', async () => {
    const charge = await settled();
    const { body: failing } = await refund(charge.id, { amount: 3000, metadata: { simulate: 'fail' } });
    await eventually(async () => (await statusOf(failing.id)) === 'FAILED');
    expect(await get(`/v1/refunds/${failing.id}`)).toMatchObject({
      status_reason: 'REJECTED',
      processor_reason: expect.any(String),
      succeeded_on: null,
    });
    const { body: bouncing } = await refund(charge.id, { amount: 3000, metadata: { simulate: 'bounce' } });
    await eventually(async () => (await statusOf(bouncing.id)) === 'FAILED');
    expect(await get(`/v1/refunds/${bouncing.id}`)).toMatchObject({
      status_reason: 'BOUNCED',
      succeeded_on: expect.any(String),
      failed_on: expect.any(String),
    });
    await eventually(async () => (await get('/v1/balances/IDR')).available_amount === 9930);
    expect(await get('/v1/balances/IDR')).toMatchObject({ reserved_amount: 0, fee_amount: 70 });
    expect(await get(`/v1/charges/${charge.id}`)).toMatchObject({ refunded_amount: 0, refundable_amount: 10_000 });
  });

  it('the simulator decides refunds, and settles returned money', async () => {
    const charge = await settled();
    expect((await charge.play('refund-succeed')).body.code).toBe('state-conflict');
    const { body: one } = await refund(charge.id, { amount: 3000, ...stick });
    const { body: two } = await refund(charge.id, { amount: 2000, ...stick });
    expect((await charge.play('refund-fail')).body).toEqual({
      status: 'SUCCEEDED',
      settlement_status: 'SETTLED',
      refund: { id: two.id, refund_status: 'FAILED' },
    });
    expect(await get('/v1/balances/IDR')).toMatchObject({ available_amount: 9930 - one.net_amount, reserved_amount: one.net_amount });
    expect((await charge.play('refund-bounce', { refund_id: one.id })).body.code).toBe('state-conflict');
    expect((await charge.play('refund-succeed', { refund_id: one.id })).body.refund).toEqual({ id: one.id, refund_status: 'SUCCEEDED' });
    expect((await charge.play('refund-succeed', { refund_id: one.id })).status).toBe(200);
    expect((await charge.play('refund-fail', { refund_id: one.id })).body.code).toBe('state-conflict');
    expect((await charge.play('refund-bounce', { refund_id: one.id })).body.refund).toEqual({ id: one.id, refund_status: 'FAILED' });
    expect(await get('/v1/balances/IDR')).toMatchObject({ available_amount: 9930, reserved_amount: 0, fee_amount: 70 });
    expect((await charge.play('settle', { refund_id: one.id })).body.errors).toMatchObject([{ pointer: '/refund_id' }]);
    expect((await charge.play('refund-fail', { refund_id: charge.id })).status).toBe(404);
  });

  it('invalid refunds are rejected in the order of the contract, and record nothing', async () => {
    const stranger = await service.newMerchant();
    const foreign = await service.call('POST', '/v1/charges', { key: stranger.key, headers: newIdempotencyKey(), body: CHARGE_ORDER });
    for (const id of [foreign.body.id, 'nonsense', '00000000-0000-4000-8000-000000000000']) expect((await refund(id)).status).toBe(404);
    const unpaid = await create();
    expect((await refund(unpaid.id, { amount: 99_999 })).body).toMatchObject({ status: 409, code: 'state-conflict' });
    const reversed = await paid();
    await reversed.play('reverse');
    expect((await refund(reversed.id)).body.code).toBe('state-conflict');
    const fpx = await paid({ ...CHARGE_ORDER, currency: 'MYR', channel_code: 'bank_redirect_fpx', action_flow: 'EMBEDDED' });
    expect((await refund(fpx.id, { amount: 99_999 })).body).toMatchObject({ status: 422, code: 'refund-not-available' });
    const ovo = await paid({ ...CHARGE_ORDER, amount: 10_000, channel_code: 'wallet_ovo', action_flow: 'EMBEDDED' });
    expect((await refund(ovo.id, { amount: 9_999 })).body.code).toBe('refund-not-available');
    expect((await refund(ovo.id, { amount: 10_001 })).body.code).toBe('refund-exceeds-charge');
    expect((await refund(ovo.id)).status).toBe(201);
    const charge = await settled();
    expect((await refund(charge.id, { amount: 10_001 })).body.code).toBe('refund-exceeds-charge');
    const body = { amount: 9_000, currency: 'IDR', bank_account_name: 'A', bank_account_number: '12340003', bank_name: 'B' };
    const big = await settled({ ...CHARGE_ORDER, amount: 300_000 });
    expect((await service.call('POST', '/v1/payouts', { key, headers: newIdempotencyKey(), body: { ...body, amount: 300_000 } })).status).toBe(201);
    expect((await refund(big.id)).body).toMatchObject({ status: 422, code: 'insufficient-balance' });
    expect(await get(`/v1/charges/${big.id}/refunds`)).toEqual([]);
    for (const wrong of [{ amount: 0 }, { amount: 1.5 }, { reason: 'because' }, { reference_id: 'x'.repeat(256) }, { more: 1 }])
      expect((await refund(charge.id, wrong)).body.code).toBe('validation-failed');
    expect((await service.call('POST', `/v1/charges/${charge.id}/refunds`, { key, body: {} })).body.code).toBe('idempotency-key-missing');
  });

  it('require their scopes, are listed with filters, and are read with an ETag', async () => {
    const charge = await paid();
    const other = await paid();
    const { body: first } = await refund(charge.id, { amount: 1000, ...stick });
    const { body: second } = await refund(charge.id, { amount: 2000, ...stick });
    const { body: third } = await refund(other.id, { amount: 3000, ...stick });
    await eventually(async () => (await statusOf(third.id)) === 'PROCESSING');
    const ids = async (query: string): Promise<string[]> => (await get(`/v1/refunds${query}`)).map(({ id }: { id: string }) => id);
    expect(await ids('')).toEqual([first.id, second.id, third.id]);
    expect(await ids('?IsDescending=true&PageSize=1')).toEqual([third.id]);
    expect(await ids(`?ChargeId=${charge.id}`)).toEqual([first.id, second.id]);
    expect(await ids('?Status=processing')).toEqual([first.id, second.id, third.id]);
    expect(await ids('?Status=SUCCEEDED')).toEqual([]);
    expect(await ids('?Currency=SGD')).toEqual([]);
    expect(await ids(`?DateFrom=${encodeURIComponent(third.created_on)}`)).toContain(third.id);
    const page = await service.call('GET', `/v1/charges/${charge.id}/refunds?PageSize=1&PageNumber=2`, { key });
    expect([page.body[0].id, page.headers.get('x-total-count')]).toEqual([second.id, '2']);
    const read = await service.call('GET', `/v1/refunds/${first.id}`, { key });
    const tag = read.headers.get('etag')!;
    expect((await service.call('GET', `/v1/refunds/${first.id}`, { key, headers: { 'if-none-match': tag } })).status).toBe(304);
    const reader = await service.newKey(merchant_id, ['refunds:read']);
    expect((await service.call('GET', '/v1/refunds', { key: reader })).status).toBe(200);
    const headers = newIdempotencyKey();
    const denied = await service.call('POST', `/v1/charges/${charge.id}/refunds`, { key: reader, headers, body: {} });
    expect([denied.status, denied.headers.get('www-authenticate')]).toEqual([403, expect.stringContaining('refunds:write')]);
    const stranger = await service.newMerchant();
    expect((await service.call('GET', `/v1/refunds/${first.id}`, { key: stranger.key })).status).toBe(404);
    expect((await service.call('POST', `/v1/refunds/${first.id}/cancel`, { key: stranger.key })).status).toBe(404);
  });

  it('appear in events, statement, explanation, history and audit', async () => {
    const charge = await settled();
    const { body: going } = await refund(charge.id, { amount: 4000, ...stick });
    await eventually(async () => (await statusOf(going.id)) === 'PROCESSING');
    const explained = await get('/v1/balances/IDR/explain');
    const bucket = (name: string) => explained.buckets.find(({ bucket: of }: { bucket: string }) => of === name);
    for (const name of ['AVAILABLE', 'RESERVED', 'FEES', 'REFUNDS']) {
      const { amount, groups, items } = bucket(name);
      const sum = (of: { amount: number }[]): number => of.reduce((total, each) => total + each.amount, 0);
      expect([name, sum(groups), sum(items)]).toEqual([name, amount, amount]);
    }
    expect(bucket('RESERVED').items).toMatchObject([
      { kind: 'REFUND', id: going.id, amount: 3972, funded_from: [{ settlement_number: 1, amount: 3972 }] },
    ]);
    await charge.play('refund-succeed');
    const kinds = async () =>
      (await get('/v1/statements/IDR')).items.map(({ kind, refund_id }: { kind: string; refund_id: string | null }) => [kind, refund_id]);
    expect(await kinds()).toEqual([
      ['CHARGE_PAID', null],
      ['SETTLEMENT', null],
      ['REFUND_RESERVED', going.id],
      ['REFUND_SUCCEEDED', going.id],
    ]);
    const types = async () => (await get(`/v1/charges/${charge.id}/events?PageSize=100`)).map(({ type }: { type: string }) => type);
    await eventually(async () => (await types()).includes('RefundConfirmed'));
    expect((await types()).filter((type: string) => type.includes('Refund')).sort()).toEqual(
      ['ChargeRefundClaimed', 'ChargeRefundSubmitted', 'ChargeRefundSucceeded', 'RefundConfirmed', 'RefundReserved'].sort(),
    );
    const told = (await get('/v1/events?PageSize=100')).map(({ type }: { type: string }) => type);
    expect(told.slice(4)).toEqual([
      'balance.updated',
      'balance.updated',
      'refund.created',
      'refund.processing',
      'refund.succeeded',
      'balance.updated',
    ]);
    const events = await get('/v1/events?PageSize=100');
    const data = (type: string) => events.find((event: { type: string }) => event.type === type).data;
    expect(data('refund.created')).toEqual(going);
    expect(data('refund.processing')).toMatchObject({ refund_status: 'PROCESSING', succeeded_on: null });
    expect(data('refund.succeeded')).toEqual(await get(`/v1/refunds/${going.id}`));
    expect(data('charge.settled')).toMatchObject({ refunded_amount: 0, refundable_amount: 10_000 });
    const { key: finance } = await newFinanceKey(service);
    const audited = await service.call('GET', `/audit/refunds?MerchantId=${merchant_id}&ChargeId=${charge.id}`, { key: finance });
    expect(audited.body.items).toEqual([{ ...(await get(`/v1/refunds/${going.id}`)), age_days: 0 }]);
    const csv = await service.call('GET', `/audit/refunds?MerchantId=${merchant_id}`, { key: finance, headers: { accept: 'text/csv' } });
    expect(csv.text.split('\n')[0]).toContain('refund_status');
    const trial = await service.call('GET', `/audit/trial-balance?MerchantId=${merchant_id}`, { key: finance });
    expect(trial.body.currencies.map(({ difference }: { difference: number }) => difference)).toEqual([0]);
    const channels = await get('/v1/merchants/me/channels');
    expect(channels.find(({ code }: { code: string }) => code === 'wallet_ovo').refund).toEqual({ days: 7, partial: false });
  });

  it('a hundred concurrent refunds return exactly the paid amount and the whole fee', async () => {
    for (const charge of [await paid(), await settled()]) {
      const answers = await Promise.all(Array.from({ length: 100 }, () => refund(charge.id, { amount: 150, ...stick })));
      const given = answers.filter(({ status }) => status === 201).map(({ body }) => body as { amount: number; fee_amount: number });
      expect(given.length).toBe(66);
      // The account has only the funds of the settled charge, so its balance may be the reason of a refusal.
      for (const { status, body } of answers) if (status !== 201) expect(body.code).toMatch(/^(refund-exceeds-charge|insufficient-balance)$/);
      given.push((await refund(charge.id, stick)).body);
      const sum = (of: 'amount' | 'fee_amount'): number => given.reduce((total, each) => total + each[of], 0);
      expect([sum('amount'), sum('fee_amount')]).toEqual([10_000, 70]);
      expect(await get(`/v1/charges/${charge.id}`)).toMatchObject({ refundable_amount: 0 });
    }
    expect(await get('/v1/balances/IDR')).toMatchObject({ pending_amount: 0, available_amount: 0, reserved_amount: 2 * 9930 });
  });
});
