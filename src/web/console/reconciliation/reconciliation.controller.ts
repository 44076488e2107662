import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query, UseFilters, UseInterceptors } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import { findDayCloses } from '../../../../projections/reconciliation/days/day-close-reads.js';
import { findBreakDays } from '../../../../projections/reconciliation/matches/break-days.js';
import { findSourceDays } from '../../../../projections/reconciliation/matches/day-reads.js';
import { findBreaks } from '../../../../projections/reconciliation/matches/match-reads.js';
import { findOpenProposal } from '../../../../projections/approvals/proposals.js';
import { findSources } from '../../../../projections/reconciliation/sources.js';
import { modeOfSource } from '../../../ledger/mode.js';
import { html } from '../../../platform/html/html.js';
import { digestOf } from '../../../ledger/ids/canonical-json.js';
import { COMMON_CLOCK, FINANCE_POOL } from '../../../ledger/ports/injection-tokens.js';
import { addDays } from '../../../ledger/days.js';
import { timestamp, type Clock } from '../../../ledger/time.js';
import { KnownMerchants } from '../../../domain/merchants/known-merchants.js';
import { noSuchCursor } from '../../../platform/http/answer-list.js';
import { SignedIn, Exchange, type HttpExchange } from '../../../platform/http/edge/access.js';
import { mustExist, parseUuid, RecordId } from '../../../platform/http/record-id.js';
import { TakesForms } from '../../../platform/http/edge/route-policy.js';
import { LedgerProblem } from '../../../ledger/problems.js';
import { ReadYourWrites } from '../../../platform/projector/read-your-writes.js';
import { findProposedBreaks } from '../../../domain/reconciliation/breaks/proposed-breaks.js';
import { findBreakDetail } from '../../../domain/reconciliation/breaks/break-detail.js';
import { ActOnBreak, type BreakAct } from '../../../domain/reconciliation/breaks/act-on-break.js';
import type { ReconBreakDetailDto } from '../../../domain/reconciliation/breaks/breaks.dto.js';
import { daysOf } from '../../finance-api/audit-days.js';
import { toDay } from '../../../domain/reconciliation/days/day-lists.js';
import { ReconciliationReads } from '../../../domain/reconciliation/reconciliation-reads.js';
import { ApprovalsQuery, startOfDay } from '../shared/console.dto.js';
import { AcceptBreakForm, ActOnBreakForm, MatchDifferenceForm, ReconciliationQuery } from './reconciliation.dto.js';
import { ConsoleFilter } from '../shared/console.filter.js';
import { ConsolePages } from '../shared/console-pages.js';
import { doneNote } from '../approvals/approvals-page.js';
import { breakPage as pathOf, approvalsPage as pageToGoBackTo } from '../shared/links.js';
import { OperatorActions, type ActSubject } from '../shared/operator-actions.js';
import { ProposalForms } from '../approvals/proposal-forms.js';
import { breakName } from '../shared/break-words.js';
import { breakPage } from './break-page.js';
import { reconciliationPage } from './reconciliation-page.js';
import { unreachable } from '../../../ledger/unreachable.js';

const DAYS = 7;
const SOURCES_MAX = 100;
const BREAKS_SHOWN = 50;

