import { Controller, Get, Inject, Query, Req, UseInterceptors } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { findMessages } from '../../../projections/webhooks/outbox-reads.js';
import { EvidenceStore } from '../charges/disputes/evidence-store.js';
import { KeyWrapping } from '../../ledger/crypto/key-wrapping.js';
import { Caller, RequireScope, type MerchantCaller } from '../../platform/http/edge/access.js';
import { ProjectionWatch } from '../../platform/projector/projection-watch.js';
import { Reads } from '../../platform/http/reads.js';
import { LedgerReads } from '../../platform/projector/read-your-writes.js';
import { MERCHANT_TERMS, type MerchantTerms } from '../../ledger/ports/merchant-terms.js';
import { EVENT_KINDS } from '../../ledger/published/outbox-messages.js';
import { render, type EventBody } from './rendering.js';
import { EventDto, ListEventsQuery } from './webhooks.dto.js';
import { Operation } from '../../platform/http/openapi/openapi.js';

/** Projections that this route reads in addition to the ledger. Each has its own lag. */
const OTHER_PROJECTIONS = ['outbox', 'customers'];
/** Maximum wait, ms, the same as that of a write for the ledger. The response marks a longer lag. */
const CAUGHT_UP_WITHIN_MS = 500;

@ApiTags('Webhooks')
@Controller('v1/events')
@UseInterceptors(LedgerReads)
export class EventsController {
  constructor(
    private readonly reads: Reads,
    @Inject(KeyWrapping) private readonly wrapping: KeyWrapping,
    private readonly evidence: EvidenceStore,
    @Inject(MERCHANT_TERMS) private readonly terms: MerchantTerms,
    @Inject(ProjectionWatch) private readonly watch: ProjectionWatch,
  ) {}

  @Get()
  @RequireScope('events:read')
  @Operation('listEvents', 'List events', 'The events that the web-hook delivers, in sequence, from any age. Use it to catch up.')
  @ApiOkResponse({ type: [EventDto] })
  async list(@Query() query: ListEventsQuery, @Caller() { merchant_id }: MerchantCaller, @Req() request: FastifyRequest): Promise<EventBody[]> {
    await this.catchUp();
    const kind = EVENT_KINDS.find((each) => each.toUpperCase() === query.Type);
    return this.reads.read(request, async (pool) => {
      const messages = await findMessages(pool, merchant_id, query.After, kind, query.PageSize);
      const { wrapping, evidence } = this;
      return render({ pool, wrapping, evidence, merchantCreatedOn: (id) => this.terms.merchantCreatedOn(id)! }, messages);
    });
  }

  /** Waits for the messages of all events that the ledger's projection had applied when the request arrived. */
  private async catchUp(): Promise<void> {
    const ledger = this.watch.current('ledger');
    if (!ledger) return;
    await Promise.all(OTHER_PROJECTIONS.map((name) => this.watch.waitFor(name, ledger.position, CAUGHT_UP_WITHIN_MS)));
  }
}
