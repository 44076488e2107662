import type { PayoutAttempted } from '../../../ledger/events/transfer.events.js';
import { milliseconds, type Timestamp } from '../../../ledger/time.js';
import type { TransferTerms } from './remote-bank.js';
import { daysAfter, quietUntil, settledAt } from './transfer-times.js';

/** Consequences of a bank's answer "not found": pure rules, all of them from docs/models/rail.ts. */

/** An attempt that may have moved money. */
export type OpenAttempt = Pick<PayoutAttempted, 'attempt' | 'rail' | 'partner_reference' | 'external_id' | 'bank_code' | 'at'>;

/** Two inquiries that the bank answered "not found". The times are those at which they were SENT. */
export interface NotFoundTwice {
  readonly first_sent: Timestamp;
  readonly second_sent: Timestamp;
}

/** Minimum time between two "not found" answers, ms. */
export const APART_MS = 60_000;
/** Maximum time from sending an inquiry to acting on its answer "not found", ms: the answer may no longer be true afterwards. */
export const FRESH_MS = 10_000;
const ATTEMPTS_OPEN_MAX = 2;

/** The rules for a second payment, except for the proof that the first one was never made. */
export function mayPayAgain(
  { open, held }: { readonly open: readonly OpenAttempt[]; readonly held: readonly unknown[] },
  terms: TransferTerms,
  now: Timestamp,
): boolean {
  const [first] = open;
  if (!first || held.length > 0) return false;
  // One day less, because the bank's clock and ours may disagree about the day.
  const remembered = daysAfter(first.at, terms.reference_window_days - 1);
  return terms.pay_again && open.length < ATTEMPTS_OPEN_MAX && milliseconds(now) < milliseconds(remembered);
}

/** @param open the open attempts, at least one */
export function provesNotFound(
  open: readonly OpenAttempt[],
  { first_sent, second_sent }: NotFoundTwice,
  terms: TransferTerms,
  now: Timestamp,
): boolean {
  const settled = settledAt(open.at(-1)!.at, terms.settle_after);
  const [first, second] = [milliseconds(first_sent), milliseconds(second_sent)];
  const age = milliseconds(now) - second;
  return countsNotFound(first, settled, terms) && countsNotFound(second, settled, terms) && second - first >= APART_MS && age >= 0 && age <= FRESH_MS;
}

/** Returns whether the answer "not found" to an inquiry sent at `sent` proves that the request did not arrive. Milliseconds since the epoch. */
export function countsNotFound(sent: number, settled: number, { quiet_hours }: Pick<TransferTerms, 'quiet_hours'>): boolean {
  return sent >= settled && quietUntil(sent, quiet_hours) === undefined;
}

/** Returns the time until which the bank answers inquiries about the open attempts. */
export function answersUntil(
  { open }: { readonly open: readonly OpenAttempt[] },
  { inquiry_window_days }: Pick<TransferTerms, 'inquiry_window_days'>,
): Timestamp {
  return daysAfter(open.at(-1)!.at, inquiry_window_days);
}
