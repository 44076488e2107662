import type { Readable } from 'node:stream';
import { Controller, Get, Inject, Param, Query, Req, Res, UseFilters, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import { findBalances, findBalancesOverTime } from '../../projections/books/balances.js';
import { findCharges } from '../../projections/charges/charge-list.js';
import { findPayouts } from '../../projections/payouts/payouts.js';
import { findSettlement, findSettlements } from '../../projections/settlements/settlements.js';
import { merchantsList, settlementsList } from '../audit/lists.js';
import { COMMON_CLOCK, FINANCE_POOL } from '../ledger/injection-tokens.js';
import { KnownMerchants } from '../merchants/known-merchants.js';
import { html } from '../html/html.js';
import { SignedIn } from '../platform/http/access.js';
import { answerCsv } from '../platform/http/answer-list.js';
import { OpenStreams } from '../platform/http/open-streams.js';
import { noSuchRecord, RecordId } from '../platform/http/record-id.js';
import { LedgerReads } from '../platform/projector/read-your-writes.js';
import { timestamp, type Clock } from '../ledger/time.js';
import { ConsoleFilter } from './console.filter.js';
import { ConsolePages } from './console-pages.js';
import { MerchantQuery, MerchantsQuery, SettlementsQuery } from './console.dto.js';
import { merchantPage } from './merchant-page.js';
import { merchantsPage } from './merchants-page.js';
import { settlementPage, settlementsPage } from './settlements-page.js';

const PAGE_RECORDS = 100;
/** The newest records of each kind on a merchant's page. */
const NEWEST = { page_number: 1, page_size: 10, is_descending: true } as const;
/** Moments at which the balances over time are looked at. */
const CHART_POINTS = 90;
const DAY_MS = 86_400_000;

@ApiExcludeController()
@SignedIn()
@Controller('console')
@UseFilters(ConsoleFilter)
@UseInterceptors(LedgerReads)
export class ConsoleRecordsController {
  constructor(
    @Inject(FINANCE_POOL) private readonly pool: Pool,
    @Inject(COMMON_CLOCK) private readonly clock: Clock,
    private readonly known: KnownMerchants,
    private readonly streams: OpenStreams,
    private readonly pages: ConsolePages,
  ) {}

  @Get('merchants')
  async merchants(
    @Query() { After }: MerchantsQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const page = await merchantsList(this.known).page(After, PAGE_RECORDS, AbortSignal.timeout(5_000));
    return this.pages.send(request, reply, {
      title: 'Merchants',
      section: 'merchants',
      actions: html`<a href="${this.pages.links.to('merchants.csv')}" download>CSV</a>`,
      content: merchantsPage(this.pages, page, After !== undefined),
    });
  }

  @Get('merchants.csv')
  merchantsFile(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<Readable | ''> {
    return answerCsv(this.streams, request, reply, { ...merchantsList(this.known), after: undefined, limit: undefined, defaultLimit: PAGE_RECORDS });
  }

  @Get('merchants/:id')
  async merchant(
    @Param('id', RecordId) id: string,
    @Query() { Currency, Days }: MerchantQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const merchant = this.known.merchant(id);
    if (!merchant) throw noSuchRecord();
    const now = this.clock();
    const owner = { merchant_id: id, created_on: merchant.created_on };
    const balances = await findBalances(this.pool, owner, this.known.currencies(id));
    const currency = Currency ?? merchant.default_currency;
    const from = now - Days * DAY_MS;
    const moments = Array.from({ length: CHART_POINTS }, (_, index) => timestamp(Math.round(from + ((now - from) * index) / (CHART_POINTS - 1))));
    const [points, charges, payouts, settlements] = await Promise.all([
      findBalancesOverTime(this.pool, { merchant_id: id, currency }, moments),
      findCharges(this.pool, id, { ...NEWEST, order_by: 'created_on' }),
      findPayouts(this.pool, id, NEWEST),
      findSettlements(this.pool, { merchant_id: id, ...NEWEST }),
    ]);
    return this.pages.send(request, reply, {
      title: merchant.name,
      section: 'merchants',
      content: merchantPage(this.pages, { merchant, balances, currency, days: Days, points, charges, payouts, settlements }),
    });
  }

  @Get('settlements')
  async settlements(
    @Query() query: SettlementsQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const { MerchantId, Currency, After } = query;
    const page = await settlementsList(this.pool, { merchant_id: MerchantId, currency: Currency }).page(
      After,
      PAGE_RECORDS,
      AbortSignal.timeout(5_000),
    );
    return this.pages.send(request, reply, {
      title: 'Settlements',
      section: 'settlements',
      actions: html`<a href="${this.pages.links.to('settlements.csv', { MerchantId, Currency })}" download>CSV</a>`,
      content: settlementsPage(this.pages, query, page),
    });
  }

  @Get('settlements.csv')
  settlementsFile(
    @Query() { MerchantId, Currency, After }: SettlementsQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable | ''> {
    return answerCsv(this.streams, request, reply, {
      ...settlementsList(this.pool, { merchant_id: MerchantId, currency: Currency }),
      after: After,
      limit: undefined,
      defaultLimit: PAGE_RECORDS,
    });
  }

  @Get('settlements/:id')
  async settlement(
    @Param('id', RecordId) id: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const found = await findSettlement(this.pool, id);
    if (!found) throw noSuchRecord();
    return this.pages.send(request, reply, {
      title: `Settlement ${found.number} in ${found.currency}`,
      section: 'settlements',
      content: settlementPage(this.pages, found),
    });
  }
}
