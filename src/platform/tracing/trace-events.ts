import { newSpanId, nowMs, placeBehind, placeOfAppend, spanIdOf, type TracedEvent, type Tracing } from './tracing.js';

/** Records a span for every event of an append, because each may belong to another request. */
export function traceAppends(tracing: Tracing): (events: readonly TracedEvent[], beganMs: number, ok: boolean) => void {
  return (events, beganMs, ok) => {
    const endedMs = nowMs();
    for (const { id, type, metadata } of events) {
      const place = placeOfAppend(metadata);
      const spanId = spanIdOf(id);
      if (place === undefined || spanId === undefined || !tracing.samples(place.traceId)) continue;
      const attributes = { 'chargebook.event_id': id, 'chargebook.events_together': events.length };
      // After an unmet expectation the decision is repeated, with another event id.
      tracing.record({ ...place, name: `append ${type}`, kind: 'client', spanId, beganMs, endedMs, attributes, failed: !ok });
    }
  };
}

/**
 * Records a span for every event of a batch, below its append, in the one projection that `shows` names for its type. The other projections follow
 * the same log, and a span for each of them would cost a request more than the rest of its trace.
 */
export function traceProjections(
  tracing: Tracing,
  shows: (type: string) => string,
): (projection: string, events: readonly TracedEvent[], beganMs: number) => void {
  return (projection, events, beganMs) => {
    const endedMs = nowMs();
    for (const event of events) {
      if (shows(event.type) !== projection) continue;
      const place = placeBehind(event);
      if (place === undefined || !tracing.samples(place.traceId)) continue;
      const attributes = { 'chargebook.event_id': event.id, 'chargebook.events_together': events.length };
      tracing.record({ ...place, name: `project ${projection}`, kind: 'internal', spanId: newSpanId(), beganMs, endedMs, attributes });
    }
  };
}
