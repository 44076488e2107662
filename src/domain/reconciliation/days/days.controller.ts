import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query, UseInterceptors } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Pool } from 'pg';
import { findCloseOfDay, findDayClose, type StoredDayClose } from '../../../../projections/reconciliation/days/day-close-reads.js';
import { CLOCK, FINANCE_POOL } from '../../../ledger/ports/injection-tokens.js';
import type { Clock } from '../../../ledger/time.js';
import { FinanceOnly, Exchange, type HttpExchange } from '../../../platform/http/edge/access.js';
import { answerList } from '../../../platform/http/answer-list.js';
import { OpenStreams } from '../../../platform/http/edge/open-streams.js';
import { ApiAnswerForms, Operation } from '../../../platform/http/openapi/openapi.js';
import { Problems } from '../../../ledger/dto/api-problems.js';
import { noSuchRecord, RecordId } from '../../../platform/http/record-id.js';
import { ReadYourWrites } from '../../../platform/projector/read-your-writes.js';
import { readAsOf } from '../as-of.js';
import { CloseDay } from '../source-commands.js';
import { daysList, receivableList, toDay } from './day-lists.js';
import { ReceivableDto, ReceivablePageDto, ReceivableQuery } from './receivable.dto.js';
import { CloseDayBody, ListReconDaysQuery, ReconDayDto, ReconDayPageDto } from './days.dto.js';
import { ReconciliationReads } from '../reconciliation-reads.js';

@ApiTags('Audit')
@Controller('audit/recon')
@FinanceOnly()
export class ReconDaysController {
  constructor(
    private readonly commands: CommandBus,
    private readonly consistency: ReadYourWrites,
    private readonly streams: OpenStreams,
    @Inject(FINANCE_POOL) private readonly pool: Pool,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get('days')
  @UseInterceptors(ReconciliationReads)
  @Operation('listReconDays', 'List closed days of banks', 'Includes days that are being closed; in the order in which they were closed.')
  @ApiAnswerForms({ json: ReconDayPageDto, ndjsonLine: ReconDayDto, csv: true, asOf: true })
  async list(@Query() query: ListReconDaysQuery, @Exchange() { request, reply }: HttpExchange) {
    const { Source: source, Mode: mode, AsOf, From: from, To: to } = query;
    const { as_of } = await readAsOf(this.pool, this.clock, reply, AsOf);
    return answerList(this.streams, request, reply, daysList(this.pool, { source, mode, from, to, as_of }), query);
  }

  @Get('days/:id')
  @UseInterceptors(ReconciliationReads)
  @Operation('getReconDay', 'Read a closed day', 'The bank’s balance at the end of the day, and how it follows from the books.')
  @ApiOkResponse({ type: ReconDayDto })
  @Problems('not-found')
  async read(@Param('id', RecordId) id: string): Promise<ReconDayDto> {
    return shown(await findDayClose(this.pool, id));
  }

  @Get('receivable')
  @UseInterceptors(ReconciliationReads)
  @Operation(
    'listReconReceivable',
    'List the amounts that processors owe',
    'Changes of a processor’s account, by age, that have not been booked with a batch that the bank has credited. While no day is being closed, they add up to the balance of the account `processor` with the opposite sign.',
  )
  @ApiAnswerForms({ json: ReceivablePageDto, ndjsonLine: ReceivableDto, csv: true, asOf: true })
  async receivable(@Query() query: ReceivableQuery, @Exchange() { request, reply }: HttpExchange) {
    const asOf = await readAsOf(this.pool, this.clock, reply, query.AsOf);
    return answerList(this.streams, request, reply, receivableList(this.pool, query.Mode, asOf), query);
  }

  @Post('sources/:id/close')
  @HttpCode(200)
  @Operation(
    'closeReconDay',
    'Close the next day of a bank',
    'Needs a key with the role preparer. Books the bank’s lines up to the end of the day. Days are closed in order, each once; closing the same day again returns the first response. While the status is OPEN, closing continues in the background.',
  )
  @ApiOkResponse({ type: ReconDayDto })
  @Problems('not-found', 'insufficient-role', 'state-conflict')
  async close(
    @Param('id') id: string,
    @Body() { day, reason }: CloseDayBody,
    @Exchange() { request, reply, ids }: HttpExchange,
  ): Promise<ReconDayDto> {
    const { position } = await this.commands.execute(new CloseDay(id, day, reason, request.keyId!, ids));
    return this.consistency.read(reply, position, async () => shown(await findCloseOfDay(this.pool, id, day)), 'recon');
  }
}

function shown(found: StoredDayClose | undefined): ReconDayDto {
  if (!found) throw noSuchRecord();
  return toDay(found);
}
