import { randomUUID } from 'node:crypto';
import type { EventMetadata, NewEvent, Position, RecordedEvent, SubscribeOptions } from '../../src/platform/event-store/event-store.js';
import type { EventStore } from '../../src/platform/event-store/event-store.js';

export const someMetadata: EventMetadata = {
  merchant_id: '0b0f2d6e-3f0e-4c55-9d3b-2a4f0a1c7e11',
  actor: 'key_test',
  $correlationId: '7c1e4c0e-55a5-4c1b-9d1c-0d9f2f3b6a10',
  $causationId: '7c1e4c0e-55a5-4c1b-9d1c-0d9f2f3b6a10',
  schema_version: 1,
  occurred_on: '2026-01-31T08:15:30.123+00:00',
};

export function newEvent(data: object = {}, type = 'SomethingHappened'): NewEvent {
  return { id: randomUUID(), type, data, metadata: someMetadata };
}

/** Collects events of a subscription until `enough` returns true for those collected so far. */
export async function collect(
  store: EventStore,
  after: Position | null,
  enough: (events: readonly RecordedEvent[], caughtUp: boolean) => boolean,
  options: Omit<SubscribeOptions, 'signal'> = {},
): Promise<RecordedEvent[]> {
  const end = new AbortController();
  const collected: RecordedEvent[] = [];
  for await (const { events, caughtUp } of store.subscribe(after, { ...options, signal: end.signal })) {
    collected.push(...events);
    if (enough(collected, caughtUp)) end.abort();
  }
  return collected;
}