/** Breaks between the books and the files of banks and processors, and the acts of people on them. */
@ApiExcludeController()
@SignedIn()
@Controller('console/recon')
@UseFilters(ConsoleFilter)
export class ConsoleReconciliationController {
  constructor(
    private readonly commands: CommandBus,
    private readonly consistency: ReadYourWrites,
    private readonly acts: OperatorActions,
    private readonly proposals: ProposalForms,
    private readonly known: KnownMerchants,
    private readonly pages: ConsolePages,
    @Inject(FINANCE_POOL) private readonly pool: Pool,
    @Inject(COMMON_CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @UseInterceptors(ReconciliationReads)
  async overview(@Query() query: ReconciliationQuery, @Exchange() { request, reply }: HttpExchange): Promise<string> {
    const mode = this.pages.modeOf(request);
    const operator = this.acts.findOperator(request);
    const now = this.clock();
    const { Source: source, Kind: kind, Status: status, Proposal: proposal, After: after, Until: until } = query;
    const last = (startOfDay('Until', until) ?? timestamp(now)).slice(0, 10);
    const days = Array.from({ length: DAYS }, (_, ago) => addDays(last, -ago));
    const owner = query.Owner === undefined ? undefined : (operator?.id ?? undefined);
    const [all, found, closes, breaks, breakDays] = await Promise.all([
      findSources(this.pool, { limit: SOURCES_MAX }),
      findSourceDays(this.pool, mode, days.at(-1)!, timestamp(now)),
      findDayCloses(this.pool, { mode, from: days.at(-1), to: days[0], limit: SOURCES_MAX * DAYS }),
      findProposedBreaks(this.pool, { mode, source, kind, status, owner, proposal, after, limit: BREAKS_SHOWN + 1 }, now),
      findBreakDays(this.pool, { mode, days: daysOf({}, now) }),
    ]);
    if (breaks === undefined) throw noSuchCursor('break');
    const shown = breaks.slice(0, BREAKS_SHOWN);
    const next = breaks.length > BREAKS_SHOWN ? shown.at(-1)!.id : undefined;
    const sources = all.filter(({ settings }) => settings.mode === mode);
    const content = reconciliationPage(this.pages, {
      sources,
      days,
      found,
      closes: closes!.map((each) => toDay(each)),
      breaks: shown,
      breakDays,
      next,
      query,
      operator,
    });
    return this.pages.send(request, reply, { title: 'Reconciliation', section: 'recon', content });
  }

  @Get('breaks/:id')
  @UseInterceptors(ReconciliationReads)
  async break(@Param('id', RecordId) id: string, @Query() { Done }: ApprovalsQuery, @Exchange() { request, reply }: HttpExchange): Promise<string> {
    const found = await this.find(id);
    const digest = digestOf(sidesOf(found));
    const token = this.acts.tokenFor(request, { path: pathOf(id), record: id, digest });
    const pending = found.pending_proposal_id === null ? undefined : await findOpenProposal(this.pool, id);
    const content = breakPage(this.pages, { found, digest, pending, operator: this.acts.findOperator(request), token });
    return this.pages.send(request, reply, {
      title: `Break: ${breakName(found.kind)}`,
      section: 'recon',
      mode: modeOfSource(found.source),
      content: html`${doneNote(this.pages, pageToGoBackTo(Done))} ${content}`,
    });
  }

  /** Requires that both sides of the break are unchanged since the form was shown. */
  @Post('breaks/:id')
  @HttpCode(303)
  @TakesForms()
  async work(@Param('id', RecordId) id: string, @Body() form: ActOnBreakForm, @Exchange() { request, reply, ids }: HttpExchange): Promise<string> {
    const { digest, form_token, reason } = form;
    const path = pathOf(id);
    this.acts.require(request, { path, record: id, digest }, form_token);
    const found = await this.find(id);
    if (digestOf(sidesOf(found)) !== digest)
      throw new LedgerProblem('digest-mismatch', 'The break has changed since it was shown. Open the page again.');
    const command = new ActOnBreak(id, this.actOf(form, found, request), reason, request.keyId!, ids);
    const { position } = await this.commands.execute(command);
    await this.consistency.shown(reply, position, 'recon');
    const next = await this.next(request, id);
    void reply.header('location', this.pages.links.to(next === undefined ? 'recon' : pathOf(next), { Done: next === undefined ? undefined : path }));
    return '';
  }

  @Post('breaks/:id/accept')
  @HttpCode(303)
  @TakesForms()
  async accept(@Param('id', RecordId) id: string, @Body() form: AcceptBreakForm, @Exchange() exchange: HttpExchange): Promise<string> {
    const subject = await this.subjectOf(id);
    return this.proposals.propose({ ...exchange, subject, form, kind: 'BREAK_ACCEPT', content: { break_id: id, until: form.until } });
  }

  @Post('breaks/:id/difference')
  @HttpCode(303)
  @TakesForms()
  async matchDifference(@Param('id', RecordId) id: string, @Body() form: MatchDifferenceForm, @Exchange() exchange: HttpExchange): Promise<string> {
    const subject = await this.subjectOf(id);
    const content = { break_id: id, account: form.account };
    return this.proposals.propose({ ...exchange, subject, form, kind: 'MATCH_DIFFERENCE', content });
  }

  private actOf({ act, counterpart = '' }: ActOnBreakForm, { line }: ReconBreakDetailDto, request: FastifyRequest): BreakAct {
    switch (act) {
      case 'take':
        return { kind: 'assign', owner: this.acts.findOperator(request)?.id ?? null };
      case 'release':
        return { kind: 'assign', owner: null };
      case 'match':
        return line ? { kind: 'match', event_id: idOf(counterpart) } : { kind: 'match', line_id: lineIdOf(counterpart) };
      case 'note':
      case 'unmatch':
        return { kind: act };
      default:
        return unreachable(act);
    }
  }

  /** Returns the open break after this one, else the oldest other one. */
  private async next(request: FastifyRequest, id: string): Promise<string | undefined> {
    const query = { mode: this.pages.modeOf(request), status: 'OPEN' } as const;
    const behind = await findBreaks(this.pool, { ...query, after: id, limit: 1 }, this.clock());
    if (behind?.[0]) return behind[0].id;
    const oldest = await findBreaks(this.pool, { ...query, limit: 2 }, this.clock());
    return oldest?.find((each) => each.id !== id)?.id;
  }

  private async subjectOf(id: string): Promise<ActSubject> {
    return { path: pathOf(id), record: id, digest: digestOf(sidesOf(await this.find(id))) };
  }

  private async find(id: string): Promise<ReconBreakDetailDto> {
    return mustExist(await findBreakDetail(this.pool, this.known.operators, id, this.clock()));
  }
}

/** @throws Problem validation-failed */
function idOf(text: string): string {
  const id = parseUuid(text);
  if (id === undefined) throw new LedgerProblem('validation-failed', 'A break with a line is matched with an event: give its id.');
  return id;
}

/** @throws Problem validation-failed */
function lineIdOf(text: string): string {
  if (/^\d{1,18}$/.test(text)) return text;
  throw new LedgerProblem('validation-failed', 'A break without a line is matched with a line: give its id.');
}

/** The part of a break that a form's digest covers. Notes and the owner may change meanwhile. */
const sidesOf = ({ id, status, line, item, remittance }: ReconBreakDetailDto): object => ({ id, status, line, item, remittance });
