import type { Pool } from 'pg';
import type { EventStore } from '../platform/event-store/event-store.js';
import { isKnownType } from '../ledger/catalogue.js';
import { firstBehind, firstBehindMs, ProjectionLag } from '../platform/projector/projection-lag.js';
import { findHead, type StoredHead } from './chain.js';

/** Sealing takes a quarter of a second; after this time it has stopped, or the machine is too slow. Seconds. */
export const TRANSPARENCY_LOG_LATE_SECONDS = 10;
const LOOK_MS = 1_000;
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
  readonly store: Pick<EventStore, 'head' | 'subscribe'>;
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
  #sealed = 0;
  #stoppedAt: UnsealableEvent | null = null;
  #ageKnown = false;

  constructor(private readonly options: TransparencyLogWatchOptions) {}

  /** Resolves after the first look; an unavailable store does not throw, and is queried again later. */
  async start(): Promise<void> {
    this.#ticking = setInterval(() => void this.#look(), LOOK_MS).unref();
    await this.#look();
  }

  /** Resolves when all reads have ended. */
  async close(): Promise<void> {
    clearInterval(this.#ticking);
    this.#closing.abort();
    await this.#looking;
  }

  state(): TransparencyLogState {
    const seconds = this.#lag.seconds(performance.now());
    const known = this.options.newestOrdinal() - this.#sealed;
    // Projections may not have reached the known unsealed events.
    return {
      position: this.#sealed,
      unsealed_events: Math.max(known, seconds > 0 ? 1 : 0),
      oldest_unsealed_seconds: Number(seconds.toFixed(3)),
      stopped_at: this.#stoppedAt,
    };
  }

  #look(): Promise<void> {
    // During an outage the last known state stays, the age grows, and the next look updates it.
    this.#looking ??= this.#lookNow()
      .catch(() => undefined)
      .finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  async #lookNow(): Promise<void> {
    const head = await findHead(this.options.pool);
    const newest = await this.options.store.head();
    this.#sealed = head?.events ?? 0;
    if (head) this.#lag.reached(head.engine_position);
    if (newest !== null && newest > (head?.engine_position ?? -1n)) {
      this.#lag.saw(
        newest,
        this.#ageKnown ? performance.now() : await firstBehindMs(this.options.store, this.#closing.signal, head?.engine_position ?? null),
      );
    }
    this.#ageKnown = true;
    this.#stoppedAt = this.#lag.seconds(performance.now()) > SLOW_SECONDS ? await this.#unsealableBehind(head) : null;
  }

  async #unsealableBehind(head: StoredHead | undefined): Promise<UnsealableEvent | null> {
    const next = await firstBehind(this.options.store, this.#closing.signal, head?.engine_position ?? null);
    return next && !isKnownType(next.type) ? { position: (head?.events ?? 0) + 1, id: next.id, type: next.type } : null;
  }
}
