import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query, UseInterceptors } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Pool } from 'pg';
import { countOpenBreaks } from '../../../projections/reconciliation/matches/match-reads.js';
import { findSource } from '../../../projections/reconciliation/sources.js';
import { findGroups, findStatement } from '../../../projections/reconciliation/statement-reads.js';
import { FINANCE_POOL, SECRET } from '../../ledger/ports/injection-tokens.js';
import { FinanceOnly, Exchange, type HttpExchange } from '../../platform/http/edge/access.js';
import { answerList } from '../../platform/http/answer-list.js';
import { OpenStreams } from '../../platform/http/edge/open-streams.js';
import { ApiAnswerForms, BodyExample, LOCATION, Operation } from '../../platform/http/openapi/openapi.js';
import { Problems } from '../../ledger/dto/api-problems.js';
import { setLocation } from '../../platform/http/location.js';
import { abandoned } from '../../platform/http/reads.js';
import { mustExist } from '../../platform/http/record-id.js';
import { Streams } from '../../platform/http/edge/route-policy.js';
import { Spooled, TakesFile } from '../../platform/http/uploads.js';
import { invalid } from '../../platform/http/validation/validation.js';
import { ReadYourWrites } from '../../platform/projector/read-your-writes.js';
import type { Spool } from '../../platform/spool/spool.js';
import { sourcesList, toSource } from './source-lists.js';
import { ReconciliationReads } from './reconciliation-reads.js';
import { ImportStatement, RunReconSource, SetReconSource } from './source-commands.js';
import { ReconRunDto, RunSourceBody, SetSourceBody, SOURCE_EXAMPLE, SourceDto, SourcePageDto } from './sources.dto.js';
import { accountHmac, identityOf, settingsOf } from './sources.js';
import { ImportStatementQuery, ListSourcesQuery, ReconStatementDetailDto, STATEMENT_BYTES_MAX } from './statements.dto.js';

@ApiTags('Audit')
@Controller('audit/recon/sources')
@FinanceOnly()
export class SourcesController {
  private readonly hmacOf: (account: string) => string;

  constructor(
    private readonly commands: CommandBus,
    private readonly consistency: ReadYourWrites,
    private readonly streams: OpenStreams,
    @Inject(FINANCE_POOL) private readonly pool: Pool,
    @Inject(SECRET) secret: Buffer,
  ) {
    this.hmacOf = accountHmac(secret);
  }

  @Post()
  @HttpCode(200)
  @Operation(
    'setReconSource',
    'Create or change a source of statements',
    'Needs a key with the role controller. Each request contains all settings. A source keeps its kind; once a statement has been accepted, also its account and its currencies. The first BANK source that names a mode and currency remains the only source of its statements.',
  )
  @BodyExample(SOURCE_EXAMPLE)
  @ApiOkResponse({ type: SourceDto, headers: LOCATION })
  @Problems('insufficient-role', 'state-conflict')
  async set(@Body() { mode, name, reason, ...body }: SetSourceBody, @Exchange() { request, reply, ids }: HttpExchange): Promise<SourceDto> {
    const identity = identityOf(mode, name);
    const command = new SetReconSource(identity, settingsOf(body, this.hmacOf), reason, request.keyId!, ids);
    const { position } = await this.commands.execute(command);
    setLocation(reply, `/audit/recon/sources/${identity.source}`);
    return this.consistency.read(reply, position, () => this.find(identity.source), 'recon');
  }

  @Get()
  @UseInterceptors(ReconciliationReads)
  @Operation('listReconSources', 'List the sources of statements', 'Ordered by id.')
  @ApiAnswerForms({ json: SourcePageDto, ndjsonLine: SourceDto })
  list(@Query() query: ListSourcesQuery, @Exchange() { request, reply }: HttpExchange) {
    return answerList(this.streams, request, reply, sourcesList(this.pool), query);
  }

  @Get(':id')
  @UseInterceptors(ReconciliationReads)
  @Operation('getReconSource', 'Read a source of statements', 'Does not include the account.')
  @ApiOkResponse({ type: SourceDto })
  @Problems('not-found')
  read(@Param('id') id: string): Promise<SourceDto> {
    return this.find(id);
  }

  @Post(':id/statements')
  @HttpCode(201)
  @Streams()
  @TakesFile({ mediaTypes: ['application/octet-stream'], maxBytes: STATEMENT_BYTES_MAX, spooled: true })
  @Operation(
    'importReconStatement',
    'Import a file of statements',
    'Needs a key with the role preparer. The body is the file as received from the bank or the processor, at most 256 MiB, within 15 seconds. It is imported as a whole or not at all; a refusal names the error. Sending the same file again returns the first import, with 200, and resumes an import that was interrupted.',
  )
  @ApiCreatedResponse({ type: ReconStatementDetailDto, headers: LOCATION })
  @ApiOkResponse({ type: ReconStatementDetailDto, headers: LOCATION, description: 'The same file was imported before.' })
  @Problems('not-found', 'insufficient-role', 'state-conflict', 'statement-refused')
  async import(
    @Param('id') id: string,
    @Query() { Batch: batch, Replaces, Reason }: ImportStatementQuery,
    @Spooled() spool: Spool | null,
    @Exchange() { request, reply, ids }: HttpExchange,
  ): Promise<ReconStatementDetailDto> {
    if (spool === null) throw invalid('body', [{ at: '', code: 'required', detail: 'The request needs the bytes of the file.' }]);
    if (Replaces !== undefined && Reason === undefined)
      throw invalid('query', [{ at: 'Reason', code: 'required', detail: 'Set the reason for replacing the other file.' }]);
    const replaces = Replaces === undefined ? null : { statement_id: Replaces, reason: Reason! };
    const command = new ImportStatement({ source: id, spool, batch, replaces, signal: abandoned(request) }, request.keyId!, ids);
    const { statement_id, position, replayed } = await this.commands.execute(command);
    if (replayed) reply.status(200);
    setLocation(reply, `/audit/recon/statements/${statement_id}`);
    return this.consistency.read(
      reply,
      position,
      async () => {
        const found = mustExist(await findStatement(this.pool, statement_id));
        return { ...found, groups: await findGroups(this.pool, statement_id) };
      },
      'recon',
    );
  }

  @Post(':id/run')
  @HttpCode(200)
  @Operation(
    'runReconSource',
    'Match the lines of a source against the books',
    'Needs a key with the role preparer. Does the same as each import: matches items that were recorded since, and reports items that are overdue today.',
  )
  @ApiOkResponse({ type: ReconRunDto })
  @Problems('not-found', 'insufficient-role')
  async run(@Param('id') id: string, @Body() { reason }: RunSourceBody, @Exchange() { request, reply, ids }: HttpExchange): Promise<ReconRunDto> {
    const { ran, position } = await this.commands.execute(new RunReconSource(id, reason, request.keyId!, ids));
    const { day, ran_on } = ran;
    return this.consistency.read(
      reply,
      position,
      async () => ({ source: id, day, ran_on, open_breaks: await countOpenBreaks(this.pool, id, ran_on) }),
      'recon',
    );
  }

  private async find(id: string): Promise<SourceDto> {
    return toSource(mustExist(await findSource(this.pool, id)));
  }
}
