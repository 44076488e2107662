import type { EventStore, Position, RecordedEvent } from './event-store.js';

/**
 * Returns the first revision of a stream whose event comes after `position` in the log; the next revision when there is none. Positions rise along a
 * stream, so it is found by bisection. `newest`: an event of the stream; later ones are not considered. @throws StoreUnavailable
 */
export async function firstRevisionAfter(store: Pick<EventStore, 'read'>, newest: RecordedEvent, position: Position): Promise<number> {
  if (newest.position <= position) return newest.revision + 1;
  let [low, high] = [0, newest.revision];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [event] = await store.read(newest.stream, { from: middle, limit: 1 });
    if (event!.position > position) high = middle;
    else low = middle + 1;
  }
  return low;
}
