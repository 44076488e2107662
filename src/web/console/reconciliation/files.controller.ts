import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query, UseFilters, UseInterceptors } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Pool } from 'pg';
import { findOpenProposal } from '../../../../projections/approvals/proposals.js';
import { findNextDay } from '../../../../projections/reconciliation/days/next-day.js';
import { findSource, type Source } from '../../../../projections/reconciliation/sources.js';
import { findChargeCodes } from '../../../../projections/charges/charge-reads.js';
import { findMatches, findOpenBreaksOfLines } from '../../../../projections/reconciliation/matches/match-reads.js';
import {
  findGroups,
  findLines,
  findNewestStatements,
  findStatement,
  type Statement,
} from '../../../../projections/reconciliation/statement-reads.js';
import { html, type Html } from '../../../platform/html/html.js';
import { FINANCE_POOL } from '../../../ledger/ports/injection-tokens.js';
import { SignedIn, Exchange, type HttpExchange } from '../../../platform/http/edge/access.js';
import { abandoned } from '../../../platform/http/reads.js';
import { mustExist, RecordId } from '../../../platform/http/record-id.js';
import { Streams, TakesForms } from '../../../platform/http/edge/route-policy.js';
import { FileOfForm, TakesFormWithFile, type FormFile } from '../../../platform/http/uploads.js';
import { LedgerProblem } from '../../../ledger/problems.js';
import { ReadYourWrites } from '../../../platform/projector/read-your-writes.js';
import type { StatementImport } from '../../../domain/reconciliation/import-statement.js';
import { ReconciliationReads } from '../../../domain/reconciliation/reconciliation-reads.js';
import { ImportStatement, RunReconSource } from '../../../domain/reconciliation/source-commands.js';
import { STATEMENT_BYTES_MAX } from '../../../domain/reconciliation/statements.dto.js';
import { modeOfSource } from '../../../ledger/mode.js';
import { ConsoleFilter } from '../shared/console.filter.js';
import { ProposeForm } from '../approvals/forms.dto.js';
import { ConsolePages } from '../shared/console-pages.js';
import { filePage, sourcePage } from '../shared/links.js';
import { OperatorActions } from '../shared/operator-actions.js';
import { ProposalForms } from '../approvals/proposal-forms.js';
import { closeSubject, fileSubject, refusedNote, sourceSubject } from './file-forms.js';
import { idsOf } from '../records/record-tables.js';
import { filePageOf, sourceFilesPage } from './file-page.js';
import { ImportFileForm, FileQuery, SourceQuery, ReplaceFileForm, RunSourceForm } from './reconciliation.dto.js';

const FILES_SHOWN = 50;
const LINES_SHOWN = 100;

interface Sent extends HttpExchange, Pick<StatementImport, 'source' | 'batch' | 'replaces'> {
  readonly file: FormFile;
}

interface ShownSource {
  readonly note: Html | undefined;
  /** Shows files before this id. */
  readonly after?: string | undefined;
  readonly status?: number;
}

