import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { signedHeaders } from './signing.js';

/** Maximum difference between the signed time and now. Older and future messages are rejected, because they may be replays (Standard Webhooks). */
export const SIGNATURE_TOLERANCE_SECONDS = 300;

/** The receiver's side: returns whether one of the signatures was made recently with `key` over this body. */
export function isSigned(key: Buffer, headers: IncomingHttpHeaders, body: string, nowMs: number): boolean {
  const id = headers['webhook-id'];
  const sentAt = headers['webhook-timestamp'];
  const signatures = headers['webhook-signature'];
  if (typeof id !== 'string' || typeof sentAt !== 'string' || typeof signatures !== 'string' || !/^\d{1,12}$/.test(sentAt)) return false;
  if (Math.abs(nowMs / 1000 - Number(sentAt)) > SIGNATURE_TOLERANCE_SECONDS) return false;
  const expected = Buffer.from(signedHeaders([key], id, Number(sentAt), body)['webhook-signature']!);
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
