import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import { findEventRefs } from '../../../projections/audit/event-index.js';
import type { EventStore } from '../../platform/event-store/event-store.js';
import { newSpanId, nowMs, placeBehind, type TracePlace, type Tracing } from '../../platform/tracing/tracing.js';

/** The index of events has its own lag. It usually reaches the outbox at once, and on a busy machine within a second. */
const LOOKS = 10;
const BETWEEN_LOOKS_MS = 100;

/** One attempt: its `traceparent` header, and its end. */
export interface TracedAttempt {
  readonly headers: Readonly<Record<string, string>>;
  ended(status: number | null): void;
}

export type TraceDelivery = (kind: string, ordinal: number) => Promise<TracedAttempt | undefined>;

/**
 * Records spans of attempts, as children of the append of the delivered event. Each attempt costs one lookup of that event. While
 * the index does not advance, only the first attempt waits for it.
 */
export function traceDeliveries(tracing: Tracing, pool: Pool, store: Pick<EventStore, 'read'>): TraceDelivery {
  let looks = LOOKS;
  return async (kind, ordinal) => {
    const place = await placeOf(pool, store, ordinal, looks).catch(() => undefined);
    looks = place === undefined ? 1 : LOOKS;
    if (place === undefined || !tracing.samples(place.traceId)) return undefined;
    const [spanId, beganMs] = [newSpanId(), nowMs()];
    return {
      headers: { traceparent: `00-${place.traceId}-${spanId}-01` },
      ended(status) {
        const attributes = status === null ? {} : { 'http.response.status_code': status };
        const failed = status === null || status >= 300;
        tracing.record({ ...place, name: `webhook ${kind}`, kind: 'producer', spanId, beganMs, endedMs: nowMs(), attributes, failed });
      },
    };
  };
}

async function placeOf(pool: Pool, store: Pick<EventStore, 'read'>, ordinal: number, looks: number): Promise<TracePlace | undefined> {
  for (let look = 1; ; look += 1) {
    const [found] = await findEventRefs(pool, { after: ordinal - 1, until: ordinal, limit: 1 });
    if (found) {
      const [event] = await store.read(found.stream, { from: found.revision, limit: 1 });
      return event && placeBehind(event);
    }
    if (look === looks) return undefined;
    await delay(BETWEEN_LOOKS_MS);
  }
}
