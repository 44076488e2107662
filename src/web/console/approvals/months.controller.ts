import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query, UseFilters, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Pool } from 'pg';
import { findOpenProposal } from '../../../../projections/approvals/proposals.js';
import { correctionsList, findNextPeriod, findPeriod, findPeriods, readPeriod } from '../../finance-api/period-reads.js';
import { COMMON_CLOCK, CONFIG, FINANCE_POOL, type Settings } from '../../../ledger/ports/injection-tokens.js';
import type { Mode } from '../../../ledger/mode.js';
import type { Clock } from '../../../ledger/time.js';
import { EVENT_STORE, type EventStore } from '../../../platform/event-store/event-store.js';
import { SignedIn, Exchange, type HttpExchange } from '../../../platform/http/edge/access.js';
import { mustExist } from '../../../platform/http/record-id.js';
import { TakesForms } from '../../../platform/http/edge/route-policy.js';
import { LedgerReads } from '../../../platform/projector/read-your-writes.js';
import { LedgerProblem } from '../../../ledger/problems.js';
import { timeLimit } from '../../../platform/async/waiting.js';
import { ConsoleFilter } from '../shared/console.filter.js';
import { ConsolePages } from '../shared/console-pages.js';
import { MonthQuery } from '../shared/console.dto.js';
import { ProposeForm } from './forms.dto.js';
import { monthsPage, monthsSubject, oneMonthPage } from './months-page.js';
import { monthPage } from '../shared/links.js';
import { OperatorActions } from '../shared/operator-actions.js';
import { ProposalForms } from './proposal-forms.js';

const CORRECTIONS_SHOWN = 50;

/** Months of the shown mode: as closed, as corrected since, and the next one. */
@ApiExcludeController()
@SignedIn()
@Controller('console/months')
@UseFilters(ConsoleFilter)
@UseInterceptors(LedgerReads)
export class ConsoleMonthsController {
  constructor(
    private readonly acts: OperatorActions,
    private readonly proposals: ProposalForms,
    private readonly pages: ConsolePages,
    @Inject(FINANCE_POOL) private readonly pool: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CONFIG) private readonly settings: Settings,
    @Inject(COMMON_CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  async months(@Exchange() { request, reply }: HttpExchange): Promise<string> {
    const mode = this.pages.modeOf(request);
    const { closed, next } = await this.#months(mode);
    const subject = monthsSubject(mode, next?.month);
    const pending = await findOpenProposal(this.pool, subject.record);
    const token = this.acts.tokenFor(request, subject);
    const content = monthsPage(this.pages, { mode, closed, next, pending, operator: this.acts.findOperator(request), token, now: this.clock() });
    return this.pages.send(request, reply, { title: 'Months', section: 'months', content });
  }

  @Post()
  @HttpCode(303)
  @TakesForms()
  async propose(@Body() form: ProposeForm, @Exchange() exchange: HttpExchange): Promise<string> {
    const mode = this.pages.modeOf(exchange.request);
    const { next } = await this.#months(mode);
    if (!next) throw new LedgerProblem('state-conflict', 'Nothing is booked yet: no month can be closed.');
    const { month } = next;
    return this.proposals.propose({ ...exchange, subject: monthsSubject(mode, month), form, kind: 'MONTH_CLOSE', content: { mode, month } });
  }

  @Get(':month')
  async month(@Param('month') month: string, @Query() { After: after }: MonthQuery, @Exchange() { request, reply }: HttpExchange): Promise<string> {
    const closed = mustExist(await findPeriod(this.store, this.pages.modeOf(request), month));
    const [period, corrections] = await Promise.all([
      readPeriod(this.pool, closed),
      correctionsList(this.pool, closed).page(after, CORRECTIONS_SHOWN, timeLimit(5_000)),
    ]);
    const content = oneMonthPage(this.pages, { period, corrections, after });
    const suggested = [{ words: 'As closed', month, mode: closed.mode, page: monthPage(month) }];
    return this.pages.send(request, reply, { title: `Month ${month}`, section: 'months', suggested, content });
  }

  async #months(mode: Mode) {
    const closed = await findPeriods(this.store, mode);
    return { closed, next: await findNextPeriod(this.pool, this.settings.booksTimeZone, mode, closed) };
  }
}
