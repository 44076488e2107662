import { Controller, Get, Inject, Query, UseFilters, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Pool } from 'pg';
import { findProposalsById } from '../../../../projections/approvals/proposals.js';
import { findSuspensePlace } from '../../../../projections/approvals/suspense.js';
import { findBreak } from '../../../../projections/reconciliation/matches/match-reads.js';
import { findStatement } from '../../../../projections/reconciliation/statement-reads.js';
import { findCharges } from '../../../../projections/charges/charge-list.js';
import { findChargeById, findChargesById } from '../../../../projections/charges/charge-reads.js';
import { findPayoutsById, findPayoutsReferenced } from '../../../../projections/payouts/payouts.js';
import { findByAmount, findByReference } from '../../../../projections/reconciliation/found-records.js';
import { findRecordIds, type RecordId } from '../../../../projections/audit/record-ids.js';
import { findChargesNamed } from '../../../../projections/charges/search.js';
import { findDisputeById, findOpenDisputes } from '../../../../projections/disputes/dispute-reads.js';
import { findRefundsById } from '../../../../projections/refunds/refund-reads.js';
import { findSettlement } from '../../../../projections/settlements/settlements.js';
import { findLeaf, findLeavesBetween } from '../../../transparency-log/chain.js';
import { chargeStream } from '../../../ledger/events/charge.events.js';
import { CHAIN_POOL, COMMON_CLOCK, FINANCE_POOL } from '../../../ledger/ports/injection-tokens.js';
import type { Mode } from '../../../ledger/mode.js';
import type { Clock } from '../../../ledger/time.js';
import { customerStream } from '../../../ledger/events/customer.events.js';
import { KnownMerchants } from '../../../domain/merchants/known-merchants.js';
import { payoutStream } from '../../../ledger/events/payout.events.js';
import { SignedIn, Exchange, type HttpExchange } from '../../../platform/http/edge/access.js';
import { EVENT_STORE, type EventStore } from '../../../platform/event-store/event-store.js';
import { parseUuid } from '../../../platform/http/record-id.js';
import { typedAmounts } from '../../../platform/html/typed-amount.js';
import { ReconciliationReads } from '../../../domain/reconciliation/reconciliation-reads.js';
import { LedgerReads } from '../../../platform/projector/read-your-writes.js';
import { ConsoleFilter } from '../shared/console.filter.js';
import { ConsolePages } from '../shared/console-pages.js';
import { breakPage, filePage, proposalPage, suspensePage } from '../shared/links.js';
import { SearchQuery } from '../shared/console.dto.js';
import {
  FOUND_MAX,
  isAnything,
  isBeginningOfCodes,
  NO_RECORDS,
  NOTHING,
  searchPage,
  type Found,
  type FoundId,
  type FoundInside,
} from './search-page.js';
import { idsOf, type ShownCharge } from './record-tables.js';

/** Time for a search across merchants, ms. No index finds the middle of a text across merchants, so they are searched one by one. */
const MERCHANTS_WITHIN_MS = 50;
const OF_A_MERCHANT = { page_number: 1, page_size: 20, order_by: 'created_on', is_descending: true } as const;
/** Beginning of an id, with enough digits to be hardly anything else. */
const ID_BEGINNING = /^[0-9a-f]{8}[0-9a-f-]{0,27}$/i;

@ApiExcludeController()
@SignedIn()
@Controller('console/search')
@UseFilters(ConsoleFilter)
@UseInterceptors(LedgerReads, ReconciliationReads)
export class ConsoleSearchController {
  constructor(
    @Inject(FINANCE_POOL) private readonly pool: Pool,
    @Inject(CHAIN_POOL) private readonly chain: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(COMMON_CLOCK) private readonly clock: Clock,
    private readonly known: KnownMerchants,
    private readonly pages: ConsolePages,
  ) {}

  @Get()
  async search(@Query() query: SearchQuery, @Exchange() { request, reply }: HttpExchange): Promise<string> {
    const text = query.Text?.trim() ?? '';
    const mode = this.pages.modeOf(request, query.MerchantId);
    const id = parseUuid(text);
    const address = id === undefined ? undefined : await this.addressOf(id);
    if (address !== undefined) {
      void reply.code(303).header('location', address);
      return '';
    }
    const found = text === '' || id !== undefined ? undefined : await this.found(text, query, mode);
    const disputes = await findOpenDisputes(this.pool, idsOf([...(found?.charges ?? []), ...(found?.inside?.charges ?? [])]));
    const content = searchPage(this.pages, { mode, query, text, isId: id !== undefined, found, disputes });
    return this.pages.send(request, reply, { title: 'Search', searched: text, merchantId: query.MerchantId, content });
  }

