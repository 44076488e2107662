import type { FastifyInstance } from 'fastify';
import { nowMs, spanIdOf, traceIdFrom, type Tracing } from '../tracing/tracing.js';
import { parentOf } from './edge/response-headers.js';

/** Requests of monitoring are not traced. */
const UNTRACED = /^\/(?:health|metrics)/;

declare module 'fastify' {
  interface FastifyRequest {
    /** Start of the request's span; milliseconds since the epoch, with fractions. */
    tracedFromMs: number;
  }
}

/** Records a span for every request, under the id that its events name as their cause. */
export function traceRequests(http: FastifyInstance, tracing: Tracing): void {
  // Read here and not computed at the end: other hooks run between the response and its span, and would move the start of the request after that of
  // its appends.
  http.decorateRequest('tracedFromMs', 0).addHook('onRequest', (request, _reply, done) => {
    request.tracedFromMs = nowMs();
    done();
  });
  http.addHook('onResponse', (request, reply, done) => {
    const traceId = traceIdFrom(request.correlationId);
    if (traceId !== undefined && tracing.samples(traceId) && !UNTRACED.test(request.url)) {
      const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none');
      tracing.record({
        name: `${request.method} ${route}`,
        kind: 'server',
        traceId,
        spanId: spanIdOf(request.id)!,
        parentId: parentOf(request.headers.traceparent),
        beganMs: request.tracedFromMs,
        endedMs: nowMs(),
        failed: reply.statusCode >= 500,
        attributes: {
          ...{ 'http.request.method': request.method, 'http.route': route, 'http.response.status_code': reply.statusCode },
          ...(request.keyId !== null && { 'chargebook.key_id': request.keyId }),
        },
      });
    }
    done();
  });
}
