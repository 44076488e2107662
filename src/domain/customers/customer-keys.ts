import type { Pool } from 'pg';
import { ErasableKeys } from '../../ledger/crypto/erasable-keys.js';
import type { KeyWrapping } from '../../ledger/crypto/key-wrapping.js';
import type { Clock } from '../../ledger/time.js';

/** The keys of customers. */
export class CustomerKeys extends ErasableKeys {
  constructor(pool: Pool, wrapping: KeyWrapping, clock: Clock) {
    super('customer', pool, wrapping, clock);
  }
}
