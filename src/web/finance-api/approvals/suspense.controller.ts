import type { Readable } from 'node:stream';
import { Controller, Get, Inject, Query, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Pool } from 'pg';
import { COMMON_CLOCK, FINANCE_POOL } from '../../../ledger/ports/injection-tokens.js';
import type { Clock } from '../../../ledger/time.js';
import { FinanceOnly, Exchange, type HttpExchange } from '../../../platform/http/edge/access.js';
import { answerList, answerWhole } from '../../../platform/http/answer-list.js';
import { OpenStreams } from '../../../platform/http/edge/open-streams.js';
import { ApiAnswerForms, Operation } from '../../../platform/http/openapi/openapi.js';
import { LedgerReads } from '../../../platform/projector/read-your-writes.js';
import { adjustmentsList, suspenseAgesList, suspenseList } from './suspense-lists.js';
import {
  AuditAdjustmentDto,
  AuditAdjustmentPageDto,
  ListAuditAdjustmentsQuery,
  ListSuspenseQuery,
  SuspenseAgesDto,
  SuspenseAgesQuery,
  SuspenseItemDto,
  SuspensePageDto,
} from './suspense.dto.js';

@ApiTags('Audit')
@Controller('audit')
@FinanceOnly()
@UseInterceptors(LedgerReads)
export class SuspenseController {
  constructor(
    @Inject(FINANCE_POOL) private readonly pool: Pool,
    private readonly streams: OpenStreams,
    @Inject(COMMON_CLOCK) private readonly clock: Clock,
  ) {}

  @Get('suspense')
  @Operation('listSuspense', 'List items in suspense', 'Money without a known owner, and items that have been resolved; oldest first.')
  @ApiAnswerForms({ json: SuspensePageDto, ndjsonLine: SuspenseItemDto, csv: true })
  async listSuspense(@Query() query: ListSuspenseQuery, @Exchange() { request, reply }: HttpExchange) {
    const { Mode: mode, Status: item_status, MerchantId: merchant_id, Currency: currency, Proposal: proposal } = query;
    const filters = { mode, item_status, merchant_id, currency, proposal };
    return answerList(this.streams, request, reply, suspenseList(this.pool, filters, this.clock()), query);
  }

  @Get('suspense/ages')
  @Operation(
    'listSuspenseAges',
    'Sum up the items in suspense by age',
    'Items that are not resolved; their sum is the balance of the account suspense.',
  )
  @ApiAnswerForms({ json: SuspenseAgesDto, csv: true })
  async suspenseAges(@Query() { Mode }: SuspenseAgesQuery, @Exchange() { request, reply }: HttpExchange): Promise<SuspenseAgesDto | Readable | ''> {
    return answerWhole(this.streams, request, reply, suspenseAgesList(this.pool, Mode, this.clock()));
  }

  @Get('adjustments')
  @Operation(
    'listAuditAdjustments',
    'List adjustments of all merchants and of the platform',
    'Bookings by approved proposals of operators; oldest first.',
  )
  @ApiAnswerForms({ json: AuditAdjustmentPageDto, ndjsonLine: AuditAdjustmentDto, csv: true })
  async listAdjustments(@Query() query: ListAuditAdjustmentsQuery, @Exchange() { request, reply }: HttpExchange) {
    const { Mode: mode, Kind: kind, MerchantId: merchant_id, Currency: currency } = query;
    return answerList(this.streams, request, reply, adjustmentsList(this.pool, { mode, kind, merchant_id, currency }), query);
  }
}
