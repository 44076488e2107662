import { StoreUnavailable, type EventStore, type RecordedEvent } from '../platform/event-store/event-store.js';
import type { LedgerEventType } from './catalogue.js';

/** What people may have said of a record before there was one. */
const BEFORE: LedgerEventType = 'SettlementLineRefused';

export interface Beginning {
  /** The fact that made the record; undefined when there is none. */
  readonly first: RecordedEvent | undefined;
  /** What whoever makes the record now has to name: the newest of the facts before it. */
  readonly behind: RecordedEvent | 'no-stream';
}

/** How a record's stream begins: with the fact that made it, but for refusals of settlement lines. @throws StoreUnavailable */
export async function beginningOf(store: Pick<EventStore, 'read'>, stream: string): Promise<Beginning> {
  for (let behind: Beginning['behind'] = 'no-stream'; ;) {
    const [first]: RecordedEvent[] = await store.read(stream, { from: behind === 'no-stream' ? 0 : behind.revision + 1, limit: 1 });
    if (first?.type !== BEFORE) return { first, behind };
    behind = first;
  }
}

/** What to name instead of `behind`, which was not the newest. @throws StoreUnavailable when the stream shows nothing newer */
export function newerThan(behind: Beginning['behind'], found: Beginning, stream: string): Beginning['behind'] {
  if (found.behind === 'no-stream' || (behind !== 'no-stream' && found.behind.id === behind.id))
    throw new StoreUnavailable(`${stream} exists, but could not be read`);
  return found.behind;
}
