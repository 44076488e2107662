import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query, UseFilters, UseInterceptors } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import { findProposals, findProposalsById, type StoredProposal } from '../../../../projections/approvals/proposals.js';
import { EventIndexReads } from '../../finance-api/event-index-reads.js';
import { findEvents } from '../../finance-api/find-events.js';
import { PayoutDetails } from '../../finance-api/payout-details.js';
import { ActOnProposal, type ProposalAct } from '../../../domain/approvals/act-on-proposal.js';
import { digestOf } from '../../../ledger/ids/canonical-json.js';
import { proposalStream } from '../../../ledger/events/proposal.events.js';
import { COMMON_CLOCK, FINANCE_POOL } from '../../../ledger/ports/injection-tokens.js';
import type { Mode } from '../../../ledger/mode.js';
import type { Clock } from '../../../ledger/time.js';
import { BankingCalendar } from '../../../domain/calendar/banking-calendar.js';
import { KnownMerchants } from '../../../domain/merchants/known-merchants.js';
import { ActOnPayout } from '../../../domain/payouts/act-on-payout.js';
import { EVENT_STORE, type EventStore, type Position } from '../../../platform/event-store/event-store.js';
import { SignedIn, Exchange, type HttpExchange } from '../../../platform/http/edge/access.js';
import { mustExist, RecordId } from '../../../platform/http/record-id.js';
import { TakesForms } from '../../../platform/http/edge/route-policy.js';
import { LedgerReads, ReadYourWrites } from '../../../platform/projector/read-your-writes.js';
import { timeLimit } from '../../../platform/async/waiting.js';
import { ConsoleFilter } from '../shared/console.filter.js';
import { ConsolePages } from '../shared/console-pages.js';
import { ApprovalsQuery } from '../shared/console.dto.js';
import { ActOnPayoutForm, ActOnProposalForm } from './forms.dto.js';
import { approvalsPage, doneNote } from './approvals-page.js';
import { decides, WaitingApprovals, idOf } from '../../finance-api/approvals/waiting-approvals.js';
import { approvalsPage as approvalsPageIn, payoutPage, proposalPage as proposalPath } from '../shared/links.js';
import { payoutTitle } from '../records/payout-page.js';
import { proposalName } from './proposal-form-list.js';
import { payoutApprovalPage } from './payout-approval-page.js';
import { OperatorActions } from '../shared/operator-actions.js';
import { changesOf } from './proposal-changes.js';
import { proposalPage } from './proposal-page.js';
import { html } from '../../../platform/html/html.js';

const HISTORY_EVENTS = 50;
const OWN_PROPOSALS_MAX = 1_000;

