/** RFC 3339 with milliseconds, UTC written `+00:00`: the one form of a moment, on the wire and in events. */
export type Timestamp = string;

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** `milliseconds` since the epoch as a Timestamp. */
export function timestamp(milliseconds: number): Timestamp {
  return new Date(milliseconds).toISOString().replace('Z', '+00:00');
}

/** Milliseconds since the epoch. @throws RangeError when `moment` is no timestamp. */
export function milliseconds(moment: Timestamp): number {
  const value = Date.parse(moment);
  if (Number.isNaN(value)) throw new RangeError(`not a timestamp: ${moment}`);
  return value;
}

/** Returns the later of two moments: `updated_on` is never before `created_on`, whatever a process's clock shows. */
export function later(a: Timestamp, b: Timestamp): Timestamp {
  return milliseconds(a) >= milliseconds(b) ? a : b;
}

/**
 * Returns true when `ms` milliseconds have passed at `now` since the moment `since`. A moment more than `ms` ahead comes from another clock, and
 * nothing waits for it.
 */
export function hasPassed(ms: number, since: number, now: number): boolean {
  return Math.abs(now - since) >= ms;
}

/** Returns the current time, ms since the epoch. Handlers read it once per command; deciders receive it. */
export type Clock = () => number;

/** `Area/City`, and UTC: abbreviations such as IST are other zones in Postgres than in JavaScript, and some exist in one of them only. */
const TIME_ZONE = /^(?:UTC|[A-Z][A-Za-z_]*(?:\/[A-Z][A-Za-z0-9_+-]*)+)$/;

/** Returns true when `name` is `UTC`, or an `Area/City` of the IANA time zones of this machine. Postgres may have other ones: see `knowsTimeZone`. */
export function isTimeZone(name: string): boolean {
  try {
    return TIME_ZONE.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
