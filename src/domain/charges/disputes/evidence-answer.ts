import type { StoredEvidence } from '../../../../projections/disputes/disputes.js';
import type { EvidenceDto } from './evidence.dto.js';

/** Returns the response for a file. `names`: names of the files that can be opened, by evidence. */
export function toEvidence(
  { id, category, media_type, size, sha256, added_by, added_on, erased }: StoredEvidence,
  names: ReadonlyMap<string, string>,
): EvidenceDto {
  const name = erased ? null : (names.get(id) ?? null);
  return { id, name, category, media_type, size, sha256, added_by, added_on, erased };
}
