import type { FastifyRequest } from 'fastify';
import { Problem } from '../platform/problems.js';
import { MalformedNotification, UnverifiedNotification, type SignedNotification } from './processor.js';

/**
 * What `read` makes of the notification in `request`; `credential` names the header that must vouch for it.
 * @throws Problem unauthenticated, validation-failed
 */
export function receive<T>(request: FastifyRequest, credential: string, read: (signed: SignedNotification) => T): T {
  try {
    return read({ body: request.rawBody ?? Buffer.alloc(0), headers: request.headers });
  } catch (error) {
    if (error instanceof UnverifiedNotification) {
      throw new Problem('unauthenticated', error.message, { headers: { 'www-authenticate': credential } });
    }
    if (error instanceof MalformedNotification) {
      throw new Problem('validation-failed', 'The notification is not valid.', {
        errors: [{ pointer: error.pointer, code: 'invalid', detail: error.message }],
      });
    }
    throw error;
  }
}
