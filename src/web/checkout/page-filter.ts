import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { StoreUnavailable } from '../../platform/event-store/event-store.js';
import { dropAnswer, sendProblem } from '../../platform/http/problem-response.js';
import { isConnectionFailure } from '../../platform/postgres/connection-failure.js';
import { isMissingTable } from '../../platform/postgres/missing-table.js';
import { languageOf } from '../../platform/http/language.js';
import { unavailablePage } from './message-page.js';
import { sendPage } from './send-page.js';

/** While the service is unavailable, the response for a page is a page with that message. Every other error is a problem, as elsewhere. */
@Catch()
export class PageFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const reply = http.getResponse<FastifyReply>();
    const isAway = error instanceof StoreUnavailable || isConnectionFailure(error) || isMissingTable(error);
    if (!isAway || reply.sent) return sendProblem(error, http.getRequest<FastifyRequest>(), reply);
    dropAnswer(reply);
    void reply.header('retry-after', '5');
    void reply.send(sendPage(reply, unavailablePage(languageOf(http.getRequest<FastifyRequest>())), 503));
  }
}
