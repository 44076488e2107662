import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { transferStream } from '../../src/ledger/events/transfer.events.js';
import type { BankRoutes } from '../../src/domain/payouts/transfer/remote-bank.js';
import { BankInMemory, TERMS, type Fate } from '../support/bank-in-memory.js';
import { newEvent } from '../support/events.js';
import { eventually } from '../support/eventually.js';
import { newFinanceKey } from '../support/finance.js';
import { runCli } from '../support/run-cli.js';
import { CHARGE_ORDER, newIdempotencyKey, startTestService, type Answer, type TestMerchant, type TestService } from '../support/service.js';

const ENCRYPTION_KEY = Buffer.alloc(32, 1).toString('base64');
const PAYOUT = {
  amount: 1_000_000,
  currency: 'IDR',
  bank_account_name: 'Siti Aminah',
  bank_account_number: '1234567890',
  bank_name: 'Bank of Somewhere',
  bank_code: '014',
} as const;

describe('a payout by a bank over a network', () => {
  let service: TestService;
  let merchant: TestMerchant;
  let fate: Fate = 'arrives';
  let endsAs: 'paid' | 'failed' = 'paid';
  let holder = PAYOUT.bank_account_name as string;
  let isStopped = false;
  const bank = new BankInMemory({
    clock: Date.now,
    terms: { ...TERMS, settle_after: 0, pay_again: false },
    fate: () => fate,
    ends: () => ({ afterMs: 0, as: endsAs }),
    holder: () => ({ is: 'accepted', value: { name: holder } }),
  });
  // Test merchants have funds from the simulator, and a rail of a sandbox.
  const banks: BankRoutes = {
    ...bank.routes(),
    route: (_, mode) => (mode === 'test' ? { bank, is_stopped: isStopped, is_on_trial: false } : undefined),
  };

  beforeAll(async () => {
    service = await startTestService({ ENCRYPTION_KEY }, undefined, banks);
    merchant = await service.newMerchant();
    const created = await service.call('POST', '/v1/charges', {
      ...{ key: merchant.key, headers: newIdempotencyKey(), body: { ...CHARGE_ORDER, amount: 50_000_000 } },
    });
    for (const outcome of ['succeed', 'settle']) await service.call('POST', created.body.action.simulation_url, { body: { outcome } });
  });
  afterAll(() => service.stop());

  const request = (change: object = {}): Promise<Answer> =>
    service.call('POST', '/v1/payouts', { key: merchant.key, headers: newIdempotencyKey(), body: { ...PAYOUT, ...change } });
  const read = async (id: string) => (await service.call('GET', `/v1/payouts/${id}`, { key: merchant.key })).body;
  const becomes = async (id: string, payout_status: string, pending_reason: string | null): Promise<void> =>
    eventually(async () => {
      const found = await read(id);
      return found.payout_status === payout_status && found.pending_reason === pending_reason;
    });
  const typesOf = async (id: string): Promise<string[]> => (await service.stores.eventStore.read(transferStream(id))).map(({ type }) => type);
  const cli = (...args: string[]) =>
    runCli(['payout', ...args, '--json'], {
      DATABASE_URL: service.stores.databaseUrl,
      EVENTSTORE_URL: process.env['EVENTSTORE_URL'] ?? '',
      ENCRYPTION_KEY,
    });

  it('a payout succeeds when the bank reports it as paid, and shows the masked name of the beneficiary', async () => {
    const { body, status } = await request();
    expect([status, body.bank_code, body.pending_reason, body.beneficiary]).toEqual([201, '014', null, null]);
    await becomes(body.id, 'SUCCEEDED', null);
    expect(await read(body.id)).toMatchObject({ beneficiary: { match: 'EXACT', name_masked: 'S*** A***' } });
    expect(await typesOf(body.id)).toEqual(['BeneficiaryChecked', 'PayoutAttempted', 'PayoutDecided']);
    const [attempt] = bank.attempts.filter(({ payout_id }) => payout_id === body.id);
    expect(attempt).toMatchObject({ attempt: 1, net_amount: 750_000, bank_code: '014', partner_reference: expect.stringMatching(/^\d{19}$/) });
  });

  it('a payout that the bank refuses or fails returns its full amount', async () => {
    const before = (await service.call('GET', '/v1/balances/IDR', { key: merchant.key })).body.available_amount;
    fate = 'refused';
    const refused = await request();
    await becomes(refused.body.id, 'FAILED', null);
    fate = 'arrives, and the answer is lost';
    endsAs = 'failed';
    const failed = await request();
    await becomes(failed.body.id, 'FAILED', null);
    [fate, endsAs] = ['arrives', 'paid'];
    expect((await service.call('GET', '/v1/balances/IDR', { key: merchant.key })).body).toMatchObject({
      available_amount: before,
      reserved_amount: 0,
    });
  });

  it('a waiting payout shows its reason, and can be cancelled until the bank receives it', async () => {
    const unknown = await request({ bank_code: undefined });
    await becomes(unknown.body.id, 'PENDING', 'bank-unknown');
    holder = 'BUDI SANTOSO';
    const other = await request();
    await becomes(other.body.id, 'PENDING', 'beneficiary-differs');
    expect((await read(other.body.id)).beneficiary).toEqual({ match: 'DIFFERENT', name_masked: 'B*** S***' });
    holder = PAYOUT.bank_account_name;
    isStopped = true;
    const paused = await request();
    await becomes(paused.body.id, 'PENDING', 'rail-paused');
    isStopped = false;
    await becomes(paused.body.id, 'SUCCEEDED', null);
    for (const { body } of [unknown, other]) {
      const cancelled = await service.call('POST', `/v1/payouts/${body.id}/cancel`, { key: merchant.key });
      expect([cancelled.status, cancelled.body.pending_reason]).toEqual([200, null]);
      expect((await read(body.id)).pending_reason).toBeNull();
    }
    const live = await service.newMerchant({ mode: 'live' });
    expect((await service.call('GET', '/v1/payouts', { key: live.key })).body).toEqual([]);
  });

  it('a payout to a different name is paid after an operator accepts the name', async () => {
    holder = 'BUDI SANTOSO';
    const { body } = await request();
    await becomes(body.id, 'PENDING', 'beneficiary-differs');
    expect(await cli('accept-name', body.id, '--by', 'sari')).toMatchObject({ code: 0 });
    await becomes(body.id, 'SUCCEEDED', null);
    holder = PAYOUT.bank_account_name;
    expect(await typesOf(body.id)).toEqual(['BeneficiaryChecked', 'BeneficiaryAccepted', 'PayoutAttempted', 'PayoutDecided']);
    expect(await cli('accept-name', '0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d', '--by', 'sari')).toMatchObject({ code: 1 });
  });

  it('a payout with a lost response is queried, never paid again, and resolved by operators', async () => {
    fate = 'is lost';
    const { body } = await request();
    await becomes(body.id, 'PROCESSING', 'outcome-unknown');
    fate = 'arrives';
    const evidence = ['--evidence', 'statement of today', '--by', 'sari'];
    expect(await cli('resolve', body.id, '--not-paid', ...evidence)).toMatchObject({ code: 1, stderr: expect.stringContaining('It is not held') });
    expect(await cli('resolve', body.id, ...evidence)).toMatchObject({ code: 2 });
    expect(bank.attempts.filter(({ payout_id }) => payout_id === body.id)).toHaveLength(1);

    await hold(body.id, merchant.merchant_id);
    await becomes(body.id, 'PROCESSING', 'held');
    const finance = await newFinanceKey(service);
    const send = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
      service.call('POST', path, {
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin: service.url, ...headers },
        body: new URLSearchParams(form).toString(),
      });
    const cookieOf = ({ headers }: Answer): string => headers.get('set-cookie')!.split(';')[0]!;
    const signedIn = await send('/console/login', { key: finance.key });
    // A live merchant exists too, so the session must switch to test mode.
    const cookie = cookieOf(await send('/console/mode', { Section: 'payouts', Mode: 'test' }, { cookie: cookieOf(signedIn) }));
    const { text } = await service.call('GET', '/console/exceptions', { headers: { cookie } });
    const held = { id: body.id, pending_reason: 'held', held_reason: 'not-found', age_days: 0 };
    const audited = async (query: string) => (await service.call('GET', `/audit/payouts${query}`, { key: finance.key })).body;
    expect(await audited('?PendingReason=held')).toEqual({ items: [expect.objectContaining(held)], next_after: null });
    expect(await audited(`?PendingReason=held&MerchantId=${randomUUID()}`)).toEqual({ items: [], next_after: null });
    const first = await audited('?Limit=1');
    expect(first.next_after).toBe(first.items[0].id);
    const ids = (await audited(`?After=${first.next_after}`)).items.map(({ id }: { id: string }) => id);
    expect(ids).toContain(body.id);
    expect(ids).not.toContain(first.next_after);
    expect((await service.call('GET', `/audit/payouts?After=${randomUUID()}`, { key: finance.key })).status).toBe(400);
    for (const [query, isShown] of [
      ['?PendingReason=held', true],
      [`?PendingReason=held&MerchantId=${merchant.merchant_id}&Status=PROCESSING`, true],
      ['?PendingReason=no-rail', false],
    ] as const) {
      expect((await service.call('GET', `/console/payouts${query}`, { headers: { cookie } })).text.includes(body.id)).toBe(isShown);
      const csv = await service.call('GET', `/console/payouts.csv${query}`, { headers: { cookie } });
      expect(csv.text.split('\r\n').filter((line) => line.startsWith(body.id) && line.endsWith(',held'))).toHaveLength(isShown ? 1 : 0);
    }
    expect(text).toContain('Payouts that no rule decides');
    expect(text).toContain('the bank knows of no transfer');
    const page = (await service.call('GET', `/console/history/payout-${body.id}`, { headers: { cookie } })).text;
    expect(page).toContain('Reference at the bank');
    expect(page).toContain('Its time of arrival is not known: its rail has paid too few payouts.');

    const early = await cli('resolve', body.id, '--not-paid', ...evidence);
    expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining('final statement') });
    expect(await cli('resolve', body.id, '--not-paid', '--final-statement', ...evidence)).toMatchObject({ code: 0 });
    await becomes(body.id, 'FAILED', null);
    const again = await cli('resolve', body.id, '--not-paid', '--final-statement', ...evidence);
    expect([again.code, JSON.parse(again.stdout)]).toEqual([0, { payout_id: body.id, verdict: 'failed', recorded: false }]);
    expect(await cli('resolve', body.id, '--paid', ...evidence)).toMatchObject({ code: 1 });
  });

  /** Holds a payout as a worker does after a quarter of an hour. */
  async function hold(payout_id: string, merchant_id: string): Promise<void> {
    const stream = transferStream(payout_id);
    const newest = (await service.stores.eventStore.read(stream)).at(-1)!;
    const data = { payout_id, merchant_id, currency: 'IDR', reason: 'not-found', evidence: 'a test', held_on: newest.metadata.occurred_on };
    const { ok } = await service.stores.eventStore.append(stream, newest, [{ ...newEvent(data, 'PayoutHeld'), metadata: newest.metadata }]);
    expect(ok).toBe(true);
  }
});
