import { Controller, Get, Header, Param } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from './access.js';
import { Problem, type ProblemCode, PROBLEMS } from '../problems.js';
import { escapeHtml, PLAIN_PAGE_POLICY, plainPage } from './html.js';

/** The `type` of every problem is the address of a page that explains it. */
@ApiExcludeController()
@Public()
@Controller('problems')
export class ProblemsController {
  @Get()
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', PLAIN_PAGE_POLICY)
  list(): string {
    const entries = Object.entries(PROBLEMS).map(
      ([code, { status, title }]) => `<dt><a href="problems/${code}"><code>${code}</code></a></dt><dd>${status}: ${escapeHtml(title)}.</dd>`,
    );
    return plainPage('Problems', `<h1>Problems</h1><p>What the service answers when it refuses a request.</p><dl>${entries.join('')}</dl>`);
  }

  @Get(':code')
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', PLAIN_PAGE_POLICY)
  explain(@Param('code') code: string): string {
    if (!Object.hasOwn(PROBLEMS, code)) throw new Problem('not-found', 'There is no such problem.');
    const { status, title, explanation } = PROBLEMS[code as ProblemCode];
    return plainPage(
      title,
      `<p class="kind">${status} · <code>${code}</code></p><h1>${escapeHtml(title)}</h1><p>${escapeHtml(explanation)}</p><p><a href="../problems">All problems</a></p>`,
    );
  }
}
