import { createHmac, hash } from 'node:crypto';
import { Problem } from '../platform/problems.js';
import { canonicalJson } from './canonical-json.js';

/** The service's own namespace for UUIDv5 (RFC 9562, 5.5). Never changes: record ids rest on it. */
const NAMESPACE = Buffer.from('6f2a1c5e0d3b4b7e9c1f8a42d7e65b90', 'hex');

/**
 * The id of the record that this Idempotency-Key creates. The event store refuses its second creation, so there is no side table.
 * `route` is the method and path, such as `POST /v1/charges`.
 */
export function recordId(merchantId: string, route: string, idempotencyKey: string): string {
  return uuidV5([merchantId, route, idempotencyKey].join('\0'));
}

/** A second, independent UUID that belongs to a record for ever. */
export function derivedId(recordId_: string, purpose: string): string {
  return uuidV5([recordId_, purpose].join('\0'));
}

function uuidV5(name: string): string {
  const hex = hash('sha1', Buffer.concat([NAMESPACE, Buffer.from(name)]));
  const variant = ((parseInt(hex[16]!, 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/**
 * Tells whether two requests under one key ask for the same: an HMAC (the request may hold bank details) of the validated,
 * normalised request, with its fields in the order given here, whatever order they came in.
 */
export function fingerprint(secret: Buffer, normalisedRequest: Readonly<Record<string, unknown>>): string {
  return createHmac('sha256', secret).update(canonicalJson(normalisedRequest)).digest('base64url');
}

/**
 * A key answers a repeat of the request that it came with first, and no other.
 * @throws Problem idempotency-key-reused
 */
export function requireSameRequest(recorded: string | undefined, fingerprint: string): void {
  if (recorded !== fingerprint) throw keyReused();
}

export const keyReused = (): Problem => new Problem('idempotency-key-reused', 'This Idempotency-Key was used before with another body.');
