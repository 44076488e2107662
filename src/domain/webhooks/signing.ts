import { createHmac } from 'node:crypto';

/** Permitted size of a `whsec_` key, in bytes. Source: Standard Webhooks, "Signature scheme". */
const SECRET_BYTES_MIN = 24;
const SECRET_BYTES_MAX = 64;
const PREFIX = 'whsec_';

/** After a change of key, the previous key also signs for this long. */
export const KEY_OVERLAP_MS = 24 * 3_600_000;

/** The key is neither `whsec_` and base64 of 24 to 64 bytes, nor text of 16 to 255 characters. The message is for the client. */
export class UnusableKey extends Error {
  override readonly name = 'UnusableKey';
}

/** Returns the bytes of a key: a `whsec_` key is decoded, any other is used as UTF-8. @throws UnusableKey when a `whsec_` key does not decode */
export function signingBytes(signatureKey: string): Buffer {
  if (!signatureKey.startsWith(PREFIX)) return Buffer.from(signatureKey, 'utf8');
  const text = signatureKey.slice(PREFIX.length);
  const bytes = Buffer.from(text, 'base64');
  // Node skips invalid base64. The key is valid only when encoding the bytes yields the same text.
  if (bytes.toString('base64').replace(/=+$/, '') !== text.replace(/={0,2}$/, '')) {
    throw new UnusableKey('The part after whsec_ is not base64.');
  }
  if (bytes.length < SECRET_BYTES_MIN || bytes.length > SECRET_BYTES_MAX) {
    throw new UnusableKey(`The part after whsec_ must be base64 of ${SECRET_BYTES_MIN} to ${SECRET_BYTES_MAX} bytes; it is ${bytes.length}.`);
  }
  return bytes;
}

/** Returns the bytes in the form that Standard Webhooks libraries accept. */
export function verificationSecret(bytes: Buffer): string {
  return PREFIX + bytes.toString('base64');
}

/** Returns the last characters of a key: enough to recognise it, and at most a quarter of it. */
export function keyHint(signatureKey: string): string {
  return `…${[...signatureKey].slice(-4).join('')}`;
}

/**
 * Returns the headers of one delivery attempt (Standard Webhooks). Every key signs; a receiver accepts when one signature matches.
 * @param sentAtSeconds Unix time of the attempt
 */
export function signedHeaders(keys: readonly Buffer[], id: string, sentAtSeconds: number, body: string): Record<string, string> {
  const content = `${id}.${sentAtSeconds}.${body}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': String(sentAtSeconds),
    'webhook-signature': keys.map((key) => `v1,${createHmac('sha256', key).update(content).digest('base64')}`).join(' '),
  };
}
