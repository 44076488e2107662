import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * Keys: a prefix, 30 random base62 characters and the CRC-32 of those 30 as 6 of base62. The check characters distinguish a mistyped key from an
 * unknown one without a look-up, and let secret scanners find a leaked one.
 */
export type KeyPrefix = 'sk_test_' | 'sk_live_' | 'fk_' | 'ok_';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 30;
const CHECK_LENGTH = 6;
const FORMAT = /^(sk_test_|sk_live_|fk_|ok_)([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

/** Returns a new key. `bytes` returns that many random bytes; only tests replace it. */
export function makeKey(prefix: KeyPrefix, bytes: (size: number) => Uint8Array = randomBytes): string {
  let secret = '';
  while (secret.length < SECRET_LENGTH) {
    for (const byte of bytes(2 * SECRET_LENGTH)) {
      // 248 is the largest multiple of 62 in a byte: larger values would make the first letters likelier.
      if (byte < 248 && secret.length < SECRET_LENGTH) secret += ALPHABET.charAt(byte % 62);
    }
  }
  return prefix + secret + checkOf(secret);
}

/** Returns the prefix of a key with valid form and check characters; undefined for anything else. */
export function parseKey(key: string): { readonly prefix: KeyPrefix } | undefined {
  const match = FORMAT.exec(key);
  if (match === null || checkOf(match[2] ?? '') !== match[3]) return undefined;
  return { prefix: match[1] as KeyPrefix };
}

/** SHA-256 of the whole key, hex: the only form in which a key is stored. */
export function hashKey(key: string): string {
  return hash('sha256', key);
}

function checkOf(secret: string): string {
  let check = '';
  for (let rest = crc32(secret); check.length < CHECK_LENGTH; rest = Math.floor(rest / 62)) check = ALPHABET.charAt(rest % 62) + check;
  return check;
}
