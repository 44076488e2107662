/**
 * The event-store port: everything that Chargebook requires of an event store.
 * Two engines implement it (embedded in Postgres, EventStoreDB); one contract suite checks both against these comments.
 */

/** Injection token of the engine in force. */
export const EVENT_STORE = Symbol('EventStore');

/** Metadata of every event. Written once, never changed. */
export interface EventMetadata {
  /** Owner of the record; null for events that belong to no merchant. */
  readonly merchant_id: string | null;
  /** Key id that acted, or `System`. */
  readonly actor: string;
  /** Chain of causes; the names are the ones EventStoreDB's own UI follows. */
  readonly $correlationId: string;
  readonly $causationId: string;
  /** Version of the shape of `data` for this event type; upcasters raise it at the reader. */
  readonly schema_version: number;
  /** RFC 3339, milliseconds, `+00:00`: the deciding process's clock. */
  readonly occurred_on: string;
  /** On first events of idempotent creations: HMAC of the canonical request. */
  readonly fingerprint?: string;
}

export interface NewEvent<Type extends string = string, Data extends object = object> {
  /** UUID. New for every attempt of a first event; kept for that attempt's retries. */
  readonly id: string;
  readonly type: Type;
  readonly data: Data;
  readonly metadata: EventMetadata;
}

/** Place of an event in the engine's whole log. Comparable within one engine only; people see ordinals instead. */
export type Position = bigint;

export interface RecordedEvent<Type extends string = string, Data extends object = object> extends NewEvent<Type, Data> {
  readonly stream: string;
  /** 0, 1, 2 … within the stream. */
  readonly revision: number;
  readonly position: Position;
  /** Present when `stored` was requested. */
  readonly stored?: StoredTexts;
}

/** An event's JSON, byte for byte as the engine keeps it, for callers that hash events. */
export interface StoredTexts {
  readonly data: string;
  readonly metadata: string;
}

/** Works for an engine that keeps objects only, too: JSON.stringify wrote the stored text, and writes the same text again. */
export function storedTexts({ data, metadata, stored }: RecordedEvent): StoredTexts {
  return stored ?? { data: JSON.stringify(data), metadata: JSON.stringify(metadata) };
}

/** An event of a stream. Its id also identifies all events before it: a store that was restored has other events at its place, or none. */
export interface StreamRef {
  readonly revision: number;
  readonly id: string;
}

/** An event of the log. */
export interface EventRef extends StreamRef {
  readonly stream: string;
}

/**
 * Required newest event of the stream; `no-stream` when there must be none. A decision names the very event that it depends on, because a store that
 * was restored to an older state uses revisions again. A revision alone is for copies of a log.
 */
export type ExpectedRevision = number | StreamRef | 'no-stream';

export type AppendResult =
  /** Written now, or found to be already there at this place under the same ids (a retry). */
  | { readonly ok: true; readonly revision: number; readonly position: Position }
  /**
   * Wrong expectation, nothing was written. `actual`: the stream's newest revision, null when it does not exist; it can be the expected one, when the
   * event there is another one.
   */
  | { readonly ok: false; readonly actual: number | null };

export interface ReadOptions {
  /** First revision to return; default: the first (forwards) or the newest (backwards). */
  readonly from?: number;
  readonly direction?: 'forwards' | 'backwards';
  /** At most this many events; default: all there are. */
  readonly limit?: number;
  /** Events include the texts that are stored. */
  readonly stored?: boolean;
}

/** Maximum events of one read. */
export const READ_EVENTS_MAX = 1_000;
/** Maximum bytes of one read, not counting its last event: about as long as its texts, where the engine compresses them. */
export const READ_BYTES_MAX = 4 * 1_048_576;

export interface SubscribeOptions {
  /** Ends the iteration. */
  readonly signal: AbortSignal;
  /** Only streams with this prefix of the name. Order and exactly-once hold as for the whole log. */
  readonly streamPrefix?: string;
  /** Largest batch; default 5,000. */
  readonly batchSize?: number;
  /** Events include the texts that are stored. */
  readonly stored?: boolean;
}

