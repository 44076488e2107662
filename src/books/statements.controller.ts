import type { Readable } from 'node:stream';
import { Controller, Get, Inject, Param, Query, Req, Res, UseInterceptors } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import { findBalances } from '../../projections/books/balances.js';
import { findMovements, findStatementFrame, type StatementFrame } from '../../projections/books/statement.js';
import { COMMON_CLOCK, READ_POOL } from '../ledger/injection-tokens.js';
import { Caller, RequireScope, type MerchantCaller } from '../platform/http/access.js';
import { preferredType } from '../platform/http/accept.js';
import { OpenStreams } from '../platform/http/open-streams.js';
import { ApiAnswerForms, Problems } from '../platform/http/openapi.js';
import { noSuchRecord } from '../platform/http/record-id.js';
import { Problem } from '../platform/problems.js';
import { Reads } from '../platform/http/reads.js';
import { LedgerReads } from '../platform/projector/read-your-writes.js';
import { MERCHANT_TERMS, type MerchantTerms } from '../ledger/merchant-terms.js';
import { milliseconds, timestamp, type Clock } from '../ledger/time.js';
import { STATEMENT_PAGE_HEADERS, statementCsv, statementPage, type Statement } from './statement-forms.js';
import { LIMIT_DEFAULT, StatementDto, StatementQueryDto, toMovement, type MovementDto } from './statements.dto.js';

/** Made without a pause: some milliseconds, which everybody else waits. */
const STREAM_PAGE_ITEMS = 200;

/** Of one merchant and currency. */
interface Account {
  readonly merchant_id: string;
  readonly currency: string;
}

@ApiTags('Balances')
@Controller('v1/statements')
@RequireScope('balances:read')
@UseInterceptors(LedgerReads)
export class StatementsController {
  constructor(
    @Inject(READ_POOL) private readonly pool: Pool,
    private readonly reads: Reads,
    @Inject(MERCHANT_TERMS) private readonly terms: MerchantTerms,
    @Inject(COMMON_CLOCK) private readonly clock: Clock,
    private readonly streams: OpenStreams,
  ) {}

  @Get(':currency')
  @ApiOperation({
    summary: 'Read a statement of account',
    description:
      'Opening balance, every movement with what it belongs to and the balance after it, closing balance; by the time of booking. JSON by pages, on each of which the balances are those of the whole statement; CSV and a printable page (`Accept: text/html`) as one.',
  })
  @ApiParam({ name: 'currency', example: 'IDR' })
  @ApiAnswerForms({ json: StatementDto, csv: true, html: true })
  @Problems('not-found')
  async read(
    @Param('currency') code: string,
    @Query() query: StatementQueryDto,
    @Caller() { merchant_id }: MerchantCaller,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StatementDto | Readable | ''> {
    const currency = code.toUpperCase();
    const account = { merchant_id, currency };
    const from = query.From ?? null;
    const to = query.To ?? timestamp(this.clock());
    this.checkPeriod(from, to);
    await this.requireAccount(account);
    const type = preferredType(request, reply, ['application/json', 'text/csv', 'text/html']);
    const frame = await this.reads.read(request, (pool) => findStatementFrame(pool, { ...account, from: query.From, to }));
    const { opening: opening_balance, closing: closing_balance } = frame;
    const head = { merchant_id, currency, from, to, opening_balance, closing_balance };
    if (type === 'application/json') return { ...head, ...(await this.page(request, account, frame, query.After, query.Limit ?? LIMIT_DEFAULT)) };

    const merchant_name = this.terms.merchantName(merchant_id) ?? '';
    const statement = (signal: AbortSignal): Statement => ({ ...head, merchant_name, movements: this.movements(request, account, frame, signal) });
    if (type === 'text/csv') {
      return this.streams.answer(request, reply, {
        contentType: 'text/csv; charset=utf-8; header=present',
        filename: `statement-${currency}.csv`,
        pages: (signal) => statementCsv(statement(signal)),
      });
    }
    void reply.headers(STATEMENT_PAGE_HEADERS);
    return this.streams.answer(request, reply, { contentType: 'text/html; charset=utf-8', pages: (signal) => statementPage(statement(signal)) });
  }

  private checkPeriod(from: string | null, to: string): void {
    const refuse = (parameter: string, code: string, detail: string): never => {
      throw new Problem('validation-failed', 'One query parameter is not valid.', { errors: [{ parameter, code, detail }] });
    };
    if (milliseconds(to) > this.clock()) refuse('To', 'in-the-future', 'What will be booked is not known.');
    if (from !== null && milliseconds(from) > milliseconds(to)) refuse('From', 'out-of-range', 'Must not be later than To.');
  }

  /** @throws Problem not-found for a currency that is none of the merchant's. */
  private async requireAccount({ merchant_id, currency }: Account): Promise<void> {
    const currencies = this.terms.currencies(merchant_id);
    if (currencies.includes(currency)) return;
    const owner = { merchant_id, created_on: this.terms.merchantCreatedOn(merchant_id)! };
    const balances = await findBalances(this.pool, owner, currencies);
    if (!balances.some((balance) => balance.currency === currency)) throw noSuchRecord();
  }

  private async page(
    request: FastifyRequest,
    account: Account,
    frame: StatementFrame,
    after: number | undefined,
    limit: number,
  ): Promise<Pick<StatementDto, 'items' | 'next_after'>> {
    const within = { after: Math.max(frame.after, after ?? 0), until: frame.until };
    const found = await this.reads.read(request, (pool) => findMovements(pool, account, within, limit + 1));
    const items = found.slice(0, limit).map(toMovement);
    return { items, next_after: found.length > limit ? items.at(-1)!.position : null };
  }

  private async *movements(
    request: FastifyRequest,
    account: Account,
    frame: StatementFrame,
    signal: AbortSignal,
  ): AsyncGenerator<readonly MovementDto[]> {
    for (let after: number | null = frame.after; after !== null && !signal.aborted;) {
      const page: Pick<StatementDto, 'items' | 'next_after'> = await this.page(request, account, frame, after, STREAM_PAGE_ITEMS);
      yield page.items;
      after = page.next_after;
    }
  }
}
