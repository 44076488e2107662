import { Controller, Get, Inject, Param, Query, UseFilters, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Pool } from 'pg';
import { findAccount } from '../../../domain/balances/explain.js';
import { Forecasts } from '../../../domain/balances/forecasts.js';
import { ForecastQuery } from '../../../domain/balances/forecast.dto.js';
import { KnownMerchants } from '../../../domain/merchants/known-merchants.js';
import { FINANCE_POOL } from '../../../ledger/ports/injection-tokens.js';
import { SignedIn, Exchange, type HttpExchange } from '../../../platform/http/edge/access.js';
import { RecordId } from '../../../platform/http/record-id.js';
import { LedgerReads } from '../../../platform/projector/read-your-writes.js';
import { ConsoleFilter } from '../shared/console.filter.js';
import { ConsolePages } from '../shared/console-pages.js';
import { PAGE_RECORDS } from '../shared/list-page.js';
import { forecastPage } from './forecast-page.js';

@ApiExcludeController()
@SignedIn()
@Controller('console/merchants/:id/balances/:currency/forecast')
@UseFilters(ConsoleFilter)
@UseInterceptors(LedgerReads)
export class ConsoleForecastController {
  constructor(
    @Inject(FINANCE_POOL) private readonly pool: Pool,
    private readonly known: KnownMerchants,
    private readonly forecasts: Forecasts,
    private readonly pages: ConsolePages,
  ) {}

  @Get()
  async balance(
    @Param('id', RecordId) id: string,
    @Param('currency') name: string,
    @Query() query: ForecastQuery,
    @Exchange() { request, reply }: HttpExchange,
  ): Promise<string> {
    const account = await findAccount(this.pool, this.known, id, name);
    const forecast = await this.forecasts.make(this.pool, account, { ...query, Limit: PAGE_RECORDS });
    const { links } = this.pages;
    return this.pages.send(request, reply, {
      title: `Forecast of ${this.pages.plainMerchantName(id)} in ${account.currency}`,
      section: 'merchants',
      above: [
        [this.pages.plainMerchantName(id), links.merchant(id)],
        [`Balance in ${account.currency}`, links.explanation(id, account.currency)],
      ],
      merchantId: id,
      content: forecastPage(this.pages, forecast, query.After),
    });
  }
}
