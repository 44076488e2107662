/** RFC 3339 with milliseconds, UTC written `+00:00`: the one form of a moment, on the wire and in events. */
export type Timestamp = string;

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

/** The later of two moments: `updated_on` is never before `created_on`, whatever a process's clock says. */
export function later(a: Timestamp, b: Timestamp): Timestamp {
  return milliseconds(a) >= milliseconds(b) ? a : b;
}

/**
 * Whether `ms` milliseconds have passed at `now` since the moment `since`. A moment that lies further ahead than `ms` was told by
 * another clock, and nothing waits for it to come.
 */
export function hasPassed(ms: number, since: number, now: number): boolean {
  return Math.abs(now - since) >= ms;
}

/** Milliseconds since the epoch, now. The shell reads it once per command; deciders are given it. */
export type Clock = () => number;

/** Whether `name` is an IANA time zone of this machine. An offset such as `+07:00` is none: Postgres reads its sign the other way round. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '' && /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}
