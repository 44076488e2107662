import type { Pool } from 'pg';
import { ErasableKeys } from '../../../ledger/crypto/erasable-keys.js';
import { KeyWrapping } from '../../../ledger/crypto/key-wrapping.js';
import type { Clock } from '../../../ledger/time.js';

/** The keys of disputes, under which their evidence is encrypted. */
export class DisputeKeys extends ErasableKeys {
  /** @param secret the service's secret */
  constructor(pool: Pool, secret: Buffer, clock: Clock) {
    super('dispute', pool, new KeyWrapping(secret, 'dispute'), clock);
  }
}
