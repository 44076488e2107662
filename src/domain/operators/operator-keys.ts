import type { Pool } from 'pg';
import { decrypt, encrypt } from '../../ledger/crypto/encryption.js';
import { ErasableKeys } from '../../ledger/crypto/erasable-keys.js';
import { KeyWrapping } from '../../ledger/crypto/key-wrapping.js';
import type { Clock } from '../../ledger/time.js';
import type { KnownOperator } from './known-operators.js';

/** Keys that encrypt operators' e-mail addresses: one per operator, as with customers. */
export class OperatorKeys extends ErasableKeys {
  /** @param secret of the service */
  constructor(pool: Pool, secret: Buffer, clock: Clock) {
    super('person', pool, new KeyWrapping(secret, 'person'), clock);
  }
}

const emailOf = (operatorId: string): string => `e-mail of operator ${operatorId}`;

/** Returns base64, for an event. */
export function sealEmail(key: Buffer, operatorId: string, email: string): string {
  return encrypt(key, Buffer.from(email), emailOf(operatorId)).toString('base64');
}

/** Returns the address of each operator; null when its key is destroyed. @throws DecryptionFailed */
export async function openEmails(keys: OperatorKeys, operators: readonly KnownOperator[]): Promise<Map<string, string | null>> {
  const found = await keys.findAll(operators.map(({ id }) => id));
  return new Map(
    operators.map(({ id, sealed }) => {
      const key = found.get(id);
      return [id, key === undefined ? null : decrypt(key, Buffer.from(sealed, 'base64'), emailOf(id)).toString('utf8')];
    }),
  );
}
