import { StoreUnavailable, type EventStore } from '../../src/platform/event-store/event-store.js';
import type { TestService } from './service.js';

/** Runs `work` while the service's event store does not answer reads of the calendar. Reads of the calendar within a tenth of a second are one. */
export async function withoutCalendar({ stores }: TestService, work: () => Promise<void>): Promise<void> {
  const { eventStore }: { eventStore: Partial<EventStore> } = stores;
  const read = eventStore.read!.bind(eventStore);
  eventStore.read = (stream, options) => (stream === 'calendar' ? Promise.reject(new StoreUnavailable('away')) : read(stream, options));
  try {
    await work();
  } finally {
    delete eventStore.read;
  }
}