  /** Returns the address of the record or event with this id. */
  private async addressOf(id: string): Promise<string | undefined> {
    const { links } = this.pages;
    if (this.known.merchant(id)) return links.merchant(id);
    const [charge, [payout], settlement, [refund], dispute, [customer], event, [proposal], found, file, item] = await Promise.all([
      findChargeById(this.pool, id),
      findPayoutsById(this.pool, [id]),
      findSettlement(this.pool, id),
      findRefundsById(this.pool, [id]),
      findDisputeById(this.pool, id),
      this.store.read(customerStream(id), { limit: 1 }),
      findLeaf(this.chain, id),
      findProposalsById(this.pool, [id]),
      findBreak(this.pool, id, this.clock()),
      findStatement(this.pool, id),
      findSuspensePlace(this.pool, id),
    ]);
    if (charge) return links.history(chargeStream(id));
    if (payout) return links.history(payoutStream(id));
    if (settlement) return links.settlement(id);
    if (refund) return links.refund(id);
    if (dispute) return links.dispute(id);
    if (customer) return links.history(customerStream(id));
    if (proposal) return links.to(proposalPage(id));
    if (found) return links.to(breakPage(id));
    if (file) return links.to(filePage(id));
    // An item has the id of the event that opened it, unless it is of a line.
    if (item) return links.to(suspensePage(id));
    return event && this.isKnown(event) ? links.event(event.leaf_index + 1) : undefined;
  }

  /** Finds a merchant's charges that contain `text`. Across merchants, finds records by name, and charges that contain it only when there are none. */
  private async found(text: string, { MerchantId, From }: SearchQuery, mode: Mode): Promise<Found> {
    const named = MerchantId === undefined && From === undefined ? await this.named(text, mode) : undefined;
    if (named && (isBeginningOfCodes(text) || isAnything(named))) return named;
    return { ...NOTHING, inside: await this.inside(text, MerchantId, mode, From) };
  }

  /** Finds records through indexes. Records found by their ids may be of either mode; their own pages show it. */
  private async named(text: string, mode: Mode): Promise<Found> {
    const amounts = typedAmounts(text);
    const [ids, payouts, records, referenced, moved] = await Promise.all([
      findChargesNamed(this.pool, text, FOUND_MAX + 1),
      findPayoutsReferenced(this.pool, text, FOUND_MAX + 1),
      ID_BEGINNING.test(text) ? this.recordsWith(text) : [],
      findByReference(this.pool, text, { mode, limit: FOUND_MAX }),
      amounts.length > 0 ? findByAmount(this.pool, amounts, { mode, limit: FOUND_MAX }) : NO_RECORDS,
    ]);
    const isOfMode = ({ merchant_id }: { readonly merchant_id: string }): boolean => this.known.merchant(merchant_id)?.mode === mode;
    const charges = new Map((await findChargesById(this.pool, ids)).filter(isOfMode).map((charge) => [charge.id, charge]));
    const name = text.toLowerCase();
    const merchants = [...this.known.merchants()].filter((merchant) => merchant.mode === mode && merchant.name.toLowerCase().includes(name));
    return {
      charges: ids.flatMap((id) => charges.get(id) ?? []),
      payouts: payouts.filter(isOfMode),
      records,
      merchants: merchants.slice(0, FOUND_MAX + 1),
      referenced,
      moved,
    };
  }

  /** Finds records and events by the beginning of their ids. */
  private async recordsWith(beginning: string): Promise<FoundId[]> {
    const digits = beginning.replaceAll('-', '');
    if (digits.length > 32) return [];
    const [from, to] = [digits.padEnd(32, '0'), digits.padEnd(32, 'f')];
    const [records, events] = await Promise.all([
      findRecordIds(this.pool, from, to, FOUND_MAX + 1),
      findLeavesBetween(this.chain, from, to, FOUND_MAX + 1),
    ]);
    const { links } = this.pages;
    return [
      ...records.map(({ kind, id }) => ({ kind, id, address: this.addressOfRecord({ kind, id }) })),
      ...events
        .filter((event) => this.isKnown(event))
        .map(({ event_id, leaf_index }) => ({ kind: 'event', id: event_id, address: links.event(leaf_index + 1) })),
    ];
  }

  /** The sealed log has events that are later than a past moment. */
  private isKnown({ leaf_index }: { readonly leaf_index: number }): boolean {
    return leaf_index < (this.pages.moment?.position ?? Infinity);
  }

  private addressOfRecord({ kind, id }: RecordId): string {
    const { links } = this.pages;
    return kind === 'settlement' || kind === 'refund' || kind === 'dispute' ? links[kind](id) : links.history(`${kind}-${id}`);
  }

  /** Finds charges whose code, reference or description contains `text`. `left`: the first merchant that was not searched in time. */
  private async inside(text: string, merchantId: string | undefined, mode: Mode, from: string | undefined): Promise<FoundInside> {
    const began = performance.now();
    const given = merchantId === undefined ? undefined : this.known.merchant(merchantId);
    const merchants = merchantId === undefined ? this.known.page(undefined, Number.MAX_SAFE_INTEGER, mode)! : given ? [given] : [];
    const before = Math.max(
      0,
      merchants.findIndex(({ id }) => id === from),
    );
    const charges: ShownCharge[] = [];
    let searched = 0;
    for (const merchant of merchants.slice(before)) {
      if (charges.length >= FOUND_MAX || (searched > 0 && performance.now() - began > MERCHANTS_WITHIN_MS))
        return { charges, before, searched, left: merchant.id };
      const { items } = await findCharges(this.pool, merchant.id, { ...OF_A_MERCHANT, search_text: text });
      charges.push(...items);
      searched += 1;
    }
    return { charges, before, searched, left: null };
  }
}
