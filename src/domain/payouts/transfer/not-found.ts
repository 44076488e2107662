import type { PayoutAttempted } from '../../../ledger/events/transfer.events.js';
import { milliseconds, type Timestamp } from '../../../ledger/time.js';
import type { TransferTerms } from './remote-bank.js';
import { daysAfter, quietUntil, settledAt } from './transfer-times.js';

/** What follows when a bank says that it knows of no transfer: pure rules, all of them of docs/models/rail.mjs. */

/** An attempt that may have moved money. */
export type OpenAttempt = Pick<PayoutAttempted, 'attempt' | 'rail' | 'partner_reference' | 'external_id' | 'bank_code' | 'at'>;

/** Two inquiries to which the bank said that it knows of no transfer. The times are those at which they were SENT. */
export interface NotFoundTwice {
  readonly first_sent: Timestamp;
  readonly second_sent: Timestamp;
}

/** Between two answers "not found". */
export const APART_MS = 60_000;
/** For so long after it was sent an answer "not found" may be acted on: what was true then may change. */
export const FRESH_MS = 10_000;
const ATTEMPTS_OPEN_MAX = 2;

/** The rules of a second payment, but for the proof that the first was never made. */
export function mayPayAgain(
  { open, held }: { readonly open: readonly OpenAttempt[]; readonly held: readonly unknown[] },
  terms: TransferTerms,
  now: Timestamp,
): boolean {
  const [first] = open;
  if (!first || held.length > 0) return false;
  // A day less: which day it is, is a matter of two clocks.
  const remembered = daysAfter(first.at, terms.reference_window_days - 1);
  return terms.pay_again && open.length < ATTEMPTS_OPEN_MAX && milliseconds(now) < milliseconds(remembered);
}

/** @param open the attempts, of which there is one at least */
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

/** Whether "not found" in answer to an inquiry that was sent then says that the request did not arrive. Milliseconds since the epoch. */
export function countsNotFound(sent: number, settled: number, { quiet_hours }: Pick<TransferTerms, 'quiet_hours'>): boolean {
  return sent >= settled && quietUntil(sent, quiet_hours) === undefined;
}

/** Until when the bank answers inquiries about the attempts that are open. */
export function answersUntil(
  { open }: { readonly open: readonly OpenAttempt[] },
  { inquiry_window_days }: Pick<TransferTerms, 'inquiry_window_days'>,
): Timestamp {
  return daysAfter(open.at(-1)!.at, inquiry_window_days);
}
