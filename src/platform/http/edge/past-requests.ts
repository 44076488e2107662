import type { FastifyInstance } from 'fastify';
import { HttpProblem } from '../../problem.js';

/** Methods that a past moment accepts: they record nothing. */
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const ALLOW = { allow: 'GET, HEAD, OPTIONS' };

/** Path of a moment, whose id the application reads, and the address in the application of that moment, with its query. */
const PAST = /^\/at\/([1-9]\d{0,14}(?:~[a-z0-9-]{1,40})?)(\/(?:(?:v1|audit)\/.*|console(?:[/?].*)?))$/s;

/**
 * Hands requests to `/at/<id>/…` over to the application of that moment, which receives them without the prefix.
 * @param find returns the application, and records that a request uses it until `whenDone` is called; or the address that shows a person how to open
 * the moment. It throws any other refusal.
 */
export function handOverPast(http: FastifyInstance, find: (moment: string, address: string) => Promise<PastApplication | Elsewhere>): void {
  http.route({
    method: METHODS,
    url: '/at/*',
    config: { policy: { access: { kind: 'public', unlimited: true }, streams: true } },
    // Before a body is read.
    preParsing(request, reply, payload, done) {
      if (READS.has(request.method)) done(null, payload);
      else if (request.method === 'OPTIONS') void reply.code(204).headers(ALLOW).send();
      else done(new HttpProblem('read-only-moment', 'A past moment accepts GET and HEAD only.', { headers: ALLOW }));
    },
    async handler(request, reply) {
      const { raw } = request;
      const [, moment, address] = PAST.exec(raw.url ?? '') ?? [];
      if (moment === undefined) throw new HttpProblem('not-found', 'There is nothing at this path.');
      const found = await find(moment, address!);
      if ('location' in found) return reply.code(303).header('location', found.location).send('');
      const { http: past, whenDone } = found;
      reply.hijack();
      reply.raw.once('close', whenDone);
      raw.url = address!;
      past.routing(raw, reply.raw);
      return reply;
    },
  });
}

/** A page of the present. */
export interface Elsewhere {
  readonly location: string;
}

/** An application as of a past moment, for one request. */
export interface PastApplication {
  readonly http: FastifyInstance;
  readonly whenDone: () => void;
}
