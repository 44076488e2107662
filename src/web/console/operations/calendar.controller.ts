import { Controller, Get, Inject, Query, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { BankingCalendar } from '../../../domain/calendar/banking-calendar.js';
import { CalendarQuery } from '../../../domain/calendar/calendar.dto.js';
import { COMMON_CLOCK } from '../../../ledger/ports/injection-tokens.js';
import type { Clock } from '../../../ledger/time.js';
import { SignedIn, Exchange, type HttpExchange } from '../../../platform/http/edge/access.js';
import { ConsoleFilter } from '../shared/console.filter.js';
import { ConsolePages } from '../shared/console-pages.js';
import { calendarPage } from './calendar-page.js';

@ApiExcludeController()
@SignedIn()
@Controller('console/calendar')
@UseFilters(ConsoleFilter)
export class ConsoleCalendarController {
  constructor(
    private readonly banking: BankingCalendar,
    private readonly pages: ConsolePages,
    @Inject(COMMON_CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  async calendar(@Query() { Country, Year }: CalendarQuery, @Exchange() { request, reply }: HttpExchange): Promise<string> {
    const content = calendarPage(this.pages, {
      years: await this.banking.years({ country: Country }),
      year: Year ?? new Date(this.clock()).getUTCFullYear(),
      proposal: this.pages.proposals(request, undefined, [['calendar', 'Propose holidays']]),
    });
    return this.pages.send(request, reply, { title: 'Calendar', section: 'calendar', mode: null, content });
  }
}
