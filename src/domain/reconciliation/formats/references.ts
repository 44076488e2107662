/**
 * References in what people and banks write. Only forms that are ours or a batch's are taken: a number of another account is personal
 * data, and stays behind the file's key.
 */

/** Our reference of a transfer: of the simulator, or the 19 digits of the rails. */
const OURS = /\bP[0-9A-Z]{15}\b|(?<!\d)\d{19}(?!\d)/g;
/** Words of letters and digits joined by hyphens, as processors name batches. */
const JOINED = /\b(?=[0-9A-Za-z-]*\d)(?=[0-9A-Za-z-]*[A-Za-z])[0-9A-Za-z]+(?:-[0-9A-Za-z]+)+\b/g;
/** Of a line. */
const REFERENCES_MAX = 8;
export const REFERENCE_LENGTH_MAX = 64;
/** ISO 20022 and SWIFT: there is none. */
const NONE = new Set(['NOTPROVIDED', 'NOTPROVIDE', 'NONREF', 'NONE']);

/** @param given fields that hold a reference and nothing else @param texts in which references may stand */
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
