import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** AES-256-GCM (NIST SP 800-38D). Encrypted bytes are `nonce (12 bytes) | ciphertext | tag (16 bytes)`. */
const CIPHER = 'aes-256-gcm';
export const NONCE_BYTES = 12;
const TAG_BYTES = 16;
export const KEY_BYTES = 32;

/** Derives a separate key for one use of `secret` (HKDF-SHA-256, RFC 5869). Another label gives an unrelated key. */
export function deriveKey(secret: Buffer, label: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), label, KEY_BYTES));
}

/**
 * `boundTo` names the owner: decryption under another name fails, as it does with another key. The bytes differ each time, unless a `nonce` is given;
 * one nonce must never encrypt two texts under one key.
 */
export function encrypt(key: Buffer, plain: Buffer, boundTo: string, nonce = randomBytes(NONCE_BYTES)): Buffer {
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(boundTo));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** @throws DecryptionFailed when `encrypted` was not encrypted with this key for this name, or was changed. */
export function decrypt(key: Buffer, encrypted: Buffer, boundTo: string): Buffer {
  if (encrypted.length < NONCE_BYTES + TAG_BYTES) throw new DecryptionFailed(`the ciphertext for ${boundTo} is truncated`);
  const tagAt = encrypted.length - TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, key, encrypted.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(boundTo))
    .setAuthTag(encrypted.subarray(tagAt));
  try {
    return Buffer.concat([decipher.update(encrypted.subarray(NONCE_BYTES, tagAt)), decipher.final()]);
  } catch (cause) {
    throw new DecryptionFailed(`the ciphertext for ${boundTo} cannot be decrypted: the key is another one, or the bytes were changed`, { cause });
  }
}

export class DecryptionFailed extends Error {
  override readonly name = 'DecryptionFailed';
}
