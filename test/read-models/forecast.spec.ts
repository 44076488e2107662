import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Pool } from 'pg';
import { findBalances, type Balance } from '../../projections/balances/balance-reads.js';
import { BankingCalendar } from '../../src/domain/calendar/banking-calendar.js';
import { setHolidays } from '../../src/domain/calendar/calendar.commands.js';
import { Forecasts } from '../../src/domain/balances/forecasts.js';
import type { ForecastDto, ForecastQuery } from '../../src/domain/balances/forecast.dto.js';
import type { Merchant } from '../../src/domain/merchants/known-merchants.js';
import { daysIn, endOfDay } from '../../src/ledger/days.js';
import { Trade, type TradeStep } from '../support/trade.js';
import { suiteDatabase } from '../support/suite-database.js';

/** Few, so that several steps concern the same record. */
const nth = fc.nat({ max: 3 });
const share = fc.integer({ min: 1, max: 1_000 });
const step: fc.Arbitrary<TradeStep> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('pay' as const),
      amount: fc.integer({ min: 2, max: 5_000 }),
      cycle: fc.constantFrom('T+0', 'T+1', 'T+2', 'T+5', 'T+30'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 40 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('settle' as const), appends: fc.option(fc.nat({ max: 9 }), { freq: 2 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('refund' as const), nth, amount: share }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('fail-refund' as const, 'reverse' as const, 'open-dispute' as const, 'win-dispute' as const, 'lose-dispute' as const),
      nth,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('payout' as const),
      share,
      end: fc.constantFrom('open' as const, 'paid' as const, 'returned' as const),
    }),
  },
);
const HISTORIES = { seed: 20_261_129, numRuns: 300, endOnFailure: true };
/** Days on which banks are closed, around the beginnings of the histories. */
const HOLIDAYS = ['2026-03-10', '2026-10-30', '2026-11-02', '2026-12-24', '2026-12-25'];
/** Beginnings before a weekend, a holiday, and the days of 23 and of 25 hours in New York. */
const beginning = fc.constantFrom('2026-03-06T03:00:00Z', '2026-10-29T22:30:00Z', '2026-12-22T16:59:00Z', '2026-06-10T10:00:00Z');
const DAYS = 9;

