import type { BatchNames } from './batch-names.js';

/**
 * Finds the references of a line in fields and texts that people and banks write. Only our forms and those of batches are accepted in texts: numbers
 * of accounts, telephones and identity cards are personal data, and stay encrypted with the file's key.
 */

/** Our reference of a transfer: of the simulator, or the 19 digits of the rails. */
const OURS = /\bP[0-9A-Z]{15}\b|(?<!\d)\d{19}(?!\d)/g;
const IS_OURS = /^(?:P[0-9A-Z]{15}|\d{19})$/;
/** Words of letters and digits joined by hyphens. */
const JOINED = /\b(?=[0-9A-Za-z-]*\d)(?=[0-9A-Za-z-]*[A-Za-z])[0-9A-Za-z]+(?:-[0-9A-Za-z]+)+\b/g;
/** From 2020 on, YYYYMMDD. */
const DAY = '20[2-4]\\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])';
/** A batch that is named by letters, its day and one to four short parts, such as SIM-20261120-IDR-1. */
const BATCH_OF_DAY = new RegExp(`^[A-Za-z]{2,12}-${DAY}(?:-[0-9A-Za-z]{1,4}){1,4}$`);
/** A reference that contains a day, such as STL20261120001 or 20261120-7. */
const BEGINS_WITH_DAY = new RegExp(`^(?:[A-Za-z]{1,12}[-_./]?)?${DAY}[0-9A-Za-z-]*$`);
/** Digits and their separators, with a name such as `HP-` before them or without. */
const DIGITS = /^(?:[A-Za-z]{1,12}[-_.:/])?[\d+()._:/-]+$/;
const PERSONAL_DIGITS_MIN = 6;
const IBAN = /^[A-Z]{2}\d{2}[0-9A-Z]{11,30}$/;
/** Maximum references of a line. */
export const REFERENCES_MAX = 8;
export const REFERENCE_LENGTH_MAX = 64;
/** Maximum characters of the name of a processor's batch. */
export const BATCH_LENGTH_MAX = 64;
/** ISO 20022 and SWIFT: values that mean "no reference". */
const NONE = new Set(['NOTPROVIDED', 'NOTPROVIDE', 'NONREF', 'NONE']);

/** The places of a line in a bank's file that may contain references. */
export interface WrittenReferences {
  /** Fields that contain a reference and nothing else, those of the bank's own references among them. */
  readonly given: readonly (string | undefined)[];
  /** The bank's own references: no person is named by them. */
  readonly own: readonly (string | undefined)[];
  readonly texts: readonly string[];
}

export interface FoundReferences {
  readonly references: readonly string[];
  /** Those that the line's key is made of: they do not depend on settings, so that a line keeps its key when names of batches are added. */
  readonly keyed: readonly string[];
  /** References as earlier versions found them; null: the same as `keyed`. Digests of statements that they accepted are made of these. */
  readonly former: readonly string[] | null;
  /** Values of reference fields that are no references. They may be personal data. */
  readonly hidden: readonly string[];
}

/** @param names of batches in the source's settings */
export function findReferences({ given, own, texts }: WrittenReferences, names: BatchNames): FoundReferences {
  const fields = given.map(trimmed).filter(isWritten);
  const owned = own.map(trimmed);
  const scanned = texts.map(scan);
  const former = formerIn(fields, scanned);
  // Nearly all lines: only their own words are compared.
  const isPlain = fields.every((text) => isAccepted(text, owned)) && scanned.every(({ joined }) => joined.every(isBatchOfDay));
  const keyed = isPlain ? former : acceptedIn(fields, owned, scanned);
  const references = names.areNone ? keyed : acceptedIn(fields, owned, scanned, names);
  const hidden = isPlain ? [] : [...new Set(fields.filter((text) => !references.includes(text)))];
  const isFormer = former.length === keyed.length && former.every((each, place) => each === keyed[place]);
  return { references, keyed, former: isFormer ? null : former, hidden };
}

/** @param given fields that contain a reference and nothing else @param texts that may contain references */
export const referencesIn = (given: readonly (string | undefined)[], texts: readonly string[], names?: BatchNames): string[] =>
  acceptedIn(given.map(trimmed).filter(isWritten), [], texts.map(scan), names);

/** A text, and the words in it that may be references. */
interface Scanned {
  readonly text: string;
  readonly ours: readonly string[];
  readonly joined: readonly string[];
}

const scan = (text: string): Scanned => ({ text, ours: text.match(OURS) ?? [], joined: text.match(JOINED)?.filter(isShort) ?? [] });
const isBatchOfDay = (word: string): boolean => BATCH_OF_DAY.test(word);
const isAccepted = (text: string, owned: readonly string[], names?: BatchNames): boolean =>
  isShort(text) && (owned.includes(text) || names?.fits(text) === true || isReference(text));
const isShort = ({ length }: string): boolean => length <= REFERENCE_LENGTH_MAX;

/**
 * A field with spaces is a text. A field that is a plain number, such as that of an account or a telephone, is no reference, unless it is one of the
 * bank's own.
 */
function acceptedIn(fields: readonly string[], owned: readonly string[], texts: readonly Scanned[], names?: BatchNames): string[] {
  const found = new Set<string>();
  const written: Scanned[] = [];
  for (const text of fields) {
    if (isAccepted(text, owned, names)) found.add(text);
    else written.push(scan(text));
  }
  for (const { text, ours, joined } of [...texts, ...written]) {
    for (const word of ours) found.add(word);
    for (const word of joined) if (isBatchOfDay(word)) found.add(word);
    if (names) for (const word of names.within(text)) if (isShort(word)) found.add(word);
  }
  return [...found].slice(0, REFERENCES_MAX);
}

/** Returns references as earlier versions found them: any hyphenated word with a letter and a digit, and any value of a reference field. */
function formerIn(fields: readonly string[], texts: readonly Scanned[]): string[] {
  const found = new Set(fields.filter(isShort));
  for (const { ours, joined } of texts) {
    for (const word of ours) found.add(word);
    for (const word of joined) found.add(word);
  }
  return [...found].slice(0, REFERENCES_MAX);
}

const trimmed = (text: string | undefined): string => text?.trim() ?? '';
const isWritten = (text: string): boolean => text !== '' && !NONE.has(text);

function isReference(text: string): boolean {
  if (/\s/.test(text)) return false;
  const isPersonal = DIGITS.test(text) ? text.replaceAll(/\D/g, '').length >= PERSONAL_DIGITS_MIN : isIban(text);
  return !isPersonal || IS_OURS.test(text) || BEGINS_WITH_DAY.test(text);
}

/** ISO 13616: the remainder by 97 of an IBAN is 1. Creditors' references of ISO 11649 have the same check digits, and begin with RF. */
function isIban(text: string): boolean {
  if (!IBAN.test(text) || text.startsWith('RF')) return false;
  const digits = (text.slice(4) + text.slice(0, 4)).replaceAll(/[A-Z]/g, (letter) => `${Number.parseInt(letter, 36)}`);
  return BigInt(digits) % 97n === 1n;
}
