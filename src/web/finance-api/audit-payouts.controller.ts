import type { Readable } from 'node:stream';
import { Body, Controller, Get, HttpCode, Param, Post, Query, Req, UseInterceptors } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { RemittanceAdvices } from '../../domain/balances/remittance-advices.js';
import { RemittanceAdviceDto } from '../../domain/balances/remittance.dto.js';
import { ActOnPayout, type PayoutAct } from '../../domain/payouts/act-on-payout.js';
import { FinanceOnly, Exchange, type HttpExchange } from '../../platform/http/edge/access.js';
import { NotInThePast } from '../../platform/http/edge/route-policy.js';
import { answerList, type PagedList } from '../../platform/http/answer-list.js';
import { OpenStreams } from '../../platform/http/edge/open-streams.js';
import { ApiAnswerForms, Operation } from '../../platform/http/openapi/openapi.js';
import { Problems } from '../../ledger/dto/api-problems.js';
import { RecordId } from '../../platform/http/record-id.js';
import { LedgerReads, ReadYourWrites } from '../../platform/projector/read-your-writes.js';
import type { ShownEvent } from '../../ledger/published/shown-event.js';
import { AuditEventDto, AuditEventPageDto } from './audit-events.dto.js';
import {
  ActOnPayoutBody,
  AuditPayoutDetailDto,
  ListPayoutEventsQuery,
  ListPayoutFundingQuery,
  PayoutFundingDto,
  PayoutFundingPageDto,
} from './audit-payouts.dto.js';
import { EventIndexReads } from './event-index-reads.js';
import { PayoutDetails } from './payout-details.js';

@ApiTags('Audit')
@Controller('audit/payouts')
@FinanceOnly()
export class AuditPayoutsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly consistency: ReadYourWrites,
    private readonly payouts: PayoutDetails,
    private readonly advices: RemittanceAdvices,
    private readonly streams: OpenStreams,
  ) {}

  @Get(':id')
  @UseInterceptors(LedgerReads)
  @Operation(
    'getAuditPayout',
    'Read a payout of any merchant',
    'With the role approver, it includes the bank account and the digest that an approval names.',
  )
  @ApiOkResponse({ type: AuditPayoutDetailDto })
  @Problems('not-found')
  read(@Param('id', RecordId) id: string, @Req() request: FastifyRequest): Promise<AuditPayoutDetailDto> {
    return this.payouts.find(id, request.keyId);
  }

  @Get(':id/events')
  @UseInterceptors(EventIndexReads, LedgerReads)
  @Operation(
    'listAuditPayoutEvents',
    "A payout's event history",
    'All events about the payout, of its account, its own stream and its transfer at a bank, oldest first. A settlement has the lines about it only.',
  )
  @ApiAnswerForms({ json: AuditEventPageDto, ndjsonLine: AuditEventDto })
  @Problems('not-found')
  async events(@Param('id', RecordId) id: string, @Query() query: ListPayoutEventsQuery, @Exchange() { request, reply }: HttpExchange) {
    const history = await this.payouts.history(await this.payouts.require(id));
    const list: PagedList<ShownEvent, number> = {
      name: 'events',
      page: async (after = 0, limit) => {
        const left = history.filter(({ position }) => position > after);
        const items = left.slice(0, limit);
        return { items, next_after: left.length > limit ? items.at(-1)!.position : null };
      },
    };
    return answerList(this.streams, request, reply, list, query);
  }

  @Get(':id/funding')
  @UseInterceptors(LedgerReads)
  @Operation(
    'listAuditPayoutFunding',
    'List the sources of a payout',
    'The settlements and adjustments whose money it paid out, oldest first; empty before it is paid. Money leaves in the order in which it came.',
  )
  @ApiAnswerForms({ json: PayoutFundingPageDto, ndjsonLine: PayoutFundingDto, csv: true })
  @Problems('not-found')
  async funding(@Param('id', RecordId) id: string, @Query() query: ListPayoutFundingQuery, @Exchange() { request, reply }: HttpExchange) {
    await this.payouts.require(id);
    return answerList(this.streams, request, reply, await this.payouts.funding(id), query);
  }

  @NotInThePast()
  @Get(':id/remittance-advice')
  @UseInterceptors(LedgerReads)
  @Operation(
    'getAuditRemittanceAdvice',
    'Read the remittance advice of a payout of any merchant',
    'As the merchant reads it: the settlements that funded the payout, each with all of its lines. JSON is signed; CSV and a printable page (`Accept: text/html`) contain the same data.',
  )
  @ApiAnswerForms({ json: RemittanceAdviceDto, csv: true, html: true })
  @Problems('not-found', 'state-conflict')
  advice(@Param('id', RecordId) id: string, @Exchange() exchange: HttpExchange): Promise<Readable | ''> {
    return this.advices.answer(exchange, id);
  }

  @Post(':id/approve')
  @HttpCode(200)
  @Operation(
    'approvePayout',
    'Approve a payout',
    'Needs a key of an operator, while the payout waits for approval. Approving it again returns the same response and counts once.',
  )
  @ApiOkResponse({ type: AuditPayoutDetailDto })
  @Problems('not-found', 'insufficient-role', 'state-conflict', 'digest-mismatch')
  approve(@Param('id', RecordId) id: string, @Body() body: ActOnPayoutBody, @Exchange() exchange: HttpExchange): Promise<AuditPayoutDetailDto> {
    return this.act({ kind: 'approve', payout_id: id, ...body }, exchange);
  }

  @Post(':id/decline')
  @HttpCode(200)
  @Operation(
    'declinePayout',
    'Decline a payout',
    'Needs a key of an operator, until the payout is handed to the bank. It cancels the payout, and the amount is available again.',
  )
  @ApiOkResponse({ type: AuditPayoutDetailDto })
  @Problems('not-found', 'insufficient-role', 'state-conflict', 'digest-mismatch')
  decline(@Param('id', RecordId) id: string, @Body() body: ActOnPayoutBody, @Exchange() exchange: HttpExchange): Promise<AuditPayoutDetailDto> {
    return this.act({ kind: 'decline', payout_id: id, ...body }, exchange);
  }

  private async act(act: PayoutAct, { request, reply, ids }: HttpExchange): Promise<AuditPayoutDetailDto> {
    const { position } = await this.commands.execute(new ActOnPayout(act, request.keyId!, ids));
    return this.consistency.read(reply, position, () => this.payouts.find(act.payout_id, request.keyId));
  }
}
