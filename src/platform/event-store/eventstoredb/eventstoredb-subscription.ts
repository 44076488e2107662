import type { Position, RecordedEvent, SubscribeOptions, SubscriptionBatch } from '../event-store.js';
import type { ReadCall } from './eventstoredb-connection.js';
import { isSystemEvent, recordedEvent, type ReadAnswer, type SentEvent } from './eventstoredb-messages.js';

/** Most bytes that are read ahead of the consumer, as they came: a thousand settlements in a row must not fill the memory. */
export const BYTES_AHEAD_MAX = 8 * 1_048_576;
/** A batch is held back no longer while it catches up: beside a log that grows all the time, a server takes long to call it caught up. */
const HOLD_MS = 50;
/** Most batches that are read ahead. */
const BATCHES_AHEAD_MAX = 2;

/** What was asked for, defaults filled in. */
export type GatherOptions = Readonly<Required<Omit<SubscribeOptions, 'signal'>>>;

interface Received {
  readonly event: RecordedEvent;
  readonly bytes: number;
}

/**
 * One subscription call, gathered into batches. While it catches up a batch waits a moment to be full: the log is read in large
 * pieces, and the last of them knows that it is the last. Afterwards whatever has come is a batch. When the consumer holds
 * enough, the call is paused, and the server waits.
 */
export class EventStoreDBSubscription {
  readonly #received: Received[] = [];
  #bytes = 0;
  /** Up to here nothing has to be asked for again. */
  #reached: Position | null;
  /** Only an event shows that another one comes a second time. */
  #newest: Position | null;
  /** Since when `next` has waited without a message from the server, `performance.now()`; undefined while it does not wait. */
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

  /** Everything up to here was handed over by `next`, once that has answered undefined, or is of no concern. */
  get reached(): Position | null {
    return this.#reached;
  }

  /** Of the newest event that came, or where it began. */
  get newest(): Position | null {
    return this.#newest;
  }

  /** For how long the consumer has waited and the server has sent nothing at all, in milliseconds. */
  get silentMs(): number {
    return this.#silentSince === undefined ? 0 : performance.now() - this.#silentSince;
  }

  /** Why `next` answered undefined; `isFault` when to ask again would bring the same. */
  get ended(): { readonly error: Error; readonly isFault: boolean } | undefined {
    return this.#ended;
  }

  /** Undefined at its end, when everything received has been handed over. */
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

  /** Nothing more is received; what was received is still handed over. */
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
      // What comes a second time, after whatever went wrong on the way.
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
