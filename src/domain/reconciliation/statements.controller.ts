import { Controller, Get, Inject, Param, Query, Req, UseInterceptors } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import { findGroups, findLine, findStatement } from '../../../projections/reconciliation/statement-reads.js';
import { CLOCK, FINANCE_POOL } from '../../ledger/ports/injection-tokens.js';
import type { Clock } from '../../ledger/time.js';
import { ActingOperators, hasRole } from '../operators/acting-operator.js';
import { FinanceOnly, Exchange, type HttpExchange } from '../../platform/http/edge/access.js';
import { answerList } from '../../platform/http/answer-list.js';
import { OpenStreams } from '../../platform/http/edge/open-streams.js';
import { ApiAnswerForms, Operation } from '../../platform/http/openapi/openapi.js';
import { Problems } from '../../ledger/dto/api-problems.js';
import { mustExist, RecordId } from '../../platform/http/record-id.js';
import { readAsOf } from './as-of.js';
import { linesList, statementsList } from './source-lists.js';
import { ReconciliationReads } from './reconciliation-reads.js';
import { StatementPeople } from './statements/statement-people.js';
import {
  ListReconLinesQuery,
  ListReconStatementsQuery,
  ReconLineDetailDto,
  ReconLineDto,
  ReconLinePageDto,
  ReconStatementDetailDto,
  ReconStatementDto,
  ReconStatementPageDto,
} from './statements.dto.js';

@ApiTags('Audit')
@Controller('audit/recon')
@FinanceOnly()
@UseInterceptors(ReconciliationReads)
export class ReconStatementsController {
  constructor(
    private readonly streams: OpenStreams,
    private readonly people: StatementPeople,
    private readonly operators: ActingOperators,
    @Inject(FINANCE_POOL) private readonly pool: Pool,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get('statements')
  @Operation('listReconStatements', 'List files of statements', 'In the order in which they were received.')
  @ApiAnswerForms({ json: ReconStatementPageDto, ndjsonLine: ReconStatementDto, csv: true })
  listStatements(@Query() query: ListReconStatementsQuery, @Exchange() { request, reply }: HttpExchange) {
    return answerList(this.streams, request, reply, statementsList(this.pool, { source: query.Source, status: query.Status }), query);
  }

  @Get('statements/:id')
  @Operation('getReconStatement', 'Read a file of statements', 'Includes its current statements or batches.')
  @ApiOkResponse({ type: ReconStatementDetailDto })
  @Problems('not-found')
  async statement(@Param('id', RecordId) id: string): Promise<ReconStatementDetailDto> {
    const found = mustExist(await findStatement(this.pool, id));
    return { ...found, groups: await findGroups(this.pool, id) };
  }

  @Get('lines')
  @Operation('listReconLines', 'List lines of statements', 'In the order in which they were recorded.')
  @ApiAnswerForms({ json: ReconLinePageDto, ndjsonLine: ReconLineDto, csv: true, asOf: true })
  async listLines(@Query() query: ListReconLinesQuery, @Exchange() { request, reply }: HttpExchange) {
    const { Source: source, Mode: mode, AsOf, Statement: statement_id, BookedFrom: booked_from, BookedTo: booked_to, Counts: counts } = query;
    const { as_of } = await readAsOf(this.pool, this.clock, reply, AsOf);
    const filters = { source, mode, as_of, statement_id, booked_from, booked_to, counts };
    return answerList(this.streams, request, reply, linesList(this.pool, filters), query);
  }

  @Get('lines/:id')
  @Operation(
    'getReconLine',
    'Read a line of a statement',
    'With the role preparer or approver, it includes the people named in the line, until they are erased.',
  )
  @ApiOkResponse({ type: ReconLineDetailDto })
  @Problems('not-found')
  async line(@Param('id') id: string, @Req() { keyId }: FastifyRequest): Promise<ReconLineDetailDto> {
    const found = mustExist(/^\d{1,18}$/.test(id) ? await findLine(this.pool, id) : undefined);
    const { part, place, ...line } = found;
    const maySee = (['preparer', 'approver'] as const).some((role) => hasRole(this.operators.known, keyId, role));
    return { ...line, people: maySee ? await this.people.find(line.statement_id, part, place) : null };
  }
}
