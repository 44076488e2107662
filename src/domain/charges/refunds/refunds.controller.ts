import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query, UseInterceptors } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import { findCharge } from '../../../../projections/charges/charge-reads.js';
import { findRefund, findRefunds, type Refund, type RefundListQuery } from '../../../../projections/refunds/refund-reads.js';
import { READ_POOL } from '../../../ledger/ports/injection-tokens.js';
import { Caller, contextOf, Exchange, RequireScope, type HttpExchange, type MerchantCaller } from '../../../platform/http/edge/access.js';
import { ETAG, IfNoneMatch, isNewVersion } from '../../../platform/http/entity-tag.js';
import { IdempotencyKey, setRecordHeaders } from '../../../platform/http/idempotency-key.js';
import { Operation } from '../../../platform/http/openapi/openapi.js';
import { Problems } from '../../../ledger/dto/api-problems.js';
import type { PageQuery } from '../../../platform/postgres/list-page.js';
import { toPage, writePageHeaders } from '../../../platform/http/pages.js';
import { mustExist, noSuchRecord, RecordId, unlessShownYet } from '../../../platform/http/record-id.js';
import { Reads } from '../../../platform/http/reads.js';
import { LedgerReads, ReadYourWrites } from '../../../platform/projector/read-your-writes.js';
import { ChangeCharge } from '../charge.handlers.js';
import { RequestRefund } from './refund.handlers.js';
import { ListChargeRefundsQuery, ListRefundsQuery, RefundDto, RequestRefundBody, toClaimedRefund, toRefundBody } from './refunds.dto.js';

@ApiTags('Refunds')
@Controller('v1')
export class RefundsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly consistency: ReadYourWrites,
    @Inject(READ_POOL) private readonly pool: Pool,
    private readonly reads: Reads,
  ) {}

  @Post('charges/:id/refunds')
  @HttpCode(201)
  @RequireScope('refunds:write')
  @Operation(
    'createRefund',
    'Refund a charge',
    'Refunds the whole charge, the rest of it, or a part; the fee is returned in proportion. The net amount is deducted before the response: from pending, or from available once the charge is in a settlement. Repeating the request with the same Idempotency-Key is safe.',
  )
  @ApiCreatedResponse({ type: RefundDto })
  @Problems(
    'idempotency-key-missing',
    'idempotency-key-reused',
    'not-found',
    'state-conflict',
    'charge-disputed',
    'refund-not-available',
    'refund-exceeds-charge',
    'insufficient-balance',
  )
  async request(
    @Param('id', RecordId) id: string,
    @IdempotencyKey() key: string,
    @Body() body: RequestRefundBody,
    @Caller() caller: MerchantCaller,
    @Exchange() { reply, ids }: HttpExchange,
  ): Promise<RefundDto> {
    const request = new RequestRefund(id, toRefundBody(body), key, caller, contextOf(caller, ids));
    const { claimed, position, replayed } = await this.commands.execute(request);
    await this.consistency.written(reply, position);
    setRecordHeaders(reply, `/v1/refunds/${claimed.refund_id}`, replayed);
    return toClaimedRefund(claimed);
  }

  @Get('charges/:id/refunds')
  @UseInterceptors(LedgerReads)
  @RequireScope('refunds:read')
  @Operation('listChargeRefunds', "List a charge's refunds", 'A bare array; X-Total-Count and Link lead through its pages.')
  @ApiOkResponse({ type: [RefundDto] })
  @Problems('not-found')
  async listOfCharge(
    @Param('id', RecordId) id: string,
    @Query() query: ListChargeRefundsQuery,
    @Caller() { merchant_id }: MerchantCaller,
    @Exchange() { request, reply }: HttpExchange,
  ): Promise<RefundDto[]> {
    if (!(await findCharge(this.pool, merchant_id, id))) throw noSuchRecord();
    return this.find(request, reply, merchant_id, query, { charge_id: id });
  }

  @Get('refunds')
  @UseInterceptors(LedgerReads)
  @RequireScope('refunds:read')
  @Operation('listRefunds', 'List refunds', 'A bare array; X-Total-Count and Link lead through its pages.')
  @ApiOkResponse({ type: [RefundDto] })
  async list(
    @Query() query: ListRefundsQuery,
    @Caller() { merchant_id }: MerchantCaller,
    @Exchange() { request, reply }: HttpExchange,
  ): Promise<RefundDto[]> {
    const { Currency: currency, Status: refund_status, ChargeId: charge_id, DateFrom: date_from, DateTo: date_to } = query;
    return this.find(request, reply, merchant_id, query, { currency, refund_status, charge_id, date_from, date_to });
  }

  @Get('refunds/:id')
  @UseInterceptors(LedgerReads)
  @RequireScope('refunds:read')
  @IfNoneMatch()
  @Operation('getRefund', 'Read a refund')
  @ApiOkResponse({ type: RefundDto, headers: ETAG })
  @Problems('not-found')
  async read(
    @Param('id', RecordId) id: string,
    @Caller() { merchant_id }: MerchantCaller,
    @Exchange() { request, reply }: HttpExchange,
  ): Promise<RefundDto | undefined> {
    const { refund, version } = await this.mustFind(merchant_id, id);
    return isNewVersion(request, reply, version) ? refund : undefined;
  }

  @Post('refunds/:id/cancel')
  @HttpCode(200)
  @UseInterceptors(LedgerReads)
  @RequireScope('refunds:write')
  @Operation(
    'cancelRefund',
    'Cancel a pending refund',
    'Allowed until the refund is handed to the processor. Cancelling it again returns the same response.',
  )
  @ApiOkResponse({ type: RefundDto })
  @Problems('not-found', 'state-conflict')
  async cancel(@Param('id', RecordId) id: string, @Caller() caller: MerchantCaller, @Exchange() { reply, ids }: HttpExchange): Promise<RefundDto> {
    const { merchant_id } = caller;
    const { charge_id } = (await this.mustFind(merchant_id, id).catch(unlessShownYet(reply, 'refund'))).refund;
    const change = { kind: 'cancel-refund', refund_id: id } as const;
    const { position } = await this.commands.execute(new ChangeCharge(charge_id, change, contextOf(caller, ids), merchant_id));
    return this.consistency.read(reply, position, async () => (await this.mustFind(merchant_id, id)).refund);
  }

  private async mustFind(merchantId: string, id: string): Promise<{ readonly refund: Refund; readonly version: number }> {
    return mustExist(await findRefund(this.pool, merchantId, id));
  }

  private async find(
    request: FastifyRequest,
    reply: FastifyReply,
    merchantId: string,
    page: ListChargeRefundsQuery,
    filters: Omit<RefundListQuery, keyof PageQuery>,
  ): Promise<Refund[]> {
    const asked = { ...toPage(page), ...filters };
    const { total, items } = await this.reads.read(request, (pool) => findRefunds(pool, merchantId, asked));
    writePageHeaders(reply, page, total);
    return items;
  }
}
