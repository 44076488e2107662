import type { Readable } from 'node:stream';
import { Controller, Get, Inject, Query, UseFilters, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import { findExceptionalPayments, type ExceptionalPayment } from '../../../../projections/audit/exceptional-payments.js';
import { EventIndexReads } from '../../finance-api/event-index-reads.js';
import { findNewestEvents } from '../../finance-api/find-events.js';
import { SCHEMA_VERSIONS } from '../../../ledger/catalogue.js';
import { FINANCE_POOL } from '../../../ledger/ports/injection-tokens.js';
import type { ShownEvent } from '../../../ledger/published/shown-event.js';
import { html } from '../../../platform/html/html.js';
import { SignedIn, Exchange, type HttpExchange } from '../../../platform/http/edge/access.js';
import { answerCsv, type ListPage } from '../../../platform/http/answer-list.js';
import { NotInThePast } from '../../../platform/http/edge/route-policy.js';
import { OpenStreams } from '../../../platform/http/edge/open-streams.js';
import { EVENT_STORE, type EventStore } from '../../../platform/event-store/event-store.js';
import { invalid } from '../../../platform/http/validation/validation.js';
import type { Problem } from '../../../platform/problem.js';
import { findEndpointStates, findNewestDeliveries, type Delivery } from '../../../domain/webhooks/delivery-log.js';
import { LedgerReads } from '../../../platform/projector/read-your-writes.js';
import { timeLimit } from '../../../platform/async/waiting.js';
import { ConsoleFilter } from '../shared/console.filter.js';
import { ConsolePages } from '../shared/console-pages.js';
import { AllEventsQuery, DeliveriesQuery, DELIVERY_STATUSES, EndpointsQuery, PaymentsQuery } from '../shared/console.dto.js';
import { deliveryTable, endpointTable, eventTable } from './activity-tables.js';
import { table } from '../shared/components.js';
import { ExceptionReads } from './exceptions.js';
import { exceptionsPage, PAYMENT_COLUMNS, paymentCells } from './exceptions-page.js';
import { choice, listPage, merchantField, PAGE_RECORDS } from '../shared/list-page.js';
import { deliveryCsv, eventCsv, paymentCsv } from '../records/list-csv.js';

/** Maximum number of deliveries that are read for a page with a single status. */
const DELIVERIES_LOOKED_AT = 1_000;
/** Maximum number of endpoints on the page. Each merchant has at most one. */
const ENDPOINTS_MAX = 500;

/** Pages of events, deliveries and exceptions. */
@ApiExcludeController()
@SignedIn()
@Controller('console')
@UseFilters(ConsoleFilter)
@UseInterceptors(EventIndexReads, LedgerReads)
export class ConsoleActivityController {
  constructor(
    @Inject(FINANCE_POOL) private readonly pool: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly exceptionReads: ExceptionReads,
    private readonly streams: OpenStreams,
    private readonly pages: ConsolePages,
  ) {}

  @Get('exceptions')
  async exceptions(@Exchange() { request, reply }: HttpExchange): Promise<string> {
    const content = exceptionsPage(this.pages, await this.exceptionReads.find(this.pages.modeOf(request)));
    return this.pages.send(request, reply, { title: 'Exceptions', section: 'exceptions', content });
  }

  /** Unmatched and late payments. */
  @Get('payments')
  async payments(@Query() query: PaymentsQuery, @Exchange() { request, reply }: HttpExchange): Promise<string> {
    const { MerchantId, Kind, Before } = query;
    const found = await this.paymentsPage(request, query, Before, PAGE_RECORDS);
    const asked = { MerchantId, Kind };
    return this.pages.send(request, reply, {
      title: 'Unmatched and late payments',
      section: 'exceptions',
      merchantId: MerchantId,
      actions: this.pages.csvLink('payments', asked),
      content: listPage(this.pages, {
        path: 'payments',
        asked,
        fields: [
          merchantField(this.pages, this.pages.modeOf(request, MerchantId), MerchantId),
          choice('Kind', 'Kind', Kind, ['unmatched', 'late'], 'Both'),
        ],
        found,
        content: table(
          'Payments, the last received first',
          PAYMENT_COLUMNS,
          found.items.map((payment) => paymentCells(this.pages, payment)),
          'No payment matches.',
        ),
        cursor: 'Before',
        at: Before,
      }),
    });
  }

  @Get('payments.csv')
  paymentsFile(@Query() query: PaymentsQuery, @Exchange() { request, reply }: HttpExchange): Promise<Readable | ''> {
    return answerCsv(this.streams, request, reply, {
      name: 'payments',
      page: (before: number | undefined, limit) => this.paymentsPage(request, query, before, limit),
      csv: paymentCsv,
    });
  }

  @Get('events')
  async events(@Query() query: AllEventsQuery, @Exchange() { request, reply }: HttpExchange): Promise<string> {
    const { MerchantId, Type, Stream, Before } = query;
    if (Stream !== undefined) {
      void reply.code(303).header('location', this.pages.links.history(Stream, { Type }));
      return '';
    }
    const found = await this.eventsPage(request, query, Before, PAGE_RECORDS, timeLimit(5_000));
    const asked = { MerchantId, Type };
    return this.pages.send(request, reply, {
      title: 'Events',
      section: 'events',
      merchantId: MerchantId,
      actions: this.pages.csvLink('events', asked),
      content: listPage(this.pages, {
        path: 'events',
        asked,
        fields: [
          merchantField(this.pages, this.pages.modeOf(request, MerchantId), MerchantId),
          choice('Type', 'Type', Type, Object.keys(SCHEMA_VERSIONS).sort(), 'All'),
          { name: 'Stream', label: 'Stream', value: undefined, placeholder: 'charge-…' },
        ],
        found,
        content: eventTable(this.pages, found.items),
        cursor: 'Before',
        at: Before,
      }),
    });
  }

  @Get('events.csv')
  eventsFile(@Query() query: AllEventsQuery, @Exchange() { request, reply }: HttpExchange): Promise<Readable | ''> {
    return answerCsv(this.streams, request, reply, {
      name: 'events',
      page: (before: number | undefined, limit, signal) => this.eventsPage(request, query, before, limit, signal),
      csv: eventCsv,
    });
  }

  @Get('webhooks')
  @NotInThePast()
  async webhooks(@Query() { State }: EndpointsQuery, @Exchange() { request, reply }: HttpExchange): Promise<string> {
    const items = await findEndpointStates(this.pool, { mode: this.pages.modeOf(request), isFailing: State !== undefined, limit: ENDPOINTS_MAX });
    return this.pages.send(request, reply, {
      title: 'Webhooks',
      section: 'webhooks',
      content: listPage(this.pages, {
        path: 'webhooks',
        asked: { State },
        fields: [choice('State', 'State', State, ['FAILING'], 'All')],
        found: { items, next_after: null },
        content: endpointTable(this.pages, items, State !== undefined),
        cursor: 'After',
        at: undefined,
        ...(items.length === ENDPOINTS_MAX
          ? { hint: html`These are the first ${ENDPOINTS_MAX}. A merchant’s own page leads to its deliveries.` }
          : {}),
      }),
    });
  }

  @Get('deliveries')
  @NotInThePast()
  async deliveries(@Query() query: DeliveriesQuery, @Exchange() { request, reply }: HttpExchange): Promise<string> {
    const { MerchantId, Status, After } = query;
    const found = MerchantId === undefined ? { items: [], next_after: null } : await this.deliveriesPage(query, After, PAGE_RECORDS);
    const asked = { MerchantId, Status };
    const empty = MerchantId === undefined ? 'Choose a merchant: each has its own deliveries.' : 'No delivery matches.';
    return this.pages.send(request, reply, {
      title: 'Deliveries of webhooks',
      section: 'webhooks',
      merchantId: MerchantId,
      ...(MerchantId === undefined ? {} : { actions: this.pages.csvLink('deliveries', asked) }),
      content: listPage(this.pages, {
        path: 'deliveries',
        asked,
        fields: [
          merchantField(this.pages, this.pages.modeOf(request, MerchantId), MerchantId),
          choice('Status', 'Status', Status, DELIVERY_STATUSES, 'All'),
        ],
        found,
        content: deliveryTable(this.pages, MerchantId ?? '', found.items, empty),
        cursor: 'After',
        at: After,
      }),
    });
  }

  @Get('deliveries.csv')
  @NotInThePast()
  deliveriesFile(@Query() query: DeliveriesQuery, @Exchange() { request, reply }: HttpExchange): Promise<Readable | ''> {
    if (query.MerchantId === undefined) throw noSuch('MerchantId', 'Choose a merchant.');
    return answerCsv(this.streams, request, reply, {
      name: 'deliveries',
      page: (after: string | undefined, limit) => this.deliveriesPage(query, after, limit),
      csv: deliveryCsv,
    });
  }

  private async paymentsPage(
    request: FastifyRequest,
    { MerchantId, Kind }: PaymentsQuery,
    before: number | undefined,
    limit: number,
  ): Promise<ListPage<ExceptionalPayment, number>> {
    const found = await findExceptionalPayments(this.pool, {
      mode: this.pages.modeOf(request, MerchantId),
      merchant_id: MerchantId,
      kind: Kind,
      before,
      limit: limit + 1,
    });
    const items = found.slice(0, limit);
    return { items, next_after: found.length > limit ? items.at(-1)!.ordinal : null };
  }

  private eventsPage(
    request: FastifyRequest,
    { MerchantId, Type }: AllEventsQuery,
    before: number | undefined,
    limit: number,
    signal: AbortSignal,
  ): Promise<ListPage<ShownEvent, number>> {
    const asked = { mode: this.pages.modeOf(request, MerchantId), merchant_id: MerchantId, type: Type, before, limit };
    return findNewestEvents({ pool: this.pool, store: this.store }, asked, signal);
  }

  private async deliveriesPage(
    { MerchantId, Status }: DeliveriesQuery,
    after: string | undefined,
    limit: number,
  ): Promise<ListPage<Delivery, string>> {
    const size = Status === undefined ? limit : DELIVERIES_LOOKED_AT;
    const found = await findNewestDeliveries(this.pool, MerchantId!, { status: Status, after, limit: size });
    if (!found) throw noSuch('After', 'There is no such delivery.');
    return found.items.length > limit
      ? { items: found.items.slice(0, limit), next_after: found.items[limit - 1]!.id }
      : { items: found.items, next_after: found.last };
  }
}

function noSuch(parameter: string, detail: string): Problem {
  return invalid('query', [{ at: parameter, code: 'unknown-value', detail }]);
}
