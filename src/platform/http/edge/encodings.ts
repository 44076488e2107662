import type { FastifyRequest } from 'fastify';
import { HttpProblem } from '../../problem.js';

/** Requires text in UTF-8 without compression. `wayOut` describes a valid request. @throws Problem unsupported-media-type */
export function refuseEncodings({ headers }: FastifyRequest, wayOut: string): void {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(headers['content-type'] ?? '')?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) throw new HttpProblem('unsupported-media-type', `The body must be in UTF-8. ${wayOut}`);
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new HttpProblem('unsupported-media-type', `The body must not be compressed. ${wayOut}`);
}
