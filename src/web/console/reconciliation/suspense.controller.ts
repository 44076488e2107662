import type { Readable } from 'node:stream';
import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query, UseFilters, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import { findOpenProposal } from '../../../../projections/approvals/proposals.js';
import { findChargeCodes } from '../../../../projections/charges/charge-reads.js';
import { findSuspenseAges } from '../../../../projections/approvals/suspense.js';
import { findTrialTotals } from '../../../../projections/balances/trial-balance.js';
import { findItemLine } from '../../../../projections/reconciliation/days/day-row-reads.js';
import { suspenseList } from '../../finance-api/approvals/suspense-lists.js';
import type { SuspenseItemDto } from '../../finance-api/approvals/suspense.dto.js';
import { COMMON_CLOCK, FINANCE_POOL } from '../../../ledger/ports/injection-tokens.js';
import { timestamp, type Clock } from '../../../ledger/time.js';
import { html } from '../../../platform/html/html.js';
import { SignedIn, Exchange, type HttpExchange } from '../../../platform/http/edge/access.js';
import { answerCsv } from '../../../platform/http/answer-list.js';
import { OpenStreams } from '../../../platform/http/edge/open-streams.js';
import { noSuchRecord, RecordId } from '../../../platform/http/record-id.js';
import { TakesForms } from '../../../platform/http/edge/route-policy.js';
import { LedgerReads } from '../../../platform/projector/read-your-writes.js';
import { timeLimit } from '../../../platform/async/waiting.js';
import { pendingField } from '../approvals/pending-proposal.js';
import { ConsoleFilter } from '../shared/console.filter.js';
import { ConsolePages } from '../shared/console-pages.js';
import { SuspenseItemsQuery } from '../shared/console.dto.js';
import { AdjustItemForm } from '../approvals/forms.dto.js';
import { currencyField, listPage, merchantField, orderField, orderSort, PAGE_RECORDS } from '../shared/list-page.js';
import { OperatorActions } from '../shared/operator-actions.js';
import { ProposalForms } from '../approvals/proposal-forms.js';
import { adjustmentOf, itemSubject, suspenseItemPage } from './suspense-item-page.js';
import { howToResolve, suspenseCharts, suspenseSums, suspenseTable } from './suspense-page.js';

/** Items in suspense, money without a known owner, and proposals about them. */
@ApiExcludeController()
@SignedIn()
@Controller('console')
@UseFilters(ConsoleFilter)
@UseInterceptors(LedgerReads)
export class ConsoleSuspenseController {
  constructor(
    @Inject(FINANCE_POOL) private readonly pool: Pool,
    @Inject(COMMON_CLOCK) private readonly clock: Clock,
    private readonly streams: OpenStreams,
    private readonly acts: OperatorActions,
    private readonly proposals: ProposalForms,
    private readonly pages: ConsolePages,
  ) {}

  @Get('suspense')
  async suspense(@Query() query: SuspenseItemsQuery, @Exchange() { request, reply }: HttpExchange): Promise<string> {
    const { MerchantId, Currency, Status, Proposal, Order, After } = query;
    const asked = { MerchantId, Currency, Status, Proposal, Order };
    const mode = this.pages.modeOf(request, MerchantId);
    const [found, ages, books] = await Promise.all([
      this.#list(request, query).page(After, PAGE_RECORDS, timeLimit(5_000)),
      findSuspenseAges(this.pool, mode, timestamp(this.clock())),
      findTrialTotals(this.pool, { mode }),
    ]);
    return this.pages.send(request, reply, {
      title: 'Suspense',
      section: 'suspense',
      merchantId: MerchantId,
      actions: this.pages.csvLink('suspense', asked),
      content: html`${listPage(this.pages, {
        path: 'suspense',
        asked,
        fields: [
          merchantField(this.pages, mode, MerchantId),
          currencyField(Currency),
          {
            name: 'Status',
            label: 'Status',
            value: Status,
            options: [
              ['OPEN', 'Open'],
              ['ALL', 'Resolved ones, too'],
            ],
          },
          pendingField(Proposal),
          orderField(Order),
        ],
        found,
        content: html`${suspenseSums(this.pages, ages, books)}
        ${suspenseTable(this.pages, found.items, Order, orderSort(this.pages.links, 'suspense', asked))}`,
        cursor: 'After',
        at: After,
        hint: howToResolve(),
      })}
      ${suspenseCharts(ages)}`,
    });
  }

  @Get('suspense/:id')
  async item(@Param('id', RecordId) id: string, @Exchange() { request, reply }: HttpExchange): Promise<string> {
    const item = await this.#find(id);
    const line = item.source === null ? undefined : await findItemLine(this.pool, id);
    const pending = item.pending_proposal_id === null ? undefined : await findOpenProposal(this.pool, id);
    const chargeCode = (await findChargeCodes(this.pool, [item])).values().next().value;
    const [operator, token] = [this.acts.findOperator(request), this.acts.tokenFor(request, itemSubject(item))];
    return this.pages.send(request, reply, {
      title: 'Item in suspense',
      section: 'suspense',
      mode: item.mode,
      content: suspenseItemPage(this.pages, { item, chargeCode, line, pending, operator, token }),
    });
  }

  @Post('suspense/:id')
  @HttpCode(303)
  @TakesForms()
  async propose(@Param('id', RecordId) id: string, @Body() form: AdjustItemForm, @Exchange() exchange: HttpExchange): Promise<string> {
    const item = await this.#find(id);
    const content = { ...adjustmentOf(item, form) };
    return this.proposals.propose({ ...exchange, subject: itemSubject(item), form, kind: 'ADJUSTMENT', content });
  }

  @Get('suspense.csv')
  suspenseFile(@Query() query: SuspenseItemsQuery, @Exchange() { request, reply }: HttpExchange): Promise<Readable | ''> {
    const { name, page, csv } = this.#list(request, query);
    return answerCsv(this.streams, request, reply, { name, page, csv: csv! });
  }

  async #find(id: string): Promise<SuspenseItemDto> {
    const { items } = await suspenseList(this.pool, { id }, this.clock()).page(undefined, 1, timeLimit(5_000));
    if (!items[0]) throw noSuchRecord();
    return items[0];
  }

  #list(request: FastifyRequest, { MerchantId, Currency, Status, Proposal: proposal, Order }: SuspenseItemsQuery) {
    const mode = this.pages.modeOf(request, MerchantId);
    const of = { mode, merchant_id: MerchantId, currency: Currency, proposal, is_descending: Order === 'newest' };
    return suspenseList(this.pool, { ...of, ...(Status === 'OPEN' && { is_open: true }) }, this.clock());
  }
}
