import type { FastifyReply } from 'fastify';
import type { Page } from '../../platform/html/document.js';

/** Sends `page`: its headers replace those that every JSON response has. */
export function sendPage(reply: FastifyReply, page: Page, status = 200): string {
  void reply.code(status).removeHeader('x-frame-options').headers(page.headers);
  return page.body;
}
