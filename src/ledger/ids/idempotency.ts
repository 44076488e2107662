import { createHmac, hash } from 'node:crypto';
import { LedgerProblem } from '../problems.js';
import { canonicalJson } from './canonical-json.js';

/** The service's own namespace for UUIDv5 (RFC 9562, 5.5). Never changes: record ids depend on it. */
const NAMESPACE = Buffer.from('6f2a1c5e0d3b4b7e9c1f8a42d7e65b90', 'hex');

/**
 * Returns the id of the record that this Idempotency-Key creates. The event store rejects a second creation, so there is no side table.
 * `route` is the method and path, such as `POST /v1/charges`.
 */
export function recordId(merchantId: string, route: string, idempotencyKey: string): string {
  return uuidV5([merchantId, route, idempotencyKey].join('\0'));
}

/** Returns a second, independent UUID that belongs to a record for ever. */
export function derivedId(recordId_: string, purpose: string): string {
  return uuidV5([recordId_, purpose].join('\0'));
}

function uuidV5(name: string): string {
  const hex = hash('sha1', Buffer.concat([NAMESPACE, Buffer.from(name)]));
  const variant = ((parseInt(hex[16]!, 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/**
 * Returns an HMAC that is equal for two requests under one key exactly when they ask for the same. An HMAC, because the request may hold bank
 * details. It covers the validated, normalised request with its fields in canonical order, whatever order they were sent in.
 */
export function fingerprint(secret: Buffer, normalisedRequest: Readonly<Record<string, unknown>>): string {
  return createHmac('sha256', secret).update(canonicalJson(normalisedRequest)).digest('base64url');
}

/**
 * Accepts repeats of the request that first used the key, and no other request.
 * @throws Problem idempotency-key-reused
 */
export function requireSameRequest(recorded: string | undefined, fingerprint: string): void {
  if (recorded !== fingerprint) throw keyReused();
}

export const keyReused = (): LedgerProblem => new LedgerProblem('idempotency-key-reused', 'This Idempotency-Key was used before with another body.');
