import { setMaxListeners } from 'node:events';
import { status } from '@grpc/grpc-js';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { pause, unlessAborted } from '../../async/waiting.js';
import { encodeAppend } from '../append-rules.js';
import {
  READ_BYTES_MAX,
  READ_EVENTS_MAX,
  StoreUnavailable,
  StoreRestored,
  StreamTooLong,
  type AppendResult,
  type EventRef,
  type EventStore,
  type ExpectedRevision,
  type NewEvent,
  type Position,
  type ReadOptions,
  type RecordedEvent,
  type SubscribeOptions,
  type SubscriptionBatch,
} from '../event-store.js';
import { EventStoreDBAppends } from './eventstoredb-appends.js';
import { EventStoreDBConnection, codeOf, isAccessDenied, type ReadCall, type Session } from './eventstoredb-connection.js';
import { isSystemEvent, recordedEvent, type ReadAnswer, type SentEvent } from './eventstoredb-messages.js';
import { readAllRequest, readNewestRequest, readStreamRequest, subscribeToAllRequest } from './eventstoredb-requests.js';
import { BYTES_AHEAD_MAX, EventStoreDBSubscription, type GatherOptions } from './eventstoredb-subscription.js';
import { LoadDetector } from '../load-detector.js';
import { inTime } from '../in-time.js';
import { BackOff } from '../../async/back-off.js';

export interface EventStoreDBOptions {
  /** `esdb://…` or `esdb+discover://…`. */
  readonly url: string;
  /** Maximum unanswered appends; the next one is rejected at once. Default 4,096. */
  readonly maxQueued?: number;
  /** Maximum bytes of unanswered appends. Default 32 MiB. */
  readonly maxQueuedBytes?: number;
  /** Called for each lost connection. The store makes a new one by itself. */
  readonly onConnectionLost?: (error: Error) => void;
  /** A subscription to the whole log that receives nothing for this long although the log has moved is replaced. Default 5 s. */
  readonly silentMaxMs?: number;
}

interface SentPage {
  readonly events: readonly SentEvent[];
  /** The server had more of the requested events. */
  readonly isCut: boolean;
}

const ANSWER_WITHIN_MS = 4_000;
/** Shorter than the time for an answer, so that a stall leaves time for a second attempt. */
const READ_TIMEOUT_MS = 3_000;
const RETRY_MS = 50;
const LONGEST_RETRY_MS = 1_000;
const SILENT_MAX_MS = 5_000;
const BATCH_SIZE = 5_000;
/**
 * A server sends each event of a live subscription separately, and slowly when it is busy; it sends pages of the log at once, however many events
 * there are.
 */
const PAGE_EVENTS_MAX = 1_000;
const PAGE_SPACING_MS = 5;
/**
 * Responses to a subscription at a position at which no record of the log begins: 23.10 sends UNKNOWN, which it also sends while it looks for a leader.
 */
const POSITION_REFUSED: ReadonlySet<number> = new Set([status.UNKNOWN, status.INVALID_ARGUMENT, status.OUT_OF_RANGE]);
/** Consecutive refusals of one position, each by a server that then answers another read, after which the position is known to be wrong. */
const POSITION_REFUSALS_MAX = 3;
/** A repeat changes nothing: the request is wrong, or the stream was deleted. */
const NEVER_ANSWERED: ReadonlySet<number> = new Set([status.INVALID_ARGUMENT, status.FAILED_PRECONDITION]);

/** The engine on EventStoreDB 23.10 or later. */
export class EventStoreDBEventStore implements EventStore {
  readonly #connection: EventStoreDBConnection;
  readonly #appends: EventStoreDBAppends;
  readonly #closing = new AbortController();
  readonly #onConnectionLost: (error: Error) => void;
  readonly #silentMaxMs: number;
  #closed: Promise<void> | undefined;
  /** The newest event of the log that was seen; it is gone when the server was restored. */
  #newest: RecordedEvent | undefined;
  /** Error of the last time that it was gone. */
  #restored: StoreRestored | undefined;

