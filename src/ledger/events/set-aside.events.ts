import type { ProposalRefusedEvent } from './proposal.events.js';

/** Events in `projection-<name>`: which events a projection skips, because it could never apply them; and which differences its next build may have. */
export const projectionStream = (projection: string): string => `projection-${projection}`;

export interface EventSetAside {
  /** Of no merchant. */
  readonly merchant_id: null;
  readonly projection: string;
  readonly event_id: string;
  readonly event_type: string;
  /** With the revision: its place, which is its alone (an id may be used again in another stream). */
  readonly event_stream: string;
  readonly event_revision: number;
  /** Ordinal. */
  readonly event_position: number;
  readonly reason: string;
  /** The operating system's user who gave the command. */
  readonly set_aside_by: string;
  /** Where it was proposed and approved. */
  readonly proposal_id?: string;
  readonly set_aside_on: string;
}

/** A new build that differs from the live one in this, and in nothing else, may take its place. Proposed by one person and approved by others. */
export interface DifferencesAccepted {
  readonly merchant_id: null;
  readonly projection: string;
  /** SHA-256 of all that differs, hexadecimal. */
  readonly digest: string;
  readonly proposal_id: string;
  readonly reason: string;
  readonly accepted_on: string;
}

export type SetAsideEvent =
  { readonly type: 'EventSetAside'; readonly data: EventSetAside } | { readonly type: 'DifferencesAccepted'; readonly data: DifferencesAccepted };

/** In the stream of a projection. */
export type ProjectionEvent = SetAsideEvent | ProposalRefusedEvent;
