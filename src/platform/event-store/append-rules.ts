import type { EventRef, ExpectedRevision, NewEvent } from './event-store.js';
import { UUID } from '../text/uuid.js';

/** Limits of EventStoreDB for one append; the embedded engine has the same, so that a move between them is possible. */
export const APPEND_BYTES_MAX = 1_048_576;
export const APPEND_EVENTS_MAX = 1_000;
/** Maximum events that an append may depend on: a settlement, and each of its lines. */
const RESTS_ON_MAX = 1_001;

/** Bytes that EventStoreDB adds to an event's own, rounded up. */
const EVENT_OVERHEAD_BYTES = 128;
const REVISION_MAX = 2 ** 31 - 1;
/** Printable ASCII; names that begin with `$` are the engine's own. */
const NAME = /^(?!\$)[\x21-\x7e]{1,255}$/;
/** An append that is invalid for every engine: a bug in the calling code, never a temporary condition. */
export class InvalidAppend extends Error {
  override readonly name = 'InvalidAppend';
}

export interface EncodedEvent {
  readonly id: string;
  readonly type: string;
  /** JSON, as it will be stored. */
  readonly data: string;
  /** JSON, as it will be stored. */
  readonly metadata: string;
}

/** An append that was checked and turned into bytes: later changes to the caller's objects have no effect. */
export interface EncodedAppend {
  readonly stream: string;
  /** Revision of the first event. */
  readonly revision: number;
  /** Id of the event before the first; null when any id is accepted, or there is no event before it. */
  readonly after: string | null;
  readonly events: readonly EncodedEvent[];
  /** Events of other streams that must exist. */
  readonly dependsOn: readonly EventRef[];
  readonly bytes: number;
}

/** Checks an append before any engine sees it. @throws InvalidAppend */
export function encodeAppend(
  stream: string,
  expected: ExpectedRevision,
  events: readonly NewEvent[],
  dependsOn: readonly EventRef[] = [],
): EncodedAppend {
  const refuse = (why: string): never => {
    throw new InvalidAppend(`append to "${stream}" refused: ${why}`);
  };
  if (!NAME.test(stream)) refuse('a stream is named by 1–255 printable ASCII characters, the first not $');
  const { revision: newest, id: after } = typeof expected === 'object' ? expected : { revision: expected === 'no-stream' ? -1 : expected, id: null };
  if (expected !== 'no-stream' && !(Number.isInteger(newest) && newest >= 0 && newest < REVISION_MAX - APPEND_EVENTS_MAX)) {
    refuse(`${newest} is no revision`);
  }
  if (after !== null && !UUID.test(after)) refuse(`"${after}" is no UUID in lower case`);
  if (dependsOn.length > RESTS_ON_MAX) refuse(`it rests on ${dependsOn.length} events, at most ${RESTS_ON_MAX} are allowed`);
  for (const { stream: other, revision, id } of dependsOn) {
    if (!NAME.test(other) || !Number.isInteger(revision) || revision < 0 || revision > REVISION_MAX || !UUID.test(id))
      refuse(`it cannot rest on "${id}" of "${other}" at ${revision}`);
  }
  if (events.length === 0) refuse('no events');
  if (events.length > APPEND_EVENTS_MAX) refuse(`${events.length} events, at most ${APPEND_EVENTS_MAX} are allowed`);

  const encoded = events.map(({ id, type, data, metadata }): EncodedEvent => {
    if (!UUID.test(id)) refuse(`"${id}" is no UUID in lower case`);
    if (!NAME.test(type)) refuse(`"${type}" is no event type: 1–255 printable ASCII characters, the first not $`);
    const dataText = objectText(data) ?? refuse('data is no JSON object');
    return { id, type, data: dataText, metadata: objectText(metadata) ?? refuse('metadata is no JSON object') };
  });
  if (new Set(events.map(({ id }) => id)).size < events.length) refuse('an event id is used twice');
  const bytes = encoded.reduce((sum, event) => sum + bytesOf(event), 0);
  if (bytes > APPEND_BYTES_MAX) refuse(`${bytes} bytes, at most ${APPEND_BYTES_MAX} are allowed`);
  return { stream, revision: newest + 1, after, events: encoded, dependsOn, bytes };
}

/** Returns undefined for a value that JSON does not write as an object. */
function objectText(value: unknown): string | undefined {
  const text: string | undefined = JSON.stringify(value);
  return text?.startsWith('{') ? text : undefined;
}

const bytesOf = ({ type, data, metadata }: EncodedEvent): number =>
  Buffer.byteLength(data) + Buffer.byteLength(metadata) + type.length + EVENT_OVERHEAD_BYTES;
