import { DAY_MS, milliseconds } from '../../ledger/time.js';
import { PersistentMap } from './persistent-map.js';

/** Status and time of a payout's end on its account. */
export interface Ending {
  readonly status: 'SUCCEEDED' | 'FAILED' | 'CANCELLED';
  readonly finished_on: string;
}

/**
 * The payouts that ended recently, at most 10,000: a second safeguard in case a deposed leader reports that a finished payout does
 * not exist. There are two generations. The younger one becomes the older one when it is full or a day old, and the older one is
 * dropped. So a payout that ended within the last 24 hours is here unless more than 5,000 payouts have ended since.
 */
export interface FinishedPayouts {
  readonly younger: PersistentMap<Ending>;
  readonly older: PersistentMap<Ending>;
  /** End of the younger generation's first payout; null while there is none. */
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
