import type {
  AppendResult,
  EventStore,
  Position,
  ReadOptions,
  RecordedEvent,
  SubscribeOptions,
  SubscriptionBatch,
} from '../../platform/event-store/event-store.js';

/** Another store's events, of which some have other data. Closing it closes the other store. */
export class ChangedEventStore implements EventStore {
  /** @param changed returns events with their data; called for the events of one read or batch, in the order of the log for a subscription */
  constructor(
    private readonly store: EventStore,
    private readonly changed: (events: readonly RecordedEvent[]) => Promise<readonly RecordedEvent[]>,
  ) {}

  append(...append: Parameters<EventStore['append']>): Promise<AppendResult> {
    return this.store.append(...append);
  }

  async read(stream: string, options?: ReadOptions): Promise<RecordedEvent[]> {
    return [...(await this.changed(await this.store.read(stream, options)))];
  }

  async *subscribe(after: Position | null, options: SubscribeOptions): AsyncGenerator<SubscriptionBatch, void, undefined> {
    for await (const { events, caughtUp } of this.store.subscribe(after, options)) yield { events: await this.changed(events), caughtUp };
  }

  head(): Promise<Position | null> {
    return this.store.head();
  }

  close(): Promise<void> {
    return this.store.close();
  }
}

/** Returns the event with these members of its data. Its stored texts are those of another event. */
export function withMembers({ stored: _, ...event }: RecordedEvent, members: Readonly<Record<string, unknown>>): RecordedEvent {
  return { ...event, data: { ...event.data, ...members } };
}
