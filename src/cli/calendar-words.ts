import type { HolidaysSet } from '../ledger/events/calendar.events.js';
import { table } from './output.js';

/** A row for each year, with its days without the year. */
export const holidaysTable = (years: readonly HolidaysSet[]): string =>
  table(
    ['country', 'year', 'holidays', 'set by', 'set on', 'days'],
    years.map(({ country, year, days, set_by, set_on }) => [
      ...[country, year, days.length, set_by, set_on],
      days.map((day) => day.slice('2027-'.length)).join(' ') || null,
    ]),
  );

/** A year without the member that is null in all of them. */
export const shownYear = ({ merchant_id: _, ...set }: HolidaysSet): Omit<HolidaysSet, 'merchant_id'> => set;
