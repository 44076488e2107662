import type { ProposalRefusedEvent } from './proposal.events.js';

/**
 * Events in `projection-<name>`: which events a projection skips, because it could never apply them; and which differences its next build may have.
 */
export const projectionStream = (projection: string): string => `projection-${projection}`;

export interface EventSetAside {
  /** The event belongs to no merchant. */
  readonly merchant_id: null;
  readonly projection: string;
  readonly event_id: string;
  readonly event_type: string;
  /** Identifies the event together with the revision: no other event has both (an id may be used again in another stream). */
  readonly event_stream: string;
  readonly event_revision: number;
  /** Ordinal. */
  readonly event_position: number;
  readonly reason: string;
  /** The operating system's user who gave the command. */
  readonly set_aside_by: string;
  /** Set when it was proposed and approved. */
  readonly proposal_id?: string;
  readonly set_aside_on: string;
}

/** A new build that differs from the live one in exactly this may replace it. Proposed by one operator and approved by others. */
export interface DifferencesAccepted {
  readonly merchant_id: null;
  readonly projection: string;
  /** SHA-256 of all differences, hexadecimal. */
  readonly digest: string;
  readonly proposal_id: string;
  readonly reason: string;
  readonly accepted_on: string;
}

export type SetAsideEvent =
  { readonly type: 'EventSetAside'; readonly data: EventSetAside } | { readonly type: 'DifferencesAccepted'; readonly data: DifferencesAccepted };

/** Events in the stream of a projection. */
export type ProjectionEvent = SetAsideEvent | ProposalRefusedEvent;
