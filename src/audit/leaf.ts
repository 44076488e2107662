import { createHmac } from 'node:crypto';
import { isRedactedField } from '../ledger/redaction.js';
import { shownEvent, type ShownEvent } from '../ledger/shown-event.js';
import { storedTexts, type RecordedEvent, type StoredTexts } from '../platform/event-store/event-store.js';
import { leafHash } from './merkle-tree.js';

/**
 * What of an event stands in the tree: docs/audit.md is the specification, and auditors hold us to it. Nothing here may ever give
 * other bytes for an event that stands in a log.
 */
const FORMAT = 'chargebook event 1';

/** An event as finance gets it: what is shown, and the texts that its leaf is made of. */
export interface ChainedEvent extends ShownEvent {
  /** As they are stored, but for the values that are never shown: in place of each stands its seal. */
  readonly stored: StoredTexts;
}

/** A line of `events export`. */
export interface ExportedEvent extends ChainedEvent {
  /** Of the event that was sealed at this position, hex; null: none yet. It names the first one that is not what was sealed. */
  readonly leaf_hash: string | null;
}

/** `ordinal`: 1, 2, 3 … `sealKey`: see `ChainKeys`. */
export function chainedEvent(event: RecordedEvent, ordinal: number, sealKey: Buffer): ChainedEvent {
  return { ...shownEvent(event, ordinal), stored: disclosed(event, sealKey) };
}

/** The hash of an event's leaf, by what the store holds. */
export const leafOf = (event: RecordedEvent, sealKey: Buffer): Buffer => leafOfTexts(event, disclosed(event, sealKey));

/** The hash of an event's leaf, by what finance was given. */
export function leafOfTexts({ stream, revision, id, type }: Omit<ChainedEvent, 'stored'> | RecordedEvent, { data, metadata }: StoredTexts): Buffer {
  const fields = [FORMAT, stream, String(revision), id, type, data, metadata];
  // A character of UTF-16 is three bytes of UTF-8 at most.
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
  const { id, type, data } = event;
  const texts = storedTexts(event);
  const sealed = Object.keys(data).some((name) => isRedactedField(type, name));
  return sealed ? { ...texts, data: withSeals(texts.data, id, type, sealKey) } : texts;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g;

/** The JSON object `text` with its sealed members' values replaced, and not a byte else. null says nothing, and stays. */
function withSeals(text: string, id: string, type: string, sealKey: Buffer): string {
  let [result, copied, depth, valueEnd] = ['', 0, 0, 0];
  let name: string | undefined;
  let valueStart: number | undefined;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '}' || token === ']') depth -= 1;
    const endsMember = (depth === 1 && token === ',') || (depth === 0 && token === '}');
    if (endsMember && name !== undefined && valueStart !== undefined) {
      const value = text.slice(valueStart, valueEnd);
      if (isRedactedField(type, name) && value !== 'null') {
        result += `${text.slice(copied, valueStart)}"${sealOf(value, id, name, sealKey)}"`;
        copied = valueEnd;
      }
    }
    if (endsMember) name = valueStart = undefined;
    else if (depth === 1 && name === undefined) name = JSON.parse(token) as string;
    else if (name !== undefined && (token !== ':' || depth > 1)) valueStart ??= index;
    if (token === '{' || token === '[') depth += 1;
    valueEnd = index + token.length;
  }
  return result + text.slice(copied);
}

/** Binds the value, tells nothing of it to who has not the key, and is another for the same value in another event. */
function sealOf(value: string, id: string, name: string, sealKey: Buffer): string {
  return `[sealed ${createHmac('sha256', sealKey).update(`${id}\n${name}\n${value}`).digest('hex')}]`;
}

const SEAL = /^\[sealed [0-9a-f]{64}\]$/;

/** The name of the first field that does not say what the stored texts say; null when all do. `ordinal`: where it must stand. */
export function misstatedField(event: ChainedEvent, ordinal: number): string | null {
  const data = JSON.parse(event.stored.data) as Record<string, unknown>;
  // By type and name, never by the look of a text: a client may send texts that look like seals.
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
