import { Controller, Get, Inject, Query, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Pool } from 'pg';
import { CLOCK, FINANCE_POOL } from '../../../ledger/ports/injection-tokens.js';
import type { Clock } from '../../../ledger/time.js';
import { FinanceOnly, Exchange, type HttpExchange } from '../../../platform/http/edge/access.js';
import { answerList } from '../../../platform/http/answer-list.js';
import { OpenStreams } from '../../../platform/http/edge/open-streams.js';
import { ApiAnswerForms, Operation } from '../../../platform/http/openapi/openapi.js';
import { invalid } from '../../../platform/http/validation/validation.js';
import { readAsOf } from '../as-of.js';
import { breaksList, matchesList } from './match-lists.js';
import { ListReconBreaksQuery, ListReconMatchesQuery, ReconBreakDto, ReconBreakPageDto, ReconMatchDto, ReconMatchPageDto } from './matches.dto.js';
import { ReconciliationReads } from '../reconciliation-reads.js';

@ApiTags('Audit')
@Controller('audit/recon')
@FinanceOnly()
@UseInterceptors(ReconciliationReads)
export class ReconMatchesController {
  constructor(
    private readonly streams: OpenStreams,
    @Inject(FINANCE_POOL) private readonly pool: Pool,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get('matches')
  @Operation(
    'listReconMatches',
    'List matches of lines',
    'Current matches, each with the item that its line belongs to, in the order in which the lines were recorded.',
  )
  @ApiAnswerForms({ json: ReconMatchPageDto, ndjsonLine: ReconMatchDto, csv: true, asOf: true })
  async listMatches(@Query() query: ListReconMatchesQuery, @Exchange() { request, reply }: HttpExchange) {
    const { Source: source, Mode: mode, AsOf, Statement: statement_id, Charge: charge_id, Payout: payout_id } = query;
    const { as_of } = await readAsOf(this.pool, this.clock, reply, AsOf);
    const filters = { source, mode, as_of, statement_id, charge_id, payout_id };
    return answerList(this.streams, request, reply, matchesList(this.pool, filters), query);
  }

  @Get('breaks')
  @Operation('listReconBreaks', 'List breaks between statements and books', 'Oldest first.')
  @ApiAnswerForms({ json: ReconBreakPageDto, ndjsonLine: ReconBreakDto, csv: true, asOf: true })
  async listBreaks(@Query() query: ListReconBreaksQuery, @Exchange() { request, reply }: HttpExchange) {
    const { Source: source, Mode: mode, AsOf, Kind: kind, Status: status, Owner: owner, Age: age, Proposal: proposal } = query;
    const { Charge: charge_id, Payout: payout_id } = query;
    if (proposal !== undefined && AsOf !== undefined)
      throw invalid('query', [{ at: 'Proposal', code: 'unexpected-field', detail: 'Not together with AsOf.' }]);
    const { as_of, now } = await readAsOf(this.pool, this.clock, reply, AsOf);
    const filters = { source, mode, as_of, kind, status, owner, age, charge_id, payout_id, proposal };
    return answerList(this.streams, request, reply, breaksList(this.pool, filters, now), query);
  }
}
