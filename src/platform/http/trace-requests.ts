import type { FastifyInstance } from 'fastify';
import { nowMs, spanIdOf, traceIdFrom, type Tracing } from '../tracing/tracing.js';
import { parentOf } from './response-headers.js';

/** Who looks after the service is no request of anybody. */
const UNTRACED = /^\/(?:health|metrics)/;

/** A span for every request, under the id that its events name as their cause. */
export function traceRequests(http: FastifyInstance, tracing: Tracing): void {
  http.addHook('onResponse', (request, reply, done) => {
    const traceId = traceIdFrom(request.correlationId);
    if (traceId !== undefined && tracing.samples(traceId) && !UNTRACED.test(request.url)) {
      const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none');
      const endedMs = nowMs();
      tracing.record({
        ...{
          name: `${request.method} ${route}`,
          kind: 'server',
          traceId,
          spanId: spanIdOf(request.id)!,
          parentId: parentOf(request.headers.traceparent),
        },
        ...{ beganMs: endedMs - reply.elapsedTime, endedMs, failed: reply.statusCode >= 500 },
        attributes: {
          ...{ 'http.request.method': request.method, 'http.route': route, 'http.response.status_code': reply.statusCode },
          ...(request.keyId !== null && { 'chargebook.key_id': request.keyId }),
        },
      });
    }
    done();
  });
}
