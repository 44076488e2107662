import { createHmac, timingSafeEqual } from 'node:crypto';
import { UUID } from '../../platform/text/uuid.js';

/** The two public pages of a charge. A token of one opens nothing on the other. */
export type PageKind = 'pay' | 'simulate';

const ID_BYTES = 16;
const TAG_BYTES = 16;
/** Base64url of id and tag, without padding. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
/** Addresses of the page where the customer pays, and of the page where a test payment is simulated. */
export interface PageUrls {
  readonly embedded_url: string;
  /** Used for charges of test merchants only. */
  readonly simulation_url: string;
}

/** `publicUrl` has no trailing slash, `secret` is the service's, 32 bytes. @throws RangeError as pageToken does. */
export function pageUrls(publicUrl: string, secret: Buffer, chargeId: string): PageUrls {
  const id = idBytes(chargeId);
  const tags = tagsOf(secret, id);
  return {
    embedded_url: `${publicUrl}/pay/${Buffer.concat([id, tags.pay]).toString('base64url')}`,
    simulation_url: `${publicUrl}/simulate/${Buffer.concat([id, tags.simulate]).toString('base64url')}`,
  };
}

/**
 * Returns the unguessable path of a charge's page: the id's 16 bytes and a 128-bit HMAC over them. Nothing is stored; the tag is the credential,
 * because any client that knows the merchant and the Idempotency-Key can compute the id.
 * @throws RangeError when `chargeId` is no lower-case UUID: a bug, never a client's mistake.
 */
export function pageToken(kind: PageKind, secret: Buffer, chargeId: string): string {
  const id = idBytes(chargeId);
  return Buffer.concat([id, tagsOf(secret, id)[kind]]).toString('base64url');
}

/** Returns the charge that `token` opens on this page, or null when it is malformed, forged or of the other page; in constant time. */
export function chargeOfToken(kind: PageKind, secret: Buffer, token: string): string | null {
  if (!TOKEN.test(token)) return null;
  const bytes = Buffer.from(token, 'base64url');
  const id = bytes.subarray(0, ID_BYTES);
  if (!timingSafeEqual(bytes.subarray(ID_BYTES), tagsOf(secret, id)[kind])) return null;
  // 43 characters hold two bits more than 32 bytes: only one spelling of a token is a token.
  if (bytes.toString('base64url') !== token) return null;
  const hex = id.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

function idBytes(chargeId: string): Buffer {
  if (!UUID.test(chargeId)) throw new RangeError(`not a charge id: ${chargeId}`);
  return Buffer.from(chargeId.replaceAll('-', ''), 'hex');
}

/**
 * Returns half of one HMAC for each page: neither half reveals anything about the other. The label separates them from every other use of the key.
 */
function tagsOf(secret: Buffer, id: Buffer): Readonly<Record<PageKind, Buffer>> {
  const hmac = createHmac('sha256', secret).update('chargebook/pages\0').update(id).digest();
  return { pay: hmac.subarray(0, TAG_BYTES), simulate: hmac.subarray(TAG_BYTES) };
}
