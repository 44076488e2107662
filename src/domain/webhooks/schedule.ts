import { DAY_MS } from '../../ledger/time.js';
/** Maximum delay in addition to the planned one, as a fraction, so that attempts that failed together are not repeated together. Never earlier. */
const JITTER = 0.1;
/** Maximum `Retry-After` of a receiver that is followed. */
const RETRY_AFTER_MAX_SECONDS = 86_400;
/** Time without a success after which an endpoint is disabled when a delivery's schedule is exhausted. */
export const DISABLED_AFTER_MS = 3 * DAY_MS;

/** Returns the maximum time that an attempt is planned ahead, ms. A later one was planned by a wrong clock. */
export const longestDelayMs = (retrySeconds: readonly number[]): number =>
  1_000 * Math.max(RETRY_AFTER_MAX_SECONDS, ...retrySeconds.map((seconds) => seconds * (1 + JITTER)));

export interface FailedAttempt {
  /** Number of the attempt within its round; 1 is the first. */
  readonly attempt: number;
  readonly retry_after_seconds: number | null;
}

/**
 * Returns the time of the next attempt, ms since the epoch; null when the schedule is exhausted. n delays mean n retries.
 * @param random 0 ≤ random < 1
 */
export function nextAttemptMs(failed: FailedAttempt, retrySeconds: readonly number[], nowMs: number, random: number): number | null {
  const planned = retrySeconds[failed.attempt - 1];
  if (planned === undefined) return null;
  const asked = Math.min(failed.retry_after_seconds ?? 0, RETRY_AFTER_MAX_SECONDS);
  return nowMs + Math.ceil(Math.max(planned * (1 + JITTER * random), asked) * 1000);
}
