import { parseUUID } from '@eventstore/db-client/dist/utils/grpcUUID.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import googleEmpty from 'google-protobuf/google/protobuf/empty_pb.js';
import type { EncodedAppend } from './append-rules.js';
import type { EventMetadata, Position, ReadOptions, RecordedEvent } from './event-store.js';

type ReadReq = streams.ReadReq;
type BatchAppendReq = streams.BatchAppendReq;
type BatchAppendResp = streams.BatchAppendResp;

/** Its numbers have 64 bits; -1 stands for none. */
const NONE = (2n ** 64n - 1n).toString();
/** Names of system events begin so; every event type of our own does not. */
const NO_SYSTEM_EVENTS = '^[^\\$].*';
/** How many events the server looks at before it comes back to us, at most: what a filter passes over costs no message. */
const SEARCH_WINDOW = 2_000;
const NO_LIMIT = Number.MAX_SAFE_INTEGER;
const { FORWARDS, BACKWARDS } = streams.ReadReq.Options.ReadDirection;

/** What the server said of one append. */
export type AppendVerdict =
  | { readonly kind: 'written'; readonly revision: number; readonly position: Position | null }
  | { readonly kind: 'wrong-revision'; readonly actual: number | null }
  /** It was not even looked at. */
  | { readonly kind: 'not-handled'; readonly message: string }
  /** It may have been written all the same. */
  | { readonly kind: 'unknown'; readonly message: string }
  | { readonly kind: 'access-denied' }
  /** It never will be taken. */
  | { readonly kind: 'refused'; readonly message: string };

/** @param correlationId names this attempt. No deadline: it would be compared with the server's clock. */
export function batchAppendRequest(correlationId: string, { stream, revision, events }: EncodedAppend): BatchAppendReq {
  const options = new streams.BatchAppendReq.Options();
  options.setStreamIdentifier(streamIdentifier(stream));
  if (revision === 0) options.setNoStream(new googleEmpty.Empty());
  else options.setStreamPosition(String(revision - 1));

  const request = new streams.BatchAppendReq();
  request.setCorrelationId(uuid(correlationId));
  request.setOptions(options);
  for (const { id, type, data, metadata } of events) {
    const message = new streams.BatchAppendReq.ProposedMessage();
    message.setId(uuid(id));
    message.getMetadataMap().set('type', type).set('content-type', 'application/json');
    message.setData(Buffer.from(data));
    message.setCustomMetadata(Buffer.from(metadata));
    request.addProposedMessages(message);
  }
  request.setIsFinal(true);
  return request;
}

export function correlationOf(response: BatchAppendResp): string | undefined {
  return parseUUID(response.getCorrelationId());
}

