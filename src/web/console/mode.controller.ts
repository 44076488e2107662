import { Body, Controller, HttpCode, Post, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { SignedIn, Exchange, type HttpExchange } from '../../platform/http/edge/access.js';
import { TakesForms } from '../../platform/http/edge/route-policy.js';
import { ConsoleFilter } from './shared/console.filter.js';
import { ConsolePages } from './shared/console-pages.js';
import { sectionPage } from './shared/links.js';
import { parseMomentId } from '../../point-in-time/moment-id.js';
import { SwitchBody } from './shared/console.dto.js';
import { Sessions } from './shared/sessions.js';

/** Switches the mode: the console shows one mode at a time. */
@ApiExcludeController()
@SignedIn()
@Controller('console/mode')
@UseFilters(ConsoleFilter)
export class ConsoleModeController {
  constructor(
    private readonly sessions: Sessions,
    private readonly pages: ConsolePages,
  ) {}

  /** Redirects to the start of the section, because a record belongs to one mode. */
  @Post()
  @HttpCode(303)
  @TakesForms()
  show(@Body() { Mode: mode, Section, At }: SwitchBody, @Exchange() { request, reply }: HttpExchange): string {
    this.sessions.switchTo(mode, request, reply);
    const { links } = this.pages;
    const moment = parseMomentId(At ?? '');
    void reply.header('location', moment === undefined ? links.section(Section) : links.at(moment, sectionPage(Section)));
    return '';
  }
}
