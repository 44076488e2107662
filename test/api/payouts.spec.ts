import { randomUUID } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  callPatiently,
  CHARGE_ORDER,
  newIdempotencyKey,
  startTestService,
  type Answer,
  type TestMerchant,
  type TestService,
} from '../support/service.js';
import { ConsoleVisitor } from '../support/console.js';
import { newFinanceKey } from '../support/finance.js';
import { formatFigure } from '../../src/platform/text/format.js';
import { verifyAdvice } from '../../src/transparency-log/verify-file.js';
import { eventually, inTime } from '../support/eventually.js';

const PAYOUT = {
  amount: 1_000_000,
  currency: 'IDR',
  bank_account_name: 'Toko Melati',
  bank_account_number: '1234567890',
  bank_name: 'Bank Central Asia',
  description: 'January',
  reference_id: 'run-1',
  metadata: { batch: '7' },
} as const;

/** A payout about which the bank reports nothing: its amount stays reserved. */
const UNANSWERED = { ...PAYOUT, bank_account_number: '1234560003' };

/** Default fee of a payout in IDR. */
const FEE = 250_000;

describe('payouts', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  /** Creates a merchant with at least `net` available, from a settled QRIS charge with its fee of 0.7 %. */
  async function merchantWith(net: number): Promise<TestMerchant> {
    const merchant = await service.newMerchant();
    // The smallest amount that leaves at least `net`. Tests that need an exact balance handle the remainder.
    const amount = Math.ceil(net / 0.993);
    const created = await service.call('POST', '/v1/charges', { key: merchant.key, headers: newIdempotencyKey(), body: { ...CHARGE_ORDER, amount } });
    for (const outcome of ['succeed', 'settle']) {
      const played = await service.call('POST', created.body.action.simulation_url, { body: { outcome } });
      expect([outcome, played.status]).toEqual([outcome, 200]);
    }
    return merchant;
  }
  const request = (key: string, body: object = PAYOUT, headers = newIdempotencyKey()): Promise<Answer> =>
    service.call('POST', '/v1/payouts', { key, headers, body });
  const balance = async (key: string) => (await service.call('GET', '/v1/balances/IDR', { key })).body;
  const status = async (key: string, id: string): Promise<string> => (await service.call('GET', `/v1/payouts/${id}`, { key })).body.payout_status;

  it('reserves the amount, pays out the net amount, and books the fee', async () => {
    const { key, merchant_id } = await merchantWith(5_000_000);
    const before = await balance(key);
    expect((await request(key, UNANSWERED)).status).toBe(201);
    expect(await balance(key)).toMatchObject({ available_amount: before.available_amount - 1_000_000, reserved_amount: 1_000_000 });
    const answer = await request(key);
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe(`/v1/payouts/${answer.body.id}`);
    expect(answer.headers.get('ledger-lag')).toBeNull();
    expect(answer.body).toEqual({
      id: expect.any(String),
      merchant_id,
      fee: { type: 'FIXED', value: FEE },
      amount: 1_000_000,
      fee_amount: FEE,
      net_amount: 750_000,
      currency: 'IDR',
      bank_account_name: 'Toko Melati',
      bank_account_number: '1234567890',
      bank_name: 'Bank Central Asia',
      payout_status: 'PENDING',
      description: 'January',
      created_on: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/),
      updated_on: answer.body.created_on,
      bank_code: null,
      pending_reason: null,
      beneficiary: null,
    });
    await eventually(async () => (await status(key, answer.body.id)) === 'SUCCEEDED');
    expect(await balance(key)).toMatchObject({
      available_amount: before.available_amount - 2_000_000,
      reserved_amount: 1_000_000,
      fee_amount: before.fee_amount + FEE,
    });
  });

  it('the signed remittance advice lists the settlements of a payout, only after its success', async () => {
    const { key, merchant_id } = await merchantWith(5_000_000);
    const { key: stranger } = await service.newMerchant();
    const advice = (id: string, as = key, accept = 'application/json') =>
      service.call('GET', `/v1/payouts/${id}/remittance-advice`, { key: as, headers: { accept } });
    const none = (await request(key, { ...PAYOUT, bank_account_number: '1234560003' })).body;
    expect([(await advice(none.id)).status, (await advice(none.id)).body.code]).toEqual([409, 'state-conflict']);
    const { id } = (await request(key)).body;
    await eventually(async () => (await status(key, id)) === 'SUCCEEDED');
    const answer = await callPatiently('GET', `${service.url}/v1/payouts/${id}/remittance-advice`, { key });
    const [first] = answer.body.document.settlements;
    expect(answer.body.document).toEqual({
      ...{ payout_id: id, merchant_id, currency: 'IDR', amount: PAYOUT.amount, fee_amount: FEE, net_amount: PAYOUT.amount - FEE },
      ...{ reference_id: 'run-1', requested_on: expect.any(String), succeeded_on: expect.any(String), position: expect.any(Number), not_covered: 0 },
      settlements: [
        {
          ...{ settlement_id: expect.any(String), settlement_number: 1, settled_on: expect.any(String) },
          ...{ net_amount: first.net_amount, used_before: 0, used_here: PAYOUT.amount, left: first.net_amount - PAYOUT.amount },
          lines: [
            {
              ...{ kind: 'CHARGE', record_id: first.lines[0].charge_id, charge_id: expect.any(String), code: expect.any(String) },
              ...{
                reference_id: CHARGE_ORDER.reference_id,
                gross_amount: first.net_amount + first.lines[0].fee_amount,
                net_amount: first.net_amount,
              },
              fee_amount: expect.any(Number),
            },
          ],
        },
      ],
    });
    // Neither another payout nor a return by the bank changes the advice.
    const later = (await request(key)).body.id;
    await eventually(async () => (await status(key, later)) === 'SUCCEEDED');
    expect((await advice(later)).body.document.settlements[0]).toMatchObject({ used_before: PAYOUT.amount, used_here: PAYOUT.amount });
    expect((await advice(id)).text).toBe(answer.text);
    expect((await advice(id, stranger)).status).toBe(404);
    // Finance reads the advice of any merchant.
    const finance = await newFinanceKey(service);
    const audited = (of: string, accept = 'application/json') =>
      service.call('GET', `/audit/payouts/${of}/remittance-advice`, { key: finance.key, headers: { accept } });
    expect((await audited(id)).text).toBe(answer.text);
    for (const accept of ['text/csv', 'text/html']) expect((await audited(id, accept)).text).toBe((await advice(id, key, accept)).text);
    expect([(await audited(none.id)).status, (await audited(randomUUID())).status]).toEqual([409, 404]);
    const visitor = await ConsoleVisitor.signIn(service, finance.key);
    const link = /href="\/console\/(payouts\/[^"]*)"/.exec((await visitor.page(`history/payout-${id}`)).text)![1]!;
    expect((await visitor.page(link)).text).toContain('Settlement 1');
    const page = (await advice(id, key, 'text/html')).text;
    expect(page).toContain('Settlement 1');
    expect(page).toContain(`<td class="n">${formatFigure(PAYOUT.amount, 'IDR')}</td>`);
    expect(page).toContain(`<span class="code">${first.lines[0].code}</span>`);

    const file = join(await mkdtemp(join(tmpdir(), 'advice-')), 'advice.json');
    const verdict = async (document: object, publicKey = answer.body.public_key) => {
      await writeFile(file, JSON.stringify(document, null, 2));
      return (await verifyAdvice(file, publicKey))?.fault;
    };
    const { document, public_key, ...signed } = answer.body;
    expect(await verdict(answer.body)).toBeNull();
    expect(await verdict({ ...answer.body, document: { ...document, reference_id: 'run-2' } })).toBe('the document is not the one that was signed');
    expect(await verdict(answer.body, 'ab'.repeat(32))).toBe('it was not signed by this key');
    expect(await verdict({ ...signed, document, public_key: 'ab'.repeat(32) }, public_key)).toBeNull();
    expect(await verdict({ none: true })).toBeUndefined();
  });

  it('a repeat returns the first response, byte for byte, in any later state of the payout', async () => {
    const { key } = await merchantWith(5_000_000);
    const headers = newIdempotencyKey();
    const first = await request(key, PAYOUT, headers);
    const repeat = async (): Promise<void> => {
      const again = await request(key, { ...PAYOUT, metadata: { batch: '7' }, currency: 'idr' }, headers);
      expect([again.status, again.text, again.headers.get('location')]).toEqual([201, first.text, first.headers.get('location')]);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
    };
    await repeat();
    await eventually(async () => (await status(key, first.body.id)) === 'SUCCEEDED');
    await repeat();
    const other = await request(key, { ...PAYOUT, amount: 900_000 }, headers);
    expect([other.status, other.body.code]).toEqual([422, 'idempotency-key-reused']);
    // No funds are available for a second payout: the recorded request takes precedence over the balance.
    await request(key, { ...PAYOUT, amount: (await balance(key)).available_amount });
    await repeat();
  });

  it('50 equal requests at once on two processes create one payout, with 50 equal responses', async () => {
    const { key } = await merchantWith(5_000_000);
    const other = await service.another();
    const headers = newIdempotencyKey();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        callPatiently('POST', new URL('/v1/payouts', i % 2 ? service.url : other.url), { key, headers, body: UNANSWERED }),
      ),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]!.status).toBe(201);
    // On a busy machine the first response may be 503, and all others are replays.
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true').length).toBeGreaterThanOrEqual(49);
    expect((await balance(key)).reserved_amount).toBe(1_000_000);
  });

  it('concurrent requests with one key in two currencies on two processes create one payout, and reserve nothing in the other currency', async () => {
    const { key } = await service.newMerchant();
    for (const order of [CHARGE_ORDER, { ...CHARGE_ORDER, currency: 'SGD', channel_code: 'qr_paynow' }]) {
      const created = await service.call('POST', '/v1/charges', { key, headers: newIdempotencyKey(), body: { ...order, amount: 5_000_000 } });
      for (const outcome of ['succeed', 'settle']) await service.call('POST', created.body.action.simulation_url, { body: { outcome } });
    }
    const other = await service.another();
    for (let n = 1; n <= 10; n++) {
      const headers = newIdempotencyKey();
      const answers = await Promise.all(
        ['IDR', 'SGD'].map((currency, i) =>
          callPatiently('POST', new URL('/v1/payouts', i === n % 2 ? service.url : other.url), {
            key,
            headers,
            body: { ...PAYOUT, amount: 300_000, currency },
          }),
        ),
      );
      expect(answers.map(({ status, body }) => (status === 201 ? status : body.code)).sort()).toEqual([201, 'idempotency-key-reused']);
    }
    const { body: payouts, headers } = await service.call('GET', '/v1/payouts?PageSize=100', { key });
    expect(headers.get('x-total-count')).toBe('10');
    const reservedIn = (currency: string): number => payouts.filter((payout: { currency: string }) => payout.currency === currency).length * 300_000;
    await eventually(async () =>
      (await service.call('GET', '/v1/payouts?PageSize=100', { key })).body.every(
        (payout: { payout_status: string }) => payout.payout_status === 'SUCCEEDED',
      ),
    );
    const { body: balances } = await service.call('GET', '/v1/balances', { key });
    for (const { currency, available_amount, reserved_amount, fee_amount } of balances.filter(
      (each: { currency: string }) => each.currency !== 'MYR',
    )) {
      expect(reserved_amount).toBe(0);
      expect(available_amount).toBeGreaterThanOrEqual(5_000_000 * 0.98 - reservedIn(currency));
      expect(fee_amount).toBeGreaterThan(0);
    }
  });

  it('100 concurrent requests over two processes with funds for 37 create 37 payouts', async () => {
    const { key } = await merchantWith(37_000_000);
    const available = (await balance(key)).available_amount;
    // Rounding may leave a remainder above 37 payouts, too small for another one.
    if (available > 37_000_000) expect(available - 37_000_000).toBeLessThan(FEE);
    const other = await service.another();
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        callPatiently('POST', new URL('/v1/payouts', i % 2 ? service.url : other.url).href, { key, headers: newIdempotencyKey(), body: PAYOUT }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(37);
    expect(answers.filter(({ status, body }) => status === 422 && body.code === 'insufficient-balance')).toHaveLength(63);
    const { body: list, headers } = await service.call('GET', '/v1/payouts?PageSize=100', { key });
    expect(list).toHaveLength(37);
    expect(headers.get('x-total-count')).toBe('37');
  });

  it('a payout can be cancelled until the bank has it; a repeat returns the same response', async () => {
    const { key, before, payout, cancelled } = await inTime(async () => {
      const { key } = await merchantWith(5_000_000);
      const before = await balance(key);
      const { body: payout } = await request(key);
      const cancelled = await service.call('POST', `/v1/payouts/${payout.id}/cancel`, { key });
      return cancelled.status === 409 ? undefined : { key, before, payout, cancelled };
    });
    expect([cancelled.status, cancelled.body.payout_status]).toEqual([200, 'CANCELLED']);
    expect(await balance(key)).toMatchObject({ available_amount: before.available_amount, reserved_amount: 0 });
    const again = await service.call('POST', `/v1/payouts/${payout.id}/cancel`, { key });
    expect([again.status, again.text]).toEqual([200, cancelled.text]);
    expect((await service.call('GET', `/v1/payouts/${payout.id}`, { key })).text).toBe(cancelled.text);

    const { body: late } = await request(key, { ...PAYOUT, bank_account_number: '99990003' });
    await eventually(async () => (await status(key, late.id)) === 'PROCESSING');
    const refused = await service.call('POST', `/v1/payouts/${late.id}/cancel`, { key });
    expect([refused.status, refused.body.code]).toEqual([409, 'state-conflict']);
    const stranger = await service.newMerchant();
    for (const id of [late.id, 'nonsense', '0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d']) {
      expect((await service.call('POST', `/v1/payouts/${id}/cancel`, { key: stranger.key })).status).toBe(404);
      expect((await service.call('GET', `/v1/payouts/${id}`, { key: stranger.key })).status).toBe(404);
    }
  });

  it('a rejected payout returns the full amount, and a returned payout the net amount and the fee', async () => {
    const { key } = await merchantWith(5_000_000);
    const before = await balance(key);
    const rejected = await request(key, { ...PAYOUT, bank_account_number: 'AB0001' });
    await eventually(async () => (await status(key, rejected.body.id)) === 'FAILED');
    expect(await balance(key)).toMatchObject({ available_amount: before.available_amount, reserved_amount: 0, fee_amount: before.fee_amount });

    const returned = await request(key, { ...PAYOUT, bank_account_number: 'AB0002' });
    await eventually(async () => (await status(key, returned.body.id)) === 'REVERSED');
    expect(await balance(key)).toMatchObject({ available_amount: before.available_amount, reserved_amount: 0, fee_amount: before.fee_amount });
    const { body: settlements } = await service.call('GET', '/v1/settlements?IsDescending=true', { key });
    const { body: settlement } = await service.call('GET', `/v1/settlements/${settlements[0].id}`, { key });
    expect(settlement).toMatchObject({ currency: 'IDR', number: 2, totals: { net_amount: 1_000_000, charges: 0, reversals: 0, returns: 1 } });
    expect(settlement.lines).toEqual([{ kind: 'RETURN', payout_id: returned.body.id, net_amount: 1_000_000 }]);

    const history = async (id: string, query = '') => service.call('GET', `/v1/payouts/${id}/events${query}`, { key });
    const types = async (id: string) => (await history(id)).body.map(({ type }: { type: string }) => type);
    expect(await types(rejected.body.id)).toEqual(['PayoutRequested', 'PayoutSubmitted', 'PayoutFailed']);
    expect(await types(returned.body.id)).toEqual(['PayoutRequested', 'PayoutSubmitted', 'PayoutSucceeded', 'PayoutReturned', 'FundsSettled']);
    const { body, headers } = await history(returned.body.id, '?PageSize=2&PageNumber=3');
    expect(headers.get('x-total-count')).toBe('5');
    expect(body.map(({ data }: any) => data.lines)).toEqual([
      [{ kind: 'return', record_id: returned.body.id, net_amount: 750_000, fee_amount: FEE }],
    ]);
    for (const id of [returned.body.id, 'nonsense'])
      expect((await service.call('GET', `/v1/payouts/${id}/events`, { key: (await service.newMerchant()).key })).status).toBe(404);
  });

  it('finance reads the life of a payout: when it was sent and paid, the settlements that paid for it, and all of its events', async () => {
    const { key: finance } = await newFinanceKey(service);
    const { key } = await merchantWith(2_000_000);
    const second = (await service.call('POST', '/v1/charges', { key, headers: newIdempotencyKey(), body: { ...CHARGE_ORDER, amount: 1_000_000 } }))
      .body;
    for (const outcome of ['succeed', 'settle']) await service.call('POST', second.action.simulation_url, { body: { outcome } });
    const read = async (path: string, accept = 'application/json') =>
      callPatiently('GET', `${service.url}/audit/payouts/${path}`, { key: finance, headers: { accept } });
    const { body: waiting } = await request(key, { ...UNANSWERED, amount: 300_000 });
    expect((await read(`${waiting.id}/funding`)).body).toEqual({ items: [], next_after: null });
    const { id } = (await request(key, { ...PAYOUT, amount: 2_500_000 })).body;
    await eventually(async () => (await status(key, id)) === 'SUCCEEDED');
    const { body: events } = await service.call('GET', `/v1/payouts/${id}/events`, { key });
    const at = (type: string) => events.find((event: any) => event.type === type).occurred_on;
    const { body: paid } = await read(id);
    expect(paid).toMatchObject({
      submitted_on: at('PayoutSubmitted'),
      paid_on: at('PayoutSucceeded'),
      usual_seconds: null,
      arrives_by: null,
      description: 'January',
    });
    expect((await read(waiting.id)).body).toMatchObject({ paid_on: null });

    // Money leaves in the order in which it came; page by page it is the same.
    const { items: funding } = (await read(`${id}/funding`)).body;
    expect(funding.map((part: any) => part.settlement_number)).toEqual([1, 2]);
    expect(funding[0].used_amount).toBe(funding[0].net_amount);
    expect(funding[0].used_amount + funding[1].used_amount).toBe(2_500_000);
    const first = (await read(`${id}/funding?Limit=1`)).body;
    const rest = (await read(`${id}/funding?Limit=1&After=${first.next_after}`)).body;
    expect([...first.items, ...rest.items, rest.next_after]).toEqual([...funding, null]);
    expect((await read(`${id}/funding`, 'text/csv')).text.split('\r\n')[1]).toBe(
      Object.values(funding[0] as Record<string, string | number | null>)
        .map((value) => value ?? '')
        .join(','),
    );

    const all = (await read(`${id}/events`)).body.items;
    expect(all.map(({ type }: any) => type).sort()).toEqual(['PayoutRegistered', 'PayoutRequested', 'PayoutSubmitted', 'PayoutSucceeded']);
    expect(all.map(({ position }: any) => position)).toEqual(all.map(({ position }: any) => position).sort((a: number, b: number) => a - b));
    const page = (await read(`${id}/events?Limit=3`)).body;
    expect([page.items, page.next_after]).toEqual([all.slice(0, 3), all[2].position]);
    expect((await read(`${id}/events?After=${page.next_after}`)).body).toEqual({ items: all.slice(3), next_after: null });
    expect(
      (await read(`${id}/events`, 'application/x-ndjson')).text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(all);
    for (const path of ['events', 'funding']) expect((await read(`0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d/${path}`)).status).toBe(404);
  });

  it('finance reads by when an open payout arrives, as soon as its rail has paid twenty', async () => {
    const { key: finance } = await newFinanceKey(service);
    const visitor = await ConsoleVisitor.signIn(service, finance);
    const { key } = await merchantWith(8_000_000);
    const { body: open } = await request(key, { ...UNANSWERED, amount: 300_000 });
    const paid = await Promise.all(Array.from({ length: 20 }, async () => (await request(key, { ...PAYOUT, amount: 300_000 })).body));
    await eventually(async () => (await Promise.all(paid.map(({ id }) => status(key, id)))).every((each) => each === 'SUCCEEDED'));
    await eventually(async () => (await status(key, open.id)) === 'PROCESSING');
    const read = async (id: string) => (await service.call('GET', `/audit/payouts/${id}`, { key: finance })).body;
    // Payouts of other tests that are paid meanwhile change the usual time.
    await eventually(async () => {
      const { submitted_on, usual_seconds, arrives_by } = await read(open.id);
      expect(usual_seconds).toEqual(expect.any(Number));
      expect(Date.parse(arrives_by) - Date.parse(submitted_on)).toBe(usual_seconds * 1_000);
      const words = new RegExp(`<span>\\s*(Arrives|Late: arrives) usually within[^]*datetime="${arrives_by.replace('+', '\\+')}"`);
      return words.test((await visitor.page(`history/payout-${open.id}`)).text);
    });
    expect(await read(paid[0]!.id)).toMatchObject({ usual_seconds: null, arrives_by: null });
    expect((await visitor.page(`history/payout-${paid[0]!.id}`)).text).not.toMatch(/rrives usually|of arrival/);
  });

  it.each([
    [{ amount: FEE }, 422, 'amount-out-of-range'],
    [{ amount: 1 }, 422, 'amount-out-of-range'],
    [{ amount: FEE + 1 }, 422, 'insufficient-balance'],
    [{ amount: Number.MAX_SAFE_INTEGER }, 422, 'insufficient-balance'],
    [{ currency: 'USD' }, 422, 'currency-mismatch'],
    [{ currency: 'RUPIAH' }, 400, 'validation-failed'],
    [{ amount: 1.5 }, 400, 'validation-failed'],
    [{ amount: '100' }, 400, 'validation-failed'],
    [{ amount: 0 }, 400, 'validation-failed'],
    [{ amount: -5 }, 400, 'validation-failed'],
    [{ bank_account_number: '123' }, 400, 'validation-failed'],
    [{ bank_account_number: '1'.repeat(35) }, 400, 'validation-failed'],
    [{ bank_account_number: '12-34-56' }, 400, 'validation-failed'],
    [{ bank_account_name: '' }, 400, 'validation-failed'],
    [{ bank_name: 'x'.repeat(256) }, 400, 'validation-failed'],
    [{ ammount: 5 }, 400, 'validation-failed'],
  ])('rejects %j with %i %s and records nothing', async (change, expected, code) => {
    const { key } = await service.newMerchant();
    const answer = await request(key, { ...PAYOUT, ...change });
    expect([answer.status, answer.body.code]).toEqual([expected, code]);
    expect((await service.call('GET', '/v1/payouts', { key })).body).toEqual([]);
  });
});
