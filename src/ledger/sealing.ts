import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** AES-256-GCM (NIST SP 800-38D): sealed is `nonce (12 bytes) | ciphertext | tag (16 bytes)`. */
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
export const KEY_BYTES = 32;

/** A key of its own for one use of `secret` (HKDF-SHA-256, RFC 5869). Another label gives an unrelated key. */
export function deriveKey(secret: Buffer, label: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), label, KEY_BYTES));
}

/** `boundTo` says whose it is: opened under another name, it is as broken as with another key. Different bytes each time. */
export function seal(key: Buffer, plain: Buffer, boundTo: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(boundTo));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** @throws SealBroken when `sealed` was not sealed with this key for this name, or was changed. */
export function unseal(key: Buffer, sealed: Buffer, boundTo: string): Buffer {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) throw new SealBroken(`what is sealed for ${boundTo} is cut off`);
  const tagAt = sealed.length - TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(boundTo))
    .setAuthTag(sealed.subarray(tagAt));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, tagAt)), decipher.final()]);
  } catch (cause) {
    throw new SealBroken(`what is sealed for ${boundTo} does not open: another key, or changed bytes`, { cause });
  }
}

export class SealBroken extends Error {
  override readonly name = 'SealBroken';
}
