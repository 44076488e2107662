import { createHmac } from 'node:crypto';
import { decrypt, deriveKey, encrypt, NONCE_BYTES } from '../../ledger/crypto/encryption.js';

/**
 * Encrypts the keys that sign webhooks, under a separate key derived from the service's secret and bound to the merchant. The nonce
 * is an HMAC of the plain text, so the same key of the same merchant always has the same ciphertext: a decider, which never sees a
 * key, can detect a changed one. The ciphertext discloses nothing else.
 */
export class SignatureKeyEncryption {
  readonly #cipherKey: Buffer;
  readonly #nonceKey: Buffer;

  /** @param secret the service's secret */
  constructor(secret: Buffer) {
    this.#cipherKey = deriveKey(secret, 'chargebook web-hook keys: seal');
    this.#nonceKey = deriveKey(secret, 'chargebook web-hook keys: nonce');
  }

  /** Base64url. */
  encrypt(merchantId: string, key: Buffer): string {
    const nonce = createHmac('sha256', this.#nonceKey).update(`${merchantId}\0`).update(key).digest().subarray(0, NONCE_BYTES);
    return encrypt(this.#cipherKey, key, merchantId, nonce).toString('base64url');
  }

  /** @throws DecryptionFailed when it was encrypted under another secret, or for another merchant */
  decrypt(merchantId: string, encrypted: string): Buffer {
    return decrypt(this.#cipherKey, Buffer.from(encrypted, 'base64url'), merchantId);
  }
}
