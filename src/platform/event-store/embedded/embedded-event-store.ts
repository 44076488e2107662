import { setMaxListeners } from 'node:events';
import type pg from 'pg';
import { isConnectionFailure } from '../../postgres/connection-failure.js';
import { Listener } from '../../postgres/listener.js';
import { createPool } from '../../postgres/pool.js';
import { requireAddressOf } from '../../postgres/server-at.js';
import { pause } from '../../async/waiting.js';
import { encodeAppend } from '../append-rules.js';
import { appendBatch } from './embedded-append.js';
import { EmbeddedLog, THROUGH_INDEXES, type LogPage, type Scanned } from './embedded-log.js';
import { GroupCommit } from './group-commit.js';
import { GroupRead } from './group-read.js';
import { HeadWatch } from './head-watch.js';
import { inTime } from '../in-time.js';
import {
  StoreUnavailable,
  StoreRestored,
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
import { BackOff } from '../../async/back-off.js';

export interface EmbeddedEventStoreOptions {
  /** A database with `embeddedEventStoreMigrations` applied. */
  readonly databaseUrl: string;
  /** Maximum unanswered appends; the next one is rejected at once. Default 4,096. */
  readonly maxQueued?: number;
  /** Maximum bytes of unanswered appends. Default 32 MiB. */
  readonly maxQueuedBytes?: number;
  /** Connections for reads and subscriptions; one more appends, and the process's session listens. Default 4. */
  readonly maxReadConnections?: number;
  /** Called for each lost connection. The store makes a new one by itself. */
  readonly onConnectionLost?: (error: Error) => void;
}

const ANSWER_WITHIN_MS = 4_000;
/** Half of the connections are left to subscriptions. */
const READ_LIMITS = { statementsMax: 2, readsMax: 256 };
/** Shorter than the time for an answer, so that a stall leaves time for a second attempt. */
const APPEND_TIMEOUT_MS = 2_000;
const POLL_MS = 500;
const RETRY_MS = 50;
const LONGEST_RETRY_MS = 1_000;
const BATCH_SIZE = 5_000;
const PREFIX_PAUSE_MS = 50;

/** The engine in Postgres: the migrations explain why its log is correct, `GroupCommit` why it is fast. */
export class EmbeddedEventStore implements EventStore {
  readonly #appending: pg.Pool;
  readonly #reading: pg.Pool;
  readonly #log: EmbeddedLog;
  readonly #reads: GroupRead;
  readonly #commits: GroupCommit;
  readonly #watch = new HeadWatch();
  readonly #listener: Listener;
  readonly #closing = new AbortController();
  #listening: Promise<void> | undefined;
  #closed: Promise<void> | undefined;

  /** Connects at its first use; the database may be unavailable before. */
  constructor(options: EmbeddedEventStoreOptions) {
    const { databaseUrl: url, maxQueued = 4_096, maxQueuedBytes = 33_554_432, maxReadConnections = 4, onConnectionLost } = options;
    // Every read that waits for the database adds a listener.
    setMaxListeners(0, this.#closing.signal);
    const lost = onConnectionLost ? { onConnectionLost } : {};
    const session = { url, settings: THROUGH_INDEXES, ...lost };
    const appending = { applicationName: 'chargebook-append', statementTimeoutMs: APPEND_TIMEOUT_MS, maxConnections: 1 };
    this.#appending = createPool({ ...session, ...appending });
    this.#reading = createPool({ ...session, applicationName: 'chargebook-events', maxConnections: maxReadConnections });
    this.#log = new EmbeddedLog(this.#reading, (server) => requireAddressOf(url, server));
    this.#reads = new GroupRead((reads) => this.#log.streams(reads), { ...READ_LIMITS, waitMs: ANSWER_WITHIN_MS });
    this.#commits = new GroupCommit((batch, onSending) => appendBatch(this.#appending, batch, onSending), {
      appendsMax: maxQueued,
      bytesMax: maxQueuedBytes,
      answerWithinMs: ANSWER_WITHIN_MS,
    });
    this.#listener = new Listener({
      url,
      channels: { event_store: (position) => this.#watch.reached(BigInt(position)) },
      onReconnect: () => this.#watch.wake(),
      ...lost,
    });
  }

  /** @throws InvalidAppend for a bug in the caller's code; else as the port states. */
  async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[], dependsOn?: readonly EventRef[]): Promise<AppendResult> {
    try {
      const result = await this.#commits.append(encodeAppend(stream, expected, events, dependsOn));
      if (result.ok) this.#watch.reached(result.position);
      return result;
    } catch (error) {
      // Subscriptions read at once, and find the same.
      if (error instanceof StoreRestored) this.#watch.wake();
      throw error;
    }
  }

  read(stream: string, options: ReadOptions = {}): Promise<RecordedEvent[]> {
    return this.#ask(() => this.#reads.read({ ...options, stream }));
  }

  async head(): Promise<Position | null> {
    const head = await this.#ask(() => this.#log.head());
    return head === 0n ? null : head;
  }

  async *subscribe(after: Position | null, options: SubscribeOptions): AsyncGenerator<SubscriptionBatch, void, undefined> {
    const { batchSize = BATCH_SIZE, streamPrefix = '', stored = false } = options;
    const signal = AbortSignal.any([options.signal, this.#closing.signal]);
    this.#listening ??= this.#listener.start().then(() => this.#watch.wake());
    let scanned: Scanned = { position: after ?? 0n, id: null };
    let reportedCaughtUp = false;
    while (!signal.aborted) {
      const announced = this.#watch.announced;
      const page = await this.#page(
        (log) => (streamPrefix === '' ? log.page(scanned, batchSize, stored) : log.pageOfPrefix(scanned, batchSize, streamPrefix, stored)),
        signal,
      );
      if (!page || signal.aborted) return;
      scanned = page.scanned;
      if (page.events.length > 0 || (page.caughtUp && !reportedCaughtUp)) {
        reportedCaughtUp = page.caughtUp;
        yield { events: page.events, caughtUp: page.caughtUp };
      }
      if (!page.caughtUp) continue;
      // Most announcements concern other streams, so several are gathered.
      if (streamPrefix !== '') await pause(PREFIX_PAUSE_MS, signal);
      await this.#watch.announcedAfter(scanned.position, announced, POLL_MS, signal);
    }
  }

  /** Answers the accepted appends, then ends the subscriptions and the connections. */
  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<void> {
    await this.#commits.close();
    this.#closing.abort();
    await Promise.all([this.#listener.close(), this.#appending.end(), this.#reading.end()]);
  }

  /** Retries for as long as the database is unavailable; returns undefined when the subscription ended meanwhile. */
  async #page(read: (log: EmbeddedLog) => Promise<LogPage>, signal: AbortSignal): Promise<LogPage | undefined> {
    for (const backOff = new BackOff(RETRY_MS, LONGEST_RETRY_MS); !signal.aborted;) {
      try {
        return await read(this.#log);
      } catch (error) {
        if (signal.aborted) return undefined;
        if (!isConnectionFailure(error)) throw error;
        await pause(backOff.take(), signal);
      }
    }
    return undefined;
  }

  /** Reads again on another connection when one was lost, for as long as an answer may take. @throws StoreUnavailable */
  async #ask<T>(read: () => Promise<T>): Promise<T> {
    const deadline = performance.now() + ANSWER_WITHIN_MS;
    for (const backOff = new BackOff(RETRY_MS, LONGEST_RETRY_MS); ;) {
      try {
        return await inTime(deadline, read());
      } catch (error) {
        const closed = this.#closing.signal.aborted;
        if (!closed && !isConnectionFailure(error) && !(error instanceof StoreUnavailable)) throw error;
        if (closed || performance.now() + backOff.nextMs >= deadline) {
          throw new StoreUnavailable(`the event store cannot be read: ${(error as Error).message}`, { cause: error });
        }
        await pause(backOff.take(), this.#closing.signal);
      }
    }
  }
}
