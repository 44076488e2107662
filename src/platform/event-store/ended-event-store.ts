import { once } from 'node:events';
import {
  READ_EVENTS_MAX,
  StreamTooLong,
  type AppendResult,
  type EventStore,
  type Position,
  type ReadOptions,
  type RecordedEvent,
  type SubscribeOptions,
  type SubscriptionBatch,
} from './event-store.js';
import { firstRevisionAfter } from './first-revision-after.js';

/** An attempt to write to a log that has ended. */
export class LogEnded extends Error {
  override readonly name = 'LogEnded';

  constructor(stream: string) {
    super(`an append to "${stream}" was refused: the log ends in the past`);
  }
}

/**
 * The log of another store up to and including the event at `end`: it answers as that store did when this event was its newest one, and takes no
 * events. Closing it leaves the other store open.
 */
export class EndedEventStore implements EventStore {
  readonly #closing = new AbortController();

  constructor(
    private readonly store: EventStore,
    private readonly end: Position,
  ) {}

  /** @throws LogEnded */
  append(stream: string): Promise<AppendResult> {
    return Promise.reject(new LogEnded(stream));
  }

  async read(stream: string, options: ReadOptions = {}): Promise<RecordedEvent[]> {
    return options.direction === 'backwards' ? this.#readBackwards(stream, options) : this.#readForwards(stream, options);
  }

  async *subscribe(after: Position | null, options: SubscribeOptions): AsyncGenerator<SubscriptionBatch, void, undefined> {
    const signal = AbortSignal.any([options.signal, this.#closing.signal]);
    let hasEnded = false;
    for await (const { events, caughtUp } of this.store.subscribe(after, { ...options, signal })) {
      const within = events.filter(({ position }) => position <= this.end);
      hasEnded = caughtUp || within.length < events.length || within.at(-1)?.position === this.end;
      yield { events: within, caughtUp: hasEnded };
      if (hasEnded) break;
    }
    if (hasEnded && !signal.aborted) await once(signal, 'abort');
  }

  head(): Promise<Position> {
    return Promise.resolve(this.end);
  }

  close(): Promise<void> {
    this.#closing.abort();
    return Promise.resolve();
  }

  async #readForwards(stream: string, options: ReadOptions): Promise<RecordedEvent[]> {
    try {
      return this.#within(await this.store.read(stream, options));
    } catch (error) {
      if (!(error instanceof StreamTooLong)) throw error;
      // The stream may have become too long since.
      const page = await this.store.read(stream, { ...options, limit: READ_EVENTS_MAX });
      const within = this.#within(page);
      if (within.length === page.length) {
        const [next] = await this.store.read(stream, { from: page.at(-1)!.revision + 1, limit: 1 });
        if (next && next.position <= this.end) throw error;
      }
      return within;
    }
  }

  async #readBackwards(stream: string, options: ReadOptions): Promise<RecordedEvent[]> {
    const { from } = options;
    const [newest] = await this.store.read(stream, { direction: 'backwards', limit: 1, ...(from !== undefined && { from }) });
    if (!newest) return [];
    const last = (await firstRevisionAfter(this.store, newest, this.end)) - 1;
    return last < 0 ? [] : this.store.read(stream, { ...options, from: last });
  }

  #within(events: RecordedEvent[]): RecordedEvent[] {
    return events.filter(({ position }) => position <= this.end);
  }
}