/** Entries that wait for approval, and the decisions about them. */
@ApiExcludeController()
@SignedIn()
@Controller('console/desk')
@UseFilters(ConsoleFilter)
export class ConsoleApprovalsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly consistency: ReadYourWrites,
    private readonly acts: OperatorActions,
    private readonly waiting: WaitingApprovals,
    private readonly payouts: PayoutDetails,
    private readonly known: KnownMerchants,
    private readonly calendar: BankingCalendar,
    private readonly pages: ConsolePages,
    @Inject(FINANCE_POOL) private readonly pool: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(COMMON_CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @UseInterceptors(LedgerReads)
  async approvals(@Query() { Done }: ApprovalsQuery, @Exchange() { request, reply }: HttpExchange): Promise<string> {
    const operator = this.acts.findOperator(request);
    const mode = this.pages.modeOf(request);
    const [waiting, pending] = await Promise.all([
      this.waiting.for(decides(operator) ? operator : undefined, mode),
      operator ? findProposals(this.pool, { proposal_status: 'PENDING', limit: OWN_PROPOSALS_MAX }) : [],
    ]);
    const proposed = pending!.filter(({ proposed_by }) => proposed_by === operator?.id);
    const content = approvalsPage(this.pages, { operator, waiting, proposed, done: approvalsPageIn(Done), now: this.clock() });
    return this.pages.send(request, reply, { title: 'Desk', section: 'desk', content });
  }

  @Get('payouts/:id')
  @UseInterceptors(LedgerReads)
  async payout(@Param('id', RecordId) id: string, @Query() { Done }: ApprovalsQuery, @Exchange() { request, reply }: HttpExchange): Promise<string> {
    const payout = await this.payouts.find(id, request.keyId);
    const token = this.acts.tokenFor(request, { path: payoutPage(id), record: id, digest: payout.digest ?? '' });
    const content = payoutApprovalPage(this.pages, { payout, operator: this.acts.findOperator(request), token, now: this.clock() });
    return this.pages.send(request, reply, {
      title: payoutTitle(payout),
      section: 'desk',
      merchantId: payout.merchant_id,
      content: html`${doneNote(this.pages, approvalsPageIn(Done))} ${content}`,
    });
  }

  @Post('payouts/:id')
  @HttpCode(303)
  @TakesForms()
  async decidePayout(
    @Param('id', RecordId) id: string,
    @Body() { act: kind, digest, form_token, reason }: ActOnPayoutForm,
    @Exchange() { request, reply, ids }: HttpExchange,
  ): Promise<string> {
    const path = payoutPage(id);
    this.acts.require(request, { path, record: id, digest }, form_token);
    const { position, merchant_id } = await this.commands.execute(new ActOnPayout({ kind, payout_id: id, digest, reason }, request.keyId!, ids));
    return this.redirectToNext(request, reply, { id, path, position, mode: this.pages.modeOf(request, merchant_id) });
  }

  /** Computes the digest from the shown content; does not use the digest in the table. */
  @Get('proposals/:id')
  @UseInterceptors(EventIndexReads, LedgerReads)
  async proposal(
    @Param('id', RecordId) id: string,
    @Query() { Done }: ApprovalsQuery,
    @Exchange() { request, reply }: HttpExchange,
  ): Promise<string> {
    const proposal = await this.find(id);
    const digest = digestOf(proposal.content);
    const holidays = proposal.kind === 'CALENDAR' ? await this.calendar.years() : [];
    const changes = changesOf(proposal.kind, proposal.content, this.known, holidays);
    const content = proposalPage(this.pages, {
      ...{ proposal, digest, changes, operator: this.acts.findOperator(request) },
      history: await findEvents(
        { pool: this.pool, store: this.store },
        { stream: proposalStream(id), after: 0, limit: HISTORY_EVENTS },
        timeLimit(5_000),
      ),
      token: this.acts.tokenFor(request, { path: proposalPath(id), record: id, digest }),
    });
    return this.pages.send(request, reply, {
      title: proposalName(proposal.kind, proposal.content),
      section: 'desk',
      mode: this.pages.modeOfProposal(proposal.content),
      content: html`${doneNote(this.pages, approvalsPageIn(Done))} ${content}`,
    });
  }

  @Post('proposals/:id')
  @HttpCode(303)
  @TakesForms()
  async decideProposal(
    @Param('id', RecordId) id: string,
    @Body() { act: kind, digest, form_token, reason }: ActOnProposalForm,
    @Exchange() { request, reply, ids }: HttpExchange,
  ): Promise<string> {
    const path = proposalPath(id);
    this.acts.require(request, { path, record: id, digest }, form_token);
    const act: ProposalAct = kind === 'approve' ? { kind, proposal_id: id, digest, reason } : { kind, proposal_id: id, reason };
    const { position } = await this.commands.execute(new ActOnProposal(act, request.keyId!, ids));
    return this.redirectToNext(request, reply, { id, path, position, mode: this.pages.modeOf(request) });
  }

  /** Redirects to the operator's next entry after the one just decided. */
  private async redirectToNext(
    request: FastifyRequest,
    reply: FastifyReply,
    { id, path, position, mode }: { readonly id: string; readonly path: string; readonly position: Position; readonly mode: Mode },
  ): Promise<string> {
    await this.consistency.shown(reply, position);
    const next = await this.waiting.next(this.acts.findOperator(request), mode, id);
    const page = next === undefined ? 'desk' : next.kind === 'PAYOUT' ? payoutPage(idOf(next)) : proposalPath(idOf(next));
    void reply.header('location', this.pages.links.to(page, { Done: path }));
    return '';
  }

  private async find(id: string): Promise<StoredProposal> {
    return mustExist((await findProposalsById(this.pool, [id]))[0]);
  }
}
