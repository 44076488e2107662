import type { Readable } from 'node:stream';
import { Controller, Get, Inject, Param, Query, UseFilters, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import { findSettledBy } from '../../../../projections/balances/funding.js';
import type { ChargeRow } from '../../../../projections/charges/charges-table.js';
import { findChargeById } from '../../../../projections/charges/charge-reads.js';
import { findDisputes } from '../../../../projections/disputes/dispute-reads.js';
import { findRefunds } from '../../../../projections/refunds/refund-reads.js';
import { ChainBroken, findLeaf } from '../../../transparency-log/chain.js';
import { ChainKeys } from '../../../transparency-log/chain-keys.js';
import { provePosition, type ChainProof } from '../../../transparency-log/chain-proof.js';
import { EventIndexReads } from '../../finance-api/event-index-reads.js';
import { findEvents, type EventPage } from '../../finance-api/find-events.js';
import { journalList } from '../../finance-api/lists.js';
import { PayoutDetails } from '../../finance-api/payout-details.js';
import { RemittanceAdvices } from '../../../domain/balances/remittance-advices.js';
import { KnownMerchants } from '../../../domain/merchants/known-merchants.js';
import { accountStream } from '../../../ledger/events/account.events.js';
import { chargeStream, type ChargeSettlementClaimed } from '../../../ledger/events/charge.events.js';
import { payoutStream } from '../../../ledger/events/payout.events.js';
import { CHAIN_POOL, COMMON_CLOCK, FINANCE_POOL } from '../../../ledger/ports/injection-tokens.js';
import { LedgerProblem } from '../../../ledger/problems.js';
import type { Clock } from '../../../ledger/time.js';
import type { ShownEvent } from '../../../ledger/published/shown-event.js';
import { SignedIn, Exchange, type HttpExchange } from '../../../platform/http/edge/access.js';
import { NotInThePast } from '../../../platform/http/edge/route-policy.js';
import { EVENT_STORE, type EventStore } from '../../../platform/event-store/event-store.js';
import { mustExist, noSuchRecord, parsePosition, parseUuid, RecordId } from '../../../platform/http/record-id.js';
import { timeLimit } from '../../../platform/async/waiting.js';
import { LedgerReads } from '../../../platform/projector/read-your-writes.js';
import { ConsoleFilter } from '../shared/console.filter.js';
import type { SuggestedMoment } from '../shared/as-of.js';
import { ConsolePages } from '../shared/console-pages.js';
import { EventsQuery } from '../shared/console.dto.js';
import { eventPage, sectionOf, titleIn } from './event-page.js';
import { proofFile as fileOf, type EventProof } from './event-proof.js';
import { chargePage, chargeTitle, PARTS_SHOWN, type ChargeSources } from './charge-page.js';
import { historyPage } from './history-page.js';
import { payoutPage, payoutTitle } from './payout-page.js';
import { findRecordLines } from './record-lines.js';

const PAGE_EVENTS = 50;
const CHARGE_STREAMS = chargeStream('');
const PAYOUT_STREAMS = payoutStream('');
const ACCOUNT = new RegExp(`^${accountStream('(?<merchantId>.{36})', '(?<currency>[A-Z]{3})')}$`);
/** Number of events around an event that are searched for others of its request or run. No index has them; they were appended together. */
export const NEIGHBOURS = 200;
const LINES_MAX = 50;

@ApiExcludeController()
@SignedIn()
@Controller('console')
@UseFilters(ConsoleFilter)
@UseInterceptors(EventIndexReads, LedgerReads)
export class ConsoleEventsController {
  constructor(
    @Inject(FINANCE_POOL) private readonly pool: Pool,
    @Inject(CHAIN_POOL) private readonly chain: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(COMMON_CLOCK) private readonly clock: Clock,
    private readonly keys: ChainKeys,
    private readonly payouts: PayoutDetails,
    private readonly advices: RemittanceAdvices,
    private readonly merchants: KnownMerchants,
    private readonly pages: ConsolePages,
  ) {}

  /** Shows the events of a record's stream. */
  @Get('history/:stream')
  async history(
    @Param('stream') stream: string,
    @Query() { After, Type }: EventsQuery,
    @Exchange() { request, reply }: HttpExchange,
  ): Promise<string> {
    const idBehind = (kind: string): string | undefined => parseUuid(stream.startsWith(kind) ? stream.slice(kind.length) : '');
    const [chargeId, payoutId] = [idBehind(CHARGE_STREAMS), idBehind(PAYOUT_STREAMS)];
    if (payoutId !== undefined) return this.payout(payoutId, request, reply);
    const [found, row] = await Promise.all([
      this.events({ stream, type: Type, after: After, limit: PAGE_EVENTS }),
      chargeId === undefined ? undefined : findChargeById(this.pool, chargeId),
    ]);
    if (found.items.length === 0 && After === 0 && Type === undefined && !this.isAccount(stream)) throw noSuchRecord();
    return this.pages.send(request, reply, {
      title: row ? chargeTitle(row) : titleIn(this.pages, stream),
      section: sectionOf(stream),
      merchantId: row?.merchant_id ?? found.items[0]?.merchant_id,
      content: historyPage(this.pages, stream, found, { After, Type, charge: row && chargePage(this.pages, await this.around(row)) }),
    });
  }

  /** Shows a payout. Most of its events are in the stream of its account, whose money it moves. */
  private async payout(id: string, request: FastifyRequest, reply: FastifyReply): Promise<string> {
    const payout = await this.payouts.find(id, request.keyId);
    const now = this.clock();
    const [events, funding, lines] = await Promise.all([
      this.payouts.history(payout),
      this.payouts.funding(id).then((list) => list.page(0, PARTS_SHOWN, timeLimit(5_000))),
      findRecordLines(this.pool, { payout_id: id }, now),
    ]);
    const proposals =
      payout.pending_reason === 'held' && this.pages.proposals(request, id, [['payout-resolve', 'Propose its result, as the bank has it']]);
    return this.pages.send(request, reply, {
      title: payoutTitle(payout),
      section: 'payouts',
      merchantId: payout.merchant_id,
      content: payoutPage(this.pages, { payout, events, funding, lines, proposals, now }),
    });
  }

  /** The remittance advice of a payout, as its merchant prints it. */
  @Get('payouts/:id/remittance-advice')
  @NotInThePast()
  advice(@Param('id', RecordId) id: string, @Exchange() exchange: HttpExchange): Promise<Readable | ''> {
    return this.advices.answer(exchange, id, { forms: ['text/html'] });
  }

  private async around(row: ChargeRow): Promise<ChargeSources> {
    const { id, merchant_id, currency } = row;
    const now = this.clock();
    const query = { charge_id: id, page_number: 1, page_size: PARTS_SHOWN, is_descending: true };
    const [refunds, disputes, claims, lines] = await Promise.all([
      findRefunds(this.pool, merchant_id, query),
      findDisputes(this.pool, merchant_id, query),
      this.events({ stream: chargeStream(id), type: 'ChargeSettlementClaimed', after: 0, limit: 1 }),
      findRecordLines(this.pool, { charge_id: id }, now),
    ]);
    // The settlement of a claim that is not settled yet has no money to pay out.
    const [claim] = claims.items;
    const { settlement_number: number } = (claim?.data ?? {}) as Partial<ChargeSettlementClaimed>;
    const settled = number === undefined ? undefined : await findSettledBy(this.pool, { merchant_id, currency, number });
    return { row, refunds, disputes, settled, lines, now };
  }

  /** Shows an event by its position in the log or by its id. */
  @Get('events/:event')
  async event(@Param('event') name: string, @Exchange() { request, reply }: HttpExchange): Promise<string> {
    const event = mustExist(await this.find(name));
    const position = event.position!;
    const [around, lines, proof] = await Promise.all([
      this.events({ after: Math.max(0, position - 1 - NEIGHBOURS), until: position + NEIGHBOURS, limit: 2 * NEIGHBOURS + 1 }),
      journalList(this.pool, { event_id: event.id }).page(undefined, LINES_MAX, timeLimit(5_000)),
      this.pages.moment ? null : this.proofOf(position),
    ]);
    const related = around.items.filter(({ id, correlation_id }) => id !== event.id && correlation_id === event.correlation_id);
    return this.pages.send(request, reply, {
      title: `Event ${position}`,
      section: 'events',
      merchantId: event.merchant_id,
      suggested: momentsOf(event, position),
      content: eventPage(this.pages, { event, related, lines: lines.items, proof, isLast: around.items.every((each) => each.position! <= position) }),
    });
  }

  /** The proof of an event, in the form of GET /audit/chain/proof. */
  @Get('events/:event/proof.json')
  @NotInThePast()
  async proofFile(@Param('event') name: string, @Exchange() { reply }: HttpExchange): Promise<ChainProof> {
    const { position } = mustExist(await this.find(name));
    const proof = await this.proofOf(position!);
    if (proof === undefined) throw new LedgerProblem('unavailable', 'The event is not sealed yet.');
    if ('fault' in proof) throw new LedgerProblem('state-conflict', proof.fault);
    void reply.header('content-disposition', `attachment; filename="${fileOf(position!)}"`);
    return proof;
  }

  private async proofOf(position: number): Promise<EventProof> {
    try {
      const proof = await provePosition({ pool: this.pool, store: this.store, keys: this.keys }, position);
      return proof && !this.keys.hasSigned(proof.head) ? { fault: 'this service did not sign the head: run "audit verify"' } : proof;
    } catch (error) {
      if (error instanceof ChainBroken) return { fault: error.message };
      throw error;
    }
  }

  /** Returns true for the account of a merchant's currency. Pages link to it before its stream begins with its first movement. */
  private isAccount(stream: string): boolean {
    const { merchantId = '', currency = '' } = ACCOUNT.exec(stream)?.groups ?? {};
    return this.merchants.currencies(merchantId).includes(currency);
  }

  private async find(name: string): Promise<ShownEvent | undefined> {
    const id = parseUuid(name);
    const leaf = id === undefined ? undefined : await findLeaf(this.chain, id);
    const position = id === undefined ? parsePosition(name) : leaf && leaf.leaf_index + 1;
    if (position === undefined) return undefined;
    const { items } = await this.events({ after: position - 1, until: position, limit: 1 });
    return items[0];
  }

  private events(query: Parameters<typeof findEvents>[1]): Promise<EventPage> {
    return findEvents({ pool: this.pool, store: this.store }, query, timeLimit(5_000));
  }
}

/** The record before and after an event; the first event of a record has nothing before it. */
function momentsOf({ stream, revision }: ShownEvent, position: number): SuggestedMoment[] {
  const page = `history/${encodeURIComponent(stream)}`;
  return [
    ...(position > 1 ? [{ words: 'Before this event', position: position - 1, page: revision > 0 ? page : '' }] : []),
    { words: 'After this event', position, page },
  ];
}
