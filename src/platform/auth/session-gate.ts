import type { FastifyReply, FastifyRequest } from 'fastify';

/** The port to the component that admits requests by session instead of by key: routes with `@SignedIn()` need it. */
export const SESSION_GATE = Symbol('SESSION_GATE');

export interface SessionGate {
  /** Called before a body is read; sets `keyId` and `stillAdmits`. @throws the refusal that `refuse` answers */
  admit(request: FastifyRequest): Promise<void>;
  /** Answers a refusal with a page for people. */
  refuse(refusal: unknown, request: FastifyRequest, reply: FastifyReply): void;
}
