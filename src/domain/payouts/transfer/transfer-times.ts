import { DAY_MS, HOUR_MS, MINUTE_MS, milliseconds, timestamp, type Timestamp } from '../../../ledger/time.js';
import type { TransferTerms } from './remote-bank.js';

/** Banks in Indonesia keep the time of Jakarta, which has no summer time. */
const JAKARTA_MS = 7 * 3_600_000;

/** The day in Jakarta, YYYY-MM-DD. */
export function dayOf(moment: Timestamp): string {
  return new Date(milliseconds(moment) + JAKARTA_MS).toISOString().slice(0, 10);
}

/** Of `HH:MM`, milliseconds from midnight. */
function timeOfDay(text: string): number {
  const [hours, minutes] = text.split(':').map(Number) as [number, number];
  return hours * HOUR_MS + minutes * MINUTE_MS;
}

/** Of the Jakarta day that `ms` (since the epoch) is in. */
const midnight = (ms: number): number => Math.floor((ms + JAKARTA_MS) / DAY_MS) * DAY_MS - JAKARTA_MS;

/** From when on "not found" counts after an attempt: by then its request has arrived or never will. Milliseconds since the epoch. */
export function settledAt(attemptedAt: Timestamp, settleAfter: TransferTerms['settle_after']): number {
  const at = milliseconds(attemptedAt);
  return typeof settleAfter === 'number' ? at + settleAfter * 1_000 : midnight(at) + DAY_MS + timeOfDay(settleAfter.next_day_at);
}

/** When the hours without service end in which `now` is; undefined when it is in none. Both in milliseconds since the epoch. */
export function quietUntil(now: number, quietHours: TransferTerms['quiet_hours']): number | undefined {
  const today = midnight(now);
  const ends = quietHours.flatMap(({ from, to }) => {
    const [begin, end] = [timeOfDay(from), timeOfDay(to)];
    const lasts = end > begin ? end - begin : end - begin + DAY_MS;
    // Those that began yesterday may last until today.
    return [today - DAY_MS + begin, today + begin].filter((start) => start <= now && now < start + lasts).map((start) => start + lasts);
  });
  return ends.length === 0 ? undefined : Math.max(...ends);
}

/** After the last attempt; then every hour of the first day, and once a day. */
const FIRST_INQUIRIES_MS = [10_000, MINUTE_MS, 10 * MINUTE_MS];

/**
 * When the bank is asked next what became of a transfer: at once, and then ever more seldom; at `settled` besides, when its word begins
 * to count. All in milliseconds since the epoch. @param asked when it was asked last; undefined: not since this process began
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
