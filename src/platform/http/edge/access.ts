import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiSecurity } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { policy } from './route-policy.js';

/** The merchant of a request, from its key. */
export interface MerchantCaller {
  readonly merchant_id: string;
  /** Stored in `created_by`, and in events as the actor. */
  readonly key_id: string;
  readonly mode: 'test' | 'live';
  readonly scopes: readonly string[];
}

/** Ids for the metadata of events. */
export interface CorrelationIds {
  /** The trace id of an incoming W3C `traceparent`, else the request id. */
  readonly correlation_id: string;
  /** The request id. */
  readonly causation_id: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guard on the routes of merchants. */
    caller: MerchantCaller | null;
    /** Set by the guard on every authenticated route. */
    keyId: string | null;
    /** Set by an admission other than that by a key in the header: returns whether it would still admit the request, for long answers. */
    stillAdmits: (() => boolean) | null;
    correlationId: string;
  }
}

/** Requires a merchant's key with this scope; 403 otherwise. For a handler or a controller. */
export const RequireScope = (scope: string) => applyDecorators(policy({ access: { kind: 'merchant', scope } }), ApiSecurity('merchant-key', [scope]));

/** Requires a key that reads across merchants, of finance or of an operator; 403 otherwise. */
export const FinanceOnly = () => applyDecorators(policy({ access: { kind: 'finance' } }), ApiSecurity('finance-key'), ApiSecurity('operator-key'));

/** Requires a session that the module's SESSION_GATE knows. */
export const SignedIn = () => policy({ access: { kind: 'session' } });

/** Admits every caller, at the rate of an address; `unlimited`: at any rate. */
export const Public = ({ unlimited = false } = {}) => policy({ access: { kind: 'public', unlimited } });

/** The calling merchant: `@Caller() caller: MerchantCaller`. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): MerchantCaller => {
  const { caller } = context.switchToHttp().getRequest<FastifyRequest>();
  if (caller === null) throw new TypeError('@Caller() is used on a route without a merchant key');
  return caller;
});

export interface HttpExchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly ids: CorrelationIds;
}

/** The request, and the reply for headers and streams; Nest sends the result: `@Exchange() { request, reply, ids }: HttpExchange`. */
export const Exchange = createParamDecorator((_: unknown, context: ExecutionContext): HttpExchange => {
  const http = context.switchToHttp();
  const request = http.getRequest<FastifyRequest>();
  const ids = { correlation_id: request.correlationId, causation_id: request.id };
  return { request, reply: http.getResponse<FastifyReply>(), ids };
});

/** Returns an event's origin: its actor and its request. */
export function contextOf(caller: MerchantCaller, ids: CorrelationIds): CorrelationIds & { readonly actor: string } {
  return { actor: caller.key_id, ...ids };
}
