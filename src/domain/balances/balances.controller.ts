import { Controller, Get, Inject, Param, Query, Req, UseInterceptors } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import { findBalances, findBalancesAsOf, type Balance } from '../../../projections/balances/balance-reads.js';
import { COMMON_CLOCK, READ_POOL } from '../../ledger/ports/injection-tokens.js';
import { Caller, RequireScope, type MerchantCaller } from '../../platform/http/edge/access.js';
import { Operation } from '../../platform/http/openapi/openapi.js';
import { mustExist } from '../../platform/http/record-id.js';
import { Problems } from '../../ledger/dto/api-problems.js';
import { LedgerProblem } from '../../ledger/problems.js';
import { Reads } from '../../platform/http/reads.js';
import { LedgerReads } from '../../platform/projector/read-your-writes.js';
import { MERCHANT_TERMS, type MerchantTerms } from '../../ledger/ports/merchant-terms.js';
import { milliseconds, type Clock } from '../../ledger/time.js';
import { BalanceDto, BalanceQuery } from './balances.dto.js';
import { explain, findAccount } from './explain.js';
import { ExplanationDto, ExplanationQuery } from './explanation.dto.js';
import { ForecastDto, ForecastQuery } from './forecast.dto.js';
import { Forecasts } from './forecasts.js';

@ApiTags('Balances')
@Controller('v1/balances')
@RequireScope('balances:read')
@UseInterceptors(LedgerReads)
export class BalancesController {
  constructor(
    @Inject(READ_POOL) private readonly pool: Pool,
    @Inject(MERCHANT_TERMS) private readonly terms: MerchantTerms,
    @Inject(COMMON_CLOCK) private readonly clock: Clock,
    private readonly forecasts: Forecasts,
    private readonly reads: Reads,
  ) {}

  @Get()
  @Operation('listBalances', 'List balances', "One record for every currency of the merchant's channels, zeros included.")
  @ApiOkResponse({ type: [BalanceDto] })
  async list(@Query() query: BalanceQuery, @Caller() { merchant_id }: MerchantCaller, @Req() request: FastifyRequest): Promise<Balance[]> {
    const owner = { merchant_id, created_on: this.terms.merchantCreatedOn(merchant_id)! };
    const currencies = this.terms.currencies(merchant_id);
    if (query.AsOf === undefined) return findBalances(this.pool, owner, currencies);
    if (milliseconds(query.AsOf) > this.clock()) {
      throw new LedgerProblem('validation-failed', 'AsOf is in the future.', {
        errors: [{ parameter: 'AsOf', code: 'in-the-future', detail: 'Must not be in the future.' }],
      });
    }
    const { AsOf } = query;
    return this.reads.read(request, (pool) => findBalancesAsOf(pool, owner, currencies, AsOf));
  }

  @Get(':currency')
  @Operation('getBalance', 'Read a balance')
  @ApiOkResponse({ type: BalanceDto })
  @Problems('not-found')
  async read(
    @Param('currency') currency: string,
    @Query() query: BalanceQuery,
    @Caller() caller: MerchantCaller,
    @Req() request: FastifyRequest,
  ): Promise<Balance> {
    const balances = await this.list(query, caller, request);
    return mustExist(balances.find((balance) => balance.currency === currency.toUpperCase()));
  }

  @Get(':currency/explain')
  @Operation(
    'explainBalance',
    'Explain a balance',
    'Lists the items that make up pending, available, reserved and fees, to the minor unit and at one moment; and the settlements that funded each payout, first in, first out.',
  )
  @ApiOkResponse({ type: ExplanationDto })
  @Problems('not-found')
  async explain(
    @Param('currency') currency: string,
    @Query() query: ExplanationQuery,
    @Caller() { merchant_id }: MerchantCaller,
    @Req() request: FastifyRequest,
  ): Promise<ExplanationDto> {
    const account = await findAccount(this.pool, this.terms, merchant_id, currency);
    return this.reads.read(request, (pool) => explain(pool, account, query));
  }

  @Get(':currency/forecast')
  @Operation(
    'forecastBalance',
    'Forecast a balance',
    'The days on which pending money becomes available, by its due times. Open disputes, refunds and payouts are listed apart; nothing is assumed about them.',
  )
  @ApiOkResponse({ type: ForecastDto })
  @Problems('not-found')
  async forecast(
    @Param('currency') currency: string,
    @Query() query: ForecastQuery,
    @Caller() { merchant_id }: MerchantCaller,
    @Req() request: FastifyRequest,
  ): Promise<ForecastDto> {
    const account = await findAccount(this.pool, this.terms, merchant_id, currency);
    return this.reads.read(request, (pool) => this.forecasts.make(pool, account, query));
  }
}
