import { keyState, type KeyState, type KnownKey } from '../domain/operators/known-keys.js';
import type { KnownMerchants } from '../domain/merchants/known-merchants.js';

export interface ListedKey extends Pick<KnownKey, 'key_id' | 'merchant_id' | 'name' | 'scopes' | 'issued_on' | 'expires_on' | 'revoked_on'> {
  readonly state: KeyState;
}

/** @param now milliseconds since the epoch */
export function listedKeys(known: KnownMerchants, now: number, isWanted: (key: KnownKey) => boolean): ListedKey[] {
  return [...known.keys()].filter(isWanted).map((key) => {
    const { key_id, merchant_id, name, scopes, issued_on, expires_on, revoked_on } = key;
    return { key_id, merchant_id, name, scopes, issued_on, expires_on, revoked_on, state: keyState(key, now) };
  });
}
