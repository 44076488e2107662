import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Position, ReadOptions } from '../event-store.js';

type ReadReq = streams.ReadReq;

/** Matches every type without a leading `$`. Names of system events begin with it; no event type of our own does. */
const NO_SYSTEM_EVENTS = '^[^\\$].*';
/** Maximum events that the server scans before it sends a checkpoint: events that a filter skips cost no message. */
const SEARCH_WINDOW = 2_000;
const NO_LIMIT = Number.MAX_SAFE_INTEGER;
const { FORWARDS, BACKWARDS } = streams.ReadReq.Options.ReadDirection;

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

/** Requests the newest event of the log that is not the server's own. */
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

/** Requests everything after `after`, and new events until the call ends. */
export function subscribeToAllRequest(after: Position | null, streamPrefix: string): ReadReq {
  const options = allForwards(after, streamPrefix);
  options.setSubscription(new streams.ReadReq.Options.SubscriptionOptions());
  return requestOf(options);
}

/** Requests the events after `after` that exist now, at most `limit`. The event at `after` is sent once more. */
export function readAllRequest(after: Position, streamPrefix: string, limit: number): ReadReq {
  const options = allForwards(after, streamPrefix);
  options.setCount(String(limit + 1));
  return requestOf(options);
}

function allForwards(after: Position | null, streamPrefix: string): streams.ReadReq.Options {
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
  options.setReadDirection(FORWARDS);
  options.setFilter(logFilter(streamPrefix));
  return options;
}

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
