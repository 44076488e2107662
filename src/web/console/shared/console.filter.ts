import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { html } from '../../../platform/html/html.js';
import { dropAnswer, problemOf, sendProblem } from '../../../platform/http/problem-response.js';
import { ConsolePages } from './console-pages.js';
import { approvalsPageOf, momentPage } from './links.js';

/** The request has no session, or acts with one that is too old. It is redirected to the sign-in. */
export class SessionMissing extends Error {
  override readonly name = 'SessionMissing';
}

/** Returns refusals and failures as pages, and redirects requests without a session to the sign-in. */
@Catch()
export class ConsoleFilter implements ExceptionFilter {
  constructor(private readonly pages: ConsolePages) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.answer(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }

  answer(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    if (reply.sent) return sendProblem(error, request, reply);
    const { links, moment } = this.pages;
    const page = moment ? momentPage(moment.id) : approvalsPageOf(request);
    dropAnswer(reply);
    if (error instanceof SessionMissing) {
      void reply
        .code(303)
        .header('location', links.now('login', { Next: page }))
        .send('');
      return;
    }
    const problem = problemOf(error, request);
    const { status, title, headers } = problem.kind;
    void reply.headers({ ...headers, ...problem.headers });
    const content = html`<p class="alert bad" role="alert">${problem.detail}</p>
      ${
        problem.errors &&
        html`<ul>
          ${problem.errors.map((fault) => html`<li><code>${'parameter' in fault ? fault.parameter : fault.pointer}</code>: ${fault.detail}</li>`)}
        </ul>`
      }
      <p>
        ${
          page === undefined || moment
            ? html`<a href="${links.to('')}">Back to the overview</a>`
            : html`<a href="${links.to(page)}">Open the page again</a>`
        }
      </p>`;
    void reply.send(this.pages.send(request, reply, { title, content }, status));
  }
}
