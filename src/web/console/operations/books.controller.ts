import type { Readable } from 'node:stream';
import { Controller, Get, Inject, Query, UseFilters, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import { findJournalTotals } from '../../../../projections/balances/journal-totals.js';
import { findTrialBalance, findTrialTotals } from '../../../../projections/balances/trial-balance.js';
import { trialBalanceCsv } from '../../finance-api/audit-csv.js';
import { journalList } from '../../finance-api/lists.js';
import { FINANCE_POOL } from '../../../ledger/ports/injection-tokens.js';
import { SignedIn, Exchange, type HttpExchange } from '../../../platform/http/edge/access.js';
import { answerCsv } from '../../../platform/http/answer-list.js';
import { OpenStreams } from '../../../platform/http/edge/open-streams.js';
import { LedgerReads } from '../../../platform/projector/read-your-writes.js';
import { timeLimit } from '../../../platform/async/waiting.js';
import { journalPage } from '../records/journal-page.js';
import { trialBalancePage } from './trial-balance-page.js';
import { ConsoleFilter } from '../shared/console.filter.js';
import { ConsolePages } from '../shared/console-pages.js';
import { endOfDay, JournalQuery, startOfDay, TrialBalancePageQuery } from '../shared/console.dto.js';

/** Lines per page. */
const PAGE_LINES = 100;

@ApiExcludeController()
@SignedIn()
@Controller('console')
@UseFilters(ConsoleFilter)
@UseInterceptors(LedgerReads)
export class ConsoleBooksController {
  constructor(
    @Inject(FINANCE_POOL) private readonly pool: Pool,
    private readonly streams: OpenStreams,
    private readonly pages: ConsolePages,
  ) {}

  @Get('trial-balance')
  async trialBalance(@Query() { AsOf }: TrialBalancePageQuery, @Exchange() { request, reply }: HttpExchange): Promise<string> {
    const currencies = await findTrialTotals(this.pool, { mode: this.pages.modeOf(request), as_of: endOfDay('AsOf', AsOf) });
    return this.pages.send(request, reply, {
      title: 'Trial balance',
      section: 'trial-balance',
      actions: this.pages.csvLink('trial-balance', { AsOf }),
      content: trialBalancePage(this.pages.links, currencies, AsOf),
    });
  }

  @Get('trial-balance.csv')
  async trialBalanceFile(@Query() { AsOf }: TrialBalancePageQuery, @Exchange() { request, reply }: HttpExchange): Promise<Readable | ''> {
    const currencies = await findTrialBalance(this.pool, { mode: this.pages.modeOf(request), as_of: endOfDay('AsOf', AsOf) });
    return this.streams.answer(request, reply, {
      contentType: 'text/csv; charset=utf-8; header=present',
      filename: 'trial-balance.csv',
      pages: () => trialBalanceCsv(currencies),
    });
  }

  @Get('journal')
  async journal(@Query() query: JournalQuery, @Exchange() { request, reply }: HttpExchange): Promise<string> {
    const { MerchantId, Currency, Account, DateFrom, DateTo, EventId, Order } = query;
    // The trial balance has the sums of the whole books.
    const isSummed = EventId === undefined && (MerchantId ?? Currency ?? Account) !== undefined;
    const [page, totals] = await Promise.all([
      this.journalOf(request, query).page(query.After, PAGE_LINES, timeLimit(5_000)),
      isSummed ? findJournalTotals(this.pool, this.selection(request, query)) : undefined,
    ]);
    const merchantId = MerchantId ?? (EventId === undefined ? undefined : page.items[0]?.merchant_id);
    return this.pages.send(request, reply, {
      title: 'Journal',
      section: 'journal',
      merchantId,
      actions: this.pages.csvLink('journal', { MerchantId, Currency, Account, DateFrom, DateTo, EventId, Order }),
      content: journalPage(this.pages, query, { mode: this.pages.modeOf(request, merchantId), page, totals }),
    });
  }

  @Get('journal.csv')
  async journalFile(@Query() query: JournalQuery, @Exchange() { request, reply }: HttpExchange): Promise<Readable | ''> {
    return answerCsv(this.streams, request, reply, this.journalOf(request, query), { After: query.After });
  }

  private journalOf(request: FastifyRequest, query: JournalQuery) {
    const { EventId: event_id, Order } = query;
    return journalList(this.pool, { ...this.selection(request, query), event_id, is_descending: Order !== 'oldest' });
  }

  private selection(request: FastifyRequest, { MerchantId, Currency, Account, DateFrom, DateTo, EventId }: JournalQuery) {
    return {
      // All lines of an event have the same mode, so no mode is needed.
      mode: EventId === undefined ? this.pages.modeOf(request, MerchantId) : undefined,
      merchant_id: MerchantId,
      currency: Currency,
      account: Account,
      date_from: startOfDay('DateFrom', DateFrom),
      date_to: endOfDay('DateTo', DateTo),
    };
  }
}
