import { Controller, Get, Inject, Query, Req, Res, UseFilters, UseGuards, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import { findCharges } from '../../projections/charge-list.js';
import { findChargeById } from '../../projections/charges.js';
import { findPayoutsById } from '../../projections/payouts.js';
import { findSettlement } from '../../projections/settlements.js';
import { findLeaf } from '../audit/chain.js';
import { chargeStream } from '../charges/charge.events.js';
import { READ_POOL } from '../core.js';
import { customerStream } from '../customers/customer.events.js';
import { KnownMerchants } from '../merchants/known-merchants.js';
import { payoutStream } from '../payouts/payout.events.js';
import { Public } from '../platform/auth/access.js';
import { EVENT_STORE, type EventStore } from '../platform/event-store/event-store.js';
import { parseUuid } from '../platform/http/fields.js';
import { LedgerReads } from '../platform/projector/read-your-writes.js';
import { ConsoleFilter } from './console.filter.js';
import { ConsolePages } from './console-pages.js';
import { SearchQuery } from './console.dto.js';
import { searchPage, type FoundCharge } from './search-page.js';
import { SessionGuard } from './session-guard.js';

/** Charges have no index across merchants: one after the other is searched until this is over, ms. */
const MERCHANTS_WITHIN_MS = 120;
const FOUND_MAX = 50;
const OF_A_MERCHANT = { page_number: 1, page_size: 20, order_by: 'created_on', is_descending: true } as const;

@ApiExcludeController()
@Public()
@Controller('console/search')
@UseFilters(ConsoleFilter)
@UseGuards(SessionGuard)
@UseInterceptors(LedgerReads)
export class ConsoleSearchController {
  constructor(
    @Inject(READ_POOL) private readonly pool: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly known: KnownMerchants,
    private readonly pages: ConsolePages,
  ) {}

  @Get()
  async search(@Query() query: SearchQuery, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const text = query.Text?.trim() ?? '';
    const id = parseUuid(text);
    const address = id === undefined ? undefined : await this.addressOf(id);
    if (address !== undefined) {
      void reply.code(303).header('location', address);
      return '';
    }
    const { charges, searched, left } =
      text === '' || id !== undefined ? { charges: [], searched: 0, left: null } : await this.charges(text, query.MerchantId);
    const content = searchPage(this.pages, { query, text, isId: id !== undefined, charges, searched, left });
    return this.pages.send(request, reply, { title: 'Search', searched: text, content });
  }

  /** Where the record or event with this id is shown. */
  private async addressOf(id: string): Promise<string | undefined> {
    const { links } = this.pages;
    if (this.known.merchant(id)) return links.merchant(id);
    const [charge, [payout], settlement, [customer], event] = await Promise.all([
      findChargeById(this.pool, id),
      findPayoutsById(this.pool, [id]),
      findSettlement(this.pool, id),
      this.store.read(customerStream(id), { limit: 1 }),
      findLeaf(this.pool, id),
    ]);
    if (charge) return links.history(chargeStream(id));
    if (payout) return links.history(payoutStream(id));
    if (settlement) return links.settlement(id);
    if (customer) return links.history(customerStream(id));
    return event && links.event(event.leaf_index + 1);
  }

  /** Charges whose code, reference or description holds `text`. `left`: the first merchant that there was no time for. */
  private async charges(text: string, merchantId: string | undefined): Promise<{ charges: FoundCharge[]; searched: number; left: string | null }> {
    const began = performance.now();
    const charges: FoundCharge[] = [];
    let searched = 0;
    for (const merchant of merchantId === undefined ? this.known.merchants() : [this.known.merchant(merchantId)]) {
      if (!merchant) break;
      if (charges.length >= FOUND_MAX || (searched > 0 && performance.now() - began > MERCHANTS_WITHIN_MS))
        return { charges, searched, left: merchant.id };
      const { items } = await findCharges(this.pool, merchant.id, { ...OF_A_MERCHANT, search_text: text });
      charges.push(...items);
      searched += 1;
    }
    return { charges, searched, left: null };
  }
}
