import type { RecordedEvent } from '../platform/event-store/event-store.js';
import { redacted } from './redaction.js';

/** An event as finance and engineers see it, in this order of fields. */
export interface ShownEvent {
  /** Ordinal in the log: 1, 2, 3 …; null when the reader read one stream only. */
  readonly position: number | null;
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly occurred_on: string;
  readonly merchant_id: string | null;
  readonly actor: string;
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Redacted when it holds hashes of keys or personal data. */
  readonly data: object;
}

export function shownEvent(event: RecordedEvent, position: number | null): ShownEvent {
  const { stream, revision, id, type, metadata } = event;
  return {
    position,
    stream,
    revision,
    id,
    type,
    occurred_on: metadata.occurred_on,
    merchant_id: metadata.merchant_id,
    actor: metadata.actor,
    correlation_id: metadata.$correlationId,
    causation_id: metadata.$causationId,
    data: redacted(event),
  };
}
