import { milliseconds, type Timestamp } from '../../ledger/time.js';
import type { KeyRecord } from '../../platform/auth/key-directory.js';

export interface KnownKey extends KeyRecord {
  readonly name: string;
  readonly issued_on: Timestamp;
}

export type KeyState = 'active' | 'expired' | 'revoked';

/** Returns the state at the moment `now` (ms since the epoch). In a rotation's overlap, the old key is active until `revoked_on`. */
export function keyState({ is_revoked, revoked_on, expires_on }: KnownKey, now: number): KeyState {
  const reached = (moment: Timestamp | null): boolean => moment !== null && milliseconds(moment) <= now;
  return is_revoked || reached(revoked_on) ? 'revoked' : reached(expires_on) ? 'expired' : 'active';
}

/** All issued keys in memory, by hash and by id. */
export class KnownKeys {
  private readonly keys = new Map<string, KnownKey>();
  private readonly hashes = new Map<string, string>();

  /** `hash`: SHA-256 of the key, hex. */
  add(hash: string, key: Omit<KnownKey, 'revoked_on' | 'is_revoked'>): void {
    const { key_id, kind, merchant_id, mode, name, scopes, issued_on, expires_on } = key;
    this.keys.set(hash, { key_id, kind, merchant_id, mode, name, scopes, issued_on, expires_on, revoked_on: null, is_revoked: false });
    this.hashes.set(key_id, hash);
  }

  revoke({ key_id, revoked_on, at_once }: { readonly key_id: string; readonly revoked_on: Timestamp; readonly at_once: boolean }): void {
    const key = this.byId(key_id);
    if (!key) throw new Error(`cannot revoke a key that was never issued: ${key_id}`);
    if (!key.is_revoked) this.keys.set(this.hashes.get(key_id)!, { ...key, revoked_on, is_revoked: at_once });
  }

  byHash(hash: string): KnownKey | undefined {
    return this.keys.get(hash);
  }

  byId(keyId: string): KnownKey | undefined {
    const hash = this.hashes.get(keyId);
    return hash === undefined ? undefined : this.keys.get(hash);
  }

  /** Returns the keys in the order of their issue, including revoked and expired ones. */
  all(): Iterable<KnownKey> {
    return this.keys.values();
  }
}
