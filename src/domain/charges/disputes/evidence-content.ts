import { isUtf8 } from 'node:buffer';

/** First bytes of every file of a type; null: plain text. */
const BEGINNINGS = {
  'application/pdf': Buffer.from('%PDF-', 'latin1'),
  'image/png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  'image/jpeg': Buffer.from([0xff, 0xd8, 0xff]),
  'text/plain': null,
} as const satisfies Readonly<Record<string, Buffer | null>>;

export type EvidenceMediaType = keyof typeof BEGINNINGS;

export const EVIDENCE_MEDIA_TYPES = Object.keys(BEGINNINGS) as readonly EvidenceMediaType[];

/** Control characters that text does not contain: all except tab, line feed, form feed and carriage return. */
const isNoText = (byte: number): boolean => (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d) || byte === 0x7f;

/** Returns, as text for people, why the bytes do not have this type; undefined when they may have it. */
export function disagreement(bytes: Buffer, mediaType: EvidenceMediaType): string | undefined {
  if (bytes.length === 0) return 'The file is empty.';
  const beginsWith = (beginning: Buffer): boolean => bytes.subarray(0, beginning.length).equals(beginning);
  const beginning = BEGINNINGS[mediaType];
  if (beginning !== null) return beginsWith(beginning) ? undefined : `The file does not begin as ${mediaType} does.`;
  const other = EVIDENCE_MEDIA_TYPES.find((type) => BEGINNINGS[type] !== null && beginsWith(BEGINNINGS[type]));
  if (other !== undefined) return `The file begins as ${other} does.`;
  return isUtf8(bytes) && !bytes.some(isNoText) ? undefined : 'The file is not text in UTF-8.';
}
