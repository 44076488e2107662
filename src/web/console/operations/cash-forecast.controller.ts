import type { Readable } from 'node:stream';
import { Controller, Get, Inject, Query, UseFilters, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Pool } from 'pg';
import { CashForecastSelection } from '../../../domain/reconciliation/cash/cash-forecast.dto.js';
import { CashForecasts } from '../../../domain/reconciliation/cash/cash-forecasts.js';
import { ReconciliationReads } from '../../../domain/reconciliation/reconciliation-reads.js';
import { FINANCE_POOL } from '../../../ledger/ports/injection-tokens.js';
import { answerCsv } from '../../../platform/http/answer-list.js';
import { SignedIn, Exchange, type HttpExchange } from '../../../platform/http/edge/access.js';
import { OpenStreams } from '../../../platform/http/edge/open-streams.js';
import { LedgerReads } from '../../../platform/projector/read-your-writes.js';
import { ConsoleFilter } from '../shared/console.filter.js';
import { ConsolePages } from '../shared/console-pages.js';
import { cashForecastPage } from './cash-forecast-page.js';

@ApiExcludeController()
@SignedIn()
@Controller('console')
@UseFilters(ConsoleFilter)
@UseInterceptors(LedgerReads, ReconciliationReads)
export class ConsoleCashForecastController {
  constructor(
    @Inject(FINANCE_POOL) private readonly pool: Pool,
    private readonly forecasts: CashForecasts,
    private readonly streams: OpenStreams,
    private readonly pages: ConsolePages,
  ) {}

  @Get('cash-forecast')
  async page(@Query() query: CashForecastSelection, @Exchange() { request, reply }: HttpExchange): Promise<string> {
    const rows = await this.forecasts.make(this.pool, { ...query, Mode: this.pages.modeOf(request) });
    return this.pages.send(request, reply, {
      title: 'Cash forecast',
      section: 'cash-forecast',
      actions: this.pages.csvLink('cash-forecast', { Currency: query.Currency, Days: `${query.Days}` }),
      content: cashForecastPage(this.pages.links, rows, query.Days),
    });
  }

  @Get('cash-forecast.csv')
  file(@Query() query: CashForecastSelection, @Exchange() { request, reply }: HttpExchange): Promise<Readable | ''> {
    return answerCsv(this.streams, request, reply, this.forecasts.list(this.pool, { ...query, Mode: this.pages.modeOf(request) }));
  }
}
