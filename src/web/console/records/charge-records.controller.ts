import { Controller, Get, Inject, Param, UseFilters, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Pool } from 'pg';
import { findChargeById } from '../../../../projections/charges/charge-reads.js';
import { findDisputeById } from '../../../../projections/disputes/dispute-reads.js';
import { findRefundsById } from '../../../../projections/refunds/refund-reads.js';
import { EventIndexReads } from '../../finance-api/event-index-reads.js';
import { COMMON_CLOCK, FINANCE_POOL } from '../../../ledger/ports/injection-tokens.js';
import type { Clock } from '../../../ledger/time.js';
import { SignedIn, Exchange, type HttpExchange } from '../../../platform/http/edge/access.js';
import { EVENT_STORE, type EventStore } from '../../../platform/event-store/event-store.js';
import { mustExist, RecordId } from '../../../platform/http/record-id.js';
import { LedgerReads } from '../../../platform/projector/read-your-writes.js';
import { timeLimit } from '../../../platform/async/waiting.js';
import { findHistoryOf } from './charge-records.js';
import { ConsoleFilter } from '../shared/console.filter.js';
import { ConsolePages } from '../shared/console-pages.js';
import { disputePage, disputeTitle } from './dispute-page.js';
import { findRecordLines, linesOfEvents } from './record-lines.js';
import { refundPage, refundTitle } from './refund-page.js';

/** Records in the stream of a charge: refunds and disputes. */
@ApiExcludeController()
@SignedIn()
@Controller('console')
@UseFilters(ConsoleFilter)
@UseInterceptors(EventIndexReads, LedgerReads)
export class ConsoleChargeRecordsController {
  constructor(
    @Inject(FINANCE_POOL) private readonly pool: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(COMMON_CLOCK) private readonly clock: Clock,
    private readonly pages: ConsolePages,
  ) {}

  @Get('disputes/:id')
  async dispute(@Param('id', RecordId) id: string, @Exchange() { request, reply }: HttpExchange): Promise<string> {
    const dispute = mustExist(await findDisputeById(this.pool, id));
    const content = disputePage(this.pages, { dispute, ...(await this.around(dispute)), now: this.clock() });
    return this.pages.send(request, reply, { title: disputeTitle(dispute), section: 'disputes', merchantId: dispute.merchant_id, content });
  }

  @Get('refunds/:id')
  async refund(@Param('id', RecordId) id: string, @Exchange() { request, reply }: HttpExchange): Promise<string> {
    const refund = mustExist((await findRefundsById(this.pool, [id]))[0]);
    const content = refundPage(this.pages, { refund, ...(await this.around(refund)) });
    return this.pages.send(request, reply, { title: refundTitle(refund), section: 'refunds', merchantId: refund.merchant_id, content });
  }

  private async around({ id, charge_id }: { readonly id: string; readonly charge_id: string }) {
    const sources = { pool: this.pool, store: this.store };
    const [charge, history, ofCharge] = await Promise.all([
      findChargeById(this.pool, charge_id),
      findHistoryOf(sources, charge_id, id, timeLimit(5_000)),
      findRecordLines(this.pool, { charge_id }, this.clock()),
    ]);
    return { chargeCode: charge?.code, history, lines: linesOfEvents(ofCharge, history.items) };
  }
}
