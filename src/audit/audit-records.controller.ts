import { Controller, Get, Inject, Param, Query, Req, Res, UseInterceptors } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import { findAllSettlements, findSettlement, type Settlement } from '../../projections/settlements.js';
import { READ_POOL } from '../core.js';
import { KnownMerchants, type Merchant } from '../merchants/known-merchants.js';
import { FinanceOnly } from '../platform/auth/access.js';
import { answerList } from '../platform/http/answer-list.js';
import { OpenStreams } from '../platform/http/open-streams.js';
import { Problems } from '../platform/http/openapi.js';
import { noSuchRecord, RecordId } from '../platform/http/record-id.js';
import { Problem } from '../platform/problems.js';
import { LedgerReads } from '../platform/projector/read-your-writes.js';
import { toSettlementDetail } from '../settlements/settlements.dto.js';
import {
  AuditMerchantPageDto,
  AuditSettlementDetailDto,
  AuditSettlementPageDto,
  LIMIT_DEFAULT,
  ListAuditMerchantsQuery,
  ListAuditSettlementsQuery,
  type AuditMerchantDto,
  type AuditSettlementDto,
} from './audit.dto.js';
import { merchantsCsv, settlementsCsv } from './audit-csv.js';

@ApiTags('Audit')
@Controller('audit')
@FinanceOnly()
@UseInterceptors(LedgerReads)
export class AuditRecordsController {
  constructor(
    @Inject(READ_POOL) private readonly pool: Pool,
    private readonly merchants: KnownMerchants,
    private readonly streams: OpenStreams,
  ) {}

  @Get('settlements')
  @ApiOperation({ summary: 'List settlements of all merchants', description: 'By merchant, currency and number; empty and open ones too.' })
  @ApiProduces('application/json', 'application/x-ndjson', 'text/csv')
  @ApiOkResponse({ type: AuditSettlementPageDto })
  async listSettlements(@Query() query: ListAuditSettlementsQuery, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    return answerList<AuditSettlementDto, string>(this.streams, request, reply, {
      name: 'settlements',
      after: query.After,
      limit: query.Limit,
      defaultLimit: LIMIT_DEFAULT,
      csv: settlementsCsv,
      page: async (after, limit) => {
        const found = await findAllSettlements(this.pool, { merchant_id: query.MerchantId, currency: query.Currency, after, limit: limit + 1 });
        if (found === undefined) throw noSuchCursor('settlement');
        const items = found.slice(0, limit).map(toSettlement);
        return { items, next_after: found.length > limit ? items.at(-1)!.id : null };
      },
    });
  }

  @Get('settlements/:id')
  @ApiOperation({ summary: 'Read a settlement of any merchant', description: 'With its lines, whose amounts add up to its total.' })
  @ApiOkResponse({ type: AuditSettlementDetailDto })
  @Problems('not-found')
  async readSettlement(@Param('id', RecordId) id: string): Promise<AuditSettlementDetailDto> {
    const found = await findSettlement(this.pool, id);
    if (!found) throw noSuchRecord();
    const { lines, ...settlement } = toSettlementDetail(found);
    return {
      id: settlement.id,
      merchant_id: found.merchant_id,
      currency: settlement.currency,
      number: settlement.number,
      totals: settlement.totals,
      opened_on: settlement.opened_on,
      closed_on: settlement.closed_on,
      settled_on: found.settled_on,
      lines: lines.map((line, index) => ({ ...line, fee_amount: found.lines[index]!.fee_amount })),
    };
  }

  @Get('merchants')
  @ApiOperation({ summary: 'List merchants', description: 'In the order of their registration.' })
  @ApiProduces('application/json', 'application/x-ndjson', 'text/csv')
  @ApiOkResponse({ type: AuditMerchantPageDto })
  async listMerchants(@Query() query: ListAuditMerchantsQuery, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    return answerList<AuditMerchantDto, string>(this.streams, request, reply, {
      name: 'merchants',
      after: query.After,
      limit: query.Limit,
      defaultLimit: LIMIT_DEFAULT,
      csv: merchantsCsv,
      page: async (after, limit) => {
        const found = this.merchants.page(after, limit + 1);
        if (found === undefined) throw noSuchCursor('merchant');
        const items = found.slice(0, limit).map(toMerchant);
        return { items, next_after: found.length > limit ? items.at(-1)!.id : null };
      },
    });
  }
}

function noSuchCursor(record: string): Problem {
  return new Problem('validation-failed', 'One query parameter is not valid.', {
    errors: [{ parameter: 'After', code: 'unknown-value', detail: `There is no such ${record}.` }],
  });
}

function toSettlement(settlement: Settlement): AuditSettlementDto {
  const { id, merchant_id, currency, number, totals, opened_on, closed_on, settled_on } = settlement;
  const lines = totals.charges + totals.reversals + totals.returns;
  return { id, merchant_id, currency, number, lines, totals: { ...totals, net_amount: BigInt(totals.net_amount) }, opened_on, closed_on, settled_on };
}

/** Who it is, as far as the books need it: its address for mail stays out. */
function toMerchant({ id, name, country, mode, default_currency, timezone, created_on, updated_on }: Merchant): AuditMerchantDto {
  return { id, name, country, mode: mode.toUpperCase(), default_currency, timezone, created_on, updated_on };
}
