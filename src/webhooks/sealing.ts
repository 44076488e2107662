import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Keeps the keys that sign web-hooks: AES-256-GCM under a key of its own, derived from ENCRYPTION_KEY, bound to the merchant.
 * The nonce is an HMAC of what is sealed, so the same key of the same merchant always looks the same: that is how a decider, which
 * never sees a key, tells that it was not changed. Nobody else learns more than that.
 */
export class KeySeal {
  readonly #cipherKey: Buffer;
  readonly #nonceKey: Buffer;

  /** `secret`: ENCRYPTION_KEY. */
  constructor(secret: Buffer) {
    this.#cipherKey = derived(secret, 'web-hook keys: seal');
    this.#nonceKey = derived(secret, 'web-hook keys: nonce');
  }

  /** Base64url. */
  seal(merchantId: string, bytes: Buffer): string {
    const nonce = createHmac('sha256', this.#nonceKey).update(`${merchantId}\0`).update(bytes).digest().subarray(0, NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#cipherKey, nonce).setAAD(Buffer.from(merchantId));
    return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]).toString('base64url');
  }

  /** @throws when it was sealed under another ENCRYPTION_KEY, or for another merchant. */
  open(merchantId: string, sealed: string): Buffer {
    const bytes = Buffer.from(sealed, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', this.#cipherKey, bytes.subarray(0, NONCE_BYTES))
      .setAAD(Buffer.from(merchantId))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  }
}

function derived(secret: Buffer, label: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), `chargebook ${label}`, 32));
}
