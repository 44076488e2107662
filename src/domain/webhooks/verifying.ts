import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { signedHeaders } from './signing.js';

/** What was sent longer ago, or is from the future, may have been recorded and is refused (Standard Webhooks). */
export const SIGNATURE_TOLERANCE_SECONDS = 300;

/** The receiver's side: whether one of the signatures is made with `key`, of this body and not long ago. */
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
