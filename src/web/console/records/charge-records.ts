import type { EventPage, EventSources } from '../../finance-api/find-events.js';
import { findEvents } from '../../finance-api/find-events.js';
import { chargeStream } from '../../../ledger/events/charge.events.js';
import type { ShownEvent } from '../../../ledger/published/shown-event.js';

/** Maximum number of a charge's events that are read for one of its records. Few charges have more than some dozens. */
const LOOKED_AT_MAX = 5_000;
const PAGE_EVENTS = 1_000;

/** Events of one refund or dispute in its charge's stream. */
export interface RecordHistory {
  /** Events in the order of the log. */
  readonly items: readonly ShownEvent[];
  /** True when the charge has more events than were read. */
  readonly isCut: boolean;
}

/** Finds the part of a charge's history about its refund or dispute `id`. @throws StoreUnavailable */
export async function findHistoryOf(sources: EventSources, chargeId: string, id: string, signal: AbortSignal): Promise<RecordHistory> {
  const found: ShownEvent[] = [];
  let after: number | null = 0;
  for (let looked = 0; after !== null && looked < LOOKED_AT_MAX;) {
    const page: EventPage = await findEvents(sources, { stream: chargeStream(chargeId), after, limit: PAGE_EVENTS }, signal);
    found.push(...page.items);
    looked += page.items.length;
    after = page.next_after;
  }
  return { items: eventsAbout(id, found), isCut: after !== null };
}

/** Returns the events that name the record, or one of its holds and releases, which lines of settlements refer to. */
export function eventsAbout(id: string, events: readonly ShownEvent[]): ShownEvent[] {
  const names = new Set([id]);
  return events.filter(({ data }) => {
    const { refund_id, dispute_id, hold_id, release_id, record_id } = data as Readonly<Record<string, string | undefined>>;
    if (![refund_id, dispute_id, record_id].some((name) => name !== undefined && names.has(name))) return false;
    for (const part of [hold_id, release_id]) if (part !== undefined) names.add(part);
    return true;
  });
}
