import type { FastifyReply } from 'fastify';
import { pathBelow } from '../text/uri.js';

/** Writes the path of a record, from the root of the host: clients resolve it against the address that they called. @param path of the service */
export function setLocation(reply: FastifyReply, path: string): void {
  reply.header('Location', pathBelow(reply.server.publicUrl(), path));
}
