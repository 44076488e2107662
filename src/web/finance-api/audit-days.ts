import type { Pool } from 'pg';
import { findAccountDays, type AccountDay, type AccountDaysQuery } from '../../../projections/balances/account-days.js';
import { findChargeDays, type ChargeDay, type ChargeDaysQuery } from '../../../projections/charges/charge-days.js';
import { findBreakDays, type BreakDay, type BreakDaysQuery } from '../../../projections/reconciliation/matches/break-days.js';
import { findSourceDays, type SourceDay } from '../../../projections/reconciliation/matches/day-reads.js';
import { DAYS_DEFAULT, DAYS_MAX } from '../../ledger/dto/list-query.dto.js';
import { addDays, daysFromTo } from '../../ledger/days.js';
import type { Mode } from '../../ledger/mode.js';
import { timestamp } from '../../ledger/time.js';
import type { PagedList } from '../../platform/http/answer-list.js';
import { invalid } from '../../platform/http/validation/validation.js';
import { breakDaysCsv, chargeDaysCsv, journalDaysCsv, sourceDaysCsv } from './audit-csv.js';
import type { JournalDaysQuery, SourceDayDto } from './audit-days.dto.js';

/** Figures by day. They have one page, because the number of days is bounded. */
export const accountDaysList = (pool: Pool, query: AccountDaysQuery): PagedList<AccountDay> => ({
  name: 'journal-days',
  csv: journalDaysCsv,
  page: async () => ({ items: await findAccountDays(pool, query), next_after: null }),
});

export const chargeDaysList = (pool: Pool, query: ChargeDaysQuery): PagedList<ChargeDay> => ({
  name: 'charge-days',
  csv: chargeDaysCsv,
  page: async () => ({ items: await findChargeDays(pool, query), next_after: null }),
});

export const breakDaysList = (pool: Pool, query: BreakDaysQuery): PagedList<BreakDay> => ({
  name: 'break-days',
  csv: breakDaysCsv,
  page: async () => ({ items: await findBreakDays(pool, query), next_after: null }),
});

/** Days of all sources of a mode. @param days in their order @param now milliseconds since the epoch */
export const sourceDaysList = (pool: Pool, mode: Mode | undefined, days: readonly string[], now: number): PagedList<SourceDayDto> => ({
  name: 'source-days',
  csv: sourceDaysCsv,
  page: async () => {
    const [from, to] = [days[0], days.at(-1)];
    if (from === undefined || to === undefined) return { items: [], next_after: null };
    const found = await findSourceDays(pool, mode, from, timestamp(now));
    // The row without a day sums up earlier ones.
    const isOf = (each: SourceDay): each is SourceDayDto => each.day !== null && each.day <= to;
    return { items: found.filter(isOf), next_after: null };
  },
});

/** Returns the days of a period without a gap; without one, the last DAYS_DEFAULT days. @param now milliseconds since the epoch @throws Problem validation-failed for more days than DAYS_MAX */
export function daysOf({ From, To }: Pick<JournalDaysQuery, 'From' | 'To'>, now: number): string[] {
  const to = To ?? timestamp(now).slice(0, 10);
  const from = From ?? addDays(to, 1 - DAYS_DEFAULT);
  if (from >= addDays(to, 1 - DAYS_MAX)) return daysFromTo(from, to);
  throw invalid('query', [{ at: 'From', code: 'out-of-range', detail: `Must be at most ${DAYS_MAX} days up to To.` }]);
}
