import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { newEvent } from '../../src/ledger/streams/new-event.js';
import { settlementStream } from '../../src/ledger/events/settlement.events.js';
import { findSettlementStops } from '../../src/domain/settlements/settlement-stops.js';
import { timestamp } from '../../src/ledger/time.js';
import { recordId } from '../../src/ledger/ids/idempotency.js';
import { settlementId } from '../../src/domain/settlements/settlement-run.js';
import { SimulatedBankRail } from '../../src/rails/simulator/simulated-bank-rail.js';
import type { BankNotification } from '../../src/domain/payouts/bank-rail.js';
import { loadServiceSecret } from '../../src/app/service-secret.js';
import { runCli } from '../support/run-cli.js';
import { eventually } from '../support/eventually.js';
import { newFinanceKey } from '../support/finance.js';
import { CHARGE_ORDER, newIdempotencyKey, startTestService, type Answer, type TestService } from '../support/service.js';

const SECRET = Buffer.alloc(32, 9);

describe('settlements', () => {
  let service: TestService;
  let key: string;

  beforeAll(async () => {
    service = await startTestService({ ENCRYPTION_KEY: SECRET.toString('base64'), SETTLEMENT_INTERVAL_SECONDS: '1' });
  });
  afterAll(() => service.stop());

  const create = async (body: object = CHARGE_ORDER): Promise<{ id: string; play: (outcome: string) => Promise<Answer> }> => {
    const { body: charge } = await service.call('POST', '/v1/charges', { key, headers: newIdempotencyKey(), body });
    return { id: charge.id, play: (outcome) => service.call('POST', charge.action.simulation_url, { body: { outcome } }) };
  };
  const balance = async (currency = 'IDR') => (await service.call('GET', `/v1/balances/${currency}`, { key })).body;
  const chargeOf = async (id: string) => (await service.call('GET', `/v1/charges/${id}`, { key })).body;
  const settlements = async (): Promise<{ id: string; number: number; totals: { net_amount: number } }[]> =>
    (await service.call('GET', '/v1/settlements', { key })).body;

  beforeEach(async () => {
    key = (await service.newMerchant()).key;
  });

  it('a settlement moves a charge from pending to available, and lists its lines', async () => {
    const charge = await create();
    await charge.play('succeed');
    expect(await balance()).toMatchObject({
      pending_amount: 9930,
      available_amount: 0,
      pending_count: 1,
      available_count: 0,
      fee_amount: 70,
      total_amount: 9930,
    });
    expect(await chargeOf(charge.id)).toMatchObject({ settlement_status: 'PENDING', settlement_on: null });
    const played = await charge.play('settle');
    expect([played.status, played.body]).toEqual([200, { status: 'SUCCEEDED', settlement_status: 'SETTLED' }]);
    expect(await balance()).toMatchObject({
      pending_amount: 0,
      available_amount: 9930,
      pending_count: 0,
      available_count: 1,
      fee_amount: 70,
      total_amount: 9930,
    });
    expect((await chargeOf(charge.id)).settlement_on).toMatch(/\+00:00$/);
    const [listed] = await settlements();
    const { body: settlement } = await service.call('GET', `/v1/settlements/${listed!.id}`, { key });
    expect(settlement).toEqual({
      ...listed,
      currency: 'IDR',
      number: 1,
      totals: { net_amount: 9930, charges: 1, reversals: 0, returns: 0, refunds: 0, disputes: 0 },
      opened_on: expect.any(String),
      closed_on: expect.any(String),
      lines: [{ kind: 'CHARGE', charge_id: charge.id, net_amount: 9930 }],
    });
  });

  it('a due charge is settled without a request, in its currency', async () => {
    const charge = await create({ ...CHARGE_ORDER, currency: 'SGD', channel_code: 'qr_paynow' });
    await charge.play('succeed');
    await eventually(async () => (await chargeOf(charge.id)).settlement_status === 'SETTLED');
    expect(await balance('SGD')).toMatchObject({ pending_amount: 0, available_amount: 9870 });
    expect(await balance('IDR')).toMatchObject({ pending_amount: 0, available_amount: 0 });
  });

  it('a reversal before the settlement takes the money from pending', async () => {
    const charge = await create();
    await charge.play('succeed');
    expect((await charge.play('reverse')).body).toEqual({ status: 'SUCCEEDED', settlement_status: 'REVERSED' });
    expect(await balance()).toMatchObject({ pending_amount: 0, available_amount: 0, fee_amount: 0, pending_count: 0, available_count: 0 });
    expect(await settlements()).toEqual([]);
    expect((await charge.play('settle')).status).toBe(409);
  });

  it('a reversal after the settlement takes the money from available, below zero if necessary', async () => {
    const charge = await create({ ...CHARGE_ORDER, amount: 1_000_000 });
    await charge.play('succeed');
    await charge.play('settle');
    const payout = await service.call('POST', '/v1/payouts', {
      key,
      headers: newIdempotencyKey(),
      body: { amount: 900_000, currency: 'IDR', bank_account_name: 'A', bank_account_number: '1234', bank_name: 'B' },
    });
    expect(payout.status).toBe(201);
    expect((await charge.play('reverse')).body).toEqual({ status: 'SUCCEEDED', settlement_status: 'REVERSED' });
    expect(await balance()).toMatchObject({ available_amount: 993_000 - 900_000 - 993_000, available_count: 0, pending_count: 0 });
    expect((await settlements()).map(({ number, totals }) => [number, totals.net_amount])).toEqual([
      [1, 993_000],
      [2, -993_000],
    ]);
    const [, second] = await settlements();
    const { body } = await service.call('GET', `/v1/settlements/${second!.id}`, { key });
    expect(body.lines).toEqual([{ kind: 'REVERSAL', charge_id: charge.id, net_amount: -993_000 }]);
  });

  it('a settlement without its record reports the missing line, and continues once the record exists', async () => {
    // The charge is due at once. The next settlement of its account has a line whose stream does not exist.
    const { key: stuckKey, merchant_id } = await service.newMerchant();
    key = stuckKey;
    const record_id = randomUUID();
    const lines = [{ kind: 'charge', record_id, net_amount: 9870, fee_amount: 130 }] as const;
    const opened_on = timestamp(Date.now());
    const opening = { settlement_id: randomUUID(), merchant_id, currency: 'SGD', settlement_number: 1, lines, opened_on };
    const context = { now: opened_on, actor: 'System', correlation_id: randomUUID(), causation_id: randomUUID() };
    const { eventStore } = service.stores;
    await eventStore.append(settlementStream(merchant_id, 'SGD', 1), 'no-stream', [newEvent({ type: 'SettlementOpened', data: opening }, context)]);
    const charge = await create({ ...CHARGE_ORDER, currency: 'SGD', channel_code: 'qr_paynow' });
    await charge.play('succeed');
    const pool = new pg.Pool({ connectionString: service.stores.databaseUrl, max: 1 });
    const stops = () => findSettlementStops(pool, 0);
    await eventually(async () => (await stops()).some(({ attempts }) => attempts > 1));
    const stop = { merchant_id, currency: 'SGD', settlement_number: 1, line_kind: 'charge', record_id, reason: 'charge-not-found' };
    expect(await stops()).toMatchObject([stop]);
    expect((await chargeOf(charge.id)).settlement_status).toBe('PENDING');
    // Metrics report a stop after half a minute.
    await pool.query("update settlement_stops set since = since - interval '1 minute'");
    expect((await service.call('GET', '/metrics')).text).toMatch(/^settlements_stopped 1$/m);
    const { status, body } = await service.call('GET', '/health/ready');
    expect([status, body.checks.settlements]).toMatchObject([200, { status: 'ok', stopped: 1, settlement_number: 1 }]);
    // Copies the missing events from a paid charge, as after a partial restore of a store.
    for (const event of await eventStore.read(`charge-${charge.id}`)) {
      const data = { ...event.data, charge_id: record_id };
      const copy = { id: randomUUID(), type: event.type, data, metadata: event.metadata };
      await eventStore.append(`charge-${record_id}`, event.revision === 0 ? 'no-stream' : event.revision - 1, [copy]);
    }
    await eventually(async () => (await stops()).length === 0);
    await eventually(async () => (await chargeOf(charge.id)).settlement_status === 'SETTLED');
    await pool.end();
  });

  it('a settlement continues without a refused line, and a later settlement settles its charge', async () => {
    const { key: stuckKey, merchant_id } = await service.newMerchant();
    key = stuckKey;
    // Not due before tomorrow, so that the service opens no settlement for it.
    const good = await create();
    // Also due tomorrow, on another account.
    const misread = await create({ ...CHARGE_ORDER, currency: 'MYR', channel_code: 'wallet_tng', action_flow: 'EMBEDDED' });
    for (const charge of [good, misread]) await charge.play('succeed');
    const never = newIdempotencyKey();
    const neverId = recordId(merchant_id, 'POST /v1/charges', never['idempotency-key']!);
    const line = (record_id: string, net_amount: number) => ({ kind: 'charge' as const, record_id, net_amount, fee_amount: 70 });
    const lines = [line(neverId, 9930), line(good.id, 9931), line(misread.id, 9850)];
    const opened_on = timestamp(Date.now());
    const account = { merchant_id, currency: 'IDR' };
    const settlement_id = settlementId(account, 1);
    const opening = { settlement_id, ...account, settlement_number: 1, lines, opened_on };
    const context = { now: opened_on, actor: 'System', correlation_id: randomUUID(), causation_id: randomUUID() };
    const { eventStore, databaseUrl } = service.stores;
    await eventStore.append(settlementStream(merchant_id, 'IDR', 1), 'no-stream', [newEvent({ type: 'SettlementOpened', data: opening }, context)]);
    const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
    const stops = async () => (await findSettlementStops(pool, 0)).filter((stop) => stop.merchant_id === merchant_id);
    await eventually(async () => (await stops()).length === 1);

    const refuse = (place: number, ...more: string[]) =>
      runCli(['settlement', 'refuse-line', settlement_id, String(place), '--reason', 'no such order', ...more], {
        DATABASE_URL: databaseUrl,
        EVENTSTORE_URL: process.env['EVENTSTORE_URL'] ?? '',
        ENCRYPTION_KEY: SECRET.toString('base64'),
      });
    // Without the record's id the command only shows the line; the id confirms.
    for (const more of [[], ['--record', good.id]]) {
      expect(await refuse(1, ...more)).toMatchObject({ code: 1, stderr: expect.stringContaining(`is the charge of ${neverId}, net 9930, fee 70`) });
    }
    // A line that does not stop the settlement cannot be refused.
    expect(await refuse(2, '--record', good.id)).toMatchObject({ code: 1, stderr: expect.stringContaining('continues without a refusal') });
    expect(await refuse(4, '--record', good.id)).toMatchObject({ code: 1, stderr: expect.stringContaining('has 3 lines') });
    expect(await eventStore.read(`charge-${neverId}`)).toEqual([]);
    const done = await refuse(1, '--record', neverId, '--json');
    expect(JSON.parse(done.stdout)).toEqual({ settlement_id, ...account, settlement_number: 1, ...lines[0], recorded: true });
    expect(JSON.parse((await refuse(1, '--record', neverId, '--json')).stdout)).toMatchObject({ recorded: false });
    await eventually(async () => (await stops()).some(({ record_id }) => record_id === misread.id));
    expect((await stops())[0]!.reason).toBe(`listed as IDR of merchant ${merchant_id}, recorded as MYR of merchant ${merchant_id}`);
    expect((await refuse(3, '--record', misread.id)).code).toBe(0);

    await eventually(async () => (await chargeOf(good.id)).settlement_status === 'SETTLED');
    await eventually(async () => (await stops()).length === 0);
    expect((await service.call('GET', `/v1/settlements/${settlement_id}`, { key })).body.lines).toEqual([
      { kind: 'CHARGE', charge_id: good.id, net_amount: 9930 },
    ]);
    expect(await balance()).toMatchObject({ available_amount: 9930, pending_amount: 0, pending_count: 0, available_count: 1 });
    expect((await refuse(1, '--record', neverId)).stderr).toContain('closed');

    // A later settlement settles the charge of a refused line, and the merchant's list of events does not show the refusal.
    expect((await misread.play('settle')).body).toEqual({ status: 'SUCCEEDED', settlement_status: 'SETTLED' });
    expect(await balance('MYR')).toMatchObject({ available_amount: 9850, pending_amount: 0 });
    const events = (await service.call('GET', `/v1/charges/${misread.id}/events`, { key })).body as { type: string }[];
    expect(events).toHaveLength(4);

    // A stream that begins with the refusal is no charge for any caller …
    const entries = async () => (await eventStore.read(`charge-${neverId}`)).map(({ type }) => type);
    expect(await entries()).toEqual(['SettlementLineRefused']);
    for (const path of ['', '/events']) expect((await service.call('GET', `/v1/charges/${neverId}${path}`, { key })).status).toBe(404);
    expect((await service.call('POST', `/v1/charges/${neverId}/cancel`, { key })).status).toBe(404);
    const { key: finance } = await newFinanceKey(service);
    const seen = await service.call('GET', `/audit/events?Type=SettlementLineRefused&MerchantId=${merchant_id}`, { key: finance });
    expect(seen.body.items).toMatchObject([
      { stream: `charge-${neverId}`, revision: 0, data: { waited_for: 'charge-not-found', reason: 'no such order' } },
      { stream: `charge-${misread.id}`, data: { record_id: misread.id, net_amount: 9850 } },
    ]);
    // … until a request with that key creates the charge after it, once.
    const [made, again] = [
      await service.call('POST', '/v1/charges', { key, headers: never, body: CHARGE_ORDER }),
      await service.call('POST', '/v1/charges', { key, headers: never, body: CHARGE_ORDER }),
    ];
    expect([made.status, made.body.id, again.status, again.body]).toEqual([200, neverId, 200, made.body]);
    const other = { ...CHARGE_ORDER, amount: CHARGE_ORDER.amount + 1 };
    expect((await service.call('POST', '/v1/charges', { key, headers: never, body: other })).body.code).toBe('idempotency-key-reused');
    for (const outcome of ['succeed', 'settle']) {
      expect((await service.call('POST', made.body.action.simulation_url, { body: { outcome } })).status).toBe(200);
    }
    expect(await entries()).toEqual(['SettlementLineRefused', 'ChargeCreated', 'ChargePaid', 'ChargeSettlementClaimed']);
    expect(await chargeOf(neverId)).toMatchObject({ status: 'SUCCEEDED', settlement_status: 'SETTLED' });
    expect(await balance()).toMatchObject({ available_amount: 2 * 9930, pending_amount: 0, available_count: 2 });
    await pool.end();
  });

  it('only the merchant reads a settlement, with the scope for balances', async () => {
    const charge = await create();
    await charge.play('succeed');
    await charge.play('settle');
    const [settlement] = await settlements();
    const stranger = await service.newMerchant();
    for (const id of [settlement!.id, 'nonsense', randomUUID()])
      expect((await service.call('GET', `/v1/settlements/${id}`, { key: stranger.key })).status).toBe(404);
    const other = await service.newKey(stranger.merchant_id, ['payouts:read']);
    expect((await service.call('GET', '/v1/settlements', { key: other })).status).toBe(403);
    const list = await service.call('GET', '/v1/settlements?PageSize=1&PageNumber=2', { key });
    expect([list.status, list.body, list.headers.get('x-total-count')]).toEqual([200, [], '1']);
  });

  describe('notifications of the bank', () => {
    let bank: SimulatedBankRail;
    beforeAll(async () => {
      bank = new SimulatedBankRail(await loadServiceSecret(service.stores.databaseUrl, SECRET));
    });
    const notify = (notification: BankNotification, change: Record<string, string> = {}): Promise<Answer> => {
      const { body, headers } = bank.sign(notification, Date.now());
      return service.call('POST', '/processors/bank/notifications', {
        body: body.toString(),
        headers: { ...(headers as Record<string, string>), ...change },
      });
    };
    const of = (payout_id: string) => ({ notification_id: randomUUID(), payout_id, occurred_on: new Date().toISOString() });

    it('a repeated notification returns 200, an early one is rejected, and none is lost', async () => {
      const charge = await create({ ...CHARGE_ORDER, amount: 10_000_000 });
      await charge.play('succeed');
      await charge.play('settle');
      const { body: payout } = await service.call('POST', '/v1/payouts', {
        key,
        headers: newIdempotencyKey(),
        body: { amount: 1_000_000, currency: 'IDR', bank_account_name: 'A', bank_account_number: '00000003', bank_name: 'B' },
      });
      // A return before the success is a conflict. The success is reported after the hand-over to the bank.
      expect((await notify({ ...of(payout.id), kind: 'returned', reason: 'closed' })).body.code).toBe('state-conflict');
      const status = async (): Promise<string> => (await service.call('GET', `/v1/payouts/${payout.id}`, { key })).body.payout_status;
      await eventually(async () => (await status()) === 'PROCESSING');
      const paid: BankNotification = { ...of(payout.id), kind: 'paid' };
      expect([(await notify(paid)).status, (await notify(paid)).status]).toEqual([200, 200]);
      expect(await status()).toBe('SUCCEEDED');
      expect((await notify({ ...of(payout.id), kind: 'rejected', reason: 'unknown' })).body.code).toBe('state-conflict');
      const returned: BankNotification = { ...of(payout.id), kind: 'returned', reason: 'closed' };
      expect([(await notify(returned)).status, (await notify(returned)).status]).toEqual([200, 200]);
      await eventually(async () => (await status()) === 'REVERSED');
      expect((await notify(paid)).status).toBe(200);
      expect(await balance()).toMatchObject({ available_amount: 9_930_000, reserved_amount: 0, fee_amount: 70_000 });
    });

    it('a notification against the final state of a payout moves nothing, is recorded once, and is visible to finance', async () => {
      const charge = await create({ ...CHARGE_ORDER, amount: 10_000_000 });
      await charge.play('succeed');
      await charge.play('settle');
      const { body: payout } = await service.call('POST', '/v1/payouts', {
        key,
        headers: newIdempotencyKey(),
        body: { amount: 1_000_000, currency: 'IDR', bank_account_name: 'A', bank_account_number: '00000001', bank_name: 'B' },
      });
      await eventually(async () => (await service.call('GET', `/v1/payouts/${payout.id}`, { key })).body.payout_status === 'FAILED');
      const before = await balance();
      const paid: BankNotification = { ...of(payout.id), kind: 'paid' };
      for (let told = 0; told < 2; told += 1) expect((await notify(paid)).body).toMatchObject({ status: 409, code: 'state-conflict' });
      expect((await Promise.all([notify(paid), notify(paid)])).map(({ status }) => status)).toEqual([409, 409]);
      expect(await balance()).toEqual(before);
      const { key: finance } = await newFinanceKey(service);
      const audited = async (): Promise<any[]> =>
        (await service.call('GET', `/audit/events?Type=PayoutOutcomeContradicted&MerchantId=${payout.merchant_id}`, { key: finance })).body.items;
      await eventually(async () => (await audited()).length > 0);
      expect(await audited()).toMatchObject([
        {
          type: 'PayoutOutcomeContradicted',
          stream: `payout-${payout.id}`,
          data: { recorded: 'FAILED', said: 'paid', reason: null, amount: 1_000_000 },
        },
      ]);
      const metrics = (await service.call('GET', '/metrics')).text;
      expect(metrics).toMatch(/^payout_outcomes_contradicted [1-9]/m);
    });

    it('notifications with a wrong signature, malformed content or an unknown payout are rejected', async () => {
      const notification: BankNotification = { ...of(randomUUID()), kind: 'paid' };
      const unknown = await notify(notification);
      expect([unknown.status, unknown.body.detail]).toEqual([404, 'There is no such payout.']);
      const forged = await notify(notification, { 'bank-signature': `v1=${'0'.repeat(64)}` });
      expect([forged.status, forged.body.code]).toEqual([401, 'unauthenticated']);
      const { body, headers } = bank.sign(notification, Date.now() - 10 * 60_000);
      expect(
        (await service.call('POST', '/processors/bank/notifications', { body: body.toString(), headers: headers as Record<string, string> })).status,
      ).toBe(401);
      const malformed = await notify({ ...notification, kind: 'paid', extra: 1 } as BankNotification);
      expect([malformed.status, malformed.body.code]).toEqual([400, 'validation-failed']);
    });
  });
});
