import { decideOnStream } from '../../../ledger/streams/decide-on-stream.js';
import { foldStream } from '../../../ledger/streams/fold-stream.js';
import { systemContext } from '../../../ledger/streams/new-event.js';
import { transferStream, type TransferStreamEvent } from '../../../ledger/events/transfer.events.js';
import type { Clock, Timestamp } from '../../../ledger/time.js';
import type { EventStore } from '../../../platform/event-store/event-store.js';
import type { PayoutOutcomes } from '../payout-outcomes.js';
import { recordVerdict } from './record-verdict.js';
import { transfer, type TransferCommand, type TransferRefusal, type TransferState } from './transfer.decider.js';
import { refuse, type Refused } from '../../../ledger/decider.js';

export interface Resolving {
  readonly store: EventStore;
  readonly payouts: PayoutOutcomes;
  readonly clock: Clock;
  /** Returns the days for which the bank behind a rail answers inquiries; undefined when the rail is not known. */
  readonly inquiryWindowDays: (rail: string) => Promise<number | undefined>;
}

/** An operator's finding about a held payout. */
export interface Resolution {
  readonly verdict: 'paid' | 'failed';
  readonly decided_by: string;
  readonly evidence: string;
  /** The finding is from the bank's final statement: no line of the transfer can follow. */
  readonly is_final: boolean;
}

export type ResolvedPayout = { readonly isNew: boolean } | Refused<TransferRefusal | 'no-transfer'>;

/**
 * Ends a payout by an operator's decision. Repeated after a crash, it records the stored decision in the account.
 * @throws StoreUnavailable, OutcomeUnknown: to be repeated
 */
export async function resolvePayout(
  { store, payouts, clock, inquiryWindowDays }: Resolving,
  payoutId: string,
  resolution: Resolution,
): Promise<ResolvedPayout> {
  const context = systemContext();
  const before = await loadTransfer(store, payoutId);
  if (!before.of) return refuse('no-transfer', 'The payout was not sent to a bank over a network.');
  // A payout keeps the rail of its first attempt.
  const inquiry_window_days = before.rail === null ? undefined : await inquiryWindowDays(before.rail);
  const command = (now: Timestamp): TransferCommand => ({ kind: 'resolve', ...resolution, inquiry_window_days, now });
  const outcome = await decideOnStream(store, clock, transferStream(payoutId), transfer, command, context);
  if (!('refusal' in outcome)) {
    await recordVerdict(payouts, payoutId, outcome.state, outcome.newest);
    return { isNew: true };
  }
  const { decided } = outcome.state;
  const isRepeat = outcome.refusal === 'already-decided' && decided?.by === 'person' && decided.verdict === resolution.verdict;
  if (!isRepeat) return outcome;
  const { newest } = await foldStream<TransferState, TransferStreamEvent>(store, transferStream(payoutId), transfer);
  await recordVerdict(payouts, payoutId, outcome.state, newest!);
  return { isNew: false };
}

/** An operator approves the payment although the account's holder has another name. */
export async function acceptName(
  { store, clock }: Pick<Resolving, 'store' | 'clock'>,
  payoutId: string,
  accepted_by: string,
): Promise<ResolvedPayout> {
  if (!(await loadTransfer(store, payoutId)).of) return refuse('no-transfer', 'No bank was asked for the name of the account holder.');
  const command = (now: Timestamp): TransferCommand => ({ kind: 'accept-name', accepted_by, now });
  const outcome = await decideOnStream(store, clock, transferStream(payoutId), transfer, command, systemContext());
  return 'refusal' in outcome ? outcome : { isNew: outcome.events.length > 0 };
}

async function loadTransfer(store: EventStore, payoutId: string): Promise<TransferState> {
  return (await foldStream<TransferState, TransferStreamEvent>(store, transferStream(payoutId), transfer)).state;
}
