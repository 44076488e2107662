import type { Position, RecordedEvent, SubscribeOptions, SubscriptionBatch } from '../event-store.js';
import type { ReadCall } from './eventstoredb-connection.js';
import { isSystemEvent, recordedEvent, type ReadAnswer, type SentEvent } from './eventstoredb-messages.js';

/** Maximum bytes that are read ahead of the consumer, as received: a thousand settlements in a row must not fill the memory. */
export const BYTES_AHEAD_MAX = 8 * 1_048_576;
/**
 * Longest time, ms, that a batch is held back during catch-up: while a log grows all the time, a server takes long to report that it is caught up.
 */
const HOLD_MS = 50;
/** Maximum batches that are read ahead. */
const BATCHES_AHEAD_MAX = 2;

/** The requested options, defaults filled in. */
export type GatherOptions = Readonly<Required<Omit<SubscribeOptions, 'signal'>>>;

interface Received {
  readonly event: RecordedEvent;
  readonly bytes: number;
}

/**
 * One subscription call, gathered into batches. During catch-up a batch waits a moment to be full: the log is read in large pieces, and the last of
 * them is known to be the last. Afterwards all events received so far are a batch. When the consumer holds enough, the call is paused, and the server
 * waits.
 */
export class EventStoreDBSubscription {
  readonly #received: Received[] = [];
  #bytes = 0;
  /** Position up to which nothing has to be requested again. */
  #reached: Position | null;
  /** Only events move it, because only an event shows that another one is a repeat. */
  #newest: Position | null;
  /** Start of the time for which `next` waits without a message from the server, `performance.now()`; undefined while it does not wait. */
  #silentSince: number | undefined;
  #isLive = false;
  #newlyLive = false;
  #isDue = false;
  #holding: NodeJS.Timeout | undefined;
  #ended: { readonly error: Error; readonly isFault: boolean } | undefined;
  #wake: () => void = () => undefined;

  constructor(
    private readonly call: ReadCall,
    after: Position | null,
    private readonly options: GatherOptions,
  ) {
    this.#reached = this.#newest = after;
    call.on('data', (answer: ReadAnswer) => this.#take(answer));
    call.on('error', (error) => this.#end(error));
    call.on('end', () => this.#end(new Error('the server ended the subscription')));
  }

  /** Once `next` has returned undefined, it has returned everything up to here that concerns the subscription. */
  get reached(): Position | null {
    return this.#reached;
  }

  /** Position of the newest event received, or where the subscription began. */
  get newest(): Position | null {
    return this.#newest;
  }

  /** Time for which the consumer has waited and the server has sent nothing at all, in milliseconds. */
  get silentMs(): number {
    return this.#silentSince === undefined ? 0 : performance.now() - this.#silentSince;
  }

  /** Why `next` returned undefined; `isFault` when a new request would return the same. */
  get ended(): { readonly error: Error; readonly isFault: boolean } | undefined {
    return this.#ended;
  }

  /** Returns undefined at the end, when everything received has been returned. */
  async next(): Promise<SubscriptionBatch | undefined> {
    while (!this.#hasBatch()) {
      if (this.#ended && this.#received.length === 0) return undefined;
      this.#silentSince ??= performance.now();
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    this.#silentSince = undefined;
    const events = this.#received.splice(0, this.options.batchSize).map(({ event, bytes }) => {
      this.#bytes -= bytes;
      return event;
    });
    this.#isDue = false;
    if (!this.#isFull()) this.call.resume();
    if (this.#received.length > 0) this.#hold();
    const caughtUp = this.#isLive && this.#received.length === 0;
    if (caughtUp) this.#newlyLive = false;
    return { events, caughtUp };
  }

  /** Receives nothing more; `next` still returns everything that was received. */
  cancel(because: Error): void {
    this.#end(because);
    this.call.cancel();
  }

  #end(error: Error, isFault = false): void {
    clearTimeout(this.#holding);
    this.#ended ??= { error, isFault };
    this.#wake();
  }

  #hasBatch(): boolean {
    if (this.#received.length >= this.options.batchSize || this.#bytes >= BYTES_AHEAD_MAX || this.#newlyLive) return true;
    return this.#received.length > 0 && (this.#isLive || this.#isDue || this.#ended !== undefined);
  }

  #isFull(): boolean {
    return this.#received.length >= this.options.batchSize * BATCHES_AHEAD_MAX || this.#bytes >= BYTES_AHEAD_MAX;
  }

  #take(answer: ReadAnswer): void {
    if (this.#ended) return;
    if (this.#silentSince !== undefined) this.#silentSince = performance.now();
    switch (answer.kind) {
      case 'event':
        this.#takeEvent(answer.event);
        break;
      case 'caught-up':
        this.#isLive = this.#newlyLive = true;
        break;
      case 'fell-behind':
        this.#isLive = this.#newlyLive = false;
        break;
      case 'checkpoint':
        this.#reach(answer.position);
        return;
      case 'other':
        return;
      default:
        answer satisfies never;
    }
    if (this.#isFull()) this.call.pause();
    if (this.#hasBatch()) this.#wake();
    else if (this.#received.length > 0) this.#hold();
  }

  #hold(): void {
    this.#holding ??= setTimeout(() => {
      this.#holding = undefined;
      this.#isDue = true;
      this.#wake();
    }, HOLD_MS);
  }

  #takeEvent(event: SentEvent): void {
    try {
      const { position, stream, bytes } = event;
      // Repeats are ignored, whatever their cause.
      if (this.#newest !== null && position <= this.#newest) return;
      this.#newest = position;
      if (isSystemEvent(event)) {
        this.#reach(position);
        return;
      }
      const recorded = recordedEvent(event, this.options.stored);
      this.#reach(position);
      if (!stream.startsWith(this.options.streamPrefix)) return;
      this.#received.push({ event: recorded, bytes });
      this.#bytes += bytes;
    } catch (error) {
      this.#end(error as Error, true);
      this.call.cancel();
    }
  }

  #reach(position: Position): void {
    if (this.#reached === null || position > this.#reached) this.#reached = position;
  }
}
