import { Controller, Get, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SignedIn } from '../../../platform/http/edge/access.js';
import { RailStates } from '../../../rails/rail-view.js';
import { ConsoleFilter } from '../console.filter.js';
import { ConsolePages } from '../console-pages.js';
import { railsPage } from './rails-page.js';

@ApiExcludeController()
@SignedIn()
@Controller('console/rails')
@UseFilters(ConsoleFilter)
export class ConsoleRailsController {
  constructor(
    private readonly states: RailStates,
    private readonly pages: ConsolePages,
  ) {}

  @Get()
  async rails(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const content = railsPage(this.pages, await this.states.view());
    return this.pages.send(request, reply, { title: 'Rails', section: 'rails', content });
  }
}
