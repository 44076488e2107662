import type { EventStore } from '../event-store/event-store.js';
import type { Checkpoint } from './checkpoint.js';

/**
 * Prevents events of a store that was restored to an older state from being projected on top of rows that the store does not know.
 * @throws when the last event of the build is not in the store at its place.
 */
export async function requireSameStore(store: Pick<EventStore, 'read'>, projection: string, { event, position, ordinal }: Checkpoint): Promise<void> {
  if (event === null) return;
  const [stored] = await store.read(event.stream, { from: event.revision, limit: 1 });
  if (stored?.id === event.id && stored.position === position) return;
  throw new Error(
    `the event store is not the one that projection ${projection} was built from: its last event ${ordinal} (${event.id}, ${event.stream} at ` +
      `${event.revision}) does not exist. An older backup was restored, or another store is connected. Connect the right one; ` +
      `or, if this store is now the authoritative one, rebuild the read models from it: stop the service, ` +
      `"drop schema ${projection} cascade" in its database, start the service.`,
  );
}
