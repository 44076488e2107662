import { Controller, Get, Query, UseInterceptors } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { findAdjustmentsOf } from '../../../projections/approvals/adjustments.js';
import { Caller, RequireScope, Exchange, type MerchantCaller, type HttpExchange } from '../../platform/http/edge/access.js';
import { toPage, writePageHeaders } from '../../platform/http/pages.js';
import { Reads } from '../../platform/http/reads.js';
import { LedgerReads } from '../../platform/projector/read-your-writes.js';
import { AdjustmentDto, ListAdjustmentsQuery } from './adjustments.dto.js';
import { Operation } from '../../platform/http/openapi/openapi.js';

@ApiTags('Balances')
@Controller('v1/adjustments')
@RequireScope('balances:read')
@UseInterceptors(LedgerReads)
export class AdjustmentsController {
  constructor(private readonly reads: Reads) {}

  @Get()
  @Operation(
    'listAdjustments',
    'List adjustments',
    'Changes of your available balance other than charges, refunds, disputes and payouts; oldest first. A bare array; X-Total-Count and Link lead through its pages.',
  )
  @ApiOkResponse({ type: [AdjustmentDto] })
  async list(
    @Query() query: ListAdjustmentsQuery,
    @Caller() { merchant_id }: MerchantCaller,
    @Exchange() { request, reply }: HttpExchange,
  ): Promise<AdjustmentDto[]> {
    const asked = { ...toPage(query), currency: query.Currency };
    const { total, items } = await this.reads.read(request, (pool) => findAdjustmentsOf(pool, merchant_id, asked));
    writePageHeaders(reply, query, total);
    return items;
  }
}
