import { z } from 'zod';
import { MalformedNotification } from '../../domain/charges/processor.js';
import { ONE_LINE } from '../../platform/text/text.js';

/** A provider's name for a notification or a payment. */
export const notificationReference = z.string().regex(/^[!-~]{1,64}$/, 'takes 1 to 64 printable ASCII characters without spaces');

/** The reason for a failure, for people. */
export const notificationReason = z
  .string()
  .refine((text) => text !== '' && [...text].length <= 255, 'takes 1 to 255 characters')
  .refine((text) => ONE_LINE.test(text), 'takes no control characters and no lone surrogates');

/** @throws MalformedNotification with the place of the first fault */
export function readNotificationBody<T>(shape: z.ZodType<T>, body: Buffer): T {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new MalformedNotification('', 'The body is not JSON in UTF-8.');
  }
  const read = shape.safeParse(json);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  throw new MalformedNotification(issue?.path.map((step) => `/${String(step)}`).join('') ?? '', `${issue?.message ?? 'not a notification'}.`);
}
