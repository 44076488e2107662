/**
 * Finds references in texts of people and banks. Only our forms and those of batches are accepted: the number of another account is personal data,
 * and stays encrypted with the file's key.
 */

/** Our reference of a transfer: of the simulator, or the 19 digits of the rails. */
const OURS = /\bP[0-9A-Z]{15}\b|(?<!\d)\d{19}(?!\d)/g;
/** Words of letters and digits joined by hyphens, as processors name batches. */
const JOINED = /\b(?=[0-9A-Za-z-]*\d)(?=[0-9A-Za-z-]*[A-Za-z])[0-9A-Za-z]+(?:-[0-9A-Za-z]+)+\b/g;
/** Maximum references of a line. */
const REFERENCES_MAX = 8;
export const REFERENCE_LENGTH_MAX = 64;
/** ISO 20022 and SWIFT: values that mean "no reference". */
const NONE = new Set(['NOTPROVIDED', 'NOTPROVIDE', 'NONREF', 'NONE']);

/** @param given fields that contain a reference and nothing else @param texts that may contain references */
export function referencesIn(given: readonly (string | undefined)[], texts: readonly string[]): string[] {
  const found = new Set<string>();
  for (const reference of given) {
    const text = reference?.trim();
    if (text && text.length <= REFERENCE_LENGTH_MAX && !NONE.has(text)) found.add(text);
  }
  for (const text of texts) {
    for (const pattern of [OURS, JOINED]) for (const [match] of text.matchAll(pattern)) if (match.length <= REFERENCE_LENGTH_MAX) found.add(match);
  }
  return [...found].slice(0, REFERENCES_MAX);
}
