import { KeyWrapping } from '../../ledger/crypto/key-wrapping.js';
import type { ServiceDeps } from '../../ledger/injection-tokens.js';
import { CustomerKeys } from './customer-keys.js';

export type CustomerServices = ReturnType<typeof customerServices>;

/** The keys of customers, and what opens those that a row was read with. */
export function customerServices({ pool, secret, clock }: Pick<ServiceDeps, 'pool' | 'secret' | 'clock'>) {
  const wrapping = new KeyWrapping(secret, 'customer');
  return { wrapping, keys: new CustomerKeys(pool, wrapping, clock) };
}
