import { Body, Controller, Get, HttpCode, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { html } from '../html/html.js';
import { Public } from '../platform/http/access.js';
import { TakesForms } from '../platform/http/route-policy.js';
import { ConsoleFilter } from './console.filter.js';
import { ConsolePages } from './console-pages.js';
import { Sessions, SignInRefused } from './sessions.js';

@ApiExcludeController()
@Public()
@Controller('console')
@UseFilters(ConsoleFilter)
export class SignInController {
  constructor(
    private readonly sessions: Sessions,
    private readonly pages: ConsolePages,
  ) {}

  @Get('login')
  async form(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    return (await this.sessions.find(request)) ? this.goTo(reply, '') : this.show(request, reply);
  }

  @Post('login')
  @HttpCode(303)
  @TakesForms()
  async open(@Body() body: unknown, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    this.sessions.refuseForeign(request);
    const typed = (body as { readonly key?: unknown } | null)?.key;
    try {
      await this.sessions.open(typeof typed === 'string' ? typed.trim() : '', request, reply);
    } catch (error) {
      if (!(error instanceof SignInRefused)) throw error;
      void reply.header('www-authenticate', 'Bearer realm="chargebook"');
      return this.show(request, reply, error.message);
    }
    return this.goTo(reply, '');
  }

  @Post('logout')
  @HttpCode(303)
  @TakesForms()
  close(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): string {
    this.sessions.refuseForeign(request);
    this.sessions.close(reply);
    return this.goTo(reply, 'login');
  }

  private goTo(reply: FastifyReply, path: string): string {
    void reply.code(303).header('location', this.pages.links.to(path));
    return '';
  }

  private show(request: FastifyRequest, reply: FastifyReply, refused?: string): string {
    const content = html`<form class="sign-in" method="post" action="${this.pages.links.to('login')}">
      ${refused !== undefined && html`<p class="alert bad" role="alert" id="refused">${refused}</p>`}
      <label for="key">Key</label>
      <input
        id="key"
        name="key"
        type="password"
        required
        maxlength="200"
        autocomplete="current-password"
        spellcheck="false"
        autocapitalize="none"
        aria-describedby="${refused === undefined ? 'hint' : 'refused hint'}"
      />
      <p class="hint" id="hint">
        A finance key begins with <code>fk_</code>, your own with <code>ok_</code>. The session ends after 8 hours, or when the key does.
      </p>
      <button class="primary">Sign in</button>
    </form>`;
    return this.pages.send(request, reply, { title: 'Finance console', content }, refused === undefined ? 200 : 401);
  }
}
