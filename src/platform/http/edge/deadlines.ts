import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isReadScope } from '../../auth/guard.js';
import { HttpProblem, type Problem } from '../../problem.js';
import { sendProblem, wayOn } from '../problem-response.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** The handler of this request limits its own time from now on: it waits for another system, longer than the service's own handlers may take. */
    takesLonger(reply: FastifyReply): void;
  }
}

const LOOK_EVERY_MS = 50;

/**
 * Answers 503 for a handler that has not answered within `handlerMs` after the body was complete. The work itself continues, and its later answer is
 * discarded. Fastify's own handlerTimeout needs an AbortController for each request, which was a fifth of a request's cost.
 */
export function addDeadlines(http: FastifyInstance, handlerMs: number): void {
  // In order of arrival, with the same time for all: the first is always the next to expire.
  const waiting = new Map<FastifyReply, number>();
  http.addHook('preHandler', (request, reply, done) => {
    if (request.routeOptions.config.policy?.streams !== true) waiting.set(reply, performance.now());
    done();
  });
  http.decorate('takesLonger', (reply) => void waiting.delete(reply));
  http.addHook('onResponse', (_request, reply, done) => {
    waiting.delete(reply);
    done();
  });
  const timer = setInterval(() => {
    const dueMs = performance.now() - handlerMs;
    for (const [reply, sinceMs] of waiting) {
      if (sinceMs > dueMs) break;
      waiting.delete(reply);
      sendProblem(tooSlow(reply), reply.request, reply);
    }
  }, LOOK_EVERY_MS).unref();
  http.addHook('onClose', (_http, done) => {
    clearInterval(timer);
    done();
  });
}

function tooSlow({ request }: FastifyReply): Problem {
  return new HttpProblem(
    'unavailable',
    writes(request)
      ? `The request took too long. It is not known whether the write was recorded. ${wayOn(request)}`
      : 'The request took too long. Nothing was changed.',
  );
}

/** A request with a body can be a read: its key needs a scope that only reads. */
function writes({ method, routeOptions }: FastifyRequest): boolean {
  const access = routeOptions.config.policy?.access;
  return method !== 'GET' && method !== 'HEAD' && !(access?.kind === 'merchant' && isReadScope(access.scope));
}