export function verdictOf(response: BatchAppendResp): AppendVerdict {
  const success = response.getSuccess();
  if (success) {
    const position = success.getPosition()?.getCommitPosition() ?? NONE;
    return { kind: 'written', revision: Number(success.getCurrentRevision()), position: position === NONE ? null : BigInt(position) };
  }
  const error = response.getError();
  const details = error?.getDetails();
  const message = error?.getMessage() ?? 'neither success nor error';
  switch (details?.getTypeName()) {
    case 'event_store.client.WrongExpectedVersion': {
      const wrong = details.unpack((bytes) => shared.WrongExpectedVersion.deserializeBinary(bytes), 'event_store.client.WrongExpectedVersion')!;
      const current = wrong.hasCurrentStreamRevision() ? wrong.getCurrentStreamRevision() : NONE;
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

export function readStreamRequest(stream: string, { from, direction = 'forwards', limit = NO_LIMIT }: ReadOptions): ReadReq {
  const which = new streams.ReadReq.Options.StreamOptions();
  which.setStreamIdentifier(streamIdentifier(stream));
  if (from !== undefined) which.setRevision(String(from));
  else if (direction === 'forwards') which.setStart(new shared.Empty());
  else which.setEnd(new shared.Empty());

  const options = readOptions();
  options.setStream(which);
  options.setReadDirection(direction === 'forwards' ? FORWARDS : BACKWARDS);
  options.setCount(String(limit));
  options.setNoFilter(new shared.Empty());
  return requestOf(options);
}

/** The newest event of the log that is not the server's own. */
export function readNewestRequest(): ReadReq {
  const everything = new streams.ReadReq.Options.AllOptions();
  everything.setEnd(new shared.Empty());
  const options = readOptions();
  options.setAll(everything);
  options.setReadDirection(BACKWARDS);
  options.setCount('1');
  options.setFilter(logFilter(''));
  return requestOf(options);
}

export function subscribeToAllRequest(after: Position | null, streamPrefix: string): ReadReq {
  const everything = new streams.ReadReq.Options.AllOptions();
  if (after === null) {
    everything.setStart(new shared.Empty());
  } else {
    const position = new streams.ReadReq.Options.Position();
    position.setCommitPosition(String(after));
    position.setPreparePosition(String(after));
    everything.setPosition(position);
  }
  const options = readOptions();
  options.setAll(everything);
  options.setSubscription(new streams.ReadReq.Options.SubscriptionOptions());
  options.setFilter(logFilter(streamPrefix));
  return requestOf(options);
}

/** @param withTexts `stored` comes along. @throws when it is not JSON and so none of ours */
export function recordedEvent(event: streams.ReadResp.ReadEvent.RecordedEvent, withTexts: boolean): RecordedEvent {
  const stream = textOf(event.getStreamIdentifier()!.getStreamName_asU8());
  const revision = Number(event.getStreamRevision());
  const stored = { data: textOf(event.getData_asU8()), metadata: textOf(event.getCustomMetadata_asU8()) };
  try {
    return {
      stream,
      revision,
      position: BigInt(event.getCommitPosition()),
      id: parseUUID(event.getId())!,
      type: event.getMetadataMap().get('type') ?? '',
      data: JSON.parse(stored.data) as object,
      metadata: JSON.parse(stored.metadata) as EventMetadata,
      ...(withTexts && { stored }),
    };
  } catch (error) {
    throw new Error(`revision ${revision} of "${stream}" was not written by this service: it is not JSON`, { cause: error });
  }
}

/** Written by the server itself, or by its projections: links and checkpoints. */
export function isSystemEvent(event: streams.ReadResp.ReadEvent.RecordedEvent): boolean {
  return event.getMetadataMap().get('type')?.startsWith('$') === true || event.getStreamIdentifier()!.getStreamName_asU8()[0] === DOLLAR;
}

const DOLLAR = 0x24;

function logFilter(streamPrefix: string): streams.ReadReq.Options.FilterOptions {
  const expression = new streams.ReadReq.Options.FilterOptions.Expression();
  const filter = new streams.ReadReq.Options.FilterOptions();
  if (streamPrefix === '') {
    expression.setRegex(NO_SYSTEM_EVENTS);
    filter.setEventType(expression);
  } else {
    expression.addPrefix(streamPrefix);
    filter.setStreamIdentifier(expression);
  }
  filter.setMax(SEARCH_WINDOW);
  filter.setCheckpointintervalmultiplier(1);
  return filter;
}

function readOptions(): streams.ReadReq.Options {
  const ids = new streams.ReadReq.Options.UUIDOption();
  ids.setString(new shared.Empty());
  const options = new streams.ReadReq.Options();
  options.setUuidOption(ids);
  return options;
}

function requestOf(options: streams.ReadReq.Options): ReadReq {
  const request = new streams.ReadReq();
  request.setOptions(options);
  return request;
}

function streamIdentifier(stream: string): shared.StreamIdentifier {
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(Buffer.from(stream));
  return identifier;
}

function uuid(text: string): shared.UUID {
  const id = new shared.UUID();
  id.setString(text);
  return id;
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
