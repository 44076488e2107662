import { READ_EVENTS_MAX, StoreUnavailable, StreamTooLong, type EventRef, type EventStore, type RecordedEvent } from './event-store.js';

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
  page = await store.read(stream, { from, limit: READ_EVENTS_MAX });
  while (page.length > 0) {
    yield page;
    page = await pageBehind(store, stream, page.at(-1)!, 'forwards');
  }
}

/**
 * Returns the next events behind `last` in a direction, as many as one read can hold. The read begins with `last`, so that events of two histories are
 * never combined.
 * @throws StoreUnavailable
 */
export async function pageBehind(
  store: Pick<EventStore, 'read'>,
  stream: string,
  last: EventRef,
  direction: 'forwards' | 'backwards',
): Promise<RecordedEvent[]> {
  const [first, ...page] = await store.read(stream, { direction, from: last.revision, limit: READ_EVENTS_MAX });
  if (first?.id !== last.id) throw new StoreUnavailable(`the event store was restored to an older state while ${stream} was read`);
  return page;
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
