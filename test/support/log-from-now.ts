import type {
  AppendResult,
  EventStore,
  Position,
  ReadOptions,
  RecordedEvent,
  SubscribeOptions,
  SubscriptionBatch,
} from '../../src/platform/event-store/event-store.js';

/** A shared log as if it began now, without the events of earlier tests. Streams keep all their events. */
export class LogFromNow implements EventStore {
  private constructor(
    private readonly store: EventStore,
    private readonly before: Position | null,
  ) {}

  static async of(store: EventStore): Promise<LogFromNow> {
    return new LogFromNow(store, await store.head());
  }

  append(...args: Parameters<EventStore['append']>): Promise<AppendResult> {
    return this.store.append(...args);
  }

  read(stream: string, options?: ReadOptions): Promise<RecordedEvent[]> {
    return this.store.read(stream, options);
  }

  subscribe(after: Position | null, options: SubscribeOptions): AsyncIterable<SubscriptionBatch> {
    return this.store.subscribe(after ?? this.before, options);
  }

  async head(): Promise<Position | null> {
    const head = await this.store.head();
    return head === this.before ? null : head;
  }

  close(): Promise<void> {
    return this.store.close();
  }
}
