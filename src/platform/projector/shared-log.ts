import {
  storedTexts,
  StoreRestored,
  type EventStore,
  type Position,
  type RecordedEvent,
  type SubscribeOptions,
  type SubscriptionBatch,
} from '../event-store/event-store.js';

/** Maximum newest events that are kept for readers that are a little behind. */
const KEPT_EVENTS_MAX = 2_000;
/** Approximate maximum of their bytes: 2,000 customers' records could be 120 MB. */
const KEPT_BYTES_MAX = 8 * 1_048_576;
const BATCH_EVENTS = 5_000;

type Log = Pick<EventStore, 'subscribe'>;

/**
 * One read of the log for all projections of a process and for its sealing, while they are near its end: otherwise each would fetch and parse every
 * event itself. A subscriber that is further behind reads alone until it has caught up. Events that are read together include the texts that are
 * stored.
 */
export class SharedLog implements Log {
  readonly #ended = new AbortController();
  #source: AsyncIterator<SubscriptionBatch> | undefined;
  #pulling: Promise<void> | undefined;
  /** Consecutive events: the last ones that were read. */
  #kept: RecordedEvent[] = [];
  /** Approximate size of the kept events. */
  #keptBytes = 0;
  /** Position before the first kept event. */
  #before: Position = -1n;
  #caughtUp = false;
  /** Set once the store was restored: subscribers that continue from a history that is gone fail, also when its positions are used again. */
  #restored: StoreRestored | undefined;

  constructor(private readonly log: Log) {}

  /**
   * Like the store's own; ends also with `close`. All subscribers share the events, and only their ordinal is written to them, by each build that
   * numbers them: every projection gives an event the same one.
   */
  async *subscribe(after: Position | null, options: SubscribeOptions): AsyncGenerator<SubscriptionBatch, void, undefined> {
    const signal = AbortSignal.any([options.signal, this.#ended.signal]);
    const batchSize = options.batchSize ?? BATCH_EVENTS;
    let wake = (): void => undefined;
    signal.addEventListener('abort', () => wake(), { once: true });
    let at = after ?? BEFORE_ALL;
    const history = this.#restored;
    while (!signal.aborted) {
      if (this.#restored && this.#restored !== history) throw this.#restored;
      if (!this.#reaches(at)) {
        let caughtUp = false;
        for await (const batch of this.log.subscribe(at === BEFORE_ALL ? null : at, { ...options, signal })) {
          at = batch.events.at(-1)?.position ?? at;
          yield batch;
          if ((caughtUp = batch.caughtUp)) break;
        }
        // The store was closed: another request to it would never end, and would block everything else.
        if (!caughtUp) return;
        if (this.#source === undefined) this.#begin(at);
        continue;
      }
      const events = this.#behind(at, batchSize);
      if (events.length === 0) {
        // A new promise each time: a promise that is raced against a lasting one stays attached to it.
        await new Promise<void>((resolve, reject) => {
          wake = resolve;
          this.#pull().then(resolve, reject);
        });
        continue;
      }
      at = events.at(-1)!.position;
      yield { events, caughtUp: this.#caughtUp && at === this.#end };
    }
  }

  /** Ends every subscription. */
  close(): void {
    this.#ended.abort();
  }

  get #end(): Position {
    return this.#kept.at(-1)?.position ?? this.#before;
  }

  /** Returns true when the events after `at` are kept here, or still to be read here. */
  #reaches(at: Position): boolean {
    return this.#source !== undefined && at >= this.#before;
  }

  #behind(at: Position, limit: number): RecordedEvent[] {
    // Most readers lack only the newest few.
    let first = this.#kept.length;
    while (first > 0 && this.#kept[first - 1]!.position > at) first--;
    return this.#kept.slice(first, first + limit);
  }

  /** Starts to read the events after `at` for all subscribers. */
  #begin(at: Position): void {
    this.#source = this.log
      .subscribe(at === BEFORE_ALL ? null : at, { signal: this.#ended.signal, batchSize: BATCH_EVENTS, stored: true })
      [Symbol.asyncIterator]();
    this.#kept = [];
    this.#keptBytes = 0;
    this.#before = at;
    this.#caughtUp = false;
  }

  /** Reads the next batch, once for all waiting subscribers. */
  #pull(): Promise<void> {
    const source = this.#source!;
    this.#pulling ??= source.next().then(
      ({ value, done }: IteratorResult<SubscriptionBatch, undefined>) => {
        this.#pulling = undefined;
        if (done === true) this.#ended.abort();
        else this.#keep(value);
      },
      (error: unknown) => {
        this.#source = this.#pulling = undefined;
        if (error instanceof StoreRestored) this.#restored = error;
        throw error;
      },
    );
    return this.#pulling;
  }

  #keep({ events, caughtUp }: SubscriptionBatch): void {
    this.#kept.push(...events);
    this.#keptBytes += events.reduce((sum, event) => sum + aboutBytesOf(event), 0);
    this.#caughtUp = caughtUp;
    // Drops events only beyond twice the limits, so that it is not done for every batch.
    if (this.#kept.length <= 2 * KEPT_EVENTS_MAX && this.#keptBytes <= 2 * KEPT_BYTES_MAX) return;
    let [first, bytes] = [this.#kept.length, 0];
    while (first > 0 && this.#kept.length - first < KEPT_EVENTS_MAX && bytes < KEPT_BYTES_MAX) bytes += aboutBytesOf(this.#kept[--first]!);
    // No reader has received the newest batch yet.
    const gone = Math.min(first, this.#kept.length - events.length);
    if (gone === 0) return;
    this.#keptBytes -= this.#kept.slice(0, gone).reduce((sum, event) => sum + aboutBytesOf(event), 0);
    this.#before = this.#kept[gone - 1]!.position;
    this.#kept = this.#kept.slice(gone);
  }
}

/** Estimates the size of an event: its texts, and once more for their parsed content. */
function aboutBytesOf(event: RecordedEvent): number {
  const { data, metadata } = storedTexts(event);
  return 2 * (data.length + metadata.length);
}

/** Less than every position. */
const BEFORE_ALL: Position = -1n;
