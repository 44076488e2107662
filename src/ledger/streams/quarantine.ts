import { randomUUID } from 'node:crypto';
import { placeOf } from '../../platform/projector/projection.js';
import type { EventStore, RecordedEvent } from '../../platform/event-store/event-store.js';
import { pagesOf } from '../../platform/event-store/pages-of.js';
import { timestamp, type Clock } from '../time.js';
import { readEvent } from '../catalogue.js';
import { newEvent, systemContext } from './new-event.js';
import { projectionStream, type EventSetAside } from '../events/set-aside.events.js';

/** Returns the events that `projection` skips, in the order of the decisions. */
export async function quarantinedEvents(store: Pick<EventStore, 'read'>, projection: string): Promise<EventSetAside[]> {
  return setAsideBy(await recordedFor(store, projection));
}

async function recordedFor(store: Pick<EventStore, 'read'>, projection: string): Promise<RecordedEvent[]> {
  const recorded: RecordedEvent[] = [];
  for await (const page of pagesOf(store, projectionStream(projection))) recorded.push(...page);
  return recorded;
}

function setAsideBy(recorded: readonly RecordedEvent[]): EventSetAside[] {
  return recorded.map(readEvent).flatMap((event) => (event.type === 'EventSetAside' ? [event.data] : []));
}

/** Returns the digest of the differences that this proposal accepted for the projection's builds; undefined: none. */
export async function acceptedDifferences(store: Pick<EventStore, 'read'>, projection: string, proposalId: string): Promise<string | undefined> {
  const events = (await recordedFor(store, projection)).map(readEvent);
  return events.flatMap((event) => (event.type === 'DifferencesAccepted' && event.data.proposal_id === proposalId ? [event.data.digest] : []))[0];
}

/** Returns the skipped events for the projector and for replays: both skip the same events, because the log records them. */
export function skippedBy(store: Pick<EventStore, 'read'>): (projection: string) => Promise<ReadonlySet<string>> {
  return async (projection) =>
    new Set((await quarantinedEvents(store, projection)).map(({ event_stream: stream, event_revision: revision }) => placeOf({ stream, revision })));
}

/**
 * Records that a projection skips an event, once. The event itself stays, and every other projection still applies it.
 * @throws StoreUnavailable, OutcomeUnknown
 */
export async function quarantineEvent(
  store: EventStore,
  clock: Clock,
  aside: Omit<EventSetAside, 'merchant_id' | 'set_aside_on'>,
): Promise<EventSetAside> {
  const stream = projectionStream(aside.projection);
  const now = timestamp(clock());
  const data: EventSetAside = { merchant_id: null, ...aside, set_aside_on: now };
  const event = newEvent({ type: 'EventSetAside', data }, { now, ...systemContext(aside.event_id, randomUUID()) });
  for (;;) {
    const recorded = await recordedFor(store, aside.projection);
    const already = setAsideBy(recorded).find(
      ({ event_stream, event_revision }) => event_stream === aside.event_stream && event_revision === aside.event_revision,
    );
    if (already) return already;
    const appended = await store.append(stream, recorded.at(-1) ?? 'no-stream', [event]);
    if (appended.ok) return data;
  }
}
