import { Controller, Get, Inject, Query, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Pool } from 'pg';
import { findLastOrdinal } from '../../../projections/audit/event-index.js';
import { FINANCE_POOL } from '../../ledger/ports/injection-tokens.js';
import type { ShownEvent } from '../../ledger/published/shown-event.js';
import { FinanceOnly, Exchange, type HttpExchange } from '../../platform/http/edge/access.js';
import { EVENT_STORE, type EventStore } from '../../platform/event-store/event-store.js';
import { answerList, type PagedList } from '../../platform/http/answer-list.js';
import { OpenStreams } from '../../platform/http/edge/open-streams.js';
import { ApiAnswerForms, Operation } from '../../platform/http/openapi/openapi.js';
import { ReadYourWrites } from '../../platform/projector/read-your-writes.js';
import { AuditEventDto, AuditEventPageDto, ListAuditEventsQuery } from './audit-events.dto.js';
import { EventIndexReads } from './event-index-reads.js';
import { findEvents } from './find-events.js';

@ApiTags('Audit')
@Controller('audit/events')
@FinanceOnly()
@UseInterceptors(EventIndexReads)
export class AuditEventsController {
  constructor(
    @Inject(FINANCE_POOL) private readonly pool: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly streams: OpenStreams,
    private readonly consistency: ReadYourWrites,
  ) {}

  @Get()
  @Operation(
    'listAuditEvents',
    'List events',
    'All events in the order of the log. Hashes of keys and personal data are sealed. A page of large events may be shorter than Limit: continue after next_after.',
  )
  @ApiAnswerForms({ json: AuditEventPageDto, ndjsonLine: AuditEventDto })
  async list(@Query() query: ListAuditEventsQuery, @Exchange() { request, reply }: HttpExchange) {
    // The mode of a merchant is in the ledger projection.
    if (query.Mode !== undefined) await this.consistency.reading(request, reply);
    const asked = { mode: query.Mode, stream: query.Stream, type: query.Type, merchant_id: query.MerchantId };
    const list: PagedList<ShownEvent, number> = {
      name: 'events',
      end: () => findLastOrdinal(this.pool),
      page: (after = 0, limit, signal, until) => findEvents({ pool: this.pool, store: this.store }, { ...asked, after, until, limit }, signal),
    };
    return answerList(this.streams, request, reply, list, query);
  }
}
