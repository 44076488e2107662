import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import { findBalances } from '../../../projections/balances/balance-reads.js';
import { findMovements, findStatementFrame, type StatementFrame } from '../../../projections/balances/statement.js';
import { READ_POOL } from '../../ledger/ports/injection-tokens.js';
import { MERCHANT_TERMS, type MerchantTerms } from '../../ledger/ports/merchant-terms.js';
import { Reads } from '../../platform/http/reads.js';
import { noSuchRecord } from '../../platform/http/record-id.js';
import type { Statement } from './statement.js';
import { toMovement, type MovementDto, type StatementDto } from './statements.dto.js';

/** Movements per page. A page is built without a pause, and all other requests wait for these milliseconds. */
const STREAM_PAGE_ITEMS = 200;

/** Account of one merchant in one currency. */
export interface Account {
  readonly merchant_id: string;
  readonly currency: string;
}

/** Reads statements; each read takes the turn of the request's caller. */
@Injectable()
export class StatementReads {
  constructor(
    @Inject(READ_POOL) private readonly pool: Pool,
    private readonly reads: Reads,
    @Inject(MERCHANT_TERMS) private readonly terms: MerchantTerms,
  ) {}

  /** @throws Problem not-found for a currency that the merchant does not have */
  async requireAccount({ merchant_id, currency }: Account): Promise<void> {
    const currencies = this.terms.currencies(merchant_id);
    if (currencies.includes(currency)) return;
    const owner = { merchant_id, created_on: this.terms.merchantCreatedOn(merchant_id)! };
    const balances = await findBalances(this.pool, owner, currencies);
    if (!balances.some((balance) => balance.currency === currency)) throw noSuchRecord();
  }

  frame(request: FastifyRequest, account: Account, from: string | null, to: string): Promise<StatementFrame> {
    return this.reads.read(request, (pool) => findStatementFrame(pool, { ...account, from: from ?? undefined, to }));
  }

  async page(
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

  /** Returns the whole statement, to be written out. */
  whole(
    request: FastifyRequest,
    account: Account,
    { from, to, frame }: { readonly from: string | null; readonly to: string; readonly frame: StatementFrame },
    signal: AbortSignal,
  ): Statement {
    const { merchant_id } = account;
    return {
      ...account,
      from,
      to,
      merchant_name: this.terms.merchantName(merchant_id) ?? '',
      timezone: this.terms.timezone(merchant_id) ?? 'UTC',
      opening_balance: frame.opening,
      closing_balance: frame.closing,
      movements: this.movements(request, account, frame, signal),
    };
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
