import { createHash, createHmac, createPrivateKey, createPublicKey, sign, timingSafeEqual, verify, type KeyObject } from 'node:crypto';
import { minified } from '../calls/exact-json.js';

/** Encoding of a provider's signatures. */
export type SignatureEncoding = 'base64' | 'hex';

/** The signed parts of a call or notification. */
export interface Signed {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** Symmetric signatures only. */
  readonly token?: string;
  readonly body: Buffer;
  /** X-TIMESTAMP, as sent. */
  readonly timestamp: string;
}

/** Minimum length of RSA keys, in bits. */
const RSA_BITS_MIN = 2048;

/** SHA-256 in lower-case hex of the body without the white space between its tokens. */
export function bodyHash(body: Buffer): string {
  return createHash('sha256').update(minified(body)).digest('hex');
}

/** `METHOD:path:[token:]hash:timestamp`. Source: SNAP, "Signature". */
export function stringToSign({ method, path, token, body, timestamp }: Signed): string {
  return [method, path, ...(token === undefined ? [] : [token]), bodyHash(body), timestamp].join(':');
}

/** The string that is signed to request an access token. */
export function tokenStringToSign(clientKey: string, timestamp: string): string {
  return `${clientKey}|${timestamp}`;
}

/** HMAC-SHA512 with the client's secret, for calls with an access token. */
export function symmetricSignature(secret: string, text: string, encoding: SignatureEncoding): string {
  return createHmac('sha512', secret).update(text).digest(encoding);
}

/** RSA-SHA256 (PKCS #1 v1.5), which proves the possession of the private key. */
export function asymmetricSignature(key: KeyObject, text: string, encoding: SignatureEncoding): string {
  return sign('RSA-SHA256', Buffer.from(text), key).toString(encoding);
}

/** Compares in constant time. */
export function isSymmetricSignature(secret: string, text: string, encoding: SignatureEncoding, given: string): boolean {
  const [expected, actual] = [Buffer.from(symmetricSignature(secret, text, encoding)), Buffer.from(given)];
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

export function isAsymmetricSignature(key: KeyObject, text: string, encoding: SignatureEncoding, given: string): boolean {
  return verify('RSA-SHA256', Buffer.from(text), key, Buffer.from(given, encoding));
}

/** Our key, PKCS #8: PEM, or the base64 of its DER. @throws Error without the key in its message */
export function readPrivateKey(text: string): KeyObject {
  return rsa('private key', () =>
    text.includes('-----BEGIN') ? createPrivateKey(text) : createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' }),
  );
}

/** The bank's key: PEM (a key or a certificate), or the base64 of a key's DER. @throws Error without the key in its message */
export function readPublicKey(text: string): KeyObject {
  // Node would derive the public key from the PEM of a private one, and a key in the wrong field would be accepted.
  if (text.includes('PRIVATE KEY')) throw new Error('The public key is a private one.');
  return rsa('public key', () =>
    text.includes('-----BEGIN') ? createPublicKey(text) : createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' }),
  );
}

function rsa(name: string, read: () => KeyObject): KeyObject {
  let key: KeyObject;
  try {
    key = read();
  } catch {
    throw new Error(`The ${name} cannot be read.`);
  }
  if (key.asymmetricKeyType !== 'rsa' || (key.asymmetricKeyDetails?.modulusLength ?? 0) < RSA_BITS_MIN) {
    throw new Error(`The ${name} is no RSA key of at least ${RSA_BITS_MIN} bits.`);
  }
  return key;
}
