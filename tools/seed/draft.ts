import type {
  AppendResult,
  EventStore,
  ExpectedRevision,
  NewEvent,
  ReadOptions,
  RecordedEvent,
  SubscribeOptions,
  SubscriptionBatch,
} from '../../src/platform/event-store/event-store.js';
import { pagesOf } from '../../src/platform/event-store/pages-of.js';

/**
 * Events that are decided before they are written: the usual handlers append to it and read it. Behind a log, it continues that log's streams; nothing
 * else may write to them meanwhile. Without one, it holds streams that do not exist yet.
 */
export class Draft implements EventStore {
  /** Events that are not in the log, in the order of their decisions. */
  readonly events: RecordedEvent[] = [];
  /** Streams in use, with the events that the log has of them. */
  readonly #streams = new Map<string, Promise<RecordedEvent[]>>();
  #count = 0;

  constructor(private readonly log?: Pick<EventStore, 'read' | 'subscribe'>) {}

  async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendResult> {
    const known = await this.#stream(stream);
    const newest = known.length - 1;
    const place = expected === 'no-stream' ? -1 : typeof expected === 'number' ? expected : expected.revision;
    if (place !== newest) return { ok: false, actual: newest < 0 ? null : newest };
    for (const event of events) {
      this.#count += 1;
      const recorded = { ...event, stream, revision: known.length, position: BigInt(this.#count) };
      known.push(recorded);
      this.events.push(recorded);
    }
    return { ok: true, revision: known.length - 1, position: BigInt(this.#count) };
  }

  async read(stream: string, { from, direction = 'forwards', limit = Infinity }: ReadOptions = {}): Promise<RecordedEvent[]> {
    const known = await this.#stream(stream);
    const wanted = direction === 'forwards' ? known.slice(from ?? 0) : known.slice(0, (from ?? known.length) + 1).reverse();
    return wanted.slice(0, limit);
  }

  /** Returns the log and the drafted events; ends there. */
  async *subscribe(_after: null, options: SubscribeOptions): AsyncGenerator<SubscriptionBatch, void, undefined> {
    if (this.log) {
      for await (const { events, caughtUp } of this.log.subscribe(null, options)) {
        yield { events, caughtUp: false };
        if (caughtUp) break;
      }
    }
    const { streamPrefix = '' } = options;
    yield { events: this.events.filter(({ stream }) => stream.startsWith(streamPrefix)), caughtUp: true };
  }

  /**
   * Removes all drafted events, for the log.
   * @returns them in the order of time: no event before an earlier one of its stream, nor before one of the same time that was decided earlier
   */
  take(): RecordedEvent[] {
    const newest = new Map<string, string>();
    const timed = this.events.splice(0).map((event) => {
      const { stream, metadata } = event;
      const before = newest.get(stream) ?? '';
      const time = metadata.occurred_on > before ? metadata.occurred_on : before;
      newest.set(stream, time);
      return { event, time };
    });
    return timed.sort((a, b) => (a.time < b.time ? -1 : Number(a.time > b.time))).map(({ event }) => event);
  }

  head(): Promise<never> {
    return Promise.reject(new Error('a draft has no head'));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #stream(name: string): Promise<RecordedEvent[]> {
    const known = this.#streams.get(name) ?? this.#recorded(name);
    this.#streams.set(name, known);
    return known;
  }

  async #recorded(stream: string): Promise<RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    if (this.log) for await (const page of pagesOf(this.log, stream, 0)) events.push(...page);
    return events;
  }
}
