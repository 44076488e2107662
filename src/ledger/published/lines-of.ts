import { readEvent } from '../catalogue.js';
import type { RecordedEvent } from '../../platform/event-store/event-store.js';

/** Returns the event for the history of one record, a charge or a payout: a settlement with the lines about this record only, any other event as it is. */
export function onlyLinesOf<Event extends RecordedEvent>(id: string, event: Event): Event {
  // The metadata of the event as read name the version of its data; a later reader decides by it whether to upcast them.
  const read = readEvent(event);
  if (read.type !== 'FundsSettled') return event;
  const { data } = read;
  return { ...read, data: { ...data, lines: data.lines.filter(({ record_id, charge_id = record_id }) => charge_id === id) } };
}
