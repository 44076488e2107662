import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HttpProblem } from '../../problem.js';
import { refuseEncodings } from './encodings.js';
import { parseJsonBody } from './json-body.js';
import { parseQuery } from '../query.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The bytes of the body, for signatures; null when there was none. */
    rawBody: Buffer | null;
  }
}

const AS_JSON = 'Send it with the header "Content-Type: application/json".';

/** Accepts JSON in UTF-8, and HTML forms only on routes that declare them. */
export function addBodyParsers(http: FastifyInstance): void {
  http.decorateRequest('rawBody', null);
  http.removeAllContentTypeParsers();
  http.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request: FastifyRequest, bytes: Buffer, done) => {
    try {
      refuseEncodings(request, AS_JSON);
      request.rawBody = bytes;
      // Many clients announce JSON on every request, and send no body when none is expected.
      const isNone = bytes.length === 0 && request.routeOptions.config.policy?.body === undefined;
      done(null, isNone ? undefined : parseJsonBody(bytes));
    } catch (error) {
      done(error as Error);
    }
  });
  http.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'buffer' }, (request: FastifyRequest, bytes: Buffer, done) => {
    try {
      if (request.routeOptions.config.policy?.takesForms !== true)
        throw new HttpProblem('unsupported-media-type', `HTML forms are not accepted here. ${AS_JSON}`);
      refuseEncodings(request, AS_JSON);
      const { entries } = parseQuery(bytes.toString('latin1'));
      done(null, Object.fromEntries(entries.map(({ name, value }) => [name, value ?? ''])));
    } catch (error) {
      done(error as Error);
    }
  });
}
