import type { FastifyReply, FastifyRequest } from 'fastify';

/** The port to whoever admits by a session in place of a key: needed where a route says `@SignedIn()`. */
export const SESSION_GATE = Symbol('SESSION_GATE');

export interface SessionGate {
  /** Before a body is read; sets `keyId` and `stillAdmits`. @throws what `refuse` answers */
  admit(request: FastifyRequest): Promise<void>;
  /** Answers a refusal as the page that a person is shown. */
  refuse(refusal: unknown, request: FastifyRequest, reply: FastifyReply): void;
}
