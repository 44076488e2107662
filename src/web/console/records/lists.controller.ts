import type { Readable } from 'node:stream';
import { Controller, Get, Inject, Query, UseFilters, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import { findCharges, sumCharges } from '../../../../projections/charges/charge-list.js';
import { findChargeCodes } from '../../../../projections/charges/charge-reads.js';
import { findDisputes, findOpenDisputes, sumDisputes } from '../../../../projections/disputes/dispute-reads.js';
import { DISPUTE_STATUSES } from '../../../../projections/disputes/disputes.js';
import { sumPayouts } from '../../../../projections/payouts/payout-lists.js';
import { findPayouts, type Payout } from '../../../../projections/payouts/payouts.js';
import { findRefunds, sumRefunds } from '../../../../projections/refunds/refund-reads.js';
import { REFUND_STATUSES } from '../../../../projections/refunds/refunds.js';
import { findSettlements, sumSettlements } from '../../../../projections/settlements/settlements.js';
import { disputeCsv, refundCsv } from '../../finance-api/audit-csv.js';
import { EventIndexReads } from '../../finance-api/event-index-reads.js';
import { CHANNELS } from '../../../ledger/channels.js';
import { COMMON_CLOCK, FINANCE_POOL } from '../../../ledger/ports/injection-tokens.js';
import type { Clock } from '../../../ledger/time.js';
import type { Html } from '../../../platform/html/html.js';
import { PAYOUT_STATUSES } from '../../../domain/payouts/payouts.dto.js';
import { PENDING_REASONS } from '../../../domain/payouts/pending-reason.js';
import { SignedIn, Exchange, type HttpExchange } from '../../../platform/http/edge/access.js';
import { answerCsv, type Csv, type ListPage } from '../../../platform/http/answer-list.js';
import { OpenStreams } from '../../../platform/http/edge/open-streams.js';
import type { Field } from '../shared/components.js';
import { LedgerReads } from '../../../platform/projector/read-your-writes.js';
import { ConsoleFilter } from '../shared/console.filter.js';
import { ConsolePages } from '../shared/console-pages.js';
import {
  startOfDay,
  CHARGE_STATUSES,
  ChargesQuery,
  DisputesQuery,
  PayoutsQuery,
  RecordsQuery,
  RefundsQuery,
  SETTLEMENT_STATES,
  SettlementsQuery,
} from '../shared/console.dto.js';
import { choice, currencyField, dayFields, listPage, merchantField, PAGE_RECORDS, pageOf, type Found } from '../shared/list-page.js';
import { chargeCsv, customerCsv, payoutCsv, settlementCsv } from './list-csv.js';
import {
  chargeFilter,
  chargesKind,
  customersKind,
  disputeFilter,
  disputesKind,
  findWaitingPayouts,
  payoutFilter,
  payoutsKind,
  refundFilter,
  refundsKind,
  settlementFilter,
  settlementsKind,
  type ShownPayout,
} from './lists.js';
import { chargeFilterOf, chargeOrder, chargeSort, disputeFilterOf, payoutFilterOf, refundFilterOf } from './list-filters.js';
import { findNewest, type Kind, type NewestQuery } from './newest.js';
import { chargeTable, customerTable, disputeTable, idsOf, payoutTable, refundTable, settlementTable } from './record-tables.js';
import { SECTIONS, type Section } from '../shared/layout.js';

/** The common parts of a list: its query, its page, and its file. */
interface List<Row> {
  readonly section: Section;
  readonly query: RecordsQuery;
  /** Filters of the query that the pages and the file share. */
  readonly asked: Readonly<Record<string, string | undefined>>;
  /** Returns a page of the records of all merchants. */
  readonly page: (before: number | undefined, limit: number) => Promise<ListPage<Row, number>>;
  readonly csv: Csv<Row>;
}

/** Lists of records: of all merchants with the newest first, or of one merchant with numbered pages. Each list is also a file. */
@ApiExcludeController()
@SignedIn()
@Controller('console')
@UseFilters(ConsoleFilter)
@UseInterceptors(EventIndexReads, LedgerReads)
export class ConsoleListsController {
  constructor(
    @Inject(FINANCE_POOL) private readonly pool: Pool,
    @Inject(COMMON_CLOCK) private readonly clock: Clock,
    private readonly streams: OpenStreams,
    private readonly pages: ConsolePages,
  ) {}

  @Get('charges')
  async charges(@Query() query: ChargesQuery, @Exchange() { request, reply }: HttpExchange): Promise<string> {
    const { MerchantId, PageNumber, Id, ChannelCode, Status, SearchText, OrderBy } = query;
    const list = this.chargeList(request, query);
    const order_by = OrderBy.toLowerCase() as Lowercase<typeof OrderBy>;
    const found =
      MerchantId === undefined
        ? await this.newestOf(list)
        : await pageOf(await findCharges(this.pool, MerchantId, { ...chargeFilterOf(query), ...pageAt(PageNumber), order_by }), PageNumber, () =>
            sumCharges(this.pool, MerchantId, chargeFilterOf(query)),
          );
    const fields = [
      choice('Status', 'Status', Status, CHARGE_STATUSES, 'All'),
      {
        name: 'ChannelCode',
        label: 'Channel',
        value: ChannelCode,
        options: [['', 'All'] as const, ...CHANNELS.map(({ code, name }) => [code, name] as const)],
      },
      currencyField(query.Currency),
      ...dayFields(query),
      { name: 'SearchText', label: 'Code, reference or text', value: SearchText },
      { name: 'Id', label: 'Id', value: Id },
      ...(MerchantId === undefined ? [] : [choice('OrderBy', 'Highest first by', OrderBy, ['CREATED_ON', 'AMOUNT', 'STATUS'], 'CREATED_ON')]),
    ];
    const disputes = await findOpenDisputes(this.pool, idsOf(found.items));
    const order = { caption: `Charges, ${chargeOrder(query)}`, sort: chargeSort(this.pages.links, query, list.asked) };
    const content = chargeTable(this.pages, found.items, { ...order, empty: 'No charge matches.', disputes });
    return this.show(request, reply, list, found, fields, content);
  }

  @Get('charges.csv')
  chargesFile(@Query() query: ChargesQuery, @Exchange() { request, reply }: HttpExchange): Promise<Readable | ''> {
    return this.file(request, reply, this.chargeList(request, query));
  }

  @Get('refunds')
  async refunds(@Query() query: RefundsQuery, @Exchange() { request, reply }: HttpExchange): Promise<string> {
    const { MerchantId, PageNumber, Status, ChargeId } = query;
    const list = this.refundList(request, query);
    const found =
      MerchantId === undefined
        ? await this.newestOf(list)
        : await pageOf(await findRefunds(this.pool, MerchantId, { ...refundFilterOf(query), ...pageAt(PageNumber) }), PageNumber, () =>
            sumRefunds(this.pool, MerchantId, refundFilterOf(query)),
          );
    const fields = [
      choice('Status', 'Status', Status, REFUND_STATUSES, 'All'),
      currencyField(query.Currency),
      ...dayFields(query),
      { name: 'ChargeId', label: 'Id of the charge', value: ChargeId },
    ];
    const codes = await findChargeCodes(this.pool, found.items);
    const content = refundTable(this.pages, found.items, { caption: 'Refunds, the newest first', empty: 'No refund matches.', codes });
    return this.show(request, reply, list, found, fields, content);
  }

  @Get('refunds.csv')
  refundsFile(@Query() query: RefundsQuery, @Exchange() { request, reply }: HttpExchange): Promise<Readable | ''> {
    return this.file(request, reply, this.refundList(request, query));
  }

  @Get('disputes')
  async disputes(@Query() query: DisputesQuery, @Exchange() { request, reply }: HttpExchange): Promise<string> {
    const { MerchantId, PageNumber, Currency, Status, ChargeId, DueBefore } = query;
    const list = this.disputeList(request, query);
    const found =
      MerchantId === undefined
        ? await this.newestOf(list)
        : await pageOf(await findDisputes(this.pool, MerchantId, { ...disputeFilterOf(query), ...pageAt(PageNumber) }), PageNumber, () =>
            sumDisputes(this.pool, MerchantId, disputeFilterOf(query)),
          );
    const fields = [choice('Status', 'Status', Status, DISPUTE_STATUSES, 'All'), currencyField(Currency), ...dayFields(query)];
    const more = [
      { name: 'DueBefore', label: 'To be answered until', value: DueBefore, type: 'date' as const },
      { name: 'ChargeId', label: 'Id of the charge', value: ChargeId },
    ];
    const about = { codes: await findChargeCodes(this.pool, found.items), now: this.clock() };
    const content = disputeTable(this.pages, found.items, { caption: 'Disputes, the newest first', empty: 'No dispute matches.', ...about });
    return this.show(request, reply, list, found, [...fields, ...more], content);
  }

  @Get('disputes.csv')
  disputesFile(@Query() query: DisputesQuery, @Exchange() { request, reply }: HttpExchange): Promise<Readable | ''> {
    return this.file(request, reply, this.disputeList(request, query));
  }

  @Get('payouts')
  async payouts(@Query() query: PayoutsQuery, @Exchange() { request, reply }: HttpExchange): Promise<string> {
    const { MerchantId, PageNumber, Status, PendingReason } = query;
    const list = this.payoutList(request, query);
    const found =
      MerchantId === undefined || PendingReason !== undefined
        ? await this.newestOf(list)
        : await pageOf(await findPayouts(this.pool, MerchantId, { ...payoutFilterOf(query), ...pageAt(PageNumber) }), PageNumber, () =>
            sumPayouts(this.pool, MerchantId, payoutFilterOf(query)),
          );
    const fields = [
      choice('Status', 'Status', Status, PAYOUT_STATUSES, 'All'),
      choice('PendingReason', 'Waits for', PendingReason, PENDING_REASONS, 'All causes'),
      currencyField(query.Currency),
      ...dayFields(query),
    ];
    const content = payoutTable(this.pages, found.items, { caption: 'Payouts, the newest first', empty: 'No payout matches.' });
    return this.show(request, reply, list, found, fields, content);
  }

  @Get('payouts.csv')
  payoutsFile(@Query() query: PayoutsQuery, @Exchange() { request, reply }: HttpExchange): Promise<Readable | ''> {
    return this.file(request, reply, this.payoutList(request, query));
  }

  @Get('settlements')
  async settlements(@Query() query: SettlementsQuery, @Exchange() { request, reply }: HttpExchange): Promise<string> {
    const { MerchantId, PageNumber, Currency, State } = query;
    const list = this.settlementList(request, query);
    const found =
      MerchantId === undefined || State !== undefined
        ? await this.newestOf(list)
        : await pageOf(await findSettlements(this.pool, MerchantId, { currency: Currency, ...pageAt(PageNumber) }), PageNumber, () =>
            sumSettlements(this.pool, MerchantId, { currency: Currency }),
          );
    const fields = [choice('State', 'State', State, SETTLEMENT_STATES, 'All'), currencyField(Currency)];
    const content = settlementTable(this.pages, found.items, {
      caption: 'Settlements, the newest first',
      empty: 'No settlement matches.',
    });
    return this.show(request, reply, list, found, fields, content);
  }

  @Get('settlements.csv')
  settlementsFile(@Query() query: SettlementsQuery, @Exchange() { request, reply }: HttpExchange): Promise<Readable | ''> {
    return this.file(request, reply, this.settlementList(request, query));
  }

  /** Shows only ids: finance does not see customers' personal data. */
  @Get('customers')
  async customers(@Query() query: RecordsQuery, @Exchange() { request, reply }: HttpExchange): Promise<string> {
    const list = this.customerList(request, query);
    const found = await this.newestOf(list);
    const content = customerTable(this.pages, found.items);
    return this.show(request, reply, list, found, [], content);
  }

  @Get('customers.csv')
  customersFile(@Query() query: RecordsQuery, @Exchange() { request, reply }: HttpExchange): Promise<Readable | ''> {
    return this.file(request, reply, this.customerList(request, query));
  }

  private chargeList(request: FastifyRequest, query: ChargesQuery) {
    const { MerchantId, Id, Currency, ChannelCode, Status, DateFrom, DateTo, SearchText, OrderBy } = query;
    const asked = { MerchantId, Id, Currency, ChannelCode, Status, DateFrom, DateTo, SearchText, ...(OrderBy !== 'CREATED_ON' && { OrderBy }) };
    const newest = this.newestQuery(request, query, chargeFilter(chargeFilterOf(query)));
    return { section: 'charges', query, asked, page: this.newest(chargesKind(this.pool), newest), csv: chargeCsv } as const;
  }

  private refundList(request: FastifyRequest, query: RefundsQuery) {
    const { MerchantId, Currency, Status, ChargeId, DateFrom, DateTo } = query;
    const newest = this.newestQuery(request, query, refundFilter(refundFilterOf(query)));
    const asked = { MerchantId, Currency, Status, ChargeId, DateFrom, DateTo };
    return { section: 'refunds', query, asked, page: this.newest(refundsKind(this.pool), newest), csv: refundCsv } as const;
  }

  private disputeList(request: FastifyRequest, query: DisputesQuery) {
    const { MerchantId, Currency, Status, ChargeId, DateFrom, DateTo, DueBefore } = query;
    const newest = this.newestQuery(request, query, disputeFilter(disputeFilterOf(query)));
    const asked = { MerchantId, Currency, Status, ChargeId, DateFrom, DateTo, DueBefore };
    return { section: 'disputes', query, asked, page: this.newest(disputesKind(this.pool), newest), csv: disputeCsv } as const;
  }

  private payoutList(request: FastifyRequest, query: PayoutsQuery) {
    const { MerchantId, Currency, Status, PendingReason, DateFrom, DateTo } = query;
    const reasonOf = (payout: Payout) => this.pages.pendingReason(payout);
    const newest = this.newestQuery(request, query, payoutFilter({ ...payoutFilterOf(query), pending_reason: PendingReason }));
    const waiting: List<ShownPayout>['page'] = (before, limit) => findWaitingPayouts(this.pool, reasonOf, newest, before, limit);
    const page = PendingReason === undefined ? this.newest(payoutsKind(this.pool, reasonOf), newest) : waiting;
    return { section: 'payouts', query, asked: { MerchantId, Currency, Status, PendingReason, DateFrom, DateTo }, page, csv: payoutCsv } as const;
  }

  private settlementList(request: FastifyRequest, query: SettlementsQuery) {
    const { MerchantId, Currency, State } = query;
    const newest = this.newestQuery(request, query, settlementFilter(Currency, State));
    return {
      section: 'settlements',
      query,
      asked: { MerchantId, Currency, State },
      page: this.newest(settlementsKind(this.pool), newest),
      csv: settlementCsv,
    } as const;
  }

  private customerList(request: FastifyRequest, query: RecordsQuery) {
    const { MerchantId } = query;
    return {
      section: 'customers',
      query,
      asked: { MerchantId },
      page: this.newest(customersKind(this.pool), this.newestQuery(request, query)),
      csv: customerCsv,
    } as const;
  }

  private newestQuery<Row>(
    request: FastifyRequest,
    { MerchantId, DateFrom }: { readonly MerchantId?: string; readonly DateFrom?: string },
    matches?: (row: Row) => boolean,
  ): NewestQuery<Row> {
    return { mode: this.pages.modeOf(request, MerchantId), merchant_id: MerchantId, matches, since: startOfDay('DateFrom', DateFrom) };
  }

  private newest<Row>(kind: Kind<Row>, query: NewestQuery<Row>): List<Row>['page'] {
    return (before, limit) => findNewest(this.pool, kind, query, before, limit);
  }

  private newestOf<Row>({ page, query }: List<Row>): Promise<Found<Row>> {
    return page(query.Before, PAGE_RECORDS);
  }

  private show<Row>(
    request: FastifyRequest,
    reply: FastifyReply,
    { section, query, asked }: List<Row>,
    found: Found<unknown>,
    fields: readonly Field[],
    content: Html,
  ): string {
    const isPaged = found.total !== undefined;
    const isFiltered = Object.values(asked).some((value) => value !== undefined);
    return this.pages.send(request, reply, {
      title: SECTIONS[section],
      section,
      merchantId: query.MerchantId,
      actions: this.pages.csvLink(section, asked),
      content: listPage(this.pages, {
        path: section,
        asked,
        fields: [merchantField(this.pages, this.pages.modeOf(request, query.MerchantId), query.MerchantId), ...fields],
        found,
        content,
        cursor: isPaged ? 'PageNumber' : 'Before',
        at: isPaged ? query.PageNumber : query.Before,
        ...(isFiltered && query.MerchantId === undefined
          ? { hint: 'Choose a merchant for a count of all: across merchants, filters search page by page.' }
          : {}),
      }),
    });
  }

  private file<Row>(request: FastifyRequest, reply: FastifyReply, { section, page, csv }: List<Row>): Promise<Readable | ''> {
    return answerCsv(this.streams, request, reply, { name: section, page, csv });
  }
}

const pageAt = (page_number: number) => ({ page_number, page_size: PAGE_RECORDS, is_descending: true }) as const;
