import type { ChallengeEvidence } from '../processor.js';
import type { ChargeDisputeEvidenceAdded } from '../../../ledger/events/dispute.events.js';
import type { EvidenceStore } from './evidence-store.js';

/**
 * Files of one dispute for its processor, each opened when the processor reads it.
 * @throws Error when one cannot be opened. An erasure that came meanwhile is in the log when the challenge is tried again; else the evidence
 * was not restored with the database, and no processor is to decide without it.
 */
export async function evidenceToHandOver(
  store: Pick<EvidenceStore, 'namesOf' | 'open'>,
  files: readonly ChargeDisputeEvidenceAdded[],
): Promise<ChallengeEvidence[]> {
  const names = await store.namesOf([...new Set(files.map(({ dispute_id }) => dispute_id))]);
  return files.map(({ evidence_id, dispute_id, category, media_type, size, sha256 }) => {
    const name = names.get(evidence_id);
    if (name === undefined) throw new Error(`evidence ${evidence_id} of dispute ${dispute_id} is missing, or its key is: the challenge waits for it`);
    return { id: evidence_id, name, category, media_type, size, sha256, open: () => store.open({ evidence_id, dispute_id, size }) };
  });
}
