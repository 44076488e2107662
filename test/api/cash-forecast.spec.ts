import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import type { CashForecastDto } from '../../src/domain/reconciliation/cash/cash-forecast.dto.js';
import { setHolidays } from '../../src/domain/calendar/calendar.commands.js';
import { addDays, daysIn, isBankingDay } from '../../src/ledger/days.js';
import { ConsoleVisitor } from '../support/console.js';
import { eventually } from '../support/eventually.js';
import { newFinanceKey, newOperator } from '../support/finance.js';
import { CHARGE_ORDER, newIdempotencyKey, startTestService, type Answer, type TestMerchant, type TestService } from '../support/service.js';
import { PROFILE } from '../support/statement-files.js';
import { withoutCalendar } from '../support/without-calendar.js';

type Row = { -readonly [Name in keyof CashForecastDto]: CashForecastDto[Name] extends bigint ? number : CashForecastDto[Name] };

const dayOf = daysIn('Asia/Jakarta');
const SOURCE = {
  ...{ mode: 'test', name: 'sim', kind: 'PROCESSOR', currencies: ['IDR'], format: 'csv', profile: PROFILE, processor: 'SIMULATOR' },
  ...{ time_zone: 'Asia/Jakarta', due_days: 2, costs: { QR_QRIS: { type: 'PERCENTAGE', value: 0.5 } }, tax: 11, reason: 'the terms of the contract' },
};
const PAYOUT = { currency: 'IDR', bank_account_name: 'Toko Melati', bank_account_number: '1234567890', bank_name: 'BCA' };

