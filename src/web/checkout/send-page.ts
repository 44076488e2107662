import type { FastifyReply } from 'fastify';
import type { Page } from '../../platform/html/document.js';

/** Answers with `page`: its own headers stand in place of those that every JSON answer has. */
export function sendPage(reply: FastifyReply, page: Page, status = 200): string {
  void reply.code(status).removeHeader('x-frame-options').headers(page.headers);
  return page.body;
}
