import { Controller, Get, Inject, Param, Query, UseInterceptors } from '@nestjs/common';
import { ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Pool } from 'pg';
import type { PeriodClosed } from '../../ledger/events/period.events.js';
import { FINANCE_POOL } from '../../ledger/ports/injection-tokens.js';
import type { Mode } from '../../ledger/mode.js';
import { EVENT_STORE, type EventStore } from '../../platform/event-store/event-store.js';
import { FinanceOnly, Exchange, type HttpExchange } from '../../platform/http/edge/access.js';
import { answerList } from '../../platform/http/answer-list.js';
import { OpenStreams } from '../../platform/http/edge/open-streams.js';
import { ApiAnswerForms, Operation } from '../../platform/http/openapi/openapi.js';
import { Problems } from '../../ledger/dto/api-problems.js';
import { mustExist } from '../../platform/http/record-id.js';
import { LedgerReads } from '../../platform/projector/read-your-writes.js';
import { JournalLineDto, JournalPageDto } from './journal.dto.js';
import { correctionsList, findPeriod, periodsList, readPeriod } from './period-reads.js';
import { ClosedPeriodDto, ListPeriodsQuery, PeriodCorrectionsQuery, PeriodDto, PeriodPageDto, PeriodQuery } from './periods.dto.js';

const MONTH = { name: 'month', description: 'A closed month.', example: '2026-01' } as const;

@ApiTags('Audit')
@Controller('audit/periods')
@FinanceOnly()
@UseInterceptors(LedgerReads)
export class PeriodsController {
  constructor(
    @Inject(FINANCE_POOL) private readonly pool: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly streams: OpenStreams,
  ) {}

  @Get()
  @Operation('listPeriods', 'List closed months', 'Live months first, then oldest first.')
  @ApiAnswerForms({ json: PeriodPageDto, ndjsonLine: PeriodDto })
  async list(@Query() query: ListPeriodsQuery, @Exchange() { request, reply }: HttpExchange) {
    return answerList(this.streams, request, reply, periodsList(this.store, query.Mode), query);
  }

  @Get(':month')
  @ApiParam(MONTH)
  @Operation(
    'getPeriod',
    'Read a closed month',
    'Its books as closed, which never change, and as corrected, including later bookings for the month. The digest is computed again.',
  )
  @ApiOkResponse({ type: ClosedPeriodDto })
  @Problems('not-found')
  async read(@Param('month') month: string, @Query() { Mode: mode }: PeriodQuery): Promise<ClosedPeriodDto> {
    return readPeriod(this.pool, await this.#find(mode, month));
  }

  @Get(':month/corrections')
  @ApiParam(MONTH)
  @Operation(
    'listPeriodCorrections',
    'List later bookings for a closed month',
    'Journal lines that are in the corrected books but not in the closed books, in the order of events.',
  )
  @ApiAnswerForms({ json: JournalPageDto, ndjsonLine: JournalLineDto, csv: true })
  @Problems('not-found')
  async corrections(@Param('month') month: string, @Query() query: PeriodCorrectionsQuery, @Exchange() { request, reply }: HttpExchange) {
    return answerList(this.streams, request, reply, correctionsList(this.pool, await this.#find(query.Mode, month)), query);
  }

  async #find(mode: Mode, month: string): Promise<PeriodClosed> {
    return mustExist(await findPeriod(this.store, mode, month));
  }
}
