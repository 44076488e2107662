import type { SealedHead } from '../../ledger/events/period.events.js';

/** Injection token of `SealedLog`. The wing that seals the log is above, and provides it. */
export const SEALED_LOG = Symbol('SealedLog');

/** The part of the log that a signed head covers. */
export interface SealedLog {
  /** undefined: nothing is sealed yet. */
  head(): Promise<SealedHead | undefined>;
  isSealed(eventId: string): Promise<boolean>;
}
