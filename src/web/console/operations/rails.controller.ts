import { Controller, Get, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { SignedIn, Exchange, type HttpExchange } from '../../../platform/http/edge/access.js';
import { NotInThePast } from '../../../platform/http/edge/route-policy.js';
import { RailStates } from '../../../rails/registry/rail-view.js';
import { ConsoleFilter } from '../shared/console.filter.js';
import { ConsolePages } from '../shared/console-pages.js';
import { railsPage } from './rails-page.js';

@ApiExcludeController()
@SignedIn()
@NotInThePast()
@Controller('console/rails')
@UseFilters(ConsoleFilter)
export class ConsoleRailsController {
  constructor(
    private readonly states: RailStates,
    private readonly pages: ConsolePages,
  ) {}

  @Get()
  async rails(@Exchange() { request, reply }: HttpExchange): Promise<string> {
    const content = railsPage(this.pages, await this.states.view());
    return this.pages.send(request, reply, { title: 'Rails', section: 'rails', mode: null, content });
  }
}
