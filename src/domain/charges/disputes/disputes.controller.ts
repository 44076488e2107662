import { Controller, Get, HttpCode, Inject, Param, Post, Query, UseInterceptors } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Pool } from 'pg';
import { findDispute, findDisputes, type Dispute } from '../../../../projections/disputes/dispute-reads.js';
import { ChangeCharge, type ChangedCharge, type ChargeChange } from '../charge.handlers.js';
import { READ_POOL } from '../../../ledger/ports/injection-tokens.js';
import { Caller, contextOf, Exchange, RequireScope, type HttpExchange, type MerchantCaller } from '../../../platform/http/edge/access.js';
import { ETAG, IfNoneMatch, isNewVersion } from '../../../platform/http/entity-tag.js';
import { Operation } from '../../../platform/http/openapi/openapi.js';
import { Problems } from '../../../ledger/dto/api-problems.js';
import { toPage, writePageHeaders } from '../../../platform/http/pages.js';
import { mustExist, RecordId, unlessShownYet } from '../../../platform/http/record-id.js';
import { Reads } from '../../../platform/http/reads.js';
import { LedgerReads, ReadYourWrites } from '../../../platform/projector/read-your-writes.js';
import { CONCESSIONS, type Concessions } from './concessions.js';
import { toDispute } from './dispute-answer.js';
import { DisputeDto, ListDisputesQuery } from './disputes.dto.js';
import { EvidenceStore } from './evidence-store.js';

@ApiTags('Disputes')
@Controller('v1/disputes')
export class DisputesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly consistency: ReadYourWrites,
    private readonly evidence: EvidenceStore,
    @Inject(READ_POOL) private readonly pool: Pool,
    private readonly reads: Reads,
    @Inject(CONCESSIONS) private readonly concessions: Concessions,
  ) {}

  @Get()
  @UseInterceptors(LedgerReads)
  @RequireScope('disputes:read')
  @Operation('listDisputes', 'List disputes', 'A bare array; X-Total-Count and Link lead through its pages.')
  @ApiOkResponse({ type: [DisputeDto] })
  async list(
    @Query() query: ListDisputesQuery,
    @Caller() { merchant_id }: MerchantCaller,
    @Exchange() { request, reply }: HttpExchange,
  ): Promise<DisputeDto[]> {
    const { Currency: currency, ChargeId: charge_id, Status: dispute_status, DateFrom: date_from, DateTo: date_to, DueBefore: due_before } = query;
    const asked = { ...toPage(query), currency, dispute_status, charge_id, date_from, date_to, due_before };
    const { total, items } = await this.reads.read(request, (pool) => findDisputes(pool, merchant_id, asked));
    const named = await this.named(items);
    writePageHeaders(reply, query, total);
    return named;
  }

  @Get(':id')
  @UseInterceptors(LedgerReads)
  @RequireScope('disputes:read')
  @IfNoneMatch()
  @Operation('getDispute', 'Read a dispute')
  @ApiOkResponse({ type: DisputeDto, headers: ETAG })
  @Problems('not-found')
  async read(
    @Param('id', RecordId) id: string,
    @Caller() { merchant_id }: MerchantCaller,
    @Exchange() { request, reply }: HttpExchange,
  ): Promise<DisputeDto | undefined> {
    const { dispute, version } = await this.mustFind(merchant_id, id);
    return isNewVersion(request, reply, version) ? (await this.named([dispute]))[0] : undefined;
  }

  @Post(':id/challenge')
  @HttpCode(200)
  @UseInterceptors(LedgerReads)
  @RequireScope('disputes:write')
  @Operation(
    'challengeDispute',
    'Challenge a dispute',
    'Hands the added evidence to the processor, which then decides. Allowed until due_by. The request has no body. Challenging the dispute again returns the same response.',
  )
  @ApiOkResponse({ type: DisputeDto })
  @Problems('not-found', 'state-conflict', 'evidence-missing')
  challenge(@Param('id', RecordId) dispute_id: string, @Caller() caller: MerchantCaller, @Exchange() exchange: HttpExchange): Promise<DisputeDto> {
    return this.change({ kind: 'challenge-dispute', dispute_id }, caller, exchange);
  }

  @Post(':id/accept')
  @HttpCode(200)
  @UseInterceptors(LedgerReads)
  @RequireScope('disputes:write')
  @Operation(
    'acceptDispute',
    'Accept a dispute',
    'The dispute is lost: the customer keeps the held amount. The request has no body. Accepting the dispute again returns the same response.',
  )
  @ApiOkResponse({ type: DisputeDto })
  @Problems('not-found', 'state-conflict')
  accept(@Param('id', RecordId) dispute_id: string, @Caller() caller: MerchantCaller, @Exchange() exchange: HttpExchange): Promise<DisputeDto> {
    return this.change({ kind: 'accept-dispute', dispute_id }, caller, exchange);
  }

  private async change(
    change: Extract<ChargeChange, { readonly kind: 'challenge-dispute' | 'accept-dispute' }>,
    caller: MerchantCaller,
    { reply, ids }: HttpExchange,
  ): Promise<DisputeDto> {
    const { merchant_id } = caller;
    const { charge_id } = (await this.mustFind(merchant_id, change.dispute_id).catch(unlessShownYet(reply, 'dispute'))).dispute;
    const record = (): Promise<ChangedCharge> => this.commands.execute(new ChangeCharge(charge_id, change, contextOf(caller, ids), merchant_id));
    const { position } = await (change.kind === 'accept-dispute'
      ? this.concessions.concede({ charge_id, dispute_id: change.dispute_id }, record)
      : record());
    const { dispute } = await this.consistency.read(reply, position, () => this.mustFind(merchant_id, change.dispute_id));
    return (await this.named([dispute]))[0]!;
  }

  private async mustFind(merchantId: string, id: string): Promise<{ readonly dispute: Dispute; readonly version: number }> {
    return mustExist(await findDispute(this.pool, merchantId, id));
  }

  /** Adds the names of their evidence, which are stored outside the log. */
  private async named(disputes: readonly Dispute[]): Promise<DisputeDto[]> {
    const names = await this.evidence.namesOf(disputes.filter(({ evidence }) => evidence.length > 0).map(({ id }) => id));
    return disputes.map((dispute) => toDispute(dispute, names));
  }
}
