import { DAY_MS, milliseconds } from '../../ledger/time.js';
import { PersistentMap } from './persistent-map.js';

/** How and when a payout ended on its account. */
export interface Ending {
  readonly status: 'SUCCEEDED' | 'FAILED' | 'CANCELLED';
  readonly finished_on: string;
}

/**
 * The payouts that ended of late, at most 10,000: a second guard, should a deposed leader answer that a finished payout does not
 * exist. Two generations: the younger one becomes the older one when it is full or a day old, and the older one is forgotten; so
 * whatever ended in the last 24 hours is here unless more than 5,000 payouts ended since.
 */
export interface FinishedPayouts {
  readonly younger: PersistentMap<Ending>;
  readonly older: PersistentMap<Ending>;
  /** Of the younger generation's first; null while there is none. */
  readonly younger_since: string | null;
}

const GENERATION_SIZE_MAX = 5_000;
const GENERATION_AGE_MAX_MS = DAY_MS;

export const NO_FINISHED_PAYOUTS: FinishedPayouts = { younger: PersistentMap.empty(), older: PersistentMap.empty(), younger_since: null };

export function withFinished(finished: FinishedPayouts, payoutId: string, ending: Ending): FinishedPayouts {
  const { younger, older, younger_since } = finished;
  const closed =
    younger.size >= GENERATION_SIZE_MAX ||
    (younger_since !== null && milliseconds(ending.finished_on) - milliseconds(younger_since) >= GENERATION_AGE_MAX_MS);
  return closed || younger_since === null
    ? { younger: PersistentMap.from([[payoutId, ending]]), older: closed ? younger : older, younger_since: ending.finished_on }
    : { younger: younger.set(payoutId, ending), older, younger_since };
}

export function endingOf(finished: FinishedPayouts, payoutId: string): Ending | undefined {
  return finished.younger.get(payoutId) ?? finished.older.get(payoutId);
}
