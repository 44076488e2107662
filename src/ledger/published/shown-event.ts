import type { RecordedEvent } from '../../platform/event-store/event-store.js';
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
  const { stream, revision } = event;
  const { id, type, occurred_on, ...origin } = headOf(event);
  return { position, stream, revision, id, type, occurred_on, merchant_id: event.metadata.merchant_id, ...origin, data: redacted(event) };
}

/** Returns the fields that every permitted reader sees of an event, without its data. */
export function headOf({
  id,
  type,
  metadata,
}: RecordedEvent): Pick<ShownEvent, 'id' | 'type' | 'occurred_on' | 'actor' | 'correlation_id' | 'causation_id'> {
  const { occurred_on, actor, $correlationId: correlation_id, $causationId: causation_id } = metadata;
  return { id, type, occurred_on, actor, correlation_id, causation_id };
}
