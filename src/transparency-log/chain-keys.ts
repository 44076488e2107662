import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { signedAdvice } from '../domain/balances/remittance-advice.js';
import { deriveKey } from '../ledger/crypto/encryption.js';
import type { Timestamp } from '../ledger/time.js';

/** A signed state of the tree. Finance keeps heads, and verifies with them that the events sealed at that time are still present. */
export interface ChainHead {
  /** Ordinal of the last sealed event; equals the number of leaves. */
  readonly position: number;
  readonly events: number;
  /** Root of the tree, hex. */
  readonly hash: string;
  /** Ed25519 (RFC 8032) over `signedText`, base64. */
  readonly signature: string;
  readonly sealed_on: Timestamp;
}

/** Prefix of the Ed25519 seed in a PKCS #8 key (RFC 8410, 7), and of the point in a public key (4). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/**
 * The key of seals and the public key. Both are derived from the service's secret, which ENCRYPTION_KEY opens and no rotation changes, so the same
 * public key verifies a head that was signed years ago. This class cannot sign.
 */
export class ChainKeys {
  /** Key of the seals that replace hidden values in leaves. */
  readonly sealKey: Buffer;
  readonly publicKey: KeyObject;

  /** @param secret secret from which the service's keys are derived */
  constructor(secret: Buffer) {
    this.sealKey = deriveKey(secret, 'chargebook chain seals');
    this.publicKey = createPublicKey(signatureKey(secret));
  }

  /** Returns whether this service signed the head. */
  hasSigned(head: ChainHead): boolean {
    return verify(null, signedText(head), this.publicKey, Buffer.from(head.signature, 'base64'));
  }

  get publicKeyHex(): string {
    return this.publicKey.export({ format: 'der', type: 'spki' }).subarray(SPKI_PREFIX.length).toString('hex');
  }
}

/** Signs heads. Only the process that seals has one. */
export class ChainSigner {
  readonly keys: ChainKeys;
  readonly #privateKey: KeyObject;

  /** @param secret secret from which the service's keys are derived */
  constructor(secret: Buffer) {
    this.keys = new ChainKeys(secret);
    this.#privateKey = signatureKey(secret);
  }

  /** Returns the signed head. @param root root of the tree over the first `events` events */
  sign(events: number, root: Buffer, sealed_on: Timestamp): ChainHead {
    const head = { position: events, events, hash: root.toString('hex'), sealed_on };
    const { position, hash } = head;
    return { position, events, hash, signature: sign(null, signedText(head), this.#privateKey).toString('base64'), sealed_on };
  }

  /** Signs a remittance advice. @param digest digest of its document, hex @param position position of the payout's PayoutSucceeded */
  signAdvice(digest: string, position: number): Buffer {
    return sign(null, signedAdvice(digest, position), this.#privateKey);
  }
}

/** Returns whether the key of this public key (32 bytes, hex) signed the advice. */
export function hasSignedAdvice(
  publicKeyHex: string,
  { digest, position, signature }: { digest: string; position: number; signature: string },
): boolean {
  const key = createPublicKey({ key: Buffer.concat([SPKI_PREFIX, Buffer.from(publicKeyHex, 'hex')]), format: 'der', type: 'spki' });
  return verify(null, signedAdvice(digest, position), key, Buffer.from(signature, 'base64'));
}

function signatureKey(secret: Buffer): KeyObject {
  const seed = deriveKey(secret, 'chargebook chain signature');
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
}

/** The text that the signature covers, in UTF-8: docs/audit.md. */
function signedText({ events, hash, sealed_on }: Omit<ChainHead, 'signature'>): Buffer {
  return Buffer.from(`chargebook chain head 1\n${events}\n${hash}\n${sealed_on}\n`);
}
