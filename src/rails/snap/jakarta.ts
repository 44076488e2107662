import { DAY_MS } from '../../ledger/time.js';
/** Asia/Jakarta, which has no daylight saving time: its day bounds the uniqueness of external ids, and SNAP's timestamps have its offset. */
const AHEAD_MS = 7 * 3_600_000;

/** `2026-11-22T10:00:00+07:00`. `ms` since the epoch. */
export function jakartaTime(ms: number): string {
  return `${new Date(ms + AHEAD_MS).toISOString().slice(0, 19)}+07:00`;
}

/** Midnight in Jakarta at or before `ms`, ms since the epoch. */
export function jakartaMidnight(ms: number): number {
  return Math.floor((ms + AHEAD_MS) / DAY_MS) * DAY_MS - AHEAD_MS;
}