/** The worker pays nothing out: payouts stay open. */
describe('the forecast of the cash', () => {
  let service: TestService;
  let merchant: TestMerchant;
  let finance: string;
  let ani: { readonly key: string };

  const get = (path: string, key = finance, accept = 'application/json'): Promise<Answer> => service.call('GET', path, { key, headers: { accept } });
  const post = (path: string, body: object, key = merchant.key): Promise<Answer> =>
    service.call('POST', path, { key, headers: newIdempotencyKey(), body });
  const rows = async (query = ''): Promise<Row[]> => (await get(`/audit/cash-forecast?Mode=test&Currency=IDR${query}`)).body.items as Row[];
  const pay = async (amount: number, outcome: 'succeed' | 'settle'): Promise<void> => {
    const { body: charge } = await post('/v1/charges', { ...CHARGE_ORDER, amount });
    await service.call('POST', charge.action.simulation_url, { body: { outcome: 'succeed' } });
    if (outcome === 'settle') await service.call('POST', charge.action.simulation_url, { body: { outcome } });
  };
  const sumOf = (all: readonly Row[], name: 'owed_amount' | 'items'): number => all.reduce((sum, row) => sum + row[name], 0);

  beforeAll(async () => {
    service = await startTestService({ ROLES: 'api,projector', BOOKS_TIMEZONE: 'Asia/Jakarta' });
    merchant = await service.newMerchant();
    finance = (await newFinanceKey(service)).key;
    ani = await newOperator(service, 'Ani', ['controller', 'preparer']);
    await eventually(async () => (await get('/audit/recon/sources', ani.key)).status === 200);
    await pay(10_000, 'succeed');
    await pay(20_000, 'succeed');
    await pay(1_000_000, 'settle');
    expect((await post('/v1/payouts', { ...PAYOUT, amount: 600_000 })).status).toBe(201);
    await eventually(async () => sumOf(await rows(), 'items') === 3);
  });
  afterAll(() => service.stop());

  it('items of a processor without a source are undated, and no part of the cash', async () => {
    const found = await rows();
    const balance = (await get('/v1/balances/IDR/forecast', merchant.key)).body;
    const { net_amount: ordered } = (await get('/v1/payouts', merchant.key)).body[0];
    expect(found.map(({ kind }) => kind)).toEqual(['UNDATED', ...Array(14).fill('DAY')]);
    expect(found[0]).toMatchObject({ date: null, items: 3, owed_amount: 1_030_000, cost_amount: 0, may_leave: null, cash: null, short_by: null });
    expect(found.slice(1)).toEqual(
      balance.days.map(({ date, closing_available }: { date: string; closing_available: number }) => ({
        ...{ mode: 'test', currency: 'IDR', kind: 'DAY', date, items: 0, owed_amount: 0, cost_amount: 0, cost_known: true, from_processors: 0 },
        ...{ may_leave: closing_available, ordered, cash: 0, short_by: closing_available + ordered },
      })),
    );
  });

  it('money comes on the day that the terms of the source promise, less the cost, and all items add up to the account', async () => {
    expect((await post('/audit/recon/sources', SOURCE, ani.key)).status).toBe(200);
    await eventually(async () => (await rows()).every(({ kind }) => kind === 'DAY'));
    const found = await rows();
    const days = found.map(({ date }) => date!).filter((date) => date > found[0]!.date! && isBankingDay(date));
    // 0.5 % of each payment, and 11 % of the rounded fee.
    const cost = 50 + 6 + (100 + 11) + (5_000 + 550);
    const [before, after] = [found.findIndex(({ date }) => date === days[1]) - 1, found.findIndex(({ date }) => date === days[1])];
    expect(found[after]).toMatchObject({ items: 3, owed_amount: 1_030_000, cost_amount: cost, cost_known: true, from_processors: 1_030_000 - cost });
    expect([found[before]!.cash, found[after]!.cash, found.at(-1)!.cash]).toEqual([0, 1_030_000 - cost, 1_030_000 - cost]);
    const { may_leave, ordered, cash, short_by } = found.at(-1)!;
    expect(short_by).toBe(Math.max(0, Number(may_leave) + Number(ordered) - Number(cash)));
    const { accounts } = (await get('/audit/trial-balance?Mode=test')).body.currencies[0];
    expect(sumOf(found, 'owed_amount')).toBe(-accounts.find(({ account }: { account: string }) => account === 'processor').balance);

    // A holiday moves the day; a forecast that ends before has the items later.
    await setHolidays(service.deps, { country: 'ID', year: Number(days[1]!.slice(0, 4)), days: [days[1]!] }, 'ops');
    await eventually(async () => (await rows()).find(({ date }) => date === days[2])!.items === 3);
    expect((await rows('&Days=1')).map(({ kind, items }) => [kind, items])).toEqual([
      ['DAY', 0],
      ['LATER', 3],
    ]);
  });

  it('a channel without a cost in the source is marked, and no cost is deducted', async () => {
    expect((await post('/audit/recon/sources', { ...SOURCE, costs: {} }, ani.key)).status).toBe(200);
    await eventually(async () => (await rows()).some(({ cost_known }) => !cost_known));
    expect((await rows()).filter(({ cost_known, items }) => !cost_known || items > 0)).toMatchObject([
      { items: 3, owed_amount: 1_030_000, cost_amount: 0, cost_known: false, from_processors: 1_030_000 },
    ]);
  });

  it('the forecast is also CSV and NDJSON', async () => {
    const csv = await get('/audit/cash-forecast?Currency=IDR', finance, 'text/csv');
    const found = await rows();
    expect(parse(csv.text, { columns: true })).toEqual(
      found.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value === null ? '' : String(value)]))),
    );
    const lines = await get('/audit/cash-forecast?Currency=IDR', finance, 'application/x-ndjson');
    expect(
      lines.text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Row),
    ).toEqual(found);
    expect((await get('/audit/cash-forecast?Mode=live')).body).toEqual({ items: [], next_after: null });
  });

  it.each(['Days=0', 'Days=91', 'Days=1e1', 'Mode=both', 'Currency=rupiah', 'After=1'])('refuses %s', async (query) => {
    expect((await get(`/audit/cash-forecast?${query}`)).status).toBe(400);
  });

  it('only finance may read it', async () => {
    expect((await get('/audit/cash-forecast', merchant.key)).status).toBe(403);
  });

  it('the console shows the first shortfall, the days and the items without a day', async () => {
    const visitor = await ConsoleVisitor.signIn(service, finance);
    const { text } = await visitor.page('cash-forecast?Days=30');
    expect(text).toMatch(/Rp\s[\d.,]+ are missing today if merchants take out all that they may\./);
    expect(text).toContain(addDays(dayOf(Date.now()), 20));
    expect(text).toMatch(/All items add up to\s+<data class="money" value="1030000"/);
    expect((await visitor.page('cash-forecast.csv?Days=30')).text.split('\r\n')[0]).toContain('mode,currency,kind,date,items,owed_amount');
    expect((await visitor.page('cash-forecast?Days=0')).status).toBe(400);
  });

  it('the first page of the console shows the chart, and is shown without it while the calendar cannot be read', async () => {
    const visitor = await ConsoleVisitor.signIn(service, finance);
    const home = async (query = ''): Promise<string> => (await service.call('GET', `/console${query}`, { headers: { cookie: visitor.cookie } })).text;
    const text = await home('?Currency=IDR');
    expect(text).toMatch(/Rp\s[\d.,]+ are missing today if merchants take out all that they may\./);
    expect(text).toContain('id="cash-forecast-test-IDR-title"');
    expect(text).toContain('href="/console/cash-forecast"');
    await withoutCalendar(service, async () => {
      await eventually(async () => (await home()).includes('It cannot be made now.'));
      expect(await home()).toContain('Owed by processors');
    });
    await eventually(async () => (await home()).includes('id="cash-forecast-test-IDR-title"'));
  });
});
