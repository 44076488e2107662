import { randomUUID } from 'node:crypto';
import { Body, Controller, Get, HttpCode, Param, Post, Query, UseFilters, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { requireRole } from '../../../domain/operators/acting-operator.js';
import { SignedIn, Exchange, type HttpExchange } from '../../../platform/http/edge/access.js';
import { mustExist } from '../../../platform/http/record-id.js';
import { NotInThePast, TakesForms } from '../../../platform/http/edge/route-policy.js';
import { LedgerReads } from '../../../platform/projector/read-your-writes.js';
import { ConsoleFilter } from '../shared/console.filter.js';
import { ProposeQuery } from '../shared/console.dto.js';
import { ConsolePages } from '../shared/console-pages.js';
import { MakeProposalForm } from './forms.dto.js';
import { OperatorActions } from '../shared/operator-actions.js';
import { orderOf, ProposalForms } from './proposal-forms.js';
import { proposalForm, type ProposalForm } from './proposal-form-list.js';
import { proposalFormsPage } from './proposal-form-page.js';

/** The forms of all kinds of proposals. */
@ApiExcludeController()
@SignedIn()
@NotInThePast()
@Controller('console/desk/propose')
@UseFilters(ConsoleFilter)
@UseInterceptors(LedgerReads)
export class ConsoleProposeController {
  constructor(
    private readonly acts: OperatorActions,
    private readonly proposals: ProposalForms,
    private readonly pages: ConsolePages,
  ) {}

  @Get()
  forms(@Exchange() { request, reply }: HttpExchange): string {
    this.#requirePreparer(request);
    return this.pages.send(request, reply, { title: 'Propose', section: 'desk', mode: null, content: proposalFormsPage(this.pages.links) });
  }

  @Get(':form')
  form(@Param('form') name: string, @Query() { Of: of }: ProposeQuery, @Exchange() { request, reply }: HttpExchange): string {
    this.#requirePreparer(request);
    return this.proposals.send(request, reply, { form: formOf(name), formId: randomUUID(), of });
  }

  @Post(':form')
  @HttpCode(303)
  @TakesForms()
  async propose(@Param('form') name: string, @Body() body: MakeProposalForm, @Exchange() { request, reply, ids }: HttpExchange): Promise<string> {
    const form = formOf(name);
    const subject = this.proposals.subjectOf(form, body.form_id);
    this.acts.requireShown(request, subject, body);
    this.#requirePreparer(request);
    const typed = Object.fromEntries(Object.entries(body).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
    const order = orderOf(form, typed);
    const filled = { request, reply, ids, form, formId: body.form_id, token: body.form_token, order, typed };
    return body.act === 'what-if' && form.kind === 'FEE' ? this.proposals.priceLastMonth(filled) : this.proposals.make(filled);
  }

  /** @throws Problem insufficient-role, also for a session without an operator */
  #requirePreparer(request: FastifyRequest): void {
    requireRole({ roles: this.acts.findOperator(request)?.roles ?? [] }, 'preparer');
  }
}

/** @throws Problem not-found */
function formOf(name: string): ProposalForm {
  return mustExist(proposalForm(name));
}
