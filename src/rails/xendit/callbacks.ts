import { createHash, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { ReceivedHeaders, Verified } from '../../domain/charges/remote/remote-processor.js';
import { parsedByDigits } from '../calls/exact-json.js';

/** Ids of ours and of the provider, which the database is searched for. */
const reference = z.string().regex(/^[!-~]{1,255}$/);
const CALLBACK = z.object({ event: z.string(), data: z.unknown() });
const ABOUT_PAYMENT = z.object({ reference_id: reference.nullish().catch(null), payment_request_id: reference.nullish().catch(null) });
const ABOUT_REFUND = z.object({ reference_id: reference });
/** The example of a refund has data inside data, while the schema has a flat one. */
const ENVELOPE = z.object({ data: ABOUT_REFUND });

/**
 * Returns the record that a callback concerns. Xendit sends only a token: callbacks have no signature and no time.
 * @returns undefined without one of the tokens
 */
export function readCallback(raw: Buffer, headers: ReceivedHeaders, tokens: readonly string[]): Verified | undefined {
  const given = headers['x-callback-token'];
  // All are compared, so that the time reveals nothing.
  const matches = tokens.map((token) => typeof given === 'string' && isSame(given, token));
  if (!matches.includes(true)) return undefined;
  try {
    const { event, data } = CALLBACK.parse(parsedByDigits(raw));
    if (event.startsWith('refund.')) return aboutRefund(data);
    if (event.startsWith('payment.') || event.startsWith('payment_request.')) return aboutPayment(data);
  } catch {
    // Authentic, but it names no record to query.
  }
  return { about: 'nothing' };
}

function aboutPayment(data: unknown): Verified {
  const { reference_id = null, payment_request_id = null } = ABOUT_PAYMENT.parse(data);
  if (reference_id === null && payment_request_id === null) return { about: 'nothing' };
  return { about: 'charge', charge_id: reference_id, processor_reference: payment_request_id };
}

function aboutRefund(data: unknown): Verified {
  const flat = ABOUT_REFUND.safeParse(data);
  const { reference_id } = flat.success ? flat.data : ENVELOPE.parse(data).data;
  return { about: 'refund', refund_id: reference_id };
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const isSame = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));
