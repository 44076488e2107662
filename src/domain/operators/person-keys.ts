import type { Pool } from 'pg';
import { decrypt, encrypt } from '../../ledger/crypto/encryption.js';
import { ErasableKeys } from '../../ledger/crypto/erasable-keys.js';
import { KeyWrapping } from '../../ledger/crypto/key-wrapping.js';
import type { Clock } from '../../ledger/time.js';
import type { KnownOperator } from './known-operators.js';

/** Keys that encrypt operators' e-mail addresses: one per operator, as with customers. */
export class PersonKeys extends ErasableKeys {
  /** @param secret of the service */
  constructor(pool: Pool, secret: Buffer, clock: Clock) {
    super('person', pool, new KeyWrapping(secret, 'person'), clock);
  }
}

const emailOf = (personId: string): string => `e-mail of operator ${personId}`;

/** Returns base64, for an event. */
export function sealEmail(key: Buffer, personId: string, email: string): string {
  return encrypt(key, Buffer.from(email), emailOf(personId)).toString('base64');
}

/** Returns the address of each operator; null when its key is destroyed. @throws DecryptionFailed */
export async function openEmails(keys: PersonKeys, persons: readonly KnownOperator[]): Promise<Map<string, string | null>> {
  const found = await keys.findAll(persons.map(({ id }) => id));
  return new Map(
    persons.map(({ id, sealed }) => {
      const key = found.get(id);
      return [id, key === undefined ? null : decrypt(key, Buffer.from(sealed, 'base64'), emailOf(id)).toString('utf8')];
    }),
  );
}
