import { createHmac } from 'node:crypto';
import { hasRedactedFields, isRedactedField } from '../ledger/published/redaction.js';
import { shownEvent, type ShownEvent } from '../ledger/published/shown-event.js';
import { storedTexts, type RecordedEvent, type StoredTexts } from '../platform/event-store/event-store.js';
import { leafHash } from './merkle-tree.js';

/**
 * Defines the content of an event's leaf: docs/audit.md is the specification, and auditors rely on it. This code must never produce other bytes for
 * an event that is already in a log.
 */
const FORMAT = 'chargebook event 1';

/** An event as finance receives it: the shown fields, and the texts from which its leaf is computed. */
export interface ChainedEvent extends ShownEvent {
  /** The stored texts, except that a seal replaces each hidden value. */
  readonly stored: StoredTexts;
}

/** A line of `events export`. */
export interface ExportedEvent extends ChainedEvent {
  /** Hash of the event that was sealed at this position, hex; null: none yet. It identifies the first event that differs from the sealed one. */
  readonly leaf_hash: string | null;
}

/** `ordinal` counts from 1. `sealKey`: see `ChainKeys`. */
export function chainedEvent(event: RecordedEvent, ordinal: number, sealKey: Buffer): ChainedEvent {
  return { ...shownEvent(event, ordinal), stored: disclosed(event, sealKey) };
}

/** Returns the hash of an event's leaf, computed from the stored event. */
export const leafOf = (event: RecordedEvent, sealKey: Buffer): Buffer => leafOfTexts(event, disclosed(event, sealKey));

/** Returns the hash of an event's leaf, computed from the event as finance received it. */
export function leafOfTexts({ stream, revision, id, type }: Omit<ChainedEvent, 'stored'> | RecordedEvent, { data, metadata }: StoredTexts): Buffer {
  const fields = [FORMAT, stream, String(revision), id, type, data, metadata];
  // A UTF-16 code unit takes at most three bytes in UTF-8.
  const bytes = Buffer.allocUnsafe(1 + fields.reduce((room, field) => room + 4 + 3 * field.length, 0));
  let at = 1;
  for (const field of fields) {
    const length = bytes.write(field, at + 4);
    bytes.writeUInt32BE(length, at);
    at += 4 + length;
  }
  return leafHash(bytes.subarray(0, at));
}

function disclosed(event: RecordedEvent, sealKey: Buffer): StoredTexts {
  const { id, type } = event;
  const texts = storedTexts(event);
  return hasRedactedFields(type) ? { ...texts, data: withSeals(texts.data, id, type, sealKey) } : texts;
}

/** Returns the JSON object `text` with the values of sealed members replaced, and every other byte unchanged. null reveals nothing, and is kept. */
function withSeals(text: string, id: string, type: string, sealKey: Buffer): string {
  let [result, copied] = ['', 0];
  let at = behindSpace(text, text.indexOf('{') + 1);
  while (text.charCodeAt(at) === QUOTE) {
    const nameEnd = endOfString(text, at);
    const name = nameOf(text.slice(at, nameEnd));
    const start = behindSpace(text, text.indexOf(':', nameEnd) + 1);
    const end = endOfValue(text, start);
    const value = isRedactedField(type, name) ? text.slice(start, end) : 'null';
    if (value !== 'null') {
      result += `${text.slice(copied, start)}"${sealOf(value, id, name, sealKey)}"`;
      copied = end;
    }
    // After the comma, or the last member.
    at = behindSpace(text, behindSpace(text, end) + 1);
  }
  return result + text.slice(copied);
}

const [QUOTE, BACKSLASH, COMMA, SPACE] = [0x22, 0x5c, 0x2c, 0x20];
/** `{` and `[`, and `}` and `]`. */
const [OPENING, CLOSING] = [
  [0x7b, 0x5b],
  [0x7d, 0x5d],
];

const nameOf = (text: string): string => (text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1));

/** Outside of strings, JSON's white space is every character up to the space. */
function behindSpace(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) <= SPACE) at += 1;
  return at;
}

/** @param start index of its opening quote */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let before = at;
    while (text.charCodeAt(before - 1) === BACKSLASH) before -= 1;
    if ((at - before) % 2 === 0) return at + 1;
  }
  return text.length;
}

function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (depth === 0 && (code === COMMA || code <= SPACE || CLOSING.includes(code))) return at;
    if (code === QUOTE) at = endOfString(text, at) - 1;
    else if (OPENING.includes(code)) depth += 1;
    else if (CLOSING.includes(code)) depth -= 1;
  }
  return text.length;
}

/** Commits to the value, reveals nothing without the key, and differs between events with the same value. */
function sealOf(value: string, id: string, name: string, sealKey: Buffer): string {
  return `[sealed ${createHmac('sha256', sealKey).update(`${id}\n${name}\n${value}`).digest('hex')}]`;
}

const SEAL = /^\[sealed [0-9a-f]{64}\]$/;

/** Returns the name of the first field that contradicts the stored texts; null when none does. `ordinal` is the expected position. */
export function misstatedField(event: ChainedEvent, ordinal: number): string | null {
  const data = JSON.parse(event.stored.data) as Record<string, unknown>;
  // Decided by type and name, never by the form of a text: a client may send texts that look like seals.
  const isSeal = (name: string, value: unknown): boolean => isRedactedField(event.type, name) && typeof value === 'string' && SEAL.test(value);
  const opened = Object.fromEntries(Object.entries(data).map(([name, value]) => [name, isSeal(name, value) ? '[sealed]' : value]));
  const metadata = JSON.parse(event.stored.metadata) as RecordedEvent['metadata'];
  const { merchant_id, occurred_on, actor, $correlationId: correlation_id, $causationId: causation_id } = metadata;
  const truth = { position: ordinal, merchant_id, occurred_on, actor, correlation_id, causation_id, data: opened };
  for (const [name, value] of Object.entries(truth)) {
    if (JSON.stringify(event[name as keyof ChainedEvent]) !== JSON.stringify(value)) return name;
  }
  return null;
}
