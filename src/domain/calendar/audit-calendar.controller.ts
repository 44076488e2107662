import type { Readable } from 'node:stream';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { HolidaysSet } from '../../ledger/events/calendar.events.js';
import { answerWhole, type Csv } from '../../platform/http/answer-list.js';
import { Exchange, FinanceOnly, type HttpExchange } from '../../platform/http/edge/access.js';
import { OpenStreams } from '../../platform/http/edge/open-streams.js';
import { ApiAnswerForms, Operation } from '../../platform/http/openapi/openapi.js';
import { BankingCalendar } from './banking-calendar.js';
import { CalendarDto, CalendarQuery, type CalendarYearDto } from './calendar.dto.js';

@ApiTags('Audit')
@Controller('audit/calendar')
@FinanceOnly()
export class AuditCalendarController {
  constructor(
    private readonly calendar: BankingCalendar,
    private readonly streams: OpenStreams,
  ) {}

  @Get()
  @Operation('listHolidays', 'List holidays', 'The holidays in force, by which payments become due from now on.')
  @ApiAnswerForms({ json: CalendarDto, csv: true })
  async list(@Query() { Country, Year }: CalendarQuery, @Exchange() { request, reply }: HttpExchange): Promise<CalendarDto | Readable | ''> {
    return answerWhole(this.streams, request, reply, {
      name: 'calendar',
      csv: CSV,
      page: async () => ({ items: (await this.calendar.years({ country: Country, year: Year })).map(toYear), next_after: null }),
    });
  }
}

/** The days of a year are in one cell. */
const CSV: Csv<CalendarYearDto> = {
  columns: ['country', 'year', 'days', 'set_by', 'set_on', 'proposal_id'],
  cells: ({ country, year, days, set_by, set_on, proposal_id }) => [country, year, days.join(' '), set_by, set_on, proposal_id],
};

const toYear = ({ country, year, days, set_by, set_on, proposal_id }: HolidaysSet): CalendarYearDto => ({
  ...{ country, year, days, set_by, set_on, proposal_id: proposal_id ?? null },
});
