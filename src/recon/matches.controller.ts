import { Controller, Get, Inject, Param, Query, Req, Res, UseInterceptors } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import { findBreak, type Break, type Match } from '../../projections/recon/match-reads.js';
import { LIMIT_DEFAULT } from '../audit/list-query.dto.js';
import { CLOCK, FINANCE_POOL } from '../ledger/injection-tokens.js';
import type { Clock } from '../ledger/time.js';
import { FinanceOnly } from '../platform/http/access.js';
import { answerList } from '../platform/http/answer-list.js';
import { OpenStreams } from '../platform/http/open-streams.js';
import { ApiAnswerForms, Problems } from '../platform/http/openapi.js';
import { noSuchRecord, RecordId } from '../platform/http/record-id.js';
import { breaksList, matchesList } from './match-lists.js';
import { ListReconBreaksQuery, ListReconMatchesQuery, ReconBreakDto, ReconBreakPageDto, ReconMatchDto, ReconMatchPageDto } from './matches.dto.js';
import { ReconReads } from './recon-reads.js';

@ApiTags('Audit')
@Controller('audit/recon')
@FinanceOnly()
@UseInterceptors(ReconReads)
export class ReconMatchesController {
  constructor(
    private readonly streams: OpenStreams,
    @Inject(FINANCE_POOL) private readonly pool: Pool,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get('matches')
  @ApiOperation({
    operationId: 'listReconMatches',
    summary: 'List matches of remittance lines',
    description: 'Those that hold: what each line is of. In the order in which the lines were recorded.',
  })
  @ApiAnswerForms({ json: ReconMatchPageDto, ndjsonLine: ReconMatchDto, csv: true })
  listMatches(
    @Query() { Source: source, Statement: statement_id, Charge: charge_id, After: after, Limit: limit }: ListReconMatchesQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const list = { ...matchesList(this.pool, { source, statement_id, charge_id }), after, limit, defaultLimit: LIMIT_DEFAULT };
    return answerList<Match, string>(this.streams, request, reply, list);
  }

  @Get('breaks')
  @ApiOperation({ operationId: 'listReconBreaks', summary: 'List differences between remittances and books', description: 'The oldest first.' })
  @ApiAnswerForms({ json: ReconBreakPageDto, ndjsonLine: ReconBreakDto, csv: true })
  listBreaks(
    @Query() { Source: source, Kind: kind, Status: status, After: after, Limit: limit }: ListReconBreaksQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const list = { ...breaksList(this.pool, { source, kind, status }, this.clock()), after, limit, defaultLimit: LIMIT_DEFAULT };
    return answerList<Break, string>(this.streams, request, reply, list);
  }

  @Get('breaks/:id')
  @ApiOperation({ operationId: 'getReconBreak', summary: 'Read a difference', description: 'With what the processor says, and what the books say.' })
  @ApiOkResponse({ type: ReconBreakDto })
  @Problems('not-found')
  async break(@Param('id', RecordId) id: string): Promise<ReconBreakDto> {
    const found = await findBreak(this.pool, id, this.clock());
    if (!found) throw noSuchRecord();
    return found;
  }
}
