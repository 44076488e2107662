import type { Pool } from 'pg';
import { charge, type ChargeCommand, type ChargeRefusal } from '../charge.decider.js';
import { decideOnStream } from '../../../ledger/streams/decide-on-stream.js';
import { destroyKeys } from '../../../ledger/crypto/erasable-keys.js';
import { chargeStream } from '../../../ledger/events/charge.events.js';
import { systemContext } from '../../../ledger/streams/new-event.js';
import type { Clock, Timestamp } from '../../../ledger/time.js';
import type { EventStore } from '../../../platform/event-store/event-store.js';
import { refuse, type Refused } from '../../../ledger/decider.js';

/** Maximum rows per statement. */
export const REMOVED_AT_ONCE = 100;

/**
 * Records the erasure of a dispute's evidence, destroys its key, and then deletes the files, which can no longer be decrypted. When
 * this is interrupted after the event, EvidenceWorker completes it. A dispute without evidence keeps its key, if it has one, because
 * it may still need it.
 * @throws StoreUnavailable, OutcomeUnknown
 */
export async function eraseEvidence(
  { store, pool, clock }: { readonly store: EventStore; readonly pool: Pool; readonly clock: Clock },
  { charge_id, dispute_id }: { readonly charge_id: string; readonly dispute_id: string },
  erased_by: string,
): Promise<{ readonly isNew: boolean } | Refused<ChargeRefusal>> {
  const command = (now: Timestamp): ChargeCommand => ({ kind: 'erase-evidence', dispute_id, erased_by, now });
  const outcome = await decideOnStream(store, clock, chargeStream(charge_id), charge, command, systemContext());
  if ('refusal' in outcome) return outcome;
  const dispute = outcome.state.status === 'NONE' ? undefined : outcome.state.disputes.get(dispute_id);
  if (!dispute || dispute.evidence.size === 0) return refuse('evidence-missing', 'It has no evidence.');
  await destroyKeys('dispute', pool, clock, [dispute_id]);
  await removeErased(pool);
  return { isNew: outcome.events.length > 0 };
}

/** Deletes all evidence of disputes whose key is destroyed. */
export async function removeErased(pool: Pool): Promise<void> {
  let removed: number | null;
  do {
    ({ rowCount: removed } = await pool.query({
      name: 'dispute evidence: remove erased',
      text: `delete from dispute_evidence where evidence_id in (
               select evidence_id from dispute_keys join dispute_evidence using (dispute_id) where destroyed_on is not null limit $1)`,
      values: [REMOVED_AT_ONCE],
    }));
  } while (removed === REMOVED_AT_ONCE);
}
