import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { setHolidays } from '../../src/domain/calendar/calendar.commands.js';
import { settlementDate } from '../../src/domain/calendar/due-dates.js';
import { setApprovalPolicy } from '../../src/domain/operators/approval-policy.commands.js';
import { addDays, daysFromTo, daysIn, isBankingDay } from '../../src/ledger/days.js';
import { CALENDAR_STREAM } from '../../src/ledger/events/calendar.events.js';
import { ConsoleVisitor } from '../support/console.js';
import { eventually } from '../support/eventually.js';
import { newFinanceKey, newOperator } from '../support/finance.js';
import { CHARGE_ORDER, newIdempotencyKey, startTestService, type Answer, type TestMerchant, type TestService } from '../support/service.js';

const TODAY = daysIn('Asia/Jakarta')(Date.now());
/** The next two weeks from Monday to Friday, as holidays of Indonesia. */
const HOLIDAYS = daysFromTo(addDays(TODAY, 1), addDays(TODAY, 14)).filter(isBankingDay);
const IN_INDONESIA = new Map([['ID', new Set(HOLIDAYS)]]);

describe('the calendar', () => {
  let service: TestService;
  let merchant: TestMerchant;
  let finance: { readonly key: string };
  beforeAll(async () => {
    service = await startTestService();
    merchant = await service.newMerchant();
    finance = await newFinanceKey(service);
  });
  afterAll(() => service.stop());

  const get = (path: string, key = merchant.key): Promise<Answer> => service.call('GET', path, { key });
  const pay = async (url = service.url): Promise<{ readonly id: string; readonly paid_on: string; readonly settlement_date: string }> => {
    const { body: charge } = await service.call('POST', '/v1/charges', { key: merchant.key, headers: newIdempotencyKey(), body: CHARGE_ORDER });
    const { pathname } = new URL(charge.action.simulation_url as string);
    await service.call('POST', new URL(pathname, url).href, { body: { outcome: 'SUCCEED' } });
    return (await get(`/v1/charges/${charge.id}`)).body;
  };
  const setYears = async (days: readonly string[]): Promise<void> => {
    for (const year of new Set(days.map((day) => Number(day.slice(0, 4)))))
      await setHolidays(service.deps, { country: 'ID', year, days: days.filter((day) => day.startsWith(`${year}`)) }, 'ops');
  };

  it('a change decides payments from then on, in every process, and no due date that was decided before', async () => {
    const other = await service.another();
    const before = await pay();
    expect(before.settlement_date).toBe(settlementDate(before.paid_on, 'T+2', 'ID', new Map()));
    await setYears(HOLIDAYS);
    const events = (await service.stores.eventStore.read(CALENDAR_STREAM)).length;
    for (const url of [service.url, other.url]) {
      // Decisions within a tenth of a second share a read.
      await eventually(async () => {
        const after = await pay(url);
        return after.settlement_date > addDays(TODAY, 14) && after.settlement_date === settlementDate(after.paid_on, 'T+2', 'ID', IN_INDONESIA);
      });
    }
    expect((await get(`/v1/charges/${before.id}`)).body.settlement_date).toBe(before.settlement_date);
    await setYears(HOLIDAYS);
    expect(await service.stores.eventStore.read(CALENDAR_STREAM)).toHaveLength(events);
  });

  it('merchants read each day of a period: whether it is a banking day, and whether it is a holiday', async () => {
    await setYears(HOLIDAYS);
    const [from, to] = [TODAY, addDays(TODAY, 20)];
    const { status, body } = await get(`/v1/merchants/me/calendar?From=${from}&To=${to}`);
    expect(status).toBe(200);
    expect(body).toEqual(
      daysFromTo(from, to).map((date) => ({
        ...{ date, country: 'ID', holiday: HOLIDAYS.includes(date), banking_day: isBankingDay(date) && !HOLIDAYS.includes(date) },
      })),
    );
    const elsewhere = (await get(`/v1/merchants/me/calendar?From=${from}&To=${to}&Country=sg`)).body as { country: string; holiday: boolean }[];
    expect(elsewhere.every(({ country, holiday }) => country === 'SG' && !holiday)).toBe(true);
    const usual = (await get('/v1/merchants/me/calendar')).body as { date: string }[];
    expect([usual.length, usual[0]!.date, usual.at(-1)!.date]).toEqual([30, TODAY, addDays(TODAY, 29)]);
    expect((await get('/v1/merchants/me/calendar?From=2027-01-01&To=2028-01-01')).body).toHaveLength(366);
  });

  it.each([
    ['From=2027-01-01&To=2028-01-02', 'To out-of-range'],
    ['From=2027-01-02&To=2027-01-01', 'To out-of-range'],
    ['From=2027-02-31', 'From wrong-format'],
    ['Country=TH', 'Country unknown-value'],
    ['Month=2027-01', 'Month unknown-parameter'],
  ])('refuses the period %s', async (query, fault) => {
    const { status, body } = await get(`/v1/merchants/me/calendar?${query}`);
    expect([status, body.code]).toEqual([400, 'validation-failed']);
    expect((body.errors as { parameter: string; code: string }[]).map(({ parameter, code }) => `${parameter} ${code}`)).toEqual([fault]);
  });

  it('the calendar needs merchant:read, and a finance key under /audit', async () => {
    const other = await service.newKey(merchant.merchant_id, ['balances:read']);
    expect((await get('/v1/merchants/me/calendar', other)).status).toBe(403);
    expect([(await get('/audit/calendar')).status, (await get('/audit/calendar', finance.key)).status]).toEqual([403, 200]);
  });

  it('finance lists the holidays in force, as JSON and CSV', async () => {
    await setHolidays(service.deps, { country: 'SG', year: 2031, days: ['2031-08-09', '2031-01-01'] }, 'ops');
    await setHolidays(service.deps, { country: 'MY', year: 2031, days: [] }, 'ops');
    const { body } = await get('/audit/calendar?Year=2031', finance.key);
    const of = { set_by: 'ops', set_on: expect.stringMatching(/\+00:00$/), proposal_id: null };
    expect(body).toEqual({
      items: [
        { country: 'MY', year: 2031, days: [], ...of },
        { country: 'SG', year: 2031, days: ['2031-01-01', '2031-08-09'], ...of },
      ],
    });
    expect((await get('/audit/calendar?Country=my&Year=2031', finance.key)).body.items).toHaveLength(1);
    for (const query of ['Year=1999', 'Year=2101', 'Year=2e3', 'Country=TH'])
      expect([query, (await get(`/audit/calendar?${query}`, finance.key)).status]).toEqual([query, 400]);
    const csv = await service.call('GET', '/audit/calendar?Country=SG&Year=2031', { key: finance.key, headers: { accept: 'text/csv' } });
    expect(parse(csv.text, { columns: true })).toEqual([expect.objectContaining({ country: 'SG', year: '2031', days: '2031-01-01 2031-08-09' })]);
  });

  it('a proposal takes effect with an approval, and its page shows the holidays before and after', async () => {
    const [siti, ani] = [await newOperator(service, 'Siti', ['preparer']), await newOperator(service, 'Ani', ['approver'])];
    const policy = { mode: 'live', payouts: [], payouts_day: [], merchants: {}, adjustments: [], settings: 1, expires_hours: 1 } as const;
    await setApprovalPolicy(service.deps, policy, randomUUID(), 'key_1');
    await setHolidays(service.deps, { country: 'MY', year: 2032, days: ['2032-02-01'] }, 'ops');
    const propose = (content: object): Promise<Answer> =>
      service.call('POST', '/audit/proposals', {
        ...{ key: siti.key, headers: newIdempotencyKey() },
        body: { kind: 'CALENDAR', content, reason: 'as the gazette says' },
      });
    for (const [content, pointer] of [
      [{ country: 'MY', year: 2032, days: ['2032-02-30'] }, '/content'],
      [{ country: 'MY', year: 2032, days: ['2031-02-01'] }, '/content'],
      [{ country: 'MY', year: 2101, days: [] }, '/content/year'],
      [{ country: 'TH', year: 2032, days: [] }, '/content/country'],
      [{ country: 'MY', year: 2032, days: ['2032-02-01', '2032-02-01'] }, '/content/days/1'],
      [{ country: 'MY', year: 2032, days: Array.from({ length: 61 }, (_, index) => addDays('2032-01-01', index)) }, '/content/days'],
      [{ country: 'MY', year: 2032 }, '/content/days'],
    ] as const) {
      const { status, body } = await propose(content);
      expect([content, status, body.errors[0].pointer]).toEqual([content, 400, pointer]);
    }
    const { status, body: made } = await propose({ country: 'MY', year: 2032, days: ['2032-08-31', '2032-02-11'] });
    expect([status, made.content]).toEqual([201, { country: 'MY', year: 2032, days: ['2032-02-11', '2032-08-31'] }]);
    const visitor = await ConsoleVisitor.signIn(service, ani.key);
    const page = await visitor.page(`desk/proposals/${made.id}`);
    for (const words of ['Holidays of a country and year', '2032-02-01', '2032-02-11, 2032-08-31']) expect(page.text).toContain(words);
    const approve = { key: ani.key, body: { digest: made.digest, reason: 'compared with the gazette' } };
    expect((await service.call('POST', `/audit/proposals/${made.id}/approve`, approve)).body.status).toBe('EXECUTED');
    const [year] = (await get('/audit/calendar?Country=MY&Year=2032', finance.key)).body.items;
    expect(year).toMatchObject({ days: ['2032-02-11', '2032-08-31'], set_by: `proposal ${made.id}`, proposal_id: made.id });
    const calendar = await visitor.page('calendar?Year=2032');
    for (const words of ['Holidays of 2032', '2032-02-11', 'Wednesday', 'a proposal']) expect(calendar.text).toContain(words);
    expect((await ConsoleVisitor.signIn(service, siti.key).then((each) => each.page('calendar'))).text).toContain('Propose holidays');
    expect(calendar.text).not.toContain('Propose holidays');
  });
});