  /** Connects at its first use; the server may be unavailable before. @throws InvalidConnectionString */
  constructor(options: EventStoreDBOptions) {
    const { url, maxQueued = 4_096, maxQueuedBytes = 33_554_432, onConnectionLost = () => undefined, silentMaxMs = SILENT_MAX_MS } = options;
    setMaxListeners(0, this.#closing.signal);
    this.#connection = new EventStoreDBConnection(url);
    this.#onConnectionLost = onConnectionLost;
    this.#silentMaxMs = silentMaxMs;
    const limits = { appendsMax: maxQueued, bytesMax: maxQueuedBytes, answerWithinMs: ANSWER_WITHIN_MS };
    this.#appends = new EventStoreDBAppends(this.#connection, (stream, read) => this.read(stream, read), onConnectionLost, limits);
  }

  /** @throws InvalidAppend for a bug in the caller's code; else as the port states. */
  async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[], dependsOn?: readonly EventRef[]): Promise<AppendResult> {
    return this.#appends.append(encodeAppend(stream, expected, events, dependsOn));
  }

  async read(stream: string, options: ReadOptions = {}): Promise<RecordedEvent[]> {
    if (options.limit === 0) return [];
    // Without a limit one more is read, which shows that there are too many.
    const limit = options.limit === undefined ? READ_EVENTS_MAX + 1 : Math.min(options.limit, READ_EVENTS_MAX);
    const { events, isCut } = await this.#ask(readStreamRequest(stream, { ...options, limit }));
    if (options.limit === undefined && (isCut || events.length > READ_EVENTS_MAX)) throw new StreamTooLong(stream);
    return events.map((event) => recordedEvent(event, options.stored ?? false));
  }

