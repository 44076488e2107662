import { Body, Controller, Get, HttpCode, Inject, Param, Post, UseInterceptors } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Pool } from 'pg';
import { CLOCK, FINANCE_POOL } from '../../../ledger/ports/injection-tokens.js';
import type { Clock } from '../../../ledger/time.js';
import { KnownMerchants } from '../../merchants/known-merchants.js';
import { FinanceOnly, Exchange, type HttpExchange } from '../../../platform/http/edge/access.js';
import { Operation } from '../../../platform/http/openapi/openapi.js';
import { Problems } from '../../../ledger/dto/api-problems.js';
import { mustExist, RecordId } from '../../../platform/http/record-id.js';
import { ReadYourWrites } from '../../../platform/projector/read-your-writes.js';
import { findBreakDetail } from './break-detail.js';
import { ActOnBreak, type BreakAct } from './act-on-break.js';
import { ActOnBreakBody, AssignBreakBody, MatchBreakBody, NoteBreakBody, ReconBreakDetailDto, TakeAsPaidBody } from './breaks.dto.js';
import { ReconciliationReads } from '../reconciliation-reads.js';
import { TakeAsPaid } from './take-as-paid.js';

@ApiTags('Audit')
@Controller('audit/recon/breaks')
@FinanceOnly()
export class ReconBreaksController {
  constructor(
    private readonly commands: CommandBus,
    private readonly consistency: ReadYourWrites,
    private readonly merchants: KnownMerchants,
    @Inject(FINANCE_POOL) private readonly pool: Pool,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get(':id')
  @UseInterceptors(ReconciliationReads)
  @Operation(
    'getReconBreak',
    'Read a break',
    'The break with the processor’s record, the record in the books, all decisions of operators, and suggested matches.',
  )
  @ApiOkResponse({ type: ReconBreakDetailDto })
  @Problems('not-found')
  async read(@Param('id', RecordId) id: string): Promise<ReconBreakDetailDto> {
    return this.#find(id);
  }

  @Post(':id/assign')
  @HttpCode(200)
  @Operation('assignReconBreak', 'Assign a break', 'Needs a key with the role preparer.')
  @ApiOkResponse({ type: ReconBreakDetailDto })
  @Problems('not-found', 'insufficient-role', 'state-conflict')
  assign(
    @Param('id', RecordId) id: string,
    @Body() { owner = null, reason }: AssignBreakBody,
    @Exchange() exchange: HttpExchange,
  ): Promise<ReconBreakDetailDto> {
    return this.#act(id, { kind: 'assign', owner }, reason, exchange);
  }

  @Post(':id/note')
  @HttpCode(200)
  @Operation('noteReconBreak', 'Add a note to a break', 'Needs a key with the role preparer.')
  @ApiOkResponse({ type: ReconBreakDetailDto })
  @Problems('not-found', 'insufficient-role')
  note(@Param('id', RecordId) id: string, @Body() { reason }: NoteBreakBody, @Exchange() exchange: HttpExchange): Promise<ReconBreakDetailDto> {
    return this.#act(id, { kind: 'note' }, reason, exchange);
  }

  @Post(':id/match')
  @HttpCode(200)
  @Operation(
    'matchReconBreak',
    'Match a break',
    'Needs a key with the role preparer. The line and the item must be open and have the same processor, mode, currency and amount. The match takes effect with the next file of the source.',
  )
  @ApiOkResponse({ type: ReconBreakDetailDto })
  @Problems('not-found', 'insufficient-role', 'state-conflict')
  match(
    @Param('id', RecordId) id: string,
    @Body() { line_id, event_id, reason }: MatchBreakBody,
    @Exchange() exchange: HttpExchange,
  ): Promise<ReconBreakDetailDto> {
    return this.#act(id, { kind: 'match', line_id, event_id }, reason, exchange);
  }

  @Post(':id/unmatch')
  @HttpCode(200)
  @Operation(
    'unmatchReconBreak',
    'Undo a match made by an operator',
    'Needs a key with the role preparer. It takes effect with the next file of the source.',
  )
  @ApiOkResponse({ type: ReconBreakDetailDto })
  @Problems('not-found', 'insufficient-role', 'state-conflict')
  unmatch(@Param('id', RecordId) id: string, @Body() { reason }: ActOnBreakBody, @Exchange() exchange: HttpExchange): Promise<ReconBreakDetailDto> {
    return this.#act(id, { kind: 'unmatch' }, reason, exchange);
  }

  @Post(':id/take-as-paid')
  @HttpCode(200)
  @Operation(
    'takeReconBreakAsPaid',
    'Record a break as paid',
    'Needs a key with the role preparer. Applies to a PROCESSOR_ONLY payment whose notification was never received. The charge is paid as if it had been received, once for each payment_reference, and matched at the source’s next tick.',
  )
  @ApiOkResponse({ type: ReconBreakDetailDto })
  @Problems('not-found', 'insufficient-role', 'state-conflict')
  async takeAsPaid(
    @Param('id', RecordId) id: string,
    @Body() { charge_id, payment_reference, reason }: TakeAsPaidBody,
    @Exchange() { request, reply, ids }: HttpExchange,
  ): Promise<ReconBreakDetailDto> {
    const { position } = await this.commands.execute(new TakeAsPaid(id, { charge_id, payment_reference }, reason, request.keyId!, ids));
    return this.consistency.read(reply, position, () => this.#find(id), 'recon');
  }

  async #act(id: string, act: BreakAct, reason: string, { request, reply, ids }: HttpExchange): Promise<ReconBreakDetailDto> {
    const { position } = await this.commands.execute(new ActOnBreak(id, act, reason, request.keyId!, ids));
    return this.consistency.read(reply, position, () => this.#find(id), 'recon');
  }

  async #find(id: string): Promise<ReconBreakDetailDto> {
    return mustExist(await findBreakDetail(this.pool, this.merchants.operators, id, this.clock()));
  }
}
