import type { KnownKey, KnownMerchants } from '../merchants/known-merchants.js';
import { milliseconds } from '../ledger/time.js';

export interface ListedKey extends Pick<KnownKey, 'key_id' | 'merchant_id' | 'name' | 'scopes' | 'issued_on' | 'expires_on' | 'revoked_on'> {
  /** At the moment of listing; a key whose rotation overlaps is active until the moment in revoked_on. */
  readonly state: 'active' | 'expired' | 'revoked';
}

/** `now`: milliseconds since the epoch. */
export function listedKeys(known: KnownMerchants, now: number, isWanted: (key: KnownKey) => boolean): ListedKey[] {
  const reached = (moment: string | null): boolean => moment !== null && milliseconds(moment) <= now;
  return [...known.keys()].filter(isWanted).map(({ key_id, merchant_id, name, scopes, issued_on, expires_on, revoked_on, is_revoked }) => ({
    ...{ key_id, merchant_id, name, scopes, issued_on, expires_on, revoked_on },
    state: is_revoked || reached(revoked_on) ? 'revoked' : reached(expires_on) ? 'expired' : 'active',
  }));
}
