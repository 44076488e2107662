import { randomBytes, randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DisputeClaim } from '../../src/domain/charges/disputes/charge-disputes.js';
import type { Notification } from '../../src/domain/charges/processor.js';
import { timestamp } from '../../src/ledger/time.js';
import { setFee } from '../../src/domain/merchants/merchant.commands.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import { readDeeds } from '../../src/rails/simulator/simulator-journal.js';
import { Simulator } from '../../src/rails/simulator/simulator.js';
import { loadServiceSecret } from '../../src/app/service-secret.js';
import { eventually, inTime } from '../support/eventually.js';
import { newFinanceKey } from '../support/finance.js';
import { callPatiently, CHARGE_ORDER, newIdempotencyKey, startTestService, type Answer, type TestService } from '../support/service.js';

const KEY = randomBytes(32);

describe('disputes', () => {
  let pool: Pool;
  let service: TestService;
  let simulator: Simulator;
  let key: string;
  let merchant_id: string;

  beforeAll(async () => {
    service = await startTestService({
      ENCRYPTION_KEY: KEY.toString('base64'),
      SETTLEMENT_INTERVAL_SECONDS: '3600',
      DISPUTE_REMINDER_SECONDS: '2',
    });
    simulator = new Simulator(await loadServiceSecret(service.stores.databaseUrl, KEY));
    pool = createPool({ url: service.stores.databaseUrl, applicationName: 'test', maxConnections: 1 });
  });
  afterAll(async () => {
    await pool.end();
    await service.stop();
  });
  beforeEach(async () => {
    ({ key, merchant_id } = await service.newMerchant());
  });

  const get = async (path: string) => (await service.call('GET', path, { key })).body;
  const post = (path: string): Promise<Answer> => service.call('POST', path, { key });
  const created = async () => {
    const { body: charge } = await service.call('POST', '/v1/charges', { key, headers: newIdempotencyKey(), body: CHARGE_ORDER });
    const play = (outcome: string, more: object = {}): Promise<Answer> =>
      service.call('POST', charge.action.simulation_url, { body: { outcome, ...more } });
    return { id: charge.id as string, play };
  };
  const paid = async (...outcomes: string[]): Promise<string> => {
    const { id, play } = await created();
    for (const outcome of ['succeed', ...outcomes]) await play(outcome);
    return id;
  };
  /** Returns the operations that the simulated processor has executed for a charge. */
  const deedsOf = async (chargeId: string): Promise<string[]> =>
    (await readDeeds(pool)).flatMap(({ record_id, kind, amount }) => (record_id === chargeId ? [`${kind} ${amount}`] : []));
  const common = (charge_id: string) => ({ notification_id: `n-${randomUUID()}`, charge_id, occurred_on: new Date().toISOString() });
  const notify = (notification: Notification): Promise<Answer> => {
    const { body, headers } = simulator.sign(notification, Date.now());
    return service.call('POST', '/processors/simulator/notifications', { body: body.toString(), headers: headers as Record<string, string> });
  };
  const said = (claim: Partial<DisputeClaim> = {}): DisputeClaim => ({
    ...{ reference: 'D-1', stage: 'CHARGEBACK', amount: 10_000, reason_code: '13.1', reason: 'Not received' },
    due_by: timestamp(Date.now() + 604_800_000),
    ...claim,
  });
  const open = (id: string, claim?: Partial<DisputeClaim>): Promise<Answer> => notify({ kind: 'dispute-opened', ...common(id), ...said(claim) });
  const win = (id: string, stage: DisputeClaim['stage'], final = false): Promise<Answer> =>
    notify({ kind: 'dispute-won', ...common(id), reference: 'D-1', stage, final });
  const lose = (id: string, stage: DisputeClaim['stage']): Promise<Answer> =>
    notify({ kind: 'dispute-lost', ...common(id), reference: 'D-1', stage });
  const disputeOf = async (id: string) => (await get(`/v1/disputes?ChargeId=${id}`))[0];
  /** A dispute copies the fee that the process knows; a change of the fee reaches the process within a moment. */
  const agreeOnFee = async (value: number): Promise<void> => {
    await setFee(service.deps, merchant_id, { kind: 'dispute', currency: 'IDR' }, { type: 'FIXED', value });
    await eventually(async () =>
      ((await get('/v1/merchants/me')).fees.disputes as { fee: { value: number } }[]).some(({ fee }) => fee.value === value),
    );
  };
  /** Adds a file as evidence; the tests of the evidence route cover its content. */
  const addEvidence = async (dispute_id: string): Promise<void> => {
    const url = `${service.url}/v1/disputes/${dispute_id}/evidence?Name=receipt.pdf&Category=receipt`;
    const answer = await callPatiently('POST', url, { key, body: Buffer.from('%PDF-1.7\n'), headers: { 'content-type': 'application/pdf' } });
    expect(answer.status).toBe(201);
  };

  it('hold the money of a charge before its settlement, reject refunds meanwhile, and can be accepted', async () => {
    const due_by = timestamp(Date.now() + 604_800_000);
    const refundOf = (id: string, body: object = {}) =>
      service.call('POST', `/v1/charges/${id}/refunds`, { key, headers: newIdempotencyKey(), body });
    // The dispute must open before the processor has the refund.
    const id = await inTime(async () => {
      ({ key, merchant_id } = await service.newMerchant());
      const id = await paid();
      const { body: waiting } = await refundOf(id, { amount: 4000 });
      expect((await open(id, { due_by })).body).toEqual({ charge_id: id, applied: true });
      expect((await open(id, { due_by })).body).toEqual({ charge_id: id, applied: false });
      const refund = await get(`/v1/refunds/${waiting.id}`);
      if (refund.submitted_on !== null) return undefined;
      expect(refund).toMatchObject({ refund_status: 'CANCELLED', status_reason: 'CHARGE_DISPUTED' });
      return id;
    });
    const refund = () => refundOf(id);
    const dispute = await disputeOf(id);
    expect(dispute).toEqual({
      ...{ id: expect.any(String), charge_id: id, merchant_id, currency: 'IDR', reference: 'D-1', stage: 'CHARGEBACK' },
      ...{ dispute_status: 'ACTION_REQUIRED', amount: 10_000, held_amount: 10_000, excess_amount: 0, refunded_amount: 0, fee_amount: 0 },
      ...{ reason_code: '13.1', reason: 'Not received', due_by, is_final: false, lost_reason: null, evidence: [] },
      ...{ opened_on: expect.any(String), challenged_on: null, submitted_on: null, won_on: null, lost_on: null },
      ...{ updated_by: 'System', updated_on: expect.any(String) },
    });
    expect(await get('/v1/balances/IDR')).toMatchObject({ pending_amount: 0, reserved_amount: 9930, fee_amount: 70 });
    expect(await get(`/v1/charges/${id}`)).toMatchObject({ disputed_amount: 10_000, refundable_amount: 0, refunded_amount: 0 });
    expect((await refund()).body).toMatchObject({ status: 409, code: 'charge-disputed' });
    const accepted = await post(`/v1/disputes/${dispute.id}/accept`);
    expect([accepted.status, accepted.body]).toMatchObject([200, { dispute_status: 'LOST', lost_reason: 'ACCEPTED', held_amount: 10_000 }]);
    expect((await post(`/v1/disputes/${dispute.id}/accept`)).text).toBe(accepted.text);
    expect((await post(`/v1/disputes/${dispute.id}/challenge`)).body.code).toBe('state-conflict');
    expect(await get('/v1/balances/IDR')).toMatchObject({ pending_amount: 0, available_amount: 0, reserved_amount: 0, fee_amount: 0 });
    expect(await deedsOf(id)).toEqual(['PAYMENT 10000', 'DISPUTE -10000']);
    expect((await refund()).body.code).toBe('refund-exceeds-charge');
  });

  it('take settled money with the next settlement, return it when won, can be reopened, and cost their fee when lost', async () => {
    await agreeOnFee(500);
    const id = await paid('settle');
    await eventually(async () => {
      await open(id);
      return (await disputeOf(id)) !== undefined;
    });
    await eventually(async () => (await get('/v1/balances/IDR')).available_amount === 0);
    const dispute = await disputeOf(id);
    expect(dispute.fee_amount).toBe(500);
    expect(await get('/v1/balances/IDR')).toMatchObject({ reserved_amount: 9930, available_count: 1 });
    expect((await post(`/v1/disputes/${dispute.id}/challenge`)).body).toMatchObject({ status: 422, code: 'evidence-missing' });
    await addEvidence(dispute.id);
    const challenged = await post(`/v1/disputes/${dispute.id}/challenge`);
    expect(challenged.body).toMatchObject({ dispute_status: 'UNDER_REVIEW', evidence: [{ category: 'RECEIPT', erased: false }] });
    await eventually(async () => (await get(`/v1/disputes/${dispute.id}`)).submitted_on !== null);
    expect((await win(id, 'CHARGEBACK')).body.applied).toBe(true);
    await eventually(async () => (await get('/v1/balances/IDR')).available_amount === 9930);
    expect((await open(id, { stage: 'PRE_ARBITRATION', amount: 4000 })).body.applied).toBe(true);
    await eventually(async () => (await get('/v1/balances/IDR')).available_amount === 5958);
    for (const late of [await win(id, 'CHARGEBACK'), await lose(id, 'CHARGEBACK'), await open(id)]) expect(late.body.applied).toBe(false);
    expect((await lose(id, 'PRE_ARBITRATION')).body.applied).toBe(true);
    await eventually(async () => (await get('/v1/balances/IDR')).available_amount === 5458);
    expect(await get(`/v1/disputes/${dispute.id}`)).toMatchObject({ dispute_status: 'LOST', lost_reason: 'DECIDED', held_amount: 4000 });
    expect(await get('/v1/balances/IDR')).toMatchObject({ reserved_amount: 0, fee_amount: 42 + 500 });
    expect((await win(id, 'PRE_ARBITRATION', true)).body.applied).toBe(true);
    await eventually(async () => (await get('/v1/balances/IDR')).available_amount === 9430);
    expect(await get(`/v1/disputes/${dispute.id}`)).toMatchObject({ dispute_status: 'WON', is_final: true, held_amount: 0 });
    const settlements = await get('/v1/settlements?PageSize=100');
    const lines = await Promise.all(settlements.map(async (of: { id: string }) => (await get(`/v1/settlements/${of.id}`)).lines));
    const kinds = lines.flat().map(({ kind, net_amount }: { kind: string; net_amount: number }) => [kind, net_amount]);
    expect(kinds).toEqual([
      ['CHARGE', 9930],
      ['DISPUTE_HOLD', -9930],
      ['DISPUTE_RELEASE', 9930],
      ['DISPUTE_HOLD', -3972],
      ['DISPUTE_FEE', -500],
      ['DISPUTE_RELEASE', 3972],
    ]);
    const ofCharge = { charge_id: id };
    const ofDispute = { ...ofCharge, dispute_id: dispute.id };
    const { key: finance } = await newFinanceKey(service);
    const audited = await Promise.all(
      settlements.map(async (of: { id: string }) => (await service.call('GET', `/audit/settlements/${of.id}`, { key: finance })).body.lines),
    );
    for (const shown of [lines.flat(), audited.flat()]) expect(shown).toMatchObject([ofCharge, ...Array<object>(5).fill(ofDispute)]);
    expect(await get('/v1/balances/IDR/explain')).toMatchObject({ currency: 'IDR' });
  });

  it('an open dispute sends a reminder before its due time, and is lost when it passes without an answer', async () => {
    const id = await paid();
    await open(id, { due_by: timestamp(Date.now() + 3_500) });
    await eventually(async () => (await disputeOf(id)).dispute_status === 'LOST');
    expect(await disputeOf(id)).toMatchObject({ lost_reason: 'LAPSED', updated_by: 'System' });
    const types = (await get(`/v1/charges/${id}/events`)).map(({ type }: { type: string }) => type);
    expect(types.slice(2)).toEqual(['ChargeDisputeOpened', 'ChargeDisputeHeld', 'ChargeDisputeDueSoon', 'ChargeDisputeLost']);
    expect(await deedsOf(id)).toEqual(['PAYMENT 10000', 'DISPUTE -10000']);
  });

  it('the simulator opens, wins and reopens disputes, and settles the money that they move', async () => {
    await agreeOnFee(500);
    const { id, play } = await created();
    for (const outcome of ['succeed', 'settle']) await play(outcome);
    const available = async () => (await get('/v1/balances/IDR')).available_amount;
    const opened = await play('dispute-open');
    expect(opened.body).toEqual({
      status: 'SUCCEEDED',
      settlement_status: 'SETTLED',
      dispute: { id: expect.any(String), dispute_status: 'ACTION_REQUIRED' },
    });
    expect(await available()).toBe(0);
    const dispute_id = opened.body.dispute.id;
    const dispute = await get(`/v1/disputes/${dispute_id}`);
    expect(dispute).toMatchObject({ stage: 'CHARGEBACK', amount: 10_000, held_amount: 10_000, reason: 'Disputed in the simulator' });
    expect(dispute.reference).toMatch(/^SIM-[0-9A-F]{12}$/);
    expect(Date.parse(dispute.due_by) - Date.parse(dispute.opened_on)).toBeGreaterThan(604_790_000);
    expect((await play('dispute-win')).body.dispute).toEqual({ id: dispute_id, dispute_status: 'WON' });
    expect(await available()).toBe(9930);
    expect((await play('dispute-win')).status).toBe(200);
    const contradicted = [await play('dispute-win', { final: true }), await play('dispute-lose', { dispute_id })];
    expect(contradicted.map(({ body }) => body.code)).toEqual(['state-conflict', 'state-conflict']);
    expect((await play('dispute-reopen')).body.dispute).toEqual({ id: dispute_id, dispute_status: 'ACTION_REQUIRED' });
    expect(await get(`/v1/disputes/${dispute_id}`)).toMatchObject({ stage: 'PRE_ARBITRATION', amount: 10_000 });
    expect(await available()).toBe(0);
    expect((await play('dispute-lose')).body.dispute).toEqual({ id: dispute_id, dispute_status: 'LOST' });
    expect(await available()).toBe(-500);
    expect((await play('dispute-lose')).status).toBe(200);
    expect((await play('dispute-reopen')).body.code).toBe('state-conflict');
    expect((await play('dispute-win', { final: true })).body.dispute.dispute_status).toBe('WON');
    expect(await available()).toBe(9430);
    expect(await get(`/v1/disputes/${dispute_id}`)).toMatchObject({ is_final: true });
    expect((await play('dispute-reopen')).body.code).toBe('state-conflict');
    const types = (await get(`/v1/charges/${id}/events?PageSize=100`)).map(({ type }: { type: string }) => type);
    expect(types.filter((type: string) => /^ChargeDispute(Opened|Reopened|Won|Lost)$/.test(type))).toHaveLength(5);
  });

  it('a dispute lost at the simulator before settlement takes its fee, and the charge stays pending', async () => {
    await agreeOnFee(500);
    const { play } = await created();
    await play('succeed');
    const one = { reference: 'BANK-1', amount: 4000, reason: 'What is this?' };
    const asked = await play('dispute-open', { ...one, stage: 'inquiry', due_in_seconds: 3600 });
    expect(asked.body.dispute.dispute_status).toBe('INQUIRY');
    expect(await get(`/v1/disputes/${asked.body.dispute.id}`)).toMatchObject({ ...one, stage: 'INQUIRY', held_amount: 0 });
    expect((await play('dispute-reopen')).body.dispute.dispute_status).toBe('ACTION_REQUIRED');
    const other = await play('dispute-open', { amount: 1000 });
    expect((await play('dispute-lose', { dispute_id: asked.body.dispute.id })).body).toEqual({
      status: 'SUCCEEDED',
      settlement_status: 'PENDING',
      dispute: { id: asked.body.dispute.id, dispute_status: 'LOST' },
    });
    expect(await get('/v1/balances/IDR')).toMatchObject({ available_amount: -500, pending_count: 1 });
    expect(await get(`/v1/disputes/${other.body.dispute.id}`)).toMatchObject({ dispute_status: 'ACTION_REQUIRED', held_amount: 1000 });
    for (const stage of ['PRE_ARBITRATION', 'ARBITRATION']) {
      await play('dispute-reopen');
      expect(await get(`/v1/disputes/${other.body.dispute.id}`)).toMatchObject({ stage });
    }
    expect((await play('dispute-reopen')).body.code).toBe('state-conflict');
  });

  it('the simulator rejects outcomes without a matching dispute with 409, and unknown or malformed fields with 400', async () => {
    const { play } = await created();
    expect((await play('dispute-open')).body.code).toBe('state-conflict');
    await play('succeed');
    for (const outcome of ['dispute-win', 'dispute-lose', 'dispute-reopen']) expect((await play(outcome)).body.code).toBe('state-conflict');
    const wrong: readonly [string, Record<string, unknown>][] = [
      ['dispute-open', { stage: 'LATER' }],
      ['dispute-open', { amount: 0 }],
      ['dispute-open', { amount: 1.5 }],
      ['dispute-open', { amount: '100' }],
      ['dispute-open', { amount: 2 ** 53 }],
      ['dispute-open', { due_in_seconds: 0 }],
      ['dispute-open', { reference: 'a b' }],
      ['dispute-open', { reason: 'x'.repeat(256) }],
      ['dispute-open', { dispute_id: randomUUID() }],
      ['dispute-open', { final: true }],
      ['dispute-lose', { final: true }],
      ['dispute-lose', { stage: 'CHARGEBACK' }],
      ['dispute-win', { amount: 100 }],
      ['settle', { dispute_id: randomUUID() }],
    ];
    for (const [outcome, field] of wrong) {
      const { body } = await play(outcome, field);
      expect([outcome, body.code, body.errors.map(({ pointer }: { pointer: string }) => pointer)]).toEqual([
        outcome,
        'validation-failed',
        Object.keys(field).map((name) => `/${name}`),
      ]);
    }
    const stranger = await created();
    await stranger.play('succeed');
    const foreign = await stranger.play('dispute-open');
    expect((await play('dispute-lose', { dispute_id: foreign.body.dispute.id })).status).toBe(404);
    expect(await get('/v1/disputes?PageSize=100')).toHaveLength(1);
  });

  it('disputes of unpaid charges and outcomes before a chargeback return 409, malformed ones 400', async () => {
    const { id: unpaid } = await created();
    expect((await open(unpaid)).body).toMatchObject({ status: 409, code: 'state-conflict' });
    expect((await open(randomUUID())).status).toBe(404);
    const id = await paid();
    for (const early of [await win(id, 'CHARGEBACK'), await lose(id, 'CHARGEBACK')]) expect(early.body.code).toBe('state-conflict');
    expect((await open(id, { stage: 'INQUIRY' })).body.applied).toBe(true);
    expect(await disputeOf(id)).toMatchObject({ dispute_status: 'INQUIRY', held_amount: 0, excess_amount: 0 });
    expect((await win(id, 'CHARGEBACK')).body.code).toBe('state-conflict');
    expect(await get('/v1/balances/IDR')).toMatchObject({ pending_amount: 9930, reserved_amount: 0 });
    const { id: disputeId } = await disputeOf(id);
    expect((await post(`/v1/disputes/${disputeId}/accept`)).body.code).toBe('state-conflict');
    for (const wrong of [{ amount: 0 }, { stage: 'LATER' as never }, { due_by: 'tomorrow' }, { reason: '' }, { reference: 'a b' }])
      expect((await open(id, wrong)).body.code).toBe('validation-failed');
  });

  it('only their own merchant reads disputes: with scopes, in pages, by filters and by ETag', async () => {
    const ids = [await paid(), await paid(), await paid()];
    const soon = timestamp(Date.now() + 86_400_000);
    await open(ids[0]!, { due_by: soon });
    await open(ids[1]!, { stage: 'INQUIRY' });
    await open(ids[2]!);
    await lose(ids[2]!, 'CHARGEBACK');
    const listed = async (query: string): Promise<number[]> =>
      (await get(`/v1/disputes?${query}`)).map(({ charge_id }: { charge_id: string }) => ids.indexOf(charge_id));
    expect(await listed('')).toEqual([0, 1, 2]);
    expect(await listed('IsDescending=true')).toEqual([2, 1, 0]);
    expect(await listed('Status=inquiry')).toEqual([1]);
    expect(await listed('Currency=MYR')).toEqual([]);
    expect(await listed(`DueBefore=${encodeURIComponent(soon)}`)).toEqual([0]);
    expect(await listed(`DateTo=${encodeURIComponent(timestamp(Date.now() - 3_600_000))}`)).toEqual([]);
    const page = await service.call('GET', '/v1/disputes?PageSize=1&PageNumber=2', { key });
    expect([page.body.length, page.headers.get('x-total-count')]).toEqual([1, '3']);
    const { id } = await disputeOf(ids[0]!);
    const read = await service.call('GET', `/v1/disputes/${id}`, { key });
    const etag = read.headers.get('etag')!;
    expect((await service.call('GET', `/v1/disputes/${id}`, { key, headers: { 'if-none-match': etag } })).status).toBe(304);
    await post(`/v1/disputes/${id}/accept`);
    expect((await service.call('GET', `/v1/disputes/${id}`, { key, headers: { 'if-none-match': etag } })).status).toBe(200);
    const reader = await service.newKey(merchant_id, ['disputes:read']);
    expect((await service.call('GET', `/v1/disputes/${id}`, { key: reader })).status).toBe(200);
    expect((await service.call('POST', `/v1/disputes/${id}/accept`, { key: reader })).status).toBe(403);
    expect((await service.call('GET', '/v1/disputes', { key: await service.newKey(merchant_id, ['charges:read']) })).status).toBe(403);
    const { key: other } = await service.newMerchant();
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/challenge'],
      ['POST', '/accept'],
    ] as const) {
      expect((await service.call(method, `/v1/disputes/${id}${path}`, { key: other })).status).toBe(404);
    }
  });
});
