import { clockOf } from '../platform/text/format.js';
import { DAY_MS } from './time.js';
/** Days are `YYYY-MM-DD`. */

/** Returns false for a day that the calendar lacks, such as 31 February, which Date takes for 3 March. */
export function isDay(text: string): boolean {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
  return !Number.isNaN(at) && dayAt(at) === text;
}

/** Offsets from UTC are whole quarters of an hour, so all moments of one quarter have the same day. */
const QUARTER_MS = 15 * 60_000;
const DAYS_KEPT = 4_096;

/** Returns a function from a moment, ms since the epoch, to its day in one time zone. @throws RangeError when there is no such zone */
export function daysIn(timeZone: string): (milliseconds: number) => string {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  const known = new Map<number, string>();
  return (milliseconds) => {
    const quarter = Math.floor(milliseconds / QUARTER_MS);
    const found = known.get(quarter);
    if (found !== undefined) return found;
    if (known.size >= DAYS_KEPT) known.clear();
    const day = parts.format(quarter * QUARTER_MS);
    known.set(quarter, day);
    return day;
  };
}

const dayAt = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const atNoon = (day: string): number => Date.parse(`${day}T12:00:00Z`);

/** Monday to Friday. Matches and the ages of breaks count these days without holidays, so that a change of the calendar recomputes none of them. */
export const isBankingDay = (day: string): boolean => ![0, 6].includes(new Date(atNoon(day)).getUTCDay());

/** Returns the day `count` days later, or earlier when `count` is negative. */
export const addDays = (day: string, count: number): string => dayAt(atNoon(day) + count * DAY_MS);

/** Returns all days from the first to the last; none when the last is earlier. */
export function daysFromTo(from: string, to: string): string[] {
  const count = Math.round((atNoon(to) - atNoon(from)) / DAY_MS) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => addDays(from, index));
}

/** Counts the banking days after `from`, up to and including `to`. */
export function bankingDaysBetween(from: string, to: string): number {
  // Whole weeks are counted at once, so that years cost as little as days.
  const days = Math.round((atNoon(to) - atNoon(from)) / DAY_MS);
  if (days <= 0) return 0;
  let count = Math.floor(days / 7) * 5;
  for (let left = days % 7; left > 0; left -= 1) if (isBankingDay(dayAt(atNoon(to) - (left - 1) * DAY_MS))) count += 1;
  return count;
}

/** Returns the last day after which more than `count` banking days have passed, as of `day`. */
export function lastDayOverdue(day: string, count: number): string {
  let found = dayAt(atNoon(day) - DAY_MS);
  while (bankingDaysBetween(found, day) <= count) found = dayAt(atNoon(found) - DAY_MS);
  return found;
}

/** Returns the end of a day in the time zone of `dayOf`: the first quarter of an hour of the next day, ms since the epoch. */
export function endOfDay(day: string, dayOf: (milliseconds: number) => string): number {
  // No zone is further behind UTC than 12 hours, or further ahead than 14.
  let at = Date.parse(`${day}T00:00:00Z`) + 10 * 60 * 60_000;
  while (dayOf(at) <= day) at += QUARTER_MS;
  return at;
}

/**
 * Returns the moment at which clocks in the time zone show `time` (`HH:MM` or `HH:MM:SS`) on that day, ms since the epoch; of two such moments, or of
 * a time that clocks skip, one that is right to the hour. @throws RangeError when there is no such zone
 */
export function momentIn(timeZone: string, day: string, time: string): number {
  const clock = clockOf(timeZone);
  const shown = Date.parse(`${day}T${time}Z`);
  const offsetAt = (at: number): number => Date.parse(`${clock.format(at).replace(' ', 'T')}Z`) - at;
  // The offset at the first guess, which is wrong by the offset, may be that before a change of the clocks.
  return shown - offsetAt(shown - offsetAt(shown));
}
