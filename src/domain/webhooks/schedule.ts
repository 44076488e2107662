import { DAY_MS } from '../../ledger/time.js';
/** Later than planned by up to this part, so that what failed together is not tried together. Never earlier. */
const JITTER = 0.1;
/** A receiver cannot put us off for longer. */
const RETRY_AFTER_MAX_SECONDS = 86_400;
/** An endpoint that took nothing for so long is disabled when a delivery's schedule is exhausted. */
export const DISABLED_AFTER_MS = 3 * DAY_MS;

/** Nothing is ever planned further ahead, ms: what lies there was planned by a clock that was wrong. */
export const longestDelayMs = (retrySeconds: readonly number[]): number =>
  1_000 * Math.max(RETRY_AFTER_MAX_SECONDS, ...retrySeconds.map((seconds) => seconds * (1 + JITTER)));

export interface FailedAttempt {
  /** Of this round: 1 is the first. */
  readonly attempt: number;
  readonly retry_after_seconds: number | null;
}

/**
 * When to try again, ms since the epoch; null when the schedule is exhausted. n delays mean n retries.
 * @param random 0 ≤ random < 1
 */
export function nextAttemptMs(failed: FailedAttempt, retrySeconds: readonly number[], nowMs: number, random: number): number | null {
  const planned = retrySeconds[failed.attempt - 1];
  if (planned === undefined) return null;
  const asked = Math.min(failed.retry_after_seconds ?? 0, RETRY_AFTER_MAX_SECONDS);
  return nowMs + Math.ceil(Math.max(planned * (1 + JITTER * random), asked) * 1000);
}
