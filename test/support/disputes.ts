import { charge, type ChargeCommand } from '../../src/domain/charges/charge.decider.js';
import { disputeId } from '../../src/domain/charges/disputes/charge-disputes.js';
import { decideOnStream } from '../../src/ledger/streams/decide-on-stream.js';
import { chargeStream } from '../../src/ledger/events/charge.events.js';
import type { DisputeStage } from '../../src/ledger/events/dispute.events.js';
import { systemContext } from '../../src/ledger/streams/new-event.js';
import { timestamp, type Timestamp } from '../../src/ledger/time.js';
import type { EventStore } from '../../src/platform/event-store/event-store.js';

/** Has a charge decide a command, without the worker or request that would send it. */
export async function decideOnCharge(store: EventStore, chargeId: string, command: (now: Timestamp) => ChargeCommand): Promise<void> {
  const outcome = await decideOnStream(store, Date.now, chargeStream(chargeId), charge, command, systemContext());
  if ('refusal' in outcome) throw new Error(`${outcome.refusal}: ${outcome.detail}`);
}

/** A dispute of a paid charge, as its processor would open it; to be answered within a week. @returns its id */
export async function openDispute(store: EventStore, chargeId: string, stage: DisputeStage = 'CHARGEBACK', reference = 'D-1'): Promise<string> {
  const claim = { reference, stage, amount: 10_000, reason_code: '13.1', reason: 'Not received', due_by: timestamp(Date.now() + 604_800_000) };
  await decideOnCharge(store, chargeId, (now) => ({ kind: 'open-dispute', claim, dispute_fee_amount: 0, now }));
  return disputeId(chargeId, reference);
}
