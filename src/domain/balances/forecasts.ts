import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import type { AccountName } from '../../../projections/balances/explanation.js';
import { findDueLines, findLinesDue, findOpenRecords, type DueLines, type DuePeriod } from '../../../projections/balances/forecast.js';
import { findLastBooked } from '../../../projections/balances/journal.js';
import { addDays, daysFromTo, daysIn, endOfDay } from '../../ledger/days.js';
import { COMMON_CLOCK } from '../../ledger/ports/injection-tokens.js';
import { milliseconds, timestamp, type Clock } from '../../ledger/time.js';
import { mustExist } from '../../platform/http/record-id.js';
import { invalid } from '../../platform/http/validation/validation.js';
import { inSnapshot } from '../../platform/postgres/snapshot.js';
import { BankingCalendar } from '../calendar/banking-calendar.js';
import { isBankingDayIn } from '../calendar/holidays.js';
import { KnownMerchants } from '../merchants/known-merchants.js';
import { balanceOf, type Db } from './explain.js';
import { FORECAST_DAYS_MAX, type BroughtDto, type ForecastDayDto, type ForecastDto, type ForecastQuery } from './forecast.dto.js';

/** Forecasts of balances: the days on which the money of an account becomes available, if nothing else happens. */
@Injectable()
export class Forecasts {
  constructor(
    @Inject(KnownMerchants) private readonly merchants: Pick<KnownMerchants, 'merchant'>,
    @Inject(BankingCalendar) private readonly calendar: Pick<BankingCalendar, 'current'>,
    @Inject(COMMON_CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws Problem validation-failed for a day outside of the forecast and an invalid cursor; StoreUnavailable */
  async make(pool: Pool, account: AccountName, { Days, Detail, After, Limit }: ForecastQuery): Promise<ForecastDto> {
    const { timezone, country } = mustExist(this.merchants.merchant(account.merchant_id));
    const { holidays } = await this.calendar.current();
    const now = this.clock();
    const dayOf = daysIn(timezone);
    const today = dayOf(now);
    const dates = datesFrom(today, Days);
    if (After !== undefined && Detail === undefined) throw invalid('query', [{ at: 'After', ...UNKNOWN, detail: 'Must be sent with its Detail.' }]);
    if (Detail !== undefined && !dates.includes(Detail))
      throw invalid('query', [{ at: 'Detail', code: 'out-of-range', detail: `Must be a day from ${today} to ${dates.at(-1)}.` }]);
    return inSnapshot(pool, async (tx) => {
      const { opening, ...scheduled } = await scheduleOf(tx, account, now, dates, dayOf);
      const period = Detail === undefined ? undefined : { date: Detail, ...periodOf(Detail, today, dayOf) };
      return {
        ...account,
        time_zone: timezone,
        position: await findLastBooked(tx),
        made_on: timestamp(now),
        opening,
        days: scheduled.days.map(({ date, ...day }) => ({ date, banking_day: isBankingDayIn(holidays, country, date), ...day })),
        later: scheduled.later,
        not_scheduled: await findOpenRecords(tx, account),
        ...(period && { detail: await linesPage(tx, account, period, After, Limit) }),
      };
    });
  }

  /** Returns the first day of the forecast whose closing balance is at least `needed`; null when none is. @throws StoreUnavailable */
  async firstDayCovering(tx: Db, account: AccountName, needed: bigint): Promise<string | null> {
    const now = this.clock();
    const dayOf = daysIn(this.merchants.merchant(account.merchant_id)!.timezone);
    const { days } = await scheduleOf(tx, account, now, datesFrom(dayOf(now), FORECAST_DAYS_MAX), dayOf);
    return days.find(({ closing_available }) => closing_available >= needed)?.date ?? null;
  }
}

const UNKNOWN = { code: 'unknown-value' } as const;

const datesFrom = (today: string, days: number): readonly string[] => daysFromTo(today, addDays(today, days - 1));

/** Returns the balance at `now`, milliseconds since the epoch, and the days with the lines that are due on them. */
async function scheduleOf(
  tx: Db,
  account: AccountName,
  now: number,
  dates: readonly string[],
  dayOf: (milliseconds: number) => string,
): Promise<Pick<ForecastDto, 'opening'> & ReturnType<typeof daysOf>> {
  const { available_amount, pending_amount, reserved_amount } = await balanceOf(tx, account);
  const lines = await findDueLines(tx, account, timestamp(now));
  return {
    opening: { available_amount, pending_amount, reserved_amount },
    ...daysOf(dates, lines, available_amount, (line) => dayOf(milliseconds(line.due_on))),
  };
}

/** A day starts where the day before ends. Everything that is due before today is due today. */
const periodOf = (day: string, today: string, dayOf: (milliseconds: number) => string): DuePeriod => ({
  from: day === today ? null : timestamp(endOfDay(addDays(day, -1), dayOf)),
  to: timestamp(endOfDay(day, dayOf)),
});

async function linesPage(
  tx: Db,
  account: AccountName,
  { date, ...period }: DuePeriod & { readonly date: string },
  after: string | undefined,
  limit: number,
): Promise<NonNullable<ForecastDto['detail']>> {
  const lines = await findLinesDue(tx, account, period, after, limit + 1).catch((error: unknown) => {
    throw error instanceof RangeError ? invalid('query', [{ at: 'After', ...UNKNOWN, detail: 'Is not a line of this Detail.' }]) : error;
  });
  const items = lines.slice(0, limit);
  return {
    date,
    items: items.map(({ cursor: _, ...item }) => item),
    next_after: lines.length > limit ? items.at(-1)!.cursor : null,
  };
}

/** Pure. Returns the days with their lines and the available balance at their ends, and the sum of all later lines. */
function daysOf(
  dates: readonly string[],
  lines: readonly DueLines[],
  opening: bigint,
  dayOf: (line: DueLines) => string,
): { readonly days: readonly Omit<ForecastDayDto, 'banking_day'>[]; readonly later: BroughtDto } {
  const dated = lines.map((line) => ({ ...line, date: dayOf(line) }));
  let closing_available = opening;
  const days = dates.map((date) => {
    const due = dated.filter((line) => line.date === date);
    closing_available += sum(due);
    const [bringing, taking] = [due.filter(({ effect }) => effect >= 0n), due.filter(({ effect }) => effect < 0n)];
    const takes = [...new Set(taking.map(({ kind }) => kind))].map((kind) => {
      const taken = taking.filter((line) => line.kind === kind);
      return { kind, count: count(taken), amount: -sum(taken) };
    });
    return { date, brings: { count: count(bringing), net_amount: sum(bringing) }, takes, closing_available };
  });
  const later = dated.filter(({ date }) => date > dates.at(-1)!);
  return { days, later: { count: count(later), net_amount: sum(later) } };
}

const sum = (lines: readonly DueLines[]): bigint => lines.reduce((total, { effect }) => total + effect, 0n);
const count = (lines: readonly DueLines[]): number => lines.reduce((total, { count: each }) => total + each, 0);
