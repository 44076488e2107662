import { Controller, Get, Param, Query, Req, UseInterceptors } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { findSettlement, findSettlements } from '../../../projections/settlements/settlements.js';
import { Caller, RequireScope, Exchange, type MerchantCaller, type HttpExchange } from '../../platform/http/edge/access.js';
import { Operation } from '../../platform/http/openapi/openapi.js';
import { Problems } from '../../ledger/dto/api-problems.js';
import { toPage, writePageHeaders } from '../../platform/http/pages.js';
import { mustExist, RecordId } from '../../platform/http/record-id.js';
import { Reads } from '../../platform/http/reads.js';
import { LedgerReads } from '../../platform/projector/read-your-writes.js';
import { ListSettlementsQuery, SettlementDetailDto, SettlementDto, toSettlement, toSettlementDetail } from './settlements.dto.js';

@ApiTags('Settlements')
@Controller('v1/settlements')
@RequireScope('balances:read')
@UseInterceptors(LedgerReads)
export class SettlementsController {
  constructor(private readonly reads: Reads) {}

  @Get()
  @Operation(
    'listSettlements',
    'List settlements',
    'Oldest first, including empty ones. A bare array; X-Total-Count and Link lead through its pages.',
  )
  @ApiOkResponse({ type: [SettlementDto] })
  async list(
    @Query() query: ListSettlementsQuery,
    @Caller() { merchant_id }: MerchantCaller,
    @Exchange() { request, reply }: HttpExchange,
  ): Promise<SettlementDto[]> {
    const asked = { ...toPage(query), currency: query.Currency };
    const { total, items } = await this.reads.read(request, (pool) => findSettlements(pool, merchant_id, asked));
    writePageHeaders(reply, query, total);
    return items.map(toSettlement);
  }

  @Get(':id')
  @Operation('getSettlement', 'Read a settlement', 'A settlement with its lines, whose amounts add up to its total.')
  @ApiOkResponse({ type: SettlementDetailDto })
  @Problems('not-found')
  async read(
    @Param('id', RecordId) id: string,
    @Caller() { merchant_id }: MerchantCaller,
    @Req() request: FastifyRequest,
  ): Promise<SettlementDetailDto> {
    return toSettlementDetail(mustExist(await this.reads.read(request, (pool) => findSettlement(pool, id, merchant_id))));
  }
}
