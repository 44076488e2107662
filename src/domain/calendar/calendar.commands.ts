import { CALENDAR_STREAM, type HolidaysSet } from '../../ledger/events/calendar.events.js';
import { foldStream, type LoadedStream } from '../../ledger/streams/fold-stream.js';
import type { EventStore } from '../../platform/event-store/event-store.js';
import { decided, type DirectoryDeps } from '../operators/directory.js';
import { calendar, yearKey, type Calendar } from './calendar.decider.js';
import type { HolidaysOfYear } from './holidays.js';

/** Reads the calendar; with `known`, only later events. @throws StoreUnavailable */
export const loadCalendar = (store: Pick<EventStore, 'read'>, known?: LoadedStream<Calendar>): Promise<LoadedStream<Calendar>> =>
  foldStream(store, CALENDAR_STREAM, calendar, known);

/** Sets all holidays of a country and year from now on. @param set_by the operating system's user. @throws DirectoryRefused */
export async function setHolidays(deps: DirectoryDeps, given: HolidaysOfYear, set_by: string): Promise<HolidaysSet> {
  const { years } = await decided(deps, CALENDAR_STREAM, calendar, (now) => ({ kind: 'set' as const, ...given, set_by, now }));
  return years.get(yearKey(given))!;
}

/** Records holidays that were kept outside the log, unless the log has any. Returns the calendar in force. @throws DirectoryRefused */
export const beginCalendar = (deps: DirectoryDeps, years: readonly HolidaysOfYear[], set_by: string): Promise<Calendar> =>
  decided(deps, CALENDAR_STREAM, calendar, (now) => ({ kind: 'begin' as const, years, set_by, now }));
