import { nowMs } from '../tracing/tracing.js';
import type { ClockGuard } from './clock-guard.js';
import type {
  AppendResult,
  EventRef,
  EventStore,
  ExpectedRevision,
  NewEvent,
  Position,
  ReadOptions,
  RecordedEvent,
  SubscribeOptions,
  SubscriptionBatch,
} from './event-store.js';

/** @param beganMs milliseconds since the epoch. */
export type Appended = (events: readonly NewEvent[], beganMs: number, ok: boolean) => void;

/** An event store that rejects events of a process whose clock is ahead, and counts events that such a process has written. */
export class GuardedEventStore implements EventStore {
  constructor(
    private readonly store: EventStore,
    private readonly guard: ClockGuard,
    /** Called after every append that was tried, when appends are traced. */
    private readonly appended?: Appended,
  ) {}

  /** @throws ClockRefused, and the errors of the store */
  async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[], dependsOn?: readonly EventRef[]): Promise<AppendResult> {
    const checked = this.guard.check();
    if (checked) await checked;
    for (const { metadata } of events) this.guard.refuseFuture(metadata.occurred_on);
    if (!this.appended) return this.store.append(stream, expected, events, dependsOn);
    const beganMs = nowMs();
    const appending = this.store.append(stream, expected, events, dependsOn);
    await appending.then(
      ({ ok }) => this.appended!(events, beganMs, ok),
      () => this.appended!(events, beganMs, false),
    );
    return appending;
  }

  async read(stream: string, options?: ReadOptions): Promise<RecordedEvent[]> {
    const events = await this.store.read(stream, options);
    this.guard.saw(events);
    return events;
  }

  async *subscribe(after: Position | null, options: SubscribeOptions): AsyncGenerator<SubscriptionBatch, void, undefined> {
    for await (const batch of this.store.subscribe(after, options)) {
      this.guard.saw(batch.events);
      yield batch;
    }
  }

  head(): Promise<Position | null> {
    return this.store.head();
  }

  close(): Promise<void> {
    return this.store.close();
  }
}