export interface SubscriptionBatch {
  /** In log order, no gap, no repeat; may be empty when only `caughtUp` has changed. */
  readonly events: readonly RecordedEvent[];
  /** Everything that was in the log when this batch was read has been delivered. */
  readonly caughtUp: boolean;
}

export interface EventStore {
  /**
   * Appends all events or none.
   * An append whose ids are all there already at that place succeeds and writes nothing, also when the stream has grown since; half old, half new is
   * a wrong revision; the same id may be used in another stream.
   * An expected id is compared with the engine's events when it writes (embedded), or with its events at a time when the present connection existed
   * already (EventStoreDB, which cannot compare it in the same step).
   * @param dependsOn events of other streams that this was decided from, the newest of each: they must exist, compared as the expected id is. An
   * event can then never outlive the events that it depends on.
   * @throws StoreUnavailable when nothing was written (queue full, no connection); StoreRestored when one of `dependsOn` is gone: a decision that was
   * made from it is not written, however often it is sent.
   * @throws OutcomeUnknown when it is not known whether it was written, after bounded retries with the same ids.
   */
  append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[], dependsOn?: readonly EventRef[]): Promise<AppendResult>;
  /**
   * Returns events of one stream as the leader knows them; empty when the stream does not exist. No read is larger than READ_EVENTS_MAX and
   * READ_BYTES_MAX: with a limit, it ends sooner (but not without an event while there is one); without one, it fails.
   * Streams that may be longer are read in pages: see `pagesOf`.
   * @throws StoreUnavailable; StreamTooLong when all events were requested and are too many
   */
  read(stream: string, options?: ReadOptions): Promise<RecordedEvent[]>;
  /**
   * Returns the whole log after `after` (null: from the start), in order, then live. Pull-based: a slow consumer holds nothing but its own batch.
   * Reconnects by itself; the iteration ends when the signal aborts or the store is closed.
   * @throws StoreRestored when the log no longer holds events that were delivered, or passed over. Embedded: before any event of the other history is
   * delivered. EventStoreDB: after a lost connection, when the newest event that was seen is gone; and when the log has passed `after` and no event
   * begins there, as for a position of another engine.
   */
  subscribe(after: Position | null, options: SubscribeOptions): AsyncIterable<SubscriptionBatch>;
  /** Position of the newest event, null when the log is empty. @throws StoreUnavailable */
  head(): Promise<Position | null>;
  close(): Promise<void>;
}

/** All of a stream was requested, and it is larger than one read may be. */
export class StreamTooLong extends Error {
  override readonly name = 'StreamTooLong';

  constructor(stream: string) {
    super(`"${stream}" is too long for one read`);
  }
}

/** Nothing was written, or nothing could be read. Answered as 503 with Retry-After. */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable';
}

/** Other processes changed the stream for as long as the request could wait, or it was not read in time. */
export class StreamBusy extends StoreUnavailable {
  override readonly name = 'StreamBusy';

  /** @param why clients see it. */
  constructor(
    stream: string,
    readonly why: string,
  ) {
    super(`${stream} is busy: ${why}; nothing was recorded`);
  }
}

/**
 * The log does not hold the events that were read: the store was restored to an older state, or it is another one. Results of those events are
 * invalid.
 */
export class StoreRestored extends StoreUnavailable {
  override readonly name = 'StoreRestored';

  constructor(gone: Position | string) {
    super(
      typeof gone === 'string'
        ? `the event store was restored to an older state: ${gone} no longer exists`
        : `the event store does not hold the log up to position ${gone}: it was restored to an older state, or it is another store`,
    );
  }
}

/** It is not known whether the append arrived. The same ids may be sent again. */
export class OutcomeUnknown extends StoreUnavailable {
  override readonly name: string = 'OutcomeUnknown';
}
