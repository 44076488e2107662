import { Body, Controller, Get, HttpCode, Post, Query, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { html } from '../../platform/html/html.js';
import { Public, Exchange, type HttpExchange } from '../../platform/http/edge/access.js';
import { NotInThePast, TakesForms } from '../../platform/http/edge/route-policy.js';
import { ConsoleFilter } from './shared/console.filter.js';
import { ConsolePages } from './shared/console-pages.js';
import { SignInQuery } from './shared/console.dto.js';
import { approvalsPage } from './shared/links.js';
import { Sessions, SignInRefused } from './shared/sessions.js';

@ApiExcludeController()
@Public()
@NotInThePast()
@Controller('console')
@UseFilters(ConsoleFilter)
export class SignInController {
  constructor(
    private readonly sessions: Sessions,
    private readonly pages: ConsolePages,
  ) {}

  /** Returns an operator from a page of the desk to that page, with a new sign-in when the session is too old to act. */
  @Get('login')
  async form(@Query() { Next }: SignInQuery, @Exchange() { request, reply }: HttpExchange): Promise<string> {
    const next = approvalsPage(Next);
    const isSignedIn = (next === undefined || this.sessions.isRecent(request)) && (await this.sessions.find(request)) !== undefined;
    return isSignedIn ? this.goTo(reply, next ?? '') : this.show(request, reply, next);
  }

  @Post('login')
  @HttpCode(303)
  @TakesForms()
  async open(@Body() body: unknown, @Exchange() { request, reply }: HttpExchange): Promise<string> {
    this.sessions.refuseForeign(request);
    const { key: typed, Next } = (body ?? {}) as { readonly key?: unknown; readonly Next?: unknown };
    const next = approvalsPage(Next);
    try {
      await this.sessions.open(typeof typed === 'string' ? typed.trim() : '', request, reply);
    } catch (error) {
      if (!(error instanceof SignInRefused)) throw error;
      void reply.header('www-authenticate', 'Bearer realm="chargebook"');
      return this.show(request, reply, next, error.message);
    }
    return this.goTo(reply, next ?? '');
  }

  @Post('logout')
  @HttpCode(303)
  @TakesForms()
  close(@Exchange() { request, reply }: HttpExchange): string {
    this.sessions.refuseForeign(request);
    this.sessions.close(reply);
    return this.goTo(reply, 'login');
  }

  private goTo(reply: FastifyReply, path: string): string {
    void reply.code(303).header('location', this.pages.links.to(path));
    return '';
  }

  private show(request: FastifyRequest, reply: FastifyReply, next: string | undefined, refused?: string): string {
    const content = html`<form class="sign-in" method="post" action="${this.pages.links.to('login')}">
      ${next !== undefined && html`<input type="hidden" name="Next" value="${next}" />`}
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
        ${next !== undefined && 'To act, your own key must have been given within the last hour.'}
      </p>
      <button class="primary">Sign in</button>
    </form>`;
    return this.pages.send(request, reply, { title: 'Finance console', content }, refused === undefined ? 200 : 401);
  }
}
