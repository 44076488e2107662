import { Controller, Get, Inject, Query, UseInterceptors } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Pool } from 'pg';
import { findAlarms } from '../../../../projections/approvals/alarms.js';
import { COMMON_CLOCK, FINANCE_POOL } from '../../../ledger/ports/injection-tokens.js';
import { timestamp, type Clock } from '../../../ledger/time.js';
import { FinanceOnly, Exchange, type HttpExchange } from '../../../platform/http/edge/access.js';
import { answerList } from '../../../platform/http/answer-list.js';
import { OpenStreams } from '../../../platform/http/edge/open-streams.js';
import { ApiAnswerForms, Operation } from '../../../platform/http/openapi/openapi.js';
import { LedgerReads } from '../../../platform/projector/read-your-writes.js';
import { AlarmsDto, ListQueueQuery, QueueItemDto, QueuePageDto, WaitingQuery, WaitingSummaryDto } from './approvals.dto.js';
import { WaitingReads } from './waiting.js';
import { ActingOperators } from '../../../domain/operators/acting-operator.js';
import { queueList } from '../lists.js';
import { ReconciliationReads } from '../../../domain/reconciliation/reconciliation-reads.js';

@ApiTags('Audit')
@Controller('audit/desk')
@FinanceOnly()
@UseInterceptors(LedgerReads)
export class ApprovalsController {
  constructor(
    @Inject(FINANCE_POOL) private readonly pool: Pool,
    private readonly streams: OpenStreams,
    @Inject(COMMON_CLOCK) private readonly clock: Clock,
    private readonly waitingReads: WaitingReads,
    private readonly readers: ActingOperators,
  ) {}

  @Get('queue')
  @Operation(
    'listDeskQueue',
    'List requests that wait for approval',
    'Payouts of all merchants, and proposals, which are listed for either mode; oldest first.',
  )
  @ApiAnswerForms({ json: QueuePageDto, ndjsonLine: QueueItemDto })
  async list(@Query() query: ListQueueQuery, @Exchange() { request, reply }: HttpExchange) {
    return answerList(this.streams, request, reply, queueList(this.pool, query.Mode, this.clock()), query);
  }

  @Get('waiting')
  // Breaks come from the read model of reconciliation.
  @UseInterceptors(ReconciliationReads)
  @Operation('getDeskWaiting', 'Read the waiting work', 'Requests, breaks, files, days and disputes of a mode: counts, sums, ages and deadlines.')
  @ApiOkResponse({ type: WaitingSummaryDto })
  async waiting(@Query() { Mode }: WaitingQuery, @Exchange() { request }: HttpExchange) {
    return { items: await this.waitingReads.find(Mode, this.readers.known.byKey(request.keyId)) };
  }

  @Get('alarms')
  // Alarms come from both read models.
  @UseInterceptors(ReconciliationReads)
  @Operation('listDeskAlarms', 'List alarms', 'Oldest first, at most 200. An alarm ends by itself once its cause is resolved.')
  @ApiOkResponse({ type: AlarmsDto })
  async alarms(): Promise<AlarmsDto> {
    return { items: await findAlarms(this.pool, timestamp(this.clock())) };
  }
}
