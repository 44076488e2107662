import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query, Req, Res, UseInterceptors } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import { findCharges } from '../../../projections/charges/charge-list.js';
import { findCharge } from '../../../projections/charges/charge-reads.js';
import { READ_POOL } from '../../ledger/ports/injection-tokens.js';
import { Caller, contextOf, Exchange, RequireScope, type HttpExchange, type MerchantCaller } from '../../platform/http/edge/access.js';
import { EVENT_STORE, type EventStore } from '../../platform/event-store/event-store.js';
import { IdempotencyKey, setRecordHeaders } from '../../platform/http/idempotency-key.js';
import { Operation } from '../../platform/http/openapi/openapi.js';
import { Problems } from '../../ledger/dto/api-problems.js';
import { PageQuery } from '../../platform/http/pages.dto.js';
import { pageCount, takePage } from '../../platform/http/pages.js';
import { mustExist, RecordId } from '../../platform/http/record-id.js';
import { Reads } from '../../platform/http/reads.js';
import { LedgerReads, ReadYourWrites } from '../../platform/projector/read-your-writes.js';
import { historyOf } from './charge-history.js';
import { ChangeCharge, CreateCharge } from './charge.handlers.js';
import {
  ChargeDetailDto,
  ChargeEventDto,
  ChargePageDto,
  CreateChargeBody,
  CreatedChargeDto,
  toChargeEvent,
  toChargeOrder,
  toCreatedCharge,
  toRemoteCharge,
} from './charges.dto.js';
import { ListChargesQuery, toListQuery } from './charge-list.dto.js';
import { toChargeDetail } from './charge-detail.js';

@ApiTags('Charges')
@Controller('v1/charges')
export class ChargesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly consistency: ReadYourWrites,
    @Inject(READ_POOL) private readonly pool: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly reads: Reads,
  ) {}

  @Post()
  @HttpCode(200)
  @RequireScope('charges:write')
  @Operation(
    'createCharge',
    'Create a charge',
    'Creates a payment attempt on a channel. Repeating the request with the same Idempotency-Key is safe.',
  )
  @ApiOkResponse({ type: CreatedChargeDto })
  @Problems(
    'idempotency-key-missing',
    'idempotency-key-reused',
    'amount-out-of-range',
    'channel-not-available',
    'currency-mismatch',
    'action-flow-not-supported',
  )
  async create(
    @IdempotencyKey() key: string,
    @Body() body: CreateChargeBody,
    @Caller() caller: MerchantCaller,
    @Exchange() { reply, ids }: HttpExchange,
  ): Promise<CreatedChargeDto> {
    const takesLonger = (): void => reply.server.takesLonger(reply);
    const charge = await this.commands.execute(new CreateCharge(toChargeOrder(body), key, caller, contextOf(caller, ids), takesLonger));
    await this.consistency.written(reply, charge.position);
    setRecordHeaders(reply, `/v1/charges/${charge.created.charge_id}`, charge.replayed);
    return charge.remote ? toRemoteCharge(charge.remote) : toCreatedCharge(charge.created);
  }

  @Get()
  @UseInterceptors(LedgerReads)
  @RequireScope('charges:read')
  @Operation('listCharges', 'List charges', 'Filtered, ordered and paged. The total count is exact.')
  @ApiOkResponse({ type: ChargePageDto })
  async list(@Query() query: ListChargesQuery, @Caller() caller: MerchantCaller, @Req() request: FastifyRequest): Promise<ChargePageDto> {
    const { total, items } = await this.reads.read(request, (pool) => findCharges(pool, caller.merchant_id, toListQuery(query)));
    return {
      page_number: query.PageNumber,
      page_size: query.PageSize,
      page_count: pageCount(total, query.PageSize),
      total_item_count: total,
      items,
    };
  }

  @Get(':id')
  @UseInterceptors(LedgerReads)
  @RequireScope('charges:read')
  @Operation('getCharge', 'Read a charge')
  @ApiOkResponse({ type: ChargeDetailDto })
  @Problems('not-found')
  async read(@Param('id', RecordId) id: string, @Caller() caller: MerchantCaller): Promise<ChargeDetailDto> {
    return toChargeDetail(mustExist(await findCharge(this.pool, caller.merchant_id, id)));
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @RequireScope('charges:write')
  @Operation('cancelCharge', 'Cancel a pending charge', 'Cancelling the charge again returns the same response.')
  @ApiOkResponse({ type: ChargeDetailDto })
  @Problems('not-found', 'state-conflict')
  async cancel(
    @Param('id', RecordId) id: string,
    @Caller() caller: MerchantCaller,
    @Exchange() { reply, ids }: HttpExchange,
  ): Promise<ChargeDetailDto> {
    const { position } = await this.commands.execute(new ChangeCharge(id, { kind: 'cancel' }, contextOf(caller, ids), caller.merchant_id));
    return this.consistency.read(reply, position, () => this.read(id, caller));
  }

  @Get(':id/events')
  @UseInterceptors(LedgerReads)
  @RequireScope('charges:read')
  @Operation('listChargeEvents', "A charge's event history", 'All events of the charge, oldest first.')
  @ApiOkResponse({ type: [ChargeEventDto] })
  @Problems('not-found')
  async events(
    @Param('id', RecordId) id: string,
    @Query() page: PageQuery,
    @Caller() caller: MerchantCaller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ChargeEventDto[]> {
    const history = mustExist(await historyOf(this.store, this.pool, id, caller.merchant_id));
    return takePage(reply, page, history).map((event) => toChargeEvent(event, id));
  }
}
