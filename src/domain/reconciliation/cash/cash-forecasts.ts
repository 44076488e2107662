import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { findBookCash } from '../../../../projections/balances/bank-balance.js';
import { findAccountForecasts, findOrderedPayouts, type AccountForecast } from '../../../../projections/balances/forecast.js';
import { findOwedByDay, type OwedOfDay } from '../../../../projections/reconciliation/matches/expected-remittances.js';
import { CHANNELS } from '../../../ledger/channels.js';
import { addDays, daysFromTo, daysIn } from '../../../ledger/days.js';
import { MODES } from '../../../ledger/mode.js';
import { COMMON_CLOCK, CONFIG, type Settings } from '../../../ledger/ports/injection-tokens.js';
import { milliseconds, timestamp, type Clock } from '../../../ledger/time.js';
import { csvOf, type PagedList } from '../../../platform/http/answer-list.js';
import { inSnapshot } from '../../../platform/postgres/snapshot.js';
import { BankingCalendar } from '../../calendar/banking-calendar.js';
import { addBankingDays } from '../../calendar/due-dates.js';
import type { Holidays } from '../../calendar/holidays.js';
import type { CashForecastDto, CashForecastQuery, CashKind } from './cash-forecast.dto.js';

/** Forecasts of the platform's cash: the money that processors remit on each day, against the money that merchants may take out by then. */
@Injectable()
export class CashForecasts {
  constructor(
    @Inject(BankingCalendar) private readonly calendar: Pick<BankingCalendar, 'current'>,
    @Inject(CONFIG) private readonly settings: Pick<Settings, 'booksTimeZone'>,
    @Inject(COMMON_CLOCK) private readonly clock: Clock,
  ) {}

  /** Returns the rows by mode, live first, and currency: overdue and undated items, the days, and later items. @throws StoreUnavailable */
  async make(pool: Pool, { Mode: mode, Currency: currency, Days }: CashForecastQuery): Promise<CashForecastDto[]> {
    const { holidays } = await this.calendar.current();
    const now = this.clock();
    const dayOf = daysIn(this.settings.booksTimeZone);
    const today = dayOf(now);
    const dates = daysFromTo(today, addDays(today, Days - 1));
    return inSnapshot(pool, async (tx) => {
      const owed = await findOwedByDay(tx, mode, currency);
      const accounts = await findAccountForecasts(tx, { mode, currency }, timestamp(now));
      const ordered = await findOrderedPayouts(tx);
      const rows: CashForecastDto[] = [];
      for (const books of booksOf([...owed, ...accounts])) {
        const isIn = (row: Books): boolean => row.mode === books.mode && row.currency === books.currency;
        const cash = await findBookCash(tx, books.mode, [books.currency], Number.MAX_SAFE_INTEGER);
        const figures = {
          dates,
          owed: owed.filter(isIn).map((row) => ({ ...row, ...dueIn(row, dates, holidays) })),
          mayLeave: mayLeaveBy(accounts.filter(isIn), dates, (moment) => dayOf(milliseconds(moment))),
          ordered: ordered.find(isIn)?.amount ?? 0n,
          cash: cash.get(books.currency) ?? 0n,
        };
        rows.push(...forecastOf(books, figures));
      }
      return rows;
    });
  }

  list(pool: Pool, query: CashForecastQuery): PagedList<CashForecastDto> {
    return { name: 'cash-forecast', csv: CSV, page: async () => ({ items: await this.make(pool, query), next_after: null }) };
  }
}

const CSV = csvOf<CashForecastDto>([
  ...(['mode', 'currency', 'kind', 'date', 'items', 'owed_amount', 'cost_amount', 'cost_known', 'from_processors'] as const),
  ...(['may_leave', 'ordered', 'cash', 'short_by'] as const),
]);

/** Live and test money have separate books in each currency. */
type Books = Pick<CashForecastDto, 'mode' | 'currency'>;

/** Returns each of the books that has a row, by mode, live first, and currency. */
const booksOf = (rows: readonly Books[]): Books[] =>
  MODES.flatMap((mode) => {
    const currencies = new Set(rows.filter((row) => row.mode === mode).map(({ currency }) => currency));
    return [...currencies].toSorted().map((currency) => ({ mode, currency }));
  });

interface Due {
  readonly kind: CashKind;
  readonly date: string | null;
}

interface Figures {
  readonly dates: readonly string[];
  readonly owed: readonly (OwedOfDay & Due)[];
  /** One sum for each of `dates`. */
  readonly mayLeave: readonly bigint[];
  readonly ordered: bigint;
  /** Now. */
  readonly cash: bigint;
}

/** Pure. */
function forecastOf(books: Books, { dates, owed, mayLeave, ordered, cash: opening }: Figures): CashForecastDto[] {
  const rowOf = ({ kind, date }: Due) => {
    const theirs = owed.filter((each) => each.kind === kind && each.date === date);
    const sum = (name: 'amount' | 'cost'): bigint => theirs.reduce((total, each) => total + each[name], 0n);
    const [owed_amount, cost_amount] = [sum('amount'), sum('cost')];
    return {
      ...{ ...books, kind, date, items: theirs.reduce((total, { items }) => total + items, 0), owed_amount, cost_amount },
      cost_known: theirs.every(({ items_without_cost }) => items_without_cost === 0),
      from_processors: owed_amount - cost_amount,
    };
  };
  const apart = (kind: CashKind): CashForecastDto[] =>
    [rowOf({ kind, date: null })]
      .filter(({ items }) => items > 0)
      .map((row) => ({ ...row, may_leave: null, ordered: null, cash: null, short_by: null }));
  let cash = opening;
  const days = dates.map((date, at) => {
    const row = rowOf({ kind: 'DAY', date });
    cash += row.from_processors;
    const may_leave = mayLeave[at]!;
    const missing = may_leave + ordered - cash;
    return { ...row, may_leave, ordered, cash, short_by: missing > 0n ? missing : 0n };
  });
  return [...apart('OVERDUE'), ...apart('UNDATED'), ...days, ...apart('LATER')];
}

/** Pure. Returns the day on which a processor remits: the last one that the terms of its source allow, by the holidays of the currency's country. */
function dueIn({ day, due_days, currency }: OwedOfDay, dates: readonly string[], holidays: Holidays): Due {
  if (due_days === null) return { kind: 'UNDATED', date: null };
  const country = CHANNELS.find((channel) => channel.currency === currency)?.country ?? '';
  const date = addBankingDays(holidays, country, day, due_days);
  if (date < dates[0]!) return { kind: 'OVERDUE', date: null };
  return date > dates.at(-1)! ? { kind: 'LATER', date: null } : { kind: 'DAY', date };
}

/** Pure. Returns the sum of the balances above zero at the end of each day, if merchants take nothing out before. */
function mayLeaveBy(accounts: readonly AccountForecast[], dates: readonly string[], dayOf: (moment: string) => string): bigint[] {
  const sums = dates.map(() => 0n);
  for (const { available, lines } of accounts) {
    const moved = new Map<string, bigint>();
    for (const { due_on, effect } of lines) moved.set(dayOf(due_on), (moved.get(dayOf(due_on)) ?? 0n) + effect);
    let closing = available;
    dates.forEach((date, at) => {
      closing += moved.get(date) ?? 0n;
      if (closing > 0n) sums[at]! += closing;
    });
  }
  return sums;
}
