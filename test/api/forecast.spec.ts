import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addDays, daysFromTo, daysIn, isBankingDay } from '../../src/ledger/days.js';
import { settlementDate } from '../../src/domain/calendar/due-dates.js';
import { ConsoleVisitor } from '../support/console.js';
import { eventually } from '../support/eventually.js';
import { newFinanceKey } from '../support/finance.js';
import { CHARGE_ORDER, newIdempotencyKey, startTestService, type Answer, type TestMerchant, type TestService } from '../support/service.js';
import { withoutCalendar } from '../support/without-calendar.js';

const dayOf = daysIn('Asia/Jakarta');

/** The worker settles nothing: charges stay pending. */
describe('the forecast of a balance', () => {
  let service: TestService;
  let merchant: TestMerchant;
  let due: string;
  const charges: { id: string; code: string; net_amount: number; paid_on: string; settlement_date: string }[] = [];

  const get = (path: string, key = merchant.key): Promise<Answer> => service.call('GET', path, { key });
  const post = (path: string, body?: object): Promise<Answer> =>
    service.call('POST', path, { key: merchant.key, headers: newIdempotencyKey(), ...(body && { body }) });

  beforeAll(async () => {
    service = await startTestService({ ROLES: 'api,projector' });
    merchant = await service.newMerchant();
    for (const reference_id of ['order-1', 'order-2', 'order-3']) {
      const { body: charge } = await post('/v1/charges', { ...CHARGE_ORDER, reference_id });
      await service.call('POST', charge.action.simulation_url, { body: { outcome: 'succeed' } });
      charges.push((await get(`/v1/charges/${charge.id}`)).body);
    }
    const { paid_on, settlement_date } = charges[0]!;
    expect(settlement_date).toBe(settlementDate(paid_on, 'T+2', 'ID', new Map()));
    due = dayOf(Date.parse(settlement_date));
  });
  afterAll(() => service.stop());

  it('shows on which day which money becomes available', async () => {
    const { status, body } = await get(`/v1/balances/idr/forecast?Days=7&Detail=${due}&Limit=2`);
    const net = charges.reduce((sum, { net_amount }) => sum + net_amount, 0);
    expect(status).toBe(200);
    const today = dayOf(Date.parse(body.made_on as string));
    expect(body).toEqual({
      ...{ merchant_id: merchant.merchant_id, currency: 'IDR', time_zone: 'Asia/Jakarta' },
      position: expect.any(Number),
      made_on: expect.stringMatching(/\+00:00$/),
      opening: { available_amount: 0, pending_amount: net, reserved_amount: 0 },
      days: daysFromTo(today, addDays(today, 6)).map((date) => ({
        ...{ date, banking_day: isBankingDay(date), takes: [] },
        brings: date === due ? { count: 3, net_amount: net } : { count: 0, net_amount: 0 },
        closing_available: date >= due ? net : 0,
      })),
      later: { count: 0, net_amount: 0 },
      not_scheduled: {
        disputes: { count: 0, held_amount: 0, next_due_by: null },
        refunds: { count: 0, net_amount: 0 },
        payouts: { count: 0, amount: 0 },
      },
      detail: { date: due, items: expect.any(Array), next_after: expect.any(String) },
    });
    const last = await get(`/v1/balances/idr/forecast?Days=7&Detail=${due}&Limit=2&After=${body.detail.next_after}`);
    const lines = [...body.detail.items, ...last.body.detail.items];
    expect(last.body.detail.next_after).toBeNull();
    expect(lines.map(({ record_id }) => record_id)).toEqual(charges.map(({ id }) => id).toSorted());
    const { code, net_amount } = charges.find(({ id }) => id === lines[0].record_id)!;
    expect(lines[0]).toEqual({
      ...{ kind: 'CHARGE', record_id: lines[0].record_id, charge_id: lines[0].record_id, code, reference_id: expect.stringMatching(/^order-/) },
      ...{ due_on: `${addDays(due, -1)}T17:00:00.000+00:00`, claimed: false, net_amount },
    });
  });

  it('shows 14 days without a query, and the sum of later lines', async () => {
    expect((await get('/v1/balances/IDR/forecast')).body.days).toHaveLength(14);
    const { body } = await get('/v1/balances/IDR/forecast?Days=1');
    expect([body.days.length, body.later.count]).toEqual([1, 3]);
    const empty = (await get('/v1/balances/SGD/forecast?Days=90')).body;
    expect([empty.days.length, empty.opening.pending_amount, empty.days.at(-1).closing_available]).toEqual([90, 0, 0]);
  });

  it('lists open refunds and payouts apart', async () => {
    const [first] = charges;
    await post(`/v1/charges/${first!.id}/refunds`, { amount: 1_000 });
    const { body } = await get('/v1/balances/IDR/forecast');
    expect(body.not_scheduled.refunds).toEqual({ count: 1, net_amount: body.opening.reserved_amount });
    const brought = (body.days as { brings: { net_amount: number } }[]).reduce((sum, { brings }) => sum + brings.net_amount, 0);
    expect(brought).toBe(body.opening.pending_amount);
  });

  it.each([
    ['Days=0', 'Days out-of-range'],
    ['Days=91', 'Days out-of-range'],
    ['Days=1e1', 'Days not-an-integer'],
    ['Days=3&Detail=2001-01-01', 'Detail out-of-range'],
    ['Detail=2026-02-31', 'Detail wrong-format'],
    ['After=1:x:charge', 'After unknown-value'],
    [`Detail=DUE&After=1:x:charge`, 'After unknown-value'],
    ['Limit=1001', 'Limit out-of-range'],
    ['Month=2027-01', 'Month unknown-parameter'],
  ])('refuses %s', async (query, fault) => {
    const { status, body } = await get(`/v1/balances/IDR/forecast?${query.replace('DUE', due)}`);
    expect([status, body.code]).toEqual([400, 'validation-failed']);
    expect((body.errors as { parameter: string; code: string }[]).map(({ parameter, code }) => `${parameter} ${code}`)).toEqual([fault]);
  });

  it('needs balances:read and a currency of the merchant, and shows no money of another merchant', async () => {
    const other = await service.newMerchant();
    expect((await get('/v1/balances/IDR/forecast', other.key)).body.opening.pending_amount).toBe(0);
    expect((await get('/v1/balances/USD/forecast')).status).toBe(404);
    expect((await get('/v1/balances/IDR/forecast', await service.newKey(merchant.merchant_id, ['charges:read']))).status).toBe(403);
  });

  it('the console shows the next money in a sentence, the bars, and the lines of a day', async () => {
    const visitor = await ConsoleVisitor.signIn(service, (await newFinanceKey(service)).key);
    await service.call('GET', '/v1/balances/IDR', { key: merchant.key });
    const page = await visitor.page(`merchants/${merchant.merchant_id}`);
    const when = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'UTC' }).format(Date.parse(due));
    expect(page.text).toMatch(new RegExp(`Rp\\s[\\d.,]+ become available on ${when}, \\d+ [A-Z][a-z]+\\.`));
    expect(page.text).toContain('id="forecast-chart-title"');
    const address = `merchants/${merchant.merchant_id}/balances/IDR/forecast`;
    expect(page.text).toContain(`/console/${address}?Days=14&amp;Detail=${due}`);
    const lines = await visitor.page(`${address}?Days=30&Detail=${due}`);
    expect(lines.status).toBe(200);
    for (const { code } of charges) expect(lines.text).toContain(code);
    expect((await visitor.page(`${address}?Days=0`)).status).toBe(400);
    expect((await visitor.page(`merchants/${merchant.merchant_id}?Currency=SGD`)).text).toContain('No money becomes available in these 14 days.');
  });

  it('the page of a merchant is shown without it while the event store, which has the calendar, does not answer', async () => {
    const visitor = await ConsoleVisitor.signIn(service, (await newFinanceKey(service)).key);
    const page = (): Promise<Answer> => visitor.page(`merchants/${merchant.merchant_id}`);
    await withoutCalendar(service, async () => {
      await eventually(async () => (await page()).text.includes('The calendar cannot be read now.'));
      expect((await page()).status).toBe(200);
      expect((await get('/v1/balances/IDR/forecast')).status).toBe(503);
    });
    expect((await page()).text).not.toContain('The calendar cannot be read now.');
  });
});
