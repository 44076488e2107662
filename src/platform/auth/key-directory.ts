/** The port to the known keys. The engine behind it follows the events that issue and revoke them. */
export const KEY_DIRECTORY = Symbol('KEY_DIRECTORY');

export interface KeyRecord {
  readonly key_id: string;
  readonly kind: 'merchant' | 'finance' | 'operator';
  /** null for the keys of finance and of operators. */
  readonly merchant_id: string | null;
  readonly mode: 'test' | 'live';
  /** `charges:read` …; `*` for all. */
  readonly scopes: readonly string[];
  /** RFC 3339; the key is rejected from this time on. null: never. */
  readonly expires_on: string | null;
  /** RFC 3339; the key is rejected from this time on; in the future during a rotation's overlap. */
  readonly revoked_on: string | null;
  /** Rejected regardless of the dates, so that no clock reactivates a revoked key. */
  readonly is_revoked: boolean;
}

/** Returns whether a key may be used. `now`: milliseconds since the epoch. */
export function isGood({ expires_on, revoked_on, is_revoked }: Pick<KeyRecord, 'expires_on' | 'revoked_on' | 'is_revoked'>, now: number): boolean {
  const isOver = (moment: string | null): boolean => moment !== null && Date.parse(moment) <= now;
  return !is_revoked && !isOver(expires_on) && !isOver(revoked_on);
}

export interface KeyDirectory {
  /** `hash` is a result of hashKey. In memory, because every request calls it. */
  find(hash: string): KeyRecord | undefined;
  /** False when a revocation of a second ago may be unknown here: requests then return 503. */
  isFresh(): boolean;
  /**
   * Waits until everything recorded before the call is known; returns false when that takes longer than 0.8 s. Concurrent callers share one query.
   */
  confirm(): Promise<boolean>;
}
