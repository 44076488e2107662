import type { Dispute } from '../../../../projections/disputes/dispute-reads.js';
import type { DisputeDto } from './disputes.dto.js';
import { toEvidence } from './evidence-answer.js';

// A file of its own, as charge-detail.ts is: bodies of webhooks are rendered where the framework of a DTO is not loaded.

/** As it is answered. `names`: of the evidence that can be opened. */
export function toDispute(dispute: Dispute, names: ReadonlyMap<string, string>): DisputeDto {
  return { ...dispute, evidence: dispute.evidence.map((each) => toEvidence(each, names)) };
}