describe('the forecast of a balance', () => {
  let pool: Pool;
  suiteDatabase((opened) => (pool = opened), { statementTimeoutMs: 0 });

  const forecastsIn = (trade: Trade, timezone: string): Forecasts => {
    const merchant = { timezone, country: 'ID' } as Merchant;
    return new Forecasts({ merchant: () => merchant }, new BankingCalendar(trade.store), trade.clock);
  };
  const forecastIn = (trade: Trade, timezone: string, query: Partial<ForecastQuery>): Promise<ForecastDto> =>
    forecastsIn(trade, timezone).make(pool, trade.account, { Days: DAYS, Limit: 3, ...query });
  const sumsIn = async (rows: string): Promise<readonly object[]> =>
    (
      await pool.query<object>(
        `select merchant_id, currency, due_on, kind, sum(count)::bigint as count, sum(net_amount) as net_amount, sum(fee_amount) as fee_amount
           from ${rows} l group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
      )
    ).rows;
  const balanceOf = async ({ account: { merchant_id, currency } }: Trade): Promise<Balance> =>
    (await findBalances(pool, { merchant_id, created_on: '' }, [currency]))[0]!;
  /** All lines of a day, page by page. */
  const linesOf = async (trade: Trade, timezone: string, Detail: string): Promise<NonNullable<ForecastDto['detail']>['items'][number][]> => {
    const all = [];
    for (let After: string | undefined; ;) {
      const { items, next_after } = (await forecastIn(trade, timezone, { Detail, ...(After !== undefined && { After }) })).detail!;
      all.push(...items);
      if (next_after === null) return all;
      expect(items).toHaveLength(3);
      After = next_after;
    }
  };
  const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);

  const seen = new Set<string>();
  /** Checks the forecast of a history, then moves the clock from day to day and settles the due lines. */
  const follow = async (trade: Trade, timezone: string): Promise<void> => {
    await trade.project();
    const dayOf = daysIn(timezone);
    const forecast = await forecastIn(trade, timezone, {});
    const { pending_amount, available_amount, reserved_amount } = await balanceOf(trade);
    expect(forecast.opening).toEqual({ pending_amount, available_amount, reserved_amount });
    expect(forecast.days.map(({ date }) => date)[0]).toBe(dayOf(trade.now));
    expect(await sumsIn(`(select *, 1 as count from ledger.settlement_candidates)`)).toEqual(await sumsIn('ledger.settlement_due_sums'));
    let charges = forecast.later.net_amount;
    for (const day of forecast.days) {
      const lines = await linesOf(trade, timezone, day.date);
      const [brought, taken] = [lines.filter(({ net_amount }) => net_amount >= 0n), lines.filter(({ net_amount }) => net_amount < 0n)];
      expect(day.brings).toEqual({ count: brought.length, net_amount: sum(brought.map(({ net_amount }) => net_amount)) });
      expect(sum(day.takes.map(({ amount }) => -amount))).toBe(sum(taken.map(({ net_amount }) => net_amount)));
      expect(day.takes.reduce((total, { count }) => total + count, 0)).toBe(taken.length);
      charges += sum(lines.filter(({ kind }) => kind === 'CHARGE').map(({ net_amount }) => net_amount));
      for (const { kind, claimed } of lines) seen.add(claimed ? `${kind} claimed` : kind);
    }
    expect(charges).toBe(pending_amount);
    /** The amounts that previews refuse, with the day that they give. */
    const earliest: { readonly needed: bigint; readonly day: string }[] = [];
    for (const { closing_available } of forecast.days) {
      for (const needed of [closing_available, closing_available + 1n]) {
        const first = forecast.days.find((day) => day.closing_available >= needed);
        const found = await forecastsIn(trade, timezone).firstDayCovering(pool, trade.account, needed);
        // It looks 90 days ahead.
        if (first || (found !== null && found <= forecast.days.at(-1)!.date)) expect(found).toBe(first?.date);
        if (found !== null) earliest.push({ needed, day: found });
      }
    }
    for (const { date, closing_available } of forecast.days) {
      trade.now = Math.max(trade.now, endOfDay(date, dayOf) - 1);
      await trade.settle();
      expect(await sumsIn(`(select *, 1 as count from ledger.settlement_candidates)`)).toEqual(await sumsIn('ledger.settlement_due_sums'));
      const available = (await balanceOf(trade)).available_amount;
      expect({ date, available }).toEqual({ date, available: closing_available });
      // The clock has reached the day of a preview, and no earlier day covered the amount.
      for (const { needed, day } of earliest)
        if (date <= day) expect([date, day, needed, available >= needed]).toEqual([date, day, needed, date === day]);
    }
  };

  it('charges add up to pending, and available reaches the forecast at the end of each day', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }),
        beginning,
        fc.constantFrom('Asia/Jakarta', 'America/New_York', 'Asia/Kathmandu'),
        fc.option(fc.integer({ min: 1, max: 12 }), { freq: 2 }),
        async (steps, from, timezone, appends) => {
          const trade = await new Trade(pool, Date.parse(from), new Map([['ID', new Set(HOLIDAYS)]])).begin();
          await setHolidays(trade, { country: 'ID', year: 2026, days: HOLIDAYS }, 'ops');
          for (const each of steps) await trade.take(each);
          // Half of the forecasts are made while a settlement is open or closed.
          if (appends !== null) await trade.settle(appends);
          await follow(trade, timezone);
        },
      ),
      HISTORIES,
    );
    const kinds = ['CHARGE', 'REVERSAL', 'RETURN', 'REFUND_RETURN', 'DISPUTE_HOLD', 'DISPUTE_RELEASE', 'DISPUTE_FEE'];
    expect([...seen].filter((kind) => !kind.includes('claimed')).toSorted()).toEqual(kinds.toSorted());
    expect([...seen].filter((kind) => kind.includes('claimed')).length).toBeGreaterThan(3);
  }, 240_000);
});
