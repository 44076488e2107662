import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { EncodedAppend } from '../append-rules.js';
import type { EventMetadata, Position, RecordedEvent } from '../event-store.js';
import { delimited, numeric, ProtobufReader } from './protobuf.js';

/** Numbers of the protocol have 64 bits; -1 stands for none. */
const NONE = 2n ** 64n - 1n;
/** The server's answer to one append. */
export type AppendVerdict =
  | { readonly kind: 'written'; readonly revision: number; readonly position: Position | null }
  | { readonly kind: 'wrong-revision'; readonly actual: number | null }
  /** The server did not process it. */
  | { readonly kind: 'not-handled'; readonly message: string }
  /** It may have been written nevertheless. */
  | { readonly kind: 'unknown'; readonly message: string }
  | { readonly kind: 'access-denied' }
  /** It will never be accepted. */
  | { readonly kind: 'refused'; readonly message: string };

/** An answer to one attempt of an append. */
export interface AppendAnswer {
  /** Its correlation id. */
  readonly attempt: string;
  readonly verdict: AppendVerdict;
}

/** An event as the server sends it. */
export interface SentEvent {
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
  /** Bytes of data and metadata together. */
  readonly bytes: number;
}

/** One message of a read, or of a subscription. */
export type ReadAnswer =
  | { readonly kind: 'event'; readonly event: SentEvent }
  | { readonly kind: 'caught-up' | 'fell-behind' }
  /** Up to here the log has nothing else for this subscription. */
  | { readonly kind: 'checkpoint'; readonly position: Position }
  /** A message that is ignored. */
  | { readonly kind: 'other' };

const EMPTY = Buffer.alloc(0);
const JSON_CONTENT = mapEntry('content-type', 'application/json');
const IS_FINAL = numeric(4, 1);

/**
 * Encodes the fields of `BatchAppendReq`, in `streams.proto`. Appends and events are most of the traffic, and the generated code takes longer for
 * each than all other work on it.
 * @param attempt id of this attempt. No deadline: it would be compared with the server's clock.
 */
export function batchAppendRequest(attempt: string, { stream, revision, events }: EncodedAppend): Buffer {
  const expected = revision === 0 ? delimited(3, EMPTY) : numeric(2, revision - 1);
  return Buffer.concat([
    delimited(1, uuid(attempt)),
    delimited(2, delimited(1, delimited(3, Buffer.from(stream))), expected),
    ...events.map(({ id, type, data, metadata }) =>
      delimited(
        3,
        delimited(1, uuid(id)),
        mapEntry('type', type),
        JSON_CONTENT,
        delimited(3, Buffer.from(metadata)),
        delimited(4, Buffer.from(data)),
      ),
    ),
    IS_FINAL,
  ]);
}

/** Decodes a `BatchAppendResp`. @throws RangeError */
export function appendAnswer(bytes: Buffer): AppendAnswer {
  const reader = new ProtobufReader(bytes);
  let attempt = '';
  let verdict: AppendVerdict | undefined;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) attempt = readUuid(reader.message());
    else if (field === 3) verdict = readSuccess(reader.message());
  }
  return { attempt, verdict: verdict ?? failureIn(bytes) };
}

function readSuccess(reader: ProtobufReader): AppendVerdict {
  let revision = 0;
  let position: Position | null = null;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) revision = Number(reader.uint64());
    else if (field === 3) position = readPosition(reader.message());
  }
  return { kind: 'written', revision, position: position === NONE ? null : position };
}

function failureIn(bytes: Buffer): AppendVerdict {
  const error = streams.BatchAppendResp.deserializeBinary(bytes).getError();
  const details = error?.getDetails();
  const message = error?.getMessage() ?? 'neither success nor error';
  switch (details?.getTypeName()) {
    case 'event_store.client.WrongExpectedVersion': {
      const wrong = details.unpack((packed) => shared.WrongExpectedVersion.deserializeBinary(packed), 'event_store.client.WrongExpectedVersion')!;
      const current = wrong.hasCurrentStreamRevision() ? BigInt(wrong.getCurrentStreamRevision()) : NONE;
      return { kind: 'wrong-revision', actual: current === NONE ? null : Number(current) };
    }
    case 'event_store.client.AccessDenied':
      return { kind: 'access-denied' };
    case 'event_store.client.StreamDeleted':
    case 'event_store.client.MaximumAppendSizeExceeded':
    case 'event_store.client.BadRequest':
      return { kind: 'refused', message };
    case 'google.protobuf.Empty':
      return { kind: /^Server Is (?:Not Ready|Busy)$/.test(message) ? 'not-handled' : 'unknown', message };
    default:
      return { kind: 'unknown', message };
  }
}

