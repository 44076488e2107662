import type { ChallengeEvidence } from '../charges/processor.js';
import type { ChargeDisputeEvidenceAdded } from '../ledger/events/dispute.events.js';
import type { EvidenceStore } from './evidence-store.js';

/** Files of one dispute for its processor, each opened when the processor reads it. What was erased meanwhile is left out. */
export async function evidenceToHandOver(store: EvidenceStore, files: readonly ChargeDisputeEvidenceAdded[]): Promise<ChallengeEvidence[]> {
  const names = await store.namesOf([...new Set(files.map(({ dispute_id }) => dispute_id))]);
  return files.flatMap(({ evidence_id, dispute_id, category, media_type, size, sha256 }) => {
    const name = names.get(evidence_id);
    if (name === undefined) return [];
    return [{ id: evidence_id, name, category, media_type, size, sha256, open: () => store.open({ evidence_id, dispute_id, size }) }];
  });
}
