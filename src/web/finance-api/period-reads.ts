import type { Pool } from 'pg';
import { findCorrected, findCorrections, findFirstBooked, trialBalanceDigest } from '../../../projections/balances/closed-books.js';
import { findTrialBalance } from '../../../projections/balances/trial-balance.js';
import { readEvent } from '../../ledger/catalogue.js';
import { addDays, daysIn, endOfDay } from '../../ledger/days.js';
import { CLOSED_AFTER_MS, periodStream, type PeriodClosed } from '../../ledger/events/period.events.js';
import { MODES, type Mode } from '../../ledger/mode.js';
import { milliseconds, timestamp, type Timestamp } from '../../ledger/time.js';
import type { EventStore } from '../../platform/event-store/event-store.js';
import { pagesBy, type PagedList } from '../../platform/http/answer-list.js';
import { pagesOf } from '../../platform/event-store/pages-of.js';
import { journalCsv } from './audit-csv.js';
import type { JournalLineDto } from './journal.dto.js';
import { cursorOfLine, lineOf, toLine } from './lists.js';
import type { ClosedPeriodDto, PeriodDto } from './periods.dto.js';

/** Returns closed months in their order. @throws StoreUnavailable */
async function loadPeriods(store: EventStore, mode: Mode): Promise<PeriodClosed[]> {
  const found: PeriodClosed[] = [];
  for await (const page of pagesOf(store, periodStream(mode)))
    for (const event of page.map(readEvent)) if (event.type === 'PeriodClosed') found.push(event.data);
  return found;
}

/** Returns the closed months of a mode in their order. @throws StoreUnavailable */
export const findPeriods = async (store: EventStore, mode: Mode): Promise<PeriodDto[]> => (await loadPeriods(store, mode)).map(toPeriod);

/** @throws StoreUnavailable */
export const findPeriod = async (store: EventStore, mode: Mode, month: string): Promise<PeriodClosed | undefined> =>
  (await loadPeriods(store, mode)).find((each) => each.month === month);

/** Lists live months first, by month. They are few, so they are read from the log. */
export function periodsList(store: EventStore, mode: Mode | undefined): PagedList<PeriodDto> {
  return {
    name: 'periods',
    page: pagesBy(
      'month',
      async (after) => (await periodsOf(store, mode)).filter((period) => after === undefined || cursorOf(period) > after),
      toPeriod,
      cursorOf,
    ),
  };
}

const periodsOf = async (store: EventStore, mode: Mode | undefined): Promise<PeriodClosed[]> =>
  (await Promise.all(MODES.filter((each) => mode === undefined || each === mode).map((each) => loadPeriods(store, each)))).flat();

export interface NextPeriod {
  /** `2026-01`: all months before it are closed. */
  readonly month: string;
  /** Earliest moment at which it may be closed. */
  readonly closes_from: Timestamp;
}

/** Returns the month that is closed next; undefined: the mode has no entry. @throws StoreUnavailable */
export async function findNextPeriod(pool: Pool, timeZone: string, mode: Mode, closed: readonly PeriodDto[]): Promise<NextPeriod | undefined> {
  const dayOf = daysIn(timeZone);
  const last = closed.at(-1)?.month;
  const first = last === undefined ? await findFirstBooked(pool, mode) : undefined;
  if (last === undefined && first === undefined) return undefined;
  const month = last === undefined ? dayOf(milliseconds(first!)).slice(0, 7) : monthAfter(last);
  const lastDay = addDays(`${monthAfter(month)}-01`, -1);
  return { month, closes_from: timestamp(endOfDay(lastDay, dayOf) + CLOSED_AFTER_MS) };
}

const monthAfter = (month: string): string => addDays(`${month}-28`, 4).slice(0, 7);

const cursorOf = ({ mode, month }: Pick<PeriodDto, 'mode' | 'month'>): string => `${mode}-${month}`;

const toPeriod = ({ merchant_id: _, ...period }: PeriodClosed): PeriodDto => period;

/** Returns a closed month with its books, as closed and as corrected. */
export async function readPeriod(pool: Pool, closed: PeriodClosed): Promise<ClosedPeriodDto> {
  const as_closed = await findTrialBalance(pool, { mode: closed.mode, closing: closed });
  const digest_now = trialBalanceDigest(as_closed);
  const as_corrected = await findCorrected(pool, closed, as_closed);
  return { ...toPeriod(closed), digest_now, digest_holds: digest_now === closed.digest, as_closed, as_corrected };
}

/** Lists the lines that the books as corrected have, and the books as closed do not. */
export function correctionsList(pool: Pool, closed: PeriodClosed): PagedList<JournalLineDto> {
  return {
    name: 'corrections',
    csv: journalCsv,
    page: pagesBy('line', (cursor, limit) => findCorrections(pool, closed, { after: lineOf(cursor), limit }), toLine, cursorOfLine),
  };
}
