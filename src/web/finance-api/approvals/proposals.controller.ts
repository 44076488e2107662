import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query, UseInterceptors } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Pool } from 'pg';
import { findProposalsById } from '../../../../projections/approvals/proposals.js';
import { ActOnProposal, MakeProposal, type ProposalAct } from '../../../domain/approvals/act-on-proposal.js';
import { COMMON_CLOCK, FINANCE_POOL } from '../../../ledger/ports/injection-tokens.js';
import type { Clock } from '../../../ledger/time.js';
import { KnownMerchants } from '../../../domain/merchants/known-merchants.js';
import { FinanceOnly, Exchange, type HttpExchange } from '../../../platform/http/edge/access.js';
import { answerList } from '../../../platform/http/answer-list.js';
import { IdempotencyKey, setRecordHeaders } from '../../../platform/http/idempotency-key.js';
import { ApiAnswerForms, BodyExample, Operation } from '../../../platform/http/openapi/openapi.js';
import { Problems } from '../../../ledger/dto/api-problems.js';
import { OpenStreams } from '../../../platform/http/edge/open-streams.js';
import { mustExist, RecordId } from '../../../platform/http/record-id.js';
import { LedgerReads, ReadYourWrites } from '../../../platform/projector/read-your-writes.js';
import { proposalsList, toProposal } from './proposal-lists.js';
import {
  ApproveProposalBody,
  EndProposalBody,
  ListProposalsQuery,
  MakeProposalBody,
  PROPOSAL_EXAMPLE,
  ProposalDto,
  ProposalPageDto,
} from './proposals.dto.js';

@ApiTags('Audit')
@Controller('audit/proposals')
@FinanceOnly()
export class ProposalsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly consistency: ReadYourWrites,
    private readonly streams: OpenStreams,
    private readonly merchants: KnownMerchants,
    @Inject(FINANCE_POOL) private readonly pool: Pool,
    @Inject(COMMON_CLOCK) private readonly clock: Clock,
  ) {}

  @Post()
  @HttpCode(201)
  @Operation(
    'makeProposal',
    'Make a proposal',
    'Needs the key of an operator with the role preparer. Other operators approve it. A proposal that would be refused now is refused immediately.',
  )
  @BodyExample(PROPOSAL_EXAMPLE)
  @ApiCreatedResponse({ type: ProposalDto })
  @Problems('idempotency-key-missing', 'idempotency-key-reused', 'insufficient-role')
  async make(
    @Body() body: MakeProposalBody,
    @IdempotencyKey() idempotencyKey: string,
    @Exchange() { request, reply, ids }: HttpExchange,
  ): Promise<ProposalDto> {
    const { kind, content, reason, evidence } = body;
    const order = { kind, content, reason, evidence: evidence.map(({ name, sha256 }) => ({ name, sha256 })) };
    const command = new MakeProposal(order, idempotencyKey, request.keyId!, ids);
    const { proposal_id, position, replayed } = await this.commands.execute(command);
    setRecordHeaders(reply, `/audit/proposals/${proposal_id}`, replayed);
    return this.consistency.read(reply, position, () => this.#find(proposal_id));
  }

  @Get()
  @UseInterceptors(LedgerReads)
  @Operation('listProposals', 'List proposals', 'Oldest first.')
  @ApiAnswerForms({ json: ProposalPageDto, ndjsonLine: ProposalDto })
  async list(@Query() query: ListProposalsQuery, @Exchange() { request, reply }: HttpExchange) {
    const of = { proposal_status: query.Status, kind: query.Kind, mode: query.Mode };
    return answerList(this.streams, request, reply, proposalsList(this.pool, of, this.merchants.operators, this.clock()), query);
  }

  @Get(':id')
  @UseInterceptors(LedgerReads)
  @Operation('getProposal', 'Read a proposal', 'The same fields as in the list.')
  @ApiOkResponse({ type: ProposalDto })
  @Problems('not-found')
  read(@Param('id', RecordId) id: string): Promise<ProposalDto> {
    return this.#find(id);
  }

  @Post(':id/approve')
  @HttpCode(200)
  @Operation(
    'approveProposal',
    'Approve a proposal',
    'Needs the key of another operator with the role approver, or controller if the kind requires it. The last approval puts the proposal into effect.',
  )
  @ApiOkResponse({ type: ProposalDto })
  @Problems('not-found', 'insufficient-role', 'own-proposal', 'state-conflict', 'digest-mismatch')
  approve(
    @Param('id', RecordId) id: string,
    @Body() { digest, reason }: ApproveProposalBody,
    @Exchange() exchange: HttpExchange,
  ): Promise<ProposalDto> {
    return this.#act({ kind: 'approve', proposal_id: id, digest, reason }, exchange);
  }

  @Post(':id/reject')
  @HttpCode(200)
  @Operation('rejectProposal', 'Reject a proposal', 'Allowed for every operator who could approve it, until it takes effect. It ends the proposal.')
  @ApiOkResponse({ type: ProposalDto })
  @Problems('not-found', 'insufficient-role', 'own-proposal', 'state-conflict')
  reject(@Param('id', RecordId) id: string, @Body() { reason }: EndProposalBody, @Exchange() exchange: HttpExchange): Promise<ProposalDto> {
    return this.#act({ kind: 'reject', proposal_id: id, reason }, exchange);
  }

  @Post(':id/withdraw')
  @HttpCode(200)
  @Operation('withdrawProposal', 'Withdraw a proposal', 'Allowed for the operator who made it, until it takes effect. It ends the proposal.')
  @ApiOkResponse({ type: ProposalDto })
  @Problems('not-found', 'insufficient-role', 'state-conflict')
  withdraw(@Param('id', RecordId) id: string, @Body() { reason }: EndProposalBody, @Exchange() exchange: HttpExchange): Promise<ProposalDto> {
    return this.#act({ kind: 'withdraw', proposal_id: id, reason }, exchange);
  }

  async #act(act: ProposalAct, { request, reply, ids }: HttpExchange): Promise<ProposalDto> {
    const { position } = await this.commands.execute(new ActOnProposal(act, request.keyId!, ids));
    return this.consistency.read(reply, position, () => this.#find(act.proposal_id));
  }

  async #find(id: string): Promise<ProposalDto> {
    const found = mustExist((await findProposalsById(this.pool, [id]))[0]);
    return toProposal(found, this.merchants.operators, this.clock());
  }
}