/** Decodes a `ReadResp`. @throws RangeError */
export function readAnswer(bytes: Buffer): ReadAnswer {
  const reader = new ProtobufReader(bytes);
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    switch (field) {
      case 1: {
        const event = readEvent(reader.message());
        return event ? { kind: 'event', event } : OTHER;
      }
      case 3: {
        const position = readPosition(reader.message());
        // When the log has no events, EventStoreDB 24 sends a checkpoint with the largest number: it stands for no place.
        return position === NONE ? OTHER : { kind: 'checkpoint', position };
      }
      case 8:
        return { kind: 'caught-up' };
      case 9:
        return { kind: 'fell-behind' };
    }
  }
  return OTHER;
}

const OTHER: ReadAnswer = { kind: 'other' };

/** Decodes a `ReadEvent`: the event itself, without the link that may have led to it. */
function readEvent(reader: ProtobufReader): SentEvent | undefined {
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) return readRecorded(reader.message());
  }
  return undefined;
}

function readRecorded(reader: ProtobufReader): SentEvent {
  let [id, stream, type, data, metadata] = ['', '', '', '', ''];
  let revision = 0;
  let position: Position = 0n;
  let bytes = 0;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    switch (field) {
      case 1:
        id = readUuid(reader.message());
        break;
      case 2:
        stream = readStreamName(reader.message());
        break;
      case 3:
        revision = Number(reader.uint64());
        break;
      case 5:
        position = reader.uint64();
        break;
      case 6:
        type = typeIn(reader.message()) ?? type;
        break;
      case 7:
        bytes += reader.length;
        metadata = reader.text();
        break;
      case 8:
        bytes += reader.length;
        data = reader.text();
        break;
    }
  }
  return { id, stream, revision, position, type, data, metadata, bytes };
}

/** Returns the first number of a position, by which the log is ordered; 0 when there is none. */
function readPosition(reader: ProtobufReader): Position {
  for (let field = reader.next(); field !== 0; field = reader.next()) if (field === 1) return reader.uint64();
  return 0n;
}

function readStreamName(reader: ProtobufReader): string {
  for (let field = reader.next(); field !== 0; field = reader.next()) if (field === 3) return reader.text();
  return '';
}

/** Returns undefined for another entry of the server's own metadata. */
function typeIn(entry: ProtobufReader): string | undefined {
  let [key, value] = ['', ''];
  for (let field = entry.next(); field !== 0; field = entry.next()) {
    if (field === 1) key = entry.text();
    else if (field === 2) value = entry.text();
  }
  return key === 'type' ? value : undefined;
}

/** Reads a text, or two halves: the server answers appends with the latter. */
function readUuid(reader: ProtobufReader): string {
  const field = reader.next();
  if (field !== 1) return field === 2 ? reader.text() : '';
  const halves = reader.message();
  let [high, low] = [0n, 0n];
  for (let half = halves.next(); half !== 0; half = halves.next()) {
    if (half === 1) high = halves.uint64();
    else if (half === 2) low = halves.uint64();
  }
  const digits = (value: bigint): string => value.toString(16).padStart(16, '0');
  return `${digits(high)}${digits(low)}`.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** @param withTexts adds `stored`. @throws when it is not JSON, and so was not written by this service */
export function recordedEvent({ id, stream, revision, position, type, data, metadata }: SentEvent, withTexts: boolean): RecordedEvent {
  try {
    return {
      stream,
      revision,
      position,
      id,
      type,
      data: JSON.parse(data) as object,
      metadata: JSON.parse(metadata) as EventMetadata,
      ...(withTexts && { stored: { data, metadata } }),
    };
  } catch (error) {
    throw new Error(`revision ${revision} of "${stream}" was not written by this service: it is not JSON`, { cause: error });
  }
}

/** Returns true for an event of the server itself, or of its projections: links and checkpoints. */
export function isSystemEvent({ type, stream }: SentEvent): boolean {
  return type.startsWith('$') || stream.startsWith('$');
}

/** Encodes the fields of a `UUID`. */
function uuid(text: string): Buffer {
  return delimited(2, Buffer.from(text));
}

/** Encodes an entry of the metadata that the server itself reads. */
function mapEntry(key: string, value: string): Buffer {
  return delimited(2, delimited(1, Buffer.from(key)), delimited(2, Buffer.from(value)));
}
