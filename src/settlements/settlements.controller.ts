import { Controller, Get, Inject, Param, Query, Res, UseInterceptors } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Pool } from 'pg';
import { findSettlement, findSettlements } from '../../projections/settlements.js';
import { READ_POOL } from '../core.js';
import { Caller, RequireScope, type MerchantCaller } from '../platform/auth/access.js';
import { Problems } from '../platform/http/openapi.js';
import { writePageHeaders } from '../platform/http/pages.js';
import { noSuchRecord, RecordId } from '../platform/http/record-id.js';
import { LedgerReads } from '../platform/projector/read-your-writes.js';
import { ListSettlementsQuery, SettlementDetailDto, SettlementDto, toSettlement, toSettlementDetail } from './settlements.dto.js';

@ApiTags('Settlements')
@Controller('v1/settlements')
@RequireScope('balances:read')
@UseInterceptors(LedgerReads)
export class SettlementsController {
  constructor(@Inject(READ_POOL) private readonly pool: Pool) {}

  @Get()
  @ApiOperation({
    summary: 'List settlements',
    description: 'Oldest first, empty ones too. A bare array; X-Total-Count and Link lead through its pages.',
  })
  @ApiOkResponse({ type: [SettlementDto] })
  async list(
    @Query() query: ListSettlementsQuery,
    @Caller() { merchant_id }: MerchantCaller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SettlementDto[]> {
    const { total, items } = await findSettlements(this.pool, {
      merchant_id,
      currency: query.Currency,
      page_number: query.PageNumber,
      page_size: query.PageSize,
      is_descending: query.IsDescending,
    });
    writePageHeaders(reply, query, total);
    return items.map(toSettlement);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Read a settlement', description: 'With its lines, whose amounts add up to its total.' })
  @ApiOkResponse({ type: SettlementDetailDto })
  @Problems('not-found')
  async read(@Param('id', RecordId) id: string, @Caller() { merchant_id }: MerchantCaller): Promise<SettlementDetailDto> {
    const found = await findSettlement(this.pool, id, merchant_id);
    if (!found) throw noSuchRecord();
    return toSettlementDetail(found);
  }
}
