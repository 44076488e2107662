import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiSecurity } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { policy } from './route-policy.js';

/** The merchant behind a request, as its key says. */
export interface MerchantCaller {
  readonly merchant_id: string;
  /** Goes into `created_by` and into events as the actor. */
  readonly key_id: string;
  readonly mode: 'test' | 'live';
  readonly scopes: readonly string[];
}

/** For the metadata of events. */
export interface CorrelationIds {
  /** The trace id of an incoming W3C `traceparent`, else the request id. */
  readonly correlation_id: string;
  readonly request_id: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guard on the routes of merchants. */
    caller: MerchantCaller | null;
    /** Set by the guard on every authenticated route. */
    keyId: string | null;
    /** Set by who admits by other means than a key in the header: whether it would still, for answers that take long. */
    stillAdmits: (() => boolean) | null;
    correlationId: string;
  }
}

/** A merchant's key with this scope; 403 otherwise. On a handler or a controller. */
export const RequireScope = (scope: string) => applyDecorators(policy({ access: { kind: 'merchant', scope } }), ApiSecurity('merchant-key', [scope]));

/** A key that reads across merchants, finance's or an operator's; 403 otherwise. */
export const FinanceOnly = () => applyDecorators(policy({ access: { kind: 'finance' } }), ApiSecurity('finance-key'), ApiSecurity('operator-key'));

/** Whoever has a session that the module's SESSION_GATE knows. */
export const SignedIn = () => policy({ access: { kind: 'session' } });

/** Anybody, as often as an address may ask; `unlimited`: as often as they like. */
export const Public = ({ unlimited = false } = {}) => policy({ access: { kind: 'public', unlimited } });

/** The calling merchant: `@Caller() caller: MerchantCaller`. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): MerchantCaller => {
  const { caller } = context.switchToHttp().getRequest<FastifyRequest>();
  if (caller === null) throw new TypeError('@Caller() stands on a route that is not a merchant’s');
  return caller;
});

export interface HttpExchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** The request, and the reply for headers and streams; Nest sends the result: `@Exchange() { request, reply }: HttpExchange`. */
export const Exchange = createParamDecorator((_: unknown, context: ExecutionContext): HttpExchange => {
  const http = context.switchToHttp();
  return { request: http.getRequest<FastifyRequest>(), reply: http.getResponse<FastifyReply>() };
});

/** `@Correlation() ids: CorrelationIds`. */
export const Correlation = createParamDecorator((_: unknown, context: ExecutionContext): CorrelationIds => {
  const { id, correlationId } = context.switchToHttp().getRequest<FastifyRequest>();
  return { correlation_id: correlationId, request_id: id };
});

/** Who acted, and in which request: what an event says of its origin. */
export function contextOf(caller: MerchantCaller, ids: CorrelationIds): { actor: string; correlation_id: string; causation_id: string } {
  return { actor: caller.key_id, correlation_id: ids.correlation_id, causation_id: ids.request_id };
}
