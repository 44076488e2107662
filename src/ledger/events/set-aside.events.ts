/** Events in `projection-<name>`: which events a projection skips, because it could never apply them. */
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
  readonly set_aside_on: string;
}

export type SetAsideEvent = { readonly type: 'EventSetAside'; readonly data: EventSetAside };
