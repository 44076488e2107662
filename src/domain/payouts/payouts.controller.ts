import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query, Res, UseInterceptors } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Pool } from 'pg';
import { findPayout, findPayouts } from '../../../projections/payouts/payouts.js';
import { COMMON_CLOCK, READ_POOL } from '../../ledger/ports/injection-tokens.js';
import type { Clock } from '../../ledger/time.js';
import { Caller, contextOf, Exchange, RequireScope, type HttpExchange, type MerchantCaller } from '../../platform/http/edge/access.js';
import { EVENT_STORE, type EventStore } from '../../platform/event-store/event-store.js';
import { IdempotencyKey, setRecordHeaders } from '../../platform/http/idempotency-key.js';
import { Operation } from '../../platform/http/openapi/openapi.js';
import { Problems } from '../../ledger/dto/api-problems.js';
import { PageQuery } from '../../platform/http/pages.dto.js';
import { takePage, toPage, writePageHeaders } from '../../platform/http/pages.js';
import { mustExist, RecordId } from '../../platform/http/record-id.js';
import { Reads } from '../../platform/http/reads.js';
import { LedgerReads, ReadYourWrites } from '../../platform/projector/read-your-writes.js';
import { CancelPayout, RequestPayout } from './payout.handlers.js';
import { BANK_ROUTES, paysWholeUnitsOnly, type BankRoutes } from './transfer/remote-bank.js';
import { payoutAsRead, toPayout } from './payout-answer.js';
import { payoutHistoryOfMerchant } from './payout-history.js';
import { ListPayoutsQuery, PayoutDto, PayoutEventDto, RequestPayoutBody, toPayoutOrder } from './payouts.dto.js';

@ApiTags('Payouts')
@Controller('v1/payouts')
export class PayoutsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly consistency: ReadYourWrites,
    @Inject(READ_POOL) private readonly pool: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly reads: Reads,
    @Inject(BANK_ROUTES) private readonly routes: BankRoutes,
    @Inject(COMMON_CLOCK) private readonly clock: Clock,
  ) {}

  @Post()
  @HttpCode(201)
  @RequireScope('payouts:write')
  @Operation(
    'createPayout',
    'Request a payout',
    'The amount moves from available to reserved before the response. Repeating the request with the same Idempotency-Key is safe.',
  )
  @ApiCreatedResponse({ type: PayoutDto })
  @Problems('idempotency-key-missing', 'idempotency-key-reused', 'amount-out-of-range', 'insufficient-balance', 'currency-mismatch')
  async request(
    @IdempotencyKey() key: string,
    @Body() body: RequestPayoutBody,
    @Caller() caller: MerchantCaller,
    @Exchange() { reply, ids }: HttpExchange,
  ): Promise<PayoutDto> {
    const { merchant_id, mode } = caller;
    const isWholeOnly = paysWholeUnitsOnly(this.routes.route(merchant_id, mode, body.currency));
    const { registered, position, replayed } = await this.commands.execute(
      new RequestPayout(toPayoutOrder(body), key, merchant_id, contextOf(caller, ids), isWholeOnly),
    );
    await this.consistency.written(reply, position);
    setRecordHeaders(reply, `/v1/payouts/${registered.payout_id}`, replayed);
    return toPayout(registered, 'PENDING', registered.created_on);
  }

  @Get()
  @UseInterceptors(LedgerReads)
  @RequireScope('payouts:read')
  @Operation('listPayouts', 'List payouts', 'A bare array; X-Total-Count and Link lead through its pages.')
  @ApiOkResponse({ type: [PayoutDto] })
  async list(@Query() query: ListPayoutsQuery, @Caller() caller: MerchantCaller, @Exchange() { request, reply }: HttpExchange): Promise<PayoutDto[]> {
    const { Currency: currency, Status: payout_status, DateFrom: date_from, DateTo: date_to } = query;
    const asked = { ...toPage(query), currency, payout_status, date_from, date_to };
    const { total, items } = await this.reads.read(request, (pool) => findPayouts(pool, caller.merchant_id, asked));
    writePageHeaders(reply, query, total);
    const now = this.clock();
    return items.map((row) => payoutAsRead(row, caller.mode, this.routes, now));
  }

  @Get(':id')
  @UseInterceptors(LedgerReads)
  @RequireScope('payouts:read')
  @Operation('getPayout', 'Read a payout')
  @ApiOkResponse({ type: PayoutDto })
  @Problems('not-found')
  async read(@Param('id', RecordId) id: string, @Caller() caller: MerchantCaller): Promise<PayoutDto> {
    const found = mustExist(await findPayout(this.pool, caller.merchant_id, id));
    return payoutAsRead(found, caller.mode, this.routes, this.clock());
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @RequireScope('payouts:write')
  @Operation(
    'cancelPayout',
    'Cancel a pending payout',
    'Allowed until the payout is handed to the bank. Cancelling it again returns the same response.',
  )
  @ApiOkResponse({ type: PayoutDto })
  @Problems('not-found', 'state-conflict')
  async cancel(@Param('id', RecordId) id: string, @Caller() caller: MerchantCaller, @Exchange() { reply, ids }: HttpExchange): Promise<PayoutDto> {
    const { registered, cancelled_on, position } = await this.commands.execute(new CancelPayout(id, caller.merchant_id, contextOf(caller, ids)));
    if (registered.approvals_required === 0) {
      await this.consistency.written(reply, position);
      return toPayout(registered, 'CANCELLED', cancelled_on);
    }
    const cancelled = await this.consistency.read(reply, position, () => findPayout(this.pool, caller.merchant_id, id));
    return toPayout(registered, 'CANCELLED', cancelled_on, cancelled?.approvals_given);
  }

  @Get(':id/events')
  @UseInterceptors(LedgerReads)
  @RequireScope('payouts:read')
  @Operation(
    'listPayoutEvents',
    "A payout's event history",
    'Its request, approvals, submission, result and return, oldest first. occurred_on of PayoutSucceeded is when it was paid.',
  )
  @ApiOkResponse({ type: [PayoutEventDto] })
  @Problems('not-found')
  async events(
    @Param('id', RecordId) id: string,
    @Query() page: PageQuery,
    @Caller() caller: MerchantCaller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PayoutEventDto[]> {
    const payout = mustExist(await findPayout(this.pool, caller.merchant_id, id));
    return takePage(reply, page, await payoutHistoryOfMerchant(this.store, this.pool, payout));
  }
}
