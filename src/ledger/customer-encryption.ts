import { randomBytes } from 'node:crypto';
import type { CustomerDetails } from './events/customer.events.js';
import { deriveKey, KEY_BYTES, encrypt, decrypt } from './encryption.js';

/** A customer's key as the table of keys holds it, and as it is used. */
export interface CustomerKey {
  readonly key: Buffer;
  /** Encrypted with a key that derives from the service's secret: the table alone decrypts nothing. */
  readonly wrapped: Buffer;
}

/** Wraps and unwraps the keys of customers. */
export class KeyWrapping {
  readonly #wrapping: Buffer;

  /** @param secret what the service's keys derive from */
  constructor(secret: Buffer) {
    this.#wrapping = deriveKey(secret, 'chargebook customer keys');
  }

  newKey(customerId: string): CustomerKey {
    const key = randomBytes(KEY_BYTES);
    return { key, wrapped: encrypt(this.#wrapping, key, keyOf(customerId)) };
  }

  /** @throws DecryptionFailed when it was wrapped under another secret, or for another customer. */
  unwrap(customerId: string, wrapped: Buffer): Buffer {
    return decrypt(this.#wrapping, wrapped, keyOf(customerId));
  }
}

const keyOf = (customerId: string): string => `key of customer ${customerId}`;
const detailsOf = (customerId: string): string => `details of customer ${customerId}`;

/** Base64, for an event. */
export function encryptDetails(key: Buffer, customerId: string, details: CustomerDetails): string {
  return encrypt(key, Buffer.from(JSON.stringify(details)), detailsOf(customerId)).toString('base64');
}

/** @throws DecryptionFailed */
export function decryptDetails(key: Buffer, customerId: string, sealed: string): CustomerDetails {
  return JSON.parse(decrypt(key, Buffer.from(sealed, 'base64'), detailsOf(customerId)).toString('utf8')) as CustomerDetails;
}
