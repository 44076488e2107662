import { systemContext } from '../../../ledger/streams/new-event.js';
import type { EventRef } from '../../../platform/event-store/event-store.js';
import type { BankVerdict, PayoutOutcomes, VerdictOutcome } from '../payout-outcomes.js';
import type { TransferState } from './transfer.decider.js';
import { reasonOf, RETURNED } from './transfer-words.js';

/**
 * Records the decision of the transfer's stream in the account. The process that decided may have recorded it already.
 * @param newest the newest event of the transfer's stream
 * @throws StoreUnavailable, OutcomeUnknown: to be retried
 */
export async function recordVerdict(
  payouts: PayoutOutcomes,
  payoutId: string,
  { decided, is_returned }: TransferState,
  newest: EventRef,
): Promise<VerdictOutcome> {
  if (!decided) throw new Error(`payout ${payoutId} is not decided`);
  const context = systemContext(newest.id);
  const verdict: BankVerdict = decided.verdict === 'failed' ? { kind: 'rejected', reason: reasonOf(decided) } : { kind: 'paid' };
  const outcome = await payouts.record(payoutId, verdict, context, [newest]);
  if (outcome.kind !== 'recorded' || (decided.verdict !== 'returned' && !is_returned)) return outcome;
  return payouts.record(payoutId, { kind: 'returned', reason: RETURNED }, context, [newest]);
}
