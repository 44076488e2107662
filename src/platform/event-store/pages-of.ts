import { READ_EVENTS_MAX, StoreUnavailable, StreamTooLong, type EventStore, type RecordedEvent } from './event-store.js';

/**
 * Yields a stream from revision `from` to its end, oldest first: as one page when one read can hold it, which costs a single read, else in pages of
 * bounded size. No page is empty.
 * @throws StoreUnavailable
 */
export async function* pagesOf(store: Pick<EventStore, 'read'>, stream: string, from = 0): AsyncGenerator<RecordedEvent[], void, undefined> {
  let page = await wholeOrNothing(store, stream, from);
  if (page !== undefined) {
    if (page.length > 0) yield page;
    return;
  }
  let last: RecordedEvent | undefined;
  for (;;) {
    // Each page begins with the last event of the previous one, so that events of two histories are never combined.
    page = await store.read(stream, { from: last?.revision ?? from, limit: READ_EVENTS_MAX });
    if (last && page.shift()?.id !== last.id) throw new StoreUnavailable(`the event store was restored to an older state while ${stream} was read`);
    last = page.at(-1);
    if (!last) return;
    yield page;
  }
}

/** Returns `count` events from revision `from`, or as many as there are, in as many reads as their bytes need. @throws StoreUnavailable */
export async function rangeOf(store: Pick<EventStore, 'read'>, stream: string, from: number, count: number): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  while (events.length < count) {
    const page = await store.read(stream, { from: from + events.length, limit: count - events.length });
    if (page.length === 0) break;
    events.push(...page);
  }
  return events;
}

/** Returns undefined when it is too much for one read. */
async function wholeOrNothing(store: Pick<EventStore, 'read'>, stream: string, from: number): Promise<RecordedEvent[] | undefined> {
  try {
    return await store.read(stream, { from });
  } catch (error) {
    if (error instanceof StreamTooLong) return undefined;
    throw error;
  }
}
