import type { SealedHead } from '../../ledger/events/period.events.js';

/** Injection token of `SealedLog`; what seals the log stands above, and gives it. */
export const SEALED_LOG = Symbol('SealedLog');

/** What of the log is under a signed head. */
export interface SealedLog {
  /** undefined: nothing is sealed yet. */
  head(): Promise<SealedHead | undefined>;
  isSealed(eventId: string): Promise<boolean>;
}
