/** The port to what is known of keys. The engine behind it follows the facts that issue and revoke them. */
export const KEY_DIRECTORY = Symbol('KEY_DIRECTORY');

export interface KeyRecord {
  readonly key_id: string;
  readonly kind: 'merchant' | 'finance' | 'operator';
  /** null for the keys of finance and of operators. */
  readonly merchant_id: string | null;
  readonly mode: 'test' | 'live';
  /** `charges:read` …; `*` for all. */
  readonly scopes: readonly string[];
  /** RFC 3339; the key is refused from this moment on. null: never. */
  readonly expires_on: string | null;
  /** RFC 3339; the key is refused from this moment on; in the future during a rotation's overlap. */
  readonly revoked_on: string | null;
  /** Refused whatever the dates say: no clock brings back a key that was revoked. */
  readonly is_revoked: boolean;
}

/** Whether a key may be used. `now`: milliseconds since the epoch. */
export function isGood({ expires_on, revoked_on, is_revoked }: Pick<KeyRecord, 'expires_on' | 'revoked_on' | 'is_revoked'>, now: number): boolean {
  const isOver = (moment: string | null): boolean => moment !== null && Date.parse(moment) <= now;
  return !is_revoked && !isOver(expires_on) && !isOver(revoked_on);
}

export interface KeyDirectory {
  /** `hash` as hashKey makes it. In memory: it is called for every request. */
  find(hash: string): KeyRecord | undefined;
  /** False when a key that was revoked a second ago may not be known here: requests are then answered 503. */
  isFresh(): boolean;
  /** Waits until what was recorded before the call is known; false when that could not be had in 0.8 s. Any number may wait: one question answers all. */
  confirm(): Promise<boolean>;
}
