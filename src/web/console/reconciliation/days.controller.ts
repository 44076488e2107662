import type { Readable } from 'node:stream';
import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query, UseFilters, UseInterceptors } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Pool } from 'pg';
import { findCloseOfDay, findDayClose } from '../../../../projections/reconciliation/days/day-close-reads.js';
import { findDayRows } from '../../../../projections/reconciliation/days/day-row-reads.js';
import { findTrialTotals } from '../../../../projections/balances/trial-balance.js';
import { findReceivable } from '../../../../projections/reconciliation/matches/receivable.js';
import { findNextDay } from '../../../../projections/reconciliation/days/next-day.js';
import { findSource } from '../../../../projections/reconciliation/sources.js';
import { COMMON_CLOCK, FINANCE_POOL } from '../../../ledger/ports/injection-tokens.js';
import { timestamp, type Clock } from '../../../ledger/time.js';
import { SignedIn, Exchange, type HttpExchange } from '../../../platform/http/edge/access.js';
import { answerCsv } from '../../../platform/http/answer-list.js';
import { OpenStreams } from '../../../platform/http/edge/open-streams.js';
import { mustExist, noSuchRecord, RecordId } from '../../../platform/http/record-id.js';
import { TakesForms } from '../../../platform/http/edge/route-policy.js';
import { LedgerProblem } from '../../../ledger/problems.js';
import { LedgerReads, ReadYourWrites } from '../../../platform/projector/read-your-writes.js';
import { receivableList, toDay } from '../../../domain/reconciliation/days/day-lists.js';
import { ReconciliationReads } from '../../../domain/reconciliation/reconciliation-reads.js';
import { CloseDay } from '../../../domain/reconciliation/source-commands.js';
import { modeOfSource } from '../../../ledger/mode.js';
import { breakDaysList, daysOf } from '../../finance-api/audit-days.js';
import { ConsoleFilter } from '../shared/console.filter.js';
import { ConsolePages } from '../shared/console-pages.js';
import { dayPage as pathOf, sourcePage } from '../shared/links.js';
import { OperatorActions } from '../shared/operator-actions.js';
import { dayPage } from './day-page.js';
import { receivablePage } from './receivable-page.js';
import { closeSubject } from './file-forms.js';
import { CloseDayForm, DayQuery } from './reconciliation.dto.js';

const ROWS_SHOWN = 100;

/** Days of banks: the page of each, and the act that closes the next one. */
@ApiExcludeController()
@SignedIn()
@Controller('console/recon')
@UseFilters(ConsoleFilter)
export class ConsoleDaysController {
  constructor(
    private readonly commands: CommandBus,
    private readonly consistency: ReadYourWrites,
    private readonly acts: OperatorActions,
    private readonly streams: OpenStreams,
    private readonly pages: ConsolePages,
    @Inject(FINANCE_POOL) private readonly pool: Pool,
    @Inject(COMMON_CLOCK) private readonly clock: Clock,
  ) {}

  @Get('days/:id')
  @UseInterceptors(ReconciliationReads)
  async day(@Param('id', RecordId) id: string, @Query() { After: after }: DayQuery, @Exchange() { request, reply }: HttpExchange): Promise<string> {
    const close = mustExist(await findDayClose(this.pool, id));
    const { source, n } = close;
    const found = await findDayRows(this.pool, { source, n, after, limit: ROWS_SHOWN + 1 });
    const rows = found.slice(0, ROWS_SHOWN);
    const next = found.length > ROWS_SHOWN ? rows.at(-1)!.place : undefined;
    const content = dayPage(this.pages, { day: toDay(close), rows, next, after });
    return this.pages.send(request, reply, {
      title: `${close.day} of ${source}`,
      section: 'recon',
      above: [[`Source ${source}`, this.pages.links.to(sourcePage(source))]],
      mode: modeOfSource(source),
      content,
    });
  }

  @Get('receivable.csv')
  @UseInterceptors(ReconciliationReads)
  receivableFile(@Exchange() { request, reply }: HttpExchange): Promise<Readable | ''> {
    const list = receivableList(this.pool, this.pages.modeOf(request), { as_of: undefined, now: this.clock() });
    return answerCsv(this.streams, request, reply, list);
  }

  /** The figures of the chart of breaks. */
  @Get('break-days.csv')
  @UseInterceptors(ReconciliationReads)
  breakDaysFile(@Exchange() { request, reply }: HttpExchange): Promise<Readable | ''> {
    const list = breakDaysList(this.pool, { mode: this.pages.modeOf(request), days: daysOf({}, this.clock()) });
    return answerCsv(this.streams, request, reply, list);
  }

  /** Sums all receivables of the mode on each request. It is a separate page, because its time grows with the receivables. */
  @Get('receivable')
  @UseInterceptors(LedgerReads, ReconciliationReads)
  async receivable(@Exchange() { request, reply }: HttpExchange): Promise<string> {
    const mode = this.pages.modeOf(request);
    const [owed, books] = await Promise.all([findReceivable(this.pool, mode, timestamp(this.clock())), findTrialTotals(this.pool, { mode })]);
    const content = receivablePage(this.pages, owed, books);
    const actions = this.pages.csvLink('recon/receivable');
    return this.pages.send(request, reply, { title: 'Amounts that processors owe', section: 'recon', actions, content });
  }

  /** Closes the source's next day and redirects to the day's page. */
  @Post('sources/:id/close')
  @HttpCode(303)
  @TakesForms()
  async close(@Param('id') id: string, @Body() form: CloseDayForm, @Exchange() { request, reply, ids }: HttpExchange): Promise<string> {
    const [source, next] = await Promise.all([findSource(this.pool, id), findNextDay(this.pool, id)]);
    if (!source) throw noSuchRecord();
    if (!next) throw new LedgerProblem('state-conflict', 'No statement of the source was accepted.');
    this.acts.requireShown(request, closeSubject(source, next.day), form);
    const command = new CloseDay(id, next.day, form.reason, request.keyId!, ids);
    const { position } = await this.commands.execute(command);
    const closed = await this.consistency.read(reply, position, () => findCloseOfDay(this.pool, id, next.day), 'recon');
    void reply.header('location', this.pages.links.to(closed ? pathOf(closed.id) : sourcePage(id)));
    return '';
  }
}
