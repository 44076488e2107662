/** Times on the wire: RFC 3339 with an explicit offset; answered with milliseconds and `+00:00`. */

const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,12}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** The range that Postgres, JavaScript and RFC 3339 share: years 1 to 9999. */
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00Z');
const LATEST_MS = Date.UTC(10_000, 0, 1) - 1;

const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** `2026-01-31T08:15:30.123+00:00`. `ms` is Unix time in milliseconds. */
function formatTimestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, -1)}+00:00`;
}

/**
 * Returns the instant that `text` names, in the form of `formatTimestamp`; undefined when it is no RFC 3339 date-time with an offset (30 February and
 * 24:00 are none, nor is a leap second, which no clock here can show). Digits beyond milliseconds round `down`, or `up` for the inclusive start of a
 * range: a record at .123 is not at or after .1234.
 */
export function parseTimestamp(text: string, round: 'down' | 'up' = 'down'): string | undefined {
  const match = RFC_3339.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [number, number, number, number, number, number];
  const fraction = match[7] ?? '';
  const offsetHours = Number(match[9] ?? 0);
  const offsetMinutes = Number(match[10] ?? 0);
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59 || offsetHours > 23 || offsetMinutes > 59) return undefined;
  const offsetMs = (match[8] === '-' ? -1 : 1) * (offsetHours * 60 + offsetMinutes) * 60_000;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, Number(fraction.slice(0, 3).padEnd(3, '0')));
  const ms = date.getTime() - offsetMs + (round === 'up' && /[1-9]/.test(fraction.slice(3)) ? 1 : 0);
  return ms < EARLIEST_MS || ms > LATEST_MS ? undefined : formatTimestamp(ms);
}

function daysIn(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && leap ? 29 : (DAYS_IN_MONTH[month - 1] ?? 0);
}
