import type { Pool } from 'pg';
import type { EventStore, Position } from '../platform/event-store/event-store.js';
import { isKnownType } from '../ledger/catalogue.js';
import { firstBehind, firstBehindMs, ProjectionLag } from '../platform/projector/projection-lag.js';
import type { ChainHead } from './chain-keys.js';
import { findHead, readSealed } from './chain.js';
import { timeLimit, unlessAborted } from '../platform/async/waiting.js';

/** Sealing takes a quarter of a second; after this time it has stopped, or the machine is too slow. Seconds. */
export const TRANSPARENCY_LOG_LATE_SECONDS = 10;
const LOOK_MS = 1_000;
/** Maximum time of a look, ms: a store that does not respond delays neither a start nor an end. */
const LOOK_WITHIN_MS = 5_000;
/** When sealing takes longer, the next event to seal is examined. Seconds. */
const SLOW_SECONDS = 1;

/** An event of a type that this build does not know: neither it nor a later one can be sealed. */
interface UnsealableEvent {
  /** Ordinal. */
  readonly position: number;
  readonly id: string;
  readonly type: string;
}

export interface TransparencyLogState {
  /** Ordinal of the last sealed event; 0 while nothing is sealed. */
  readonly position: number;
  /** Number of later events that this process knows of. */
  readonly unsealed_events: number;
  /** Age of the oldest of them; 0 when there is none. Exact to a second. */
  readonly oldest_unsealed_seconds: number;
  /** The event that stops sealing; null when the next event can be sealed. */
  readonly stopped_at: UnsealableEvent | null;
}

export interface TransparencyLogWatchOptions {
  /** Pool of the database with the chain. */
  readonly pool: Pool;
  readonly store: Pick<EventStore, 'head' | 'read' | 'subscribe'>;
  /** Ordinal of the newest event that this process knows of. */
  readonly newestOrdinal: () => number;
}

/**
 * Measures how far sealing is behind the log, in a process that does not seal, because a stopped sealing cannot report itself. The age counts from
 * the time at which this process first saw an event, by the monotonic clock, so that a wrong clock hides nothing; events that are unsealed at the
 * start are as old as their recorded time.
 */
export class TransparencyLogWatch {
  readonly #lag = new ProjectionLag();
  readonly #closing = new AbortController();
  #ticking: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #head: ChainHead | undefined;
  #stoppedAt: UnsealableEvent | null = null;
  #ageKnown = false;

  constructor(private readonly options: TransparencyLogWatchOptions) {}

  /** Resolves after the first look; an unavailable store does not throw, and is queried again later. */
  async start(): Promise<void> {
    this.#ticking = setInterval(() => void this.#look(), LOOK_MS).unref();
    await this.#look();
  }

  /** Resolves when no look is under way. */
  async close(): Promise<void> {
    clearInterval(this.#ticking);
    this.#closing.abort();
    await this.#looking;
  }

  /** The newest head, less than two seconds old while the database answers; undefined while nothing is sealed. */
  head(): ChainHead | undefined {
    return this.#head;
  }

  state(): TransparencyLogState {
    const seconds = this.#lag.seconds(performance.now());
    const known = this.options.newestOrdinal() - this.#sealed();
    // Projections may not have reached the known unsealed events.
    return {
      position: this.#sealed(),
      unsealed_events: Math.max(known, seconds > 0 ? 1 : 0),
      oldest_unsealed_seconds: Number(seconds.toFixed(3)),
      stopped_at: this.#stoppedAt,
    };
  }

  #sealed(): number {
    return this.#head?.events ?? 0;
  }

  #look(): Promise<void> {
    this.#looking ??= this.#lookInTime().finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  async #lookInTime(): Promise<void> {
    const inTime = AbortSignal.any([this.#closing.signal, timeLimit(LOOK_WITHIN_MS)]);
    // During an outage the last known state stays, the age grows, and the next look updates it.
    await unlessAborted(() => this.#lookNow(), inTime).catch(() => undefined);
  }

  async #lookNow(): Promise<void> {
    const { pool, store } = this.options;
    const head = await findHead(pool);
    const newest = await store.head();
    const sealed = head && (await readSealed(pool, store, head.events));
    this.#head = head;
    if (sealed) this.#lag.reached(sealed.position);
    // Without the last sealed event in the store nothing can be sealed on top of it.
    const isLost = head !== undefined && !sealed;
    const after = sealed?.position ?? null;
    if (newest !== null && (after === null || newest > after)) {
      const isNew = this.#ageKnown || isLost;
      this.#lag.saw(newest, isNew ? performance.now() : await firstBehindMs(store, this.#closing.signal, after));
    }
    this.#ageKnown = true;
    const isSlow = this.#lag.seconds(performance.now()) > SLOW_SECONDS;
    this.#stoppedAt = isSlow && !isLost ? await this.#unsealableBehind(after) : null;
  }

  async #unsealableBehind(after: Position | null): Promise<UnsealableEvent | null> {
    const soon = AbortSignal.any([this.#closing.signal, timeLimit(LOOK_MS)]);
    const next = await firstBehind(this.options.store, soon, after);
    return next && !isKnownType(next.type) ? { position: this.#sealed() + 1, id: next.id, type: next.type } : null;
  }
}
