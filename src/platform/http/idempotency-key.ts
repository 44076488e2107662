import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HttpProblem } from '../problem.js';
import { setLocation } from './location.js';

const NAME = 'idempotency-key';

/** `@IdempotencyKey() key: string`: the key without its quotes; the bare and the quoted form are the same key. */
export const IdempotencyKey = createParamDecorator(
  (_: unknown, context: ExecutionContext): string => readIdempotencyKey(context.switchToHttp().getRequest<FastifyRequest>()),
  [
    (prototype, method) => {
      const descriptor = method === undefined ? undefined : Object.getOwnPropertyDescriptor(prototype, method);
      if (method !== undefined && descriptor !== undefined) DESCRIBED(prototype, method, descriptor);
    },
  ],
);

const DESCRIBED = ApiHeader({
  name: 'Idempotency-Key',
  required: true,
  description:
    'A new value for each record; the same value when the request is repeated. 1 to 255 printable ASCII characters, bare or as a quoted string.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  example: '6f1d3c1e-8a9b-4d4e-9a56-0f6f2f3f7c11',
});

/** Sets the path of the record, and whether this is the answer to a repeat. */
export function setRecordHeaders(reply: FastifyReply, path: string, replayed: boolean): void {
  setLocation(reply, path);
  if (replayed) reply.header('Idempotent-Replayed', 'true');
}

/** @throws Problem idempotency-key-missing, idempotency-key-malformed. */
function readIdempotencyKey(request: FastifyRequest): string {
  const value = request.headers[NAME];
  if (value === undefined) throw new HttpProblem('idempotency-key-missing', 'Send the header Idempotency-Key with a new value for each record.');
  // Node joins a repeated header with a comma, which a single key may contain as well.
  const key = typeof value === 'string' && (!value.includes(',') || timesGiven(request) === 1) ? parseIdempotencyKey(value) : undefined;
  if (key === undefined) {
    throw new HttpProblem(
      'idempotency-key-malformed',
      'The header Idempotency-Key must be sent once, with 1 to 255 printable ASCII characters, bare or as a quoted string.',
    );
  }
  return key;
}

function timesGiven(request: FastifyRequest): number {
  return request.raw.rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === NAME).length;
}

/** Returns the key in a header's value; undefined when it is malformed. A value that begins with a quote is an RFC 9651 string. */
function parseIdempotencyKey(value: string): string | undefined {
  let key = value;
  if (value.startsWith('"')) {
    if (!/^"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*"$/.test(value)) return undefined;
    key = value.slice(1, -1).replace(/\\(["\\])/g, '$1');
  }
  return /^[\x20-\x7e]{1,255}$/.test(key) ? key : undefined;
}