/** Sources of statements, their files, and imports of further files. */
@ApiExcludeController()
@SignedIn()
@Controller('console/recon')
@UseFilters(ConsoleFilter)
export class ConsoleFilesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly consistency: ReadYourWrites,
    private readonly acts: OperatorActions,
    private readonly proposals: ProposalForms,
    private readonly pages: ConsolePages,
    @Inject(FINANCE_POOL) private readonly pool: Pool,
  ) {}

  @Get('sources/:id')
  @UseInterceptors(ReconciliationReads)
  async source(@Param('id') id: string, @Query() { Done, After }: SourceQuery, @Exchange() { request, reply }: HttpExchange): Promise<string> {
    const note = Done && html`<p class="alert good" role="status">Open lines are compared with the books.</p>`;
    return this.showSource({ request, reply }, await this.findSource(id), { note, after: After });
  }

  @Post('sources/:id/import')
  @HttpCode(303)
  @Streams()
  @TakesFormWithFile(STATEMENT_BYTES_MAX)
  async import(
    @Param('id') id: string,
    @Body() form: ImportFileForm,
    @FileOfForm() file: FormFile,
    @Exchange() exchange: HttpExchange,
  ): Promise<string> {
    const source = await this.findSource(id);
    this.acts.requireShown(exchange.request, sourceSubject(source), form);
    try {
      return await this.take({ ...exchange, file, source: id, batch: form.batch, replaces: null });
    } catch (error) {
      const refused = refusedNote(error);
      if (!refused) throw error;
      return this.showSource(exchange, source, { note: refused, status: 422 });
    }
  }

  @Post('sources/:id/run')
  @HttpCode(303)
  @TakesForms()
  async run(@Param('id') id: string, @Body() form: RunSourceForm, @Exchange() { request, reply, ids }: HttpExchange): Promise<string> {
    this.acts.requireShown(request, sourceSubject(await this.findSource(id)), form);
    const { position } = await this.commands.execute(new RunReconSource(id, form.reason, request.keyId!, ids));
    await this.consistency.shown(reply, position, 'recon');
    void reply.header('location', this.pages.links.to(sourcePage(id), { Done: 'compared' }));
    return '';
  }

  @Get('files/:id')
  @UseInterceptors(ReconciliationReads)
  async file(@Param('id', RecordId) id: string, @Query() query: FileQuery, @Exchange() { request, reply }: HttpExchange): Promise<string> {
    return this.showFile({ request, reply }, await this.findFile(id), query);
  }

  @Post('files/:id/replace')
  @HttpCode(303)
  @Streams()
  @TakesFormWithFile(STATEMENT_BYTES_MAX)
  async replace(
    @Param('id', RecordId) id: string,
    @Body() form: ReplaceFileForm,
    @FileOfForm() file: FormFile,
    @Exchange() exchange: HttpExchange,
  ): Promise<string> {
    const replaced = await this.findFile(id);
    this.acts.requireShown(exchange.request, fileSubject(replaced), form);
    try {
      const replaces = { statement_id: id, reason: form.reason };
      return await this.take({ ...exchange, file, source: replaced.source, batch: await this.findGivenBatch(replaced), replaces });
    } catch (error) {
      const refused = refusedNote(error);
      if (!refused) throw error;
      return this.showFile(exchange, replaced, {}, refused, 422);
    }
  }

  @Post('files/:id/forget')
  @HttpCode(303)
  @TakesForms()
  async forget(@Param('id', RecordId) id: string, @Body() form: ProposeForm, @Exchange() exchange: HttpExchange): Promise<string> {
    const subject = fileSubject(await this.findFile(id));
    return this.proposals.propose({ ...exchange, subject, form, kind: 'FORGET_FILE', content: { statement_id: id } });
  }

  /** Imports the file; the caller has verified the form, so that no part of the file is stored before. @throws Problem */
  private async take({ request, reply, file, ids, source, batch, replaces }: Sent): Promise<string> {
    const spool = await file.spool();
    if (spool === null) throw new LedgerProblem('validation-failed', 'No file was chosen.');
    const command = new ImportStatement({ source, spool, batch, replaces, signal: abandoned(request) }, request.keyId!, ids);
    const { statement_id, position, replayed } = await this.commands.execute(command);
    await this.consistency.shown(reply, position, 'recon');
    void reply.header('location', this.pages.links.to(filePage(statement_id), { Imported: replayed ? 'known' : 'new' }));
    return '';
  }

  /** Returns the batch that the file was imported as, which its replacement must have; undefined if the files of its source name their batches. */
  private async findGivenBatch({ id, source }: Statement): Promise<string | undefined> {
    const { settings } = await this.findSource(source);
    return settings.profile?.batch === 'given' ? (await findGroups(this.pool, id))[0]?.name : undefined;
  }

  private async showSource(
    { request, reply }: Pick<HttpExchange, 'request' | 'reply'>,
    source: Source,
    { note, after, status = 200 }: ShownSource,
  ): Promise<string> {
    const isBank = source.settings.kind === 'BANK';
    const [found, nextDay] = await Promise.all([
      findNewestStatements(this.pool, source.id, FILES_SHOWN + 1, after),
      isBank ? findNextDay(this.pool, source.id) : undefined,
    ]);
    const files = found.slice(0, FILES_SHOWN);
    const next = found.length > FILES_SHOWN ? files.at(-1)!.id : undefined;
    const operator = this.acts.findOperator(request);
    const forms = { operator, token: this.acts.tokenFor(request, sourceSubject(source)) };
    const closing = { operator, next: nextDay, token: this.acts.tokenFor(request, closeSubject(source, nextDay?.day ?? '')) };
    const content = html`${note} ${sourceFilesPage(this.pages, { source, files, next, after, forms, closing })}`;
    return this.pages.send(request, reply, { title: `Source ${source.id}`, section: 'recon', mode: modeOfSource(source.id), content }, status);
  }

  private async showFile(
    { request, reply }: Pick<HttpExchange, 'request' | 'reply'>,
    file: Statement,
    { After: after, Imported }: FileQuery,
    note: Html | undefined = importedNote(this.pages, file, Imported),
    status = 200,
  ): Promise<string> {
    const [groups, found, matches, pending] = await Promise.all([
      findGroups(this.pool, file.id),
      findLines(this.pool, { statement_id: file.id, after, limit: LINES_SHOWN + 1 }),
      findMatches(this.pool, { statement_id: file.id, after, limit: LINES_SHOWN }),
      findOpenProposal(this.pool, file.id),
    ]);
    const lines = found.slice(0, LINES_SHOWN);
    const [codes, breaks] = await Promise.all([
      findChargeCodes(
        this.pool,
        matches.flatMap(({ item }) => item ?? []),
      ),
      findOpenBreaksOfLines(this.pool, file.source, idsOf(lines)),
    ]);
    const next = found.length > LINES_SHOWN ? lines.at(-1)!.id : undefined;
    const forms = { pending, operator: this.acts.findOperator(request), token: this.acts.tokenFor(request, fileSubject(file)) };
    const content = html`${note} ${filePageOf(this.pages, { file, groups, lines, matches, codes, breaks, next, after, forms })}`;
    return this.pages.send(
      request,
      reply,
      {
        title: `File of ${file.source}`,
        section: 'recon',
        above: [[`Source ${file.source}`, this.pages.links.to(sourcePage(file.source))]],
        mode: modeOfSource(file.source),
        content,
      },
      status,
    );
  }

  private async findSource(id: string): Promise<Source> {
    return mustExist(await findSource(this.pool, id));
  }

  private async findFile(id: string): Promise<Statement> {
    return mustExist(await findStatement(this.pool, id));
  }
}

function importedNote({ links }: ConsolePages, { source }: Statement, imported: FileQuery['Imported']): Html | undefined {
  if (imported === undefined) return undefined;
  const what = imported === 'new' ? 'Imported.' : 'The same file was imported before: nothing is recorded again.';
  return html`<p class="alert good" role="status">
    ${what} <a href="${links.to('recon', { Source: source })}">Breaks of its source</a> ·
    <a href="${links.to(sourcePage(source))}">Import another one</a>
  </p>`;
}
