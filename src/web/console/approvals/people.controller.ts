import { Controller, Get, Inject, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { OPERATORS_STREAM } from '../../../ledger/events/operator.events.js';
import { COMMON_CLOCK } from '../../../ledger/ports/injection-tokens.js';
import type { Clock } from '../../../ledger/time.js';
import { KnownMerchants } from '../../../domain/merchants/known-merchants.js';
import { SignedIn, Exchange, type HttpExchange } from '../../../platform/http/edge/access.js';
import type { Html } from '../../../platform/html/html.js';
import { EVENT_STORE, type EventStore } from '../../../platform/event-store/event-store.js';
import { ConsoleFilter } from '../shared/console.filter.js';
import { ConsolePages } from '../shared/console-pages.js';
import { peoplePage } from './people-page.js';

/** Maximum number of acts on the page. The stream's history has all of them. */
const ACTS_MAX = 20;

@ApiExcludeController()
@SignedIn()
@Controller('console/people')
@UseFilters(ConsoleFilter)
export class ConsolePeopleController {
  constructor(
    private readonly merchants: KnownMerchants,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(COMMON_CLOCK) private readonly clock: Clock,
    private readonly pages: ConsolePages,
  ) {}

  @Get()
  async people(@Exchange() { request, reply }: HttpExchange): Promise<string> {
    const acts = await this.store.read(OPERATORS_STREAM, { direction: 'backwards', limit: ACTS_MAX });
    const proposalFor = (id: string): Html | false => this.pages.proposals(request, id, [['roles', 'Propose others']]);
    const content = peoplePage(this.pages, { operators: this.merchants.operators, acts, now: this.clock(), proposalFor });
    return this.pages.send(request, reply, { title: 'People', section: 'people', mode: null, content });
  }
}
