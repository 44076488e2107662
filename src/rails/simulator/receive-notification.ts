import { applyDecorators, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiHeader } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Public } from '../../platform/http/edge/access.js';
import { Problems } from '../../ledger/dto/api-problems.js';
import { LedgerProblem } from '../../ledger/problems.js';
import { MalformedNotification, UnverifiedNotification, type SignedNotification } from '../../domain/charges/processor.js';

/** Schema of a text in a notification; `maxLength` is in characters. */
export const text = (maxLength: number): object => ({ type: 'string', minLength: 1, maxLength });

/** Schema of a notification about the record `id`; `properties` depend on its kind. */
export const notificationSchema = (kinds: readonly string[], id: string, properties: object): object => ({
  type: 'object',
  required: ['kind', 'notification_id', id, 'occurred_on'],
  additionalProperties: false,
  properties: {
    kind: { type: 'string', enum: kinds },
    notification_id: text(64),
    [id]: { type: 'string', format: 'uuid' },
    occurred_on: { type: 'string', format: 'date-time' },
    ...properties,
  },
});

/** Documents a route that receives notifications of `schema`, signed by `sender` in headers with its name. */
export function TakesNotifications(sender: string, schema: object): MethodDecorator {
  return applyDecorators(
    Post('notifications'),
    HttpCode(200),
    // Notifications are signed and concern money: a burst of a thousand must not be rejected.
    Public({ unlimited: true }),
    Problems('validation-failed', 'unauthenticated', 'not-found', 'state-conflict'),
    ApiHeader({
      name: `${sender}-Timestamp`,
      required: true,
      description: 'Seconds since the epoch, at most five minutes from now.',
      schema: { type: 'string', example: '1769847330' },
    }),
    ApiHeader({
      name: `${sender}-Signature`,
      required: true,
      description: '`v1=` and the hex HMAC-SHA256 of timestamp, a dot and the body.',
      schema: { type: 'string', pattern: '^v1=[0-9a-f]{64}$', example: `v1=${'0'.repeat(64)}` },
    }),
    ApiBody({ required: true, schema }),
  );
}

/**
 * Returns the notification in `request` as parsed by `read`; `credential` names the header with its signature.
 * @throws Problem unauthenticated, validation-failed
 */
export function receive<T>(request: FastifyRequest, credential: string, read: (signed: SignedNotification) => T): T {
  try {
    return read({ body: request.rawBody ?? Buffer.alloc(0), headers: request.headers });
  } catch (error) {
    if (error instanceof UnverifiedNotification) {
      throw new LedgerProblem('unauthenticated', error.message, { headers: { 'www-authenticate': credential } });
    }
    if (error instanceof MalformedNotification) {
      throw new LedgerProblem('validation-failed', 'The notification is not valid.', {
        errors: [{ pointer: error.pointer, code: 'invalid', detail: error.message }],
      });
    }
    throw error;
  }
}