  async head(): Promise<Position | null> {
    const [newest] = (await this.#ask(readNewestRequest())).events;
    if (this.#newest && (newest === undefined || newest.position < this.#newest.position)) await this.#lookForNewest();
    if (newest) this.#newest = recordedEvent(newest, false);
    return newest?.position ?? null;
  }

  /** Checks that the newest event that was seen still exists; if not, every existing subscription ends. @throws StoreUnavailable */
  async #lookForNewest(): Promise<void> {
    const newest = this.#newest;
    if (!newest) return;
    const [there] = await this.read(newest.stream, { from: newest.revision, limit: 1 });
    if (this.#newest !== newest || (there?.id === newest.id && there.position === newest.position)) return;
    this.#newest = undefined;
    this.#restored = new StoreRestored(newest.position);
  }

  async *subscribe(after: Position | null, options: SubscribeOptions): AsyncGenerator<SubscriptionBatch, void, undefined> {
    const { batchSize = BATCH_SIZE, streamPrefix = '', stored = false } = options;
    const signal = AbortSignal.any([options.signal, this.#closing.signal]);
    const load = new LoadDetector();
    let reached = after;
    let refusals = 0;
    let isLost = false;
    const backOff = new BackOff(RETRY_MS, LONGEST_RETRY_MS);
    // The rate at which history is read does not show the rate of writes.
    let isLive = false;
    const history = this.#restored;
    while (!signal.aborted) {
      if (this.#restored && this.#restored !== history) throw this.#restored;
      const subscription = await this.#open(reached, { batchSize, streamPrefix, stored }, signal);
      // Events that a prefix passes over move the log without a message to this subscription.
      const watching = subscription && streamPrefix === '' ? this.#endWhenSilent(subscription) : undefined;
      let handedOver = reached;
      let isBusy = false;
      try {
        for (let batch; !isBusy && (batch = await subscription?.next()) && !signal.aborted;) {
          isLost = false;
          backOff.reset();
          handedOver = batch.events.at(-1)?.position ?? handedOver;
          yield batch;
          isBusy = isLive && load.add(batch.events.length);
          isLive ||= batch.caughtUp;
        }
      } finally {
        clearInterval(watching);
        subscription?.cancel(new Error('the consumer has left'));
      }
      if (signal.aborted) return;
      if (isBusy && handedOver !== null) {
        // Events that it received meanwhile were not delivered, and are part of the first page.
        reached = yield* this.#pages(handedOver, { batchSize, streamPrefix, stored }, load, signal);
        continue;
      }
      const ended = subscription?.ended;
      if (ended?.isFault) throw ended.error;
      const refused = subscription?.reached === reached && POSITION_REFUSED.has(codeOf(ended?.error) ?? status.OK);
      refusals = refused && (await this.#answersReads()) ? refusals + 1 : 0;
      if (reached !== null && refusals >= POSITION_REFUSALS_MAX) throw new StoreRestored(reached);
      // Everything received was delivered: nothing is requested twice, and nothing is passed over. When a server was silent while the log moved, only
      // its events are trusted.
      if (subscription) reached = ended?.error instanceof SubscriptionSilent ? handedOver : subscription.reached;
      if (!isLost && refusals === 0) {
        this.#onConnectionLost(ended?.error ?? new Error(`no node of ${this.#connection.address} answers`));
        isLost = true;
      }
      // Nothing is requested from a server before it is known to hold the events that were seen.
      for (let isSeen = false; !isSeen && !signal.aborted;) {
        await pause(backOff.take(), signal);
        isSeen = await this.#lookForNewest().then(
          () => true,
          () => false,
        );
      }
    }
  }

  /** Answers the accepted appends, then ends the subscriptions and the connection. */
  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<void> {
    await this.#appends.close();
    this.#closing.abort();
    await this.#connection.close();
  }

  #answersReads(): Promise<boolean> {
    return this.head().then(
      () => true,
      () => false,
    );
  }

  /** Returns undefined when no node is found. */
  async #open(after: Position | null, options: GatherOptions, signal: AbortSignal): Promise<EventStoreDBSubscription | undefined> {
    let session: Session;
    try {
      session = await unlessAborted(() => this.#connection.session(), signal);
    } catch {
      return undefined;
    }
    const call = this.#connection.read(session, subscribeToAllRequest(after, options.streamPrefix));
    const subscription = new EventStoreDBSubscription(call, after, options);
    call.on('error', (error) => void this.#connection.failed(session, error));
    onAbort(call, [signal, session.over], () =>
      subscription.cancel(signal.aborted ? new Error('the subscription was ended') : (session.over.reason as Error)),
    );
    return subscription;
  }

  /**
   * An idle subscription and a dead one look alike; the head of the log shows which it is. An event that is still missing at the second look, with
   * nothing received in between, is not on its way.
   */
  #endWhenSilent(subscription: EventStoreDBSubscription): NodeJS.Timeout {
    let missing: Position | undefined;
    const isBehind = (position: Position): boolean => subscription.newest === null || subscription.newest < position;
    const look = async (): Promise<void> => {
      const isSilent = subscription.silentMs >= this.#silentMaxMs / 2;
      if (!isSilent) missing = undefined;
      else if (missing !== undefined && isBehind(missing)) subscription.cancel(new SubscriptionSilent(missing));
      else missing = (await this.head()) ?? undefined;
    };
    // A head that cannot be read proves nothing.
    return setInterval(() => void look().catch(() => (missing = undefined)), this.#silentMaxMs / 2).unref();
  }

  /** Reads the log after `after` in pages, while many events arrive and nothing fails. @returns the position up to which all was delivered */
  async *#pages(
    after: Position,
    options: GatherOptions,
    load: LoadDetector,
    signal: AbortSignal,
  ): AsyncGenerator<SubscriptionBatch, Position, undefined> {
    let reached = after;
    let reportedCaughtUp = true;
    for (;;) {
      const begun = performance.now();
      const page = await this.#page(reached, options, signal);
      if (!page || signal.aborted) return reached;
      ({ reached } = page);
      const { events, caughtUp } = page;
      if (events.length > 0 || caughtUp !== reportedCaughtUp) yield { events, caughtUp };
      reportedCaughtUp = caughtUp;
      if (!load.add(events.length)) return reached;
      const restMs = begun + PAGE_SPACING_MS - performance.now();
      if (caughtUp && restMs > 0) await pause(restMs, signal);
    }
  }

  /** Returns undefined when the page cannot be read: a subscription from the same place finds the reason, and handles it. */
  async #page(
    after: Position,
    { batchSize, streamPrefix, stored }: GatherOptions,
    signal: AbortSignal,
  ): Promise<(SubscriptionBatch & { readonly reached: Position }) | undefined> {
    const events: RecordedEvent[] = [];
    const limit = Math.min(batchSize, PAGE_EVENTS_MAX);
    let [reached, bytes, isCut] = [after, 0, false];
    try {
      const session = await unlessAborted(() => this.#connection.session(), signal);
      const call = this.#connection.read(session, readAllRequest(after, streamPrefix, limit), READ_TIMEOUT_MS);
      onAbort(call, [signal, session.over], () => call.cancel());
      for await (const answer of call as AsyncIterable<ReadAnswer>) {
        if (answer.kind !== 'event' || answer.event.position <= reached) continue;
        if (!isSystemEvent(answer.event)) events.push(recordedEvent(answer.event, stored));
        reached = answer.event.position;
        bytes += answer.event.bytes;
        if ((isCut = events.length >= limit || bytes >= BYTES_AHEAD_MAX)) break;
      }
      // Leaving the loop does not end the call at the server, which would hold the rest of the page ready until the deadline.
      if (isCut) call.cancel();
    } catch {
      return undefined;
    }
    return { events, caughtUp: !isCut, reached };
  }

  /** Repeats the request when a connection was lost, for as long as an answer may take. @throws StoreUnavailable */
  async #ask(request: ReadReq): Promise<SentPage> {
    const deadline = performance.now() + ANSWER_WITHIN_MS;
    for (const backOff = new BackOff(RETRY_MS, LONGEST_RETRY_MS); ;) {
      try {
        return await this.#askOnce(request, deadline);
      } catch (error) {
        const closed = this.#closing.signal.aborted;
        const code = codeOf(error);
        const isFault = code === undefined ? !(error instanceof StoreUnavailable) : NEVER_ANSWERED.has(code);
        if (isFault && !closed) throw error;
        if (closed || isAccessDenied(error) || performance.now() + backOff.nextMs >= deadline) {
          const why = closed ? 'it is closed' : (error as Error).message;
          throw new StoreUnavailable(`the event store cannot be read: ${why}`, { cause: error });
        }
        await pause(backOff.take(), this.#closing.signal);
      }
    }
  }

  async #askOnce(request: ReadReq, deadline: number): Promise<SentPage> {
    const session = await inTime(deadline, this.#connection.session());
    const call = this.#connection.read(session, request, Math.min(READ_TIMEOUT_MS, deadline - performance.now()));
    const events: SentEvent[] = [];
    let bytes = 0;
    try {
      for await (const answer of call as AsyncIterable<ReadAnswer>) {
        if (answer.kind !== 'event') continue;
        if (bytes >= READ_BYTES_MAX) {
          // Leaving the loop does not end the call at the server, which would hold the rest ready until the deadline.
          call.cancel();
          return { events, isCut: true };
        }
        events.push(answer.event);
        bytes += answer.event.bytes;
      }
      return { events, isCut: false };
    } catch (error) {
      await this.#connection.failed(session, error);
      throw error;
    }
  }
}

/** The log has moved, and a subscription that the server keeps open does not show it. */
class SubscriptionSilent extends Error {
  constructor(missing: Position) {
    super(`the subscription sends no events although the log has reached ${missing}`);
  }
}

/** Calls `cancel` when one of the signals aborts, or has aborted, for as long as the call lasts. */
function onAbort(call: ReadCall, signals: readonly AbortSignal[], cancel: () => void): void {
  for (const signal of signals) signal.addEventListener('abort', cancel, { once: true });
  call.on('close', () => signals.forEach((signal) => signal.removeEventListener('abort', cancel)));
  if (signals.some(({ aborted }) => aborted)) cancel();
}
