import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { plainPage, type Page } from '../html/document.js';
import { html } from '../html/html.js';
import { Public } from './edge/access.js';
import { Problem, type ProblemCode, PROBLEMS } from '../problems.js';

/** The `type` of every problem is the address of a page that explains it. */
@ApiExcludeController()
@Public()
@Controller('problems')
export class ProblemsController {
  @Get()
  list(@Res({ passthrough: true }) reply: FastifyReply): string {
    const entries = Object.entries(PROBLEMS).map(
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
          <p>What the service answers when it refuses a request.</p>
          <dl>${entries}</dl>`,
      ),
    );
  }

  @Get(':code')
  explain(@Param('code') code: string, @Res({ passthrough: true }) reply: FastifyReply): string {
    if (!Object.hasOwn(PROBLEMS, code)) throw new Problem('not-found', 'There is no such problem.');
    const { status, title, explanation } = PROBLEMS[code as ProblemCode];
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
