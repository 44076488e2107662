import type { Dispute } from '../../../../projections/disputes/dispute-reads.js';
import type { DisputeDto } from './disputes.dto.js';
import { toEvidence } from './evidence-answer.js';

// A separate file, like charge-detail.ts: the process that renders webhook bodies does not load the framework of a DTO.

/** Returns the response for a dispute. `names`: names of the evidence that can be opened. */
export function toDispute(dispute: Dispute, names: ReadonlyMap<string, string>): DisputeDto {
  return { ...dispute, evidence: dispute.evidence.map((each) => toEvidence(each, names)) };
}
