import { Controller, Get, Inject, Param, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { plainPage, type Page } from '../html/document.js';
import { html } from '../html/html.js';
import { Public } from './edge/access.js';
import { HTTP_OPTIONS, type HttpOptions } from './http-options.js';
import { HTTP_PROBLEMS, HttpProblem, type ProblemKinds } from '../problem.js';

/** The `type` of every problem is the address of a page that explains it. */
@ApiExcludeController()
@Public()
@Controller('problems')
export class ProblemsController {
  private readonly problems: ProblemKinds;

  constructor(@Inject(HTTP_OPTIONS) options: HttpOptions) {
    this.problems = options.interface?.problems ?? HTTP_PROBLEMS;
  }

  @Get()
  list(@Res({ passthrough: true }) reply: FastifyReply): string {
    const entries = Object.entries(this.problems).map(
      ([code, { status, title }]) =>
        html`<dt>
            <a href="problems/${code}"><code>${code}</code></a>
          </dt>
          <dd>${status}: ${title}.</dd>`,
    );
    return send(
      reply,
      plainPage(
        'Problems',
        html`<h1>Problems</h1>
          <p>The refusals of this service, by code.</p>
          <dl>${entries}</dl>`,
      ),
    );
  }

  @Get(':code')
  explain(@Param('code') code: string, @Res({ passthrough: true }) reply: FastifyReply): string {
    const kind = Object.hasOwn(this.problems, code) ? this.problems[code] : undefined;
    if (kind === undefined) throw new HttpProblem('not-found', 'There is no such problem.');
    const { status, title, explanation } = kind;
    return send(
      reply,
      plainPage(
        title,
        html`<p class="kind">${status} · <code>${code}</code></p>
          <h1>${title}</h1>
          <p>${explanation}</p>
          <p><a href="../problems">All problems</a></p>`,
      ),
    );
  }
}

function send(reply: FastifyReply, { headers, body }: Page): string {
  void reply.headers(headers);
  return body;
}
