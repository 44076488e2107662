import { Controller, Get, Inject, Query, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Pool } from 'pg';
import { FINANCE_POOL } from '../../../ledger/ports/injection-tokens.js';
import { Exchange, FinanceOnly, type HttpExchange } from '../../../platform/http/edge/access.js';
import { answerList } from '../../../platform/http/answer-list.js';
import { OpenStreams } from '../../../platform/http/edge/open-streams.js';
import { ApiAnswerForms, Operation } from '../../../platform/http/openapi/openapi.js';
import { LedgerReads } from '../../../platform/projector/read-your-writes.js';
import { ReconciliationReads } from '../reconciliation-reads.js';
import { CashForecastDto, CashForecastPageDto, CashForecastQuery } from './cash-forecast.dto.js';
import { CashForecasts } from './cash-forecasts.js';

@ApiTags('Audit')
@Controller('audit/cash-forecast')
@FinanceOnly()
@UseInterceptors(LedgerReads, ReconciliationReads)
export class CashForecastController {
  constructor(
    @Inject(FINANCE_POOL) private readonly pool: Pool,
    private readonly forecasts: CashForecasts,
    private readonly streams: OpenStreams,
  ) {}

  @Get()
  @Operation(
    'listCashForecast',
    'Forecast the cash of the platform',
    'By day: the money that processors remit by the terms of their sources, the money that merchants may take out, open payouts, and the cash of the books with all remittances until then. Overdue and undated items have separate rows and are not part of the cash.',
  )
  @ApiAnswerForms({ json: CashForecastPageDto, ndjsonLine: CashForecastDto, csv: true })
  async list(@Query() query: CashForecastQuery, @Exchange() { request, reply }: HttpExchange) {
    return answerList(this.streams, request, reply, this.forecasts.list(this.pool, query), {});
  }
}
