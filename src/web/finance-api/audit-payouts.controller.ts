import { Body, Controller, Get, HttpCode, Param, Post, Req, UseInterceptors } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { ActOnPayout, type PayoutAct } from '../../domain/payouts/act-on-payout.js';
import { FinanceOnly, Exchange, type HttpExchange } from '../../platform/http/edge/access.js';
import { Operation } from '../../platform/http/openapi/openapi.js';
import { Problems } from '../../ledger/dto/api-problems.js';
import { RecordId } from '../../platform/http/record-id.js';
import { LedgerReads, ReadYourWrites } from '../../platform/projector/read-your-writes.js';
import { ActOnPayoutBody, AuditPayoutDetailDto } from './audit-payouts.dto.js';
import { PayoutDetails } from './payout-details.js';

@ApiTags('Audit')
@Controller('audit/payouts')
@FinanceOnly()
export class AuditPayoutsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly consistency: ReadYourWrites,
    private readonly payouts: PayoutDetails,
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
