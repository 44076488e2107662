import type { EventStore, RecordedEvent } from '../../platform/event-store/event-store.js';
import { concurrently } from '../../platform/worker/concurrently.js';

const READS_AT_A_TIME = 4;

/** Returns the events at these revisions of a stream, in their order. @throws StoreUnavailable */
export async function readRevisions(store: Pick<EventStore, 'read'>, stream: string, revisions: readonly number[]): Promise<RecordedEvent[]> {
  const found = await concurrently(revisions, READS_AT_A_TIME, (from) => store.read(stream, { from, limit: 1 }));
  return found.flat();
}
