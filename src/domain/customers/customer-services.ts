import { KeyWrapping } from '../../ledger/crypto/key-wrapping.js';
import type { ServiceDeps } from '../../ledger/ports/injection-tokens.js';
import { CustomerKeys } from './customer-keys.js';

export type CustomerServices = ReturnType<typeof customerServices>;

/** Builds the keys of customers, and the wrapping that decrypts a key read with its row. */
export function customerServices({ pool, secret, clock }: Pick<ServiceDeps, 'pool' | 'secret' | 'clock'>) {
  const wrapping = new KeyWrapping(secret, 'customer');
  return { wrapping, keys: new CustomerKeys(pool, wrapping, clock) };
}
