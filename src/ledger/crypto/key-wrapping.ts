import { randomBytes } from 'node:crypto';
import { decrypt, deriveKey, encrypt, KEY_BYTES } from './encryption.js';

/** Owners that have a separate key, so that data encrypted with it can be erased. The table `<owner>_keys` holds their keys. */
export type KeyOwner = 'customer' | 'dispute' | 'person' | 'statement';

/** A key in the form that its table stores, and in the form that is used. */
export interface OwnedKey {
  readonly key: Buffer;
  /** Encrypted with a key that derives from the service's secret: the table alone decrypts nothing. */
  readonly wrapped: Buffer;
}

/** Wraps and unwraps the keys of one kind of owner. */
export class KeyWrapping {
  readonly #wrapping: Buffer;

  /** @param secret from which the service's keys derive */
  constructor(
    secret: Buffer,
    private readonly owner: KeyOwner,
  ) {
    this.#wrapping = deriveKey(secret, `chargebook ${owner} keys`);
  }

  newKey(id: string): OwnedKey {
    const key = randomBytes(KEY_BYTES);
    return { key, wrapped: encrypt(this.#wrapping, key, this.#keyOf(id)) };
  }

  /** @throws DecryptionFailed when it was wrapped under another secret, or for another owner. */
  unwrap(id: string, wrapped: Buffer): Buffer {
    return decrypt(this.#wrapping, wrapped, this.#keyOf(id));
  }

  #keyOf(id: string): string {
    return `key of ${this.owner} ${id}`;
  }
}
