import { Controller, Get, HttpCode, Inject, Post, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import { findLastOrdinal } from '../../../../projections/audit/event-index.js';
import { findHead } from '../../../transparency-log/chain.js';
import { ChainKeys } from '../../../transparency-log/chain-keys.js';
import { TransparencyLogWatch } from '../../../transparency-log/transparency-log-watch.js';
import { verifyNewest, type NewestVerification } from '../../../transparency-log/verify-newest.js';
import { FINANCE_POOL } from '../../../ledger/ports/injection-tokens.js';
import { SignedIn, Exchange, type HttpExchange } from '../../../platform/http/edge/access.js';
import { EVENT_STORE, type EventStore } from '../../../platform/event-store/event-store.js';
import { NotInThePast, TakesForms } from '../../../platform/http/edge/route-policy.js';
import { chainPage } from './chain-page.js';
import { ConsoleFilter } from '../shared/console.filter.js';
import { ConsolePages } from '../shared/console-pages.js';

@ApiExcludeController()
@SignedIn()
@NotInThePast()
@Controller('console/chain')
@UseFilters(ConsoleFilter)
export class ConsoleChainController {
  constructor(
    @Inject(FINANCE_POOL) private readonly pool: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly keys: ChainKeys,
    private readonly transparencyLog: TransparencyLogWatch,
    private readonly pages: ConsolePages,
  ) {}

  @Get()
  chain(@Exchange() { request, reply }: HttpExchange): Promise<string> {
    return this.show(request, reply);
  }

  @Post('verify')
  @HttpCode(200)
  @TakesForms()
  async verify(@Exchange() { request, reply }: HttpExchange): Promise<string> {
    return this.show(request, reply, await verifyNewest({ pool: this.pool, store: this.store, keys: this.keys }));
  }

  private async show(request: FastifyRequest, reply: FastifyReply, verified?: NewestVerification): Promise<string> {
    const [head, events] = await Promise.all([findHead(this.pool), findLastOrdinal(this.pool)]);
    const content = chainPage(this.pages.links, {
      head,
      events,
      transparencyLog: this.transparencyLog.state(),
      publicKey: this.keys.publicKeyHex,
      verified,
    });
    return this.pages.send(request, reply, { title: 'Chain', section: 'chain', mode: null, content });
  }
}
