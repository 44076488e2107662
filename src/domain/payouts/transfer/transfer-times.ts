import { DAY_MS, HOUR_MS, MINUTE_MS, milliseconds, timestamp, type Timestamp } from '../../../ledger/time.js';
import type { TransferTerms } from './remote-bank.js';

/** Banks in Indonesia use Jakarta time, which has no daylight saving time. */
const JAKARTA_MS = 7 * 3_600_000;

/** Returns the day in Jakarta, YYYY-MM-DD. */
export function dayOf(moment: Timestamp): string {
  return new Date(milliseconds(moment) + JAKARTA_MS).toISOString().slice(0, 10);
}

/** Converts `HH:MM` to milliseconds since midnight. */
function timeOfDay(text: string): number {
  const [hours, minutes] = text.split(':').map(Number) as [number, number];
  return hours * HOUR_MS + minutes * MINUTE_MS;
}

/** Returns the start of the Jakarta day that contains `ms`, both in milliseconds since the epoch. */
const midnight = (ms: number): number => Math.floor((ms + JAKARTA_MS) / DAY_MS) * DAY_MS - JAKARTA_MS;

/** Returns when "not found" begins to count after an attempt: by then its request has arrived or never will. Milliseconds since the epoch. */
export function settledAt(attemptedAt: Timestamp, settleAfter: TransferTerms['settle_after']): number {
  const at = milliseconds(attemptedAt);
  return typeof settleAfter === 'number' ? at + settleAfter * 1_000 : midnight(at) + DAY_MS + timeOfDay(settleAfter.next_day_at);
}

/** Returns the end of the quiet hours that contain `now`; undefined when there are none. Both in milliseconds since the epoch. */
export function quietUntil(now: number, quietHours: TransferTerms['quiet_hours']): number | undefined {
  const today = midnight(now);
  const ends = quietHours.flatMap(({ from, to }) => {
    const [begin, end] = [timeOfDay(from), timeOfDay(to)];
    const lasts = end > begin ? end - begin : end - begin + DAY_MS;
    // Quiet hours that began yesterday may last until today.
    return [today - DAY_MS + begin, today + begin].filter((start) => start <= now && now < start + lasts).map((start) => start + lasts);
  });
  return ends.length === 0 ? undefined : Math.max(...ends);
}

/** First inquiries after the last attempt, ms; later ones follow every hour of the first day, and then once a day. */
const FIRST_INQUIRIES_MS = [10_000, MINUTE_MS, 10 * MINUTE_MS];

/**
 * Returns the time of the next inquiry about a transfer: at once, then at growing intervals, and additionally at `settled`, when
 * "not found" begins to count. All in milliseconds since the epoch.
 * @param asked time of the last inquiry; undefined: none since this process began
 */
export function nextInquiryAt(attempted: number, settled: number, asked: number | undefined): number {
  if (asked === undefined) return attempted;
  const since = asked - attempted;
  const first = FIRST_INQUIRIES_MS.find((ms) => ms > since);
  const period = since < DAY_MS ? HOUR_MS : DAY_MS;
  const scheduled = attempted + (first ?? (Math.floor(since / period) + 1) * period);
  return settled > asked ? Math.min(scheduled, settled) : scheduled;
}

export const daysAfter = (moment: Timestamp, days: number): Timestamp => timestamp(milliseconds(moment) + days * DAY_MS);
