import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import { findOpenProposal } from '../../../../projections/approvals/proposals.js';
import { FINANCE_POOL } from '../../../ledger/ports/injection-tokens.js';
import { MakeProposalBody } from '../../finance-api/approvals/proposals.dto.js';
import { MakeProposal, proposalId, type ProposalOrder } from '../../../domain/approvals/act-on-proposal.js';
import { faultsOfContent } from '../../../domain/approvals/proposal-contents.js';
import type { ProposalContent, ProposalKindName } from '../../../domain/approvals/proposal-kind.js';
import { digestOf } from '../../../ledger/ids/canonical-json.js';
import type { Mode } from '../../../ledger/mode.js';
import { plain } from '../../../platform/html/html.js';
import { KnownMerchants } from '../../../domain/merchants/known-merchants.js';
import type { HttpExchange } from '../../../platform/http/edge/access.js';
import { faultsOfObject, invalid, readObject, type MemberFault } from '../../../platform/http/validation/validation.js';
import { LedgerProblem } from '../../../ledger/problems.js';
import { Problem } from '../../../platform/problem.js';
import { ReadYourWrites } from '../../../platform/projector/read-your-writes.js';
import type { ActBody } from './forms.dto.js';
import { timestamp } from '../../../ledger/time.js';
import { momentId } from '../../../point-in-time/moment-id.js';
import { MomentOpener } from '../../../point-in-time/moment-opener.js';
import type { FeeContent } from '../../../domain/approvals/proposal-contents.dto.js';
import { lastMonthAt } from './fee-scenario.js';
import { ConsolePages } from '../shared/console-pages.js';
import { momentPage, proposalPage, proposePage, WHAT_IF_PAGE } from '../shared/links.js';
import { OperatorActions, type ActSubject } from '../shared/operator-actions.js';
import { NO_FAULTS, placeFaults, pointerTo, type FormFaults } from './proposal-form-faults.js';
import { contentOf, missingIn, nameOf, typedFor, type Typed } from './proposal-form-fields.js';
import { formFor, type ProposalForm } from './proposal-form-list.js';
import { proposalFormPage, type Choice } from './proposal-form-page.js';

export interface SentProposal extends HttpExchange {
  /** Subject of the form in its present state. */
  readonly subject: ActSubject;
  readonly form: ActBody;
  readonly kind: ProposalKindName;
  readonly content: ProposalContent;
}

interface FilledForm extends HttpExchange {
  readonly form: ProposalForm;
  readonly formId: string;
  readonly token: string;
  readonly typed: Typed;
  readonly order: ProposalOrder;
}

interface ShownForm {
  readonly form: ProposalForm;
  readonly formId: string;
  /** Typed texts; absent: the form's initial values. */
  readonly typed?: Typed;
  /** Id of the record that the form is opened for. */
  readonly of?: string | undefined;
  readonly faults?: FormFaults;
}

/** Makes proposals from the console, by the form of a kind or on the page of a record. */
@Injectable()
export class ProposalForms {
  constructor(
    private readonly commands: CommandBus,
    private readonly consistency: ReadYourWrites,
    private readonly acts: OperatorActions,
    private readonly pages: ConsolePages,
    private readonly known: KnownMerchants,
    private readonly opener: MomentOpener,
    @Inject(FINANCE_POOL) private readonly pool: Pool,
  ) {}

  /**
   * Makes a proposal and redirects to it. A form that is sent twice makes one proposal, because its token and content are the idempotency
   * key. A refusal is shown in the form of its kind. @throws as OperatorActions.requireShown; Problem digest-mismatch when there is another open
   * proposal about the record
   */
  async propose({ request, reply, ids, subject, form, kind, content }: SentProposal): Promise<string> {
    this.acts.requireShown(request, subject, form);
    const { reason, form_token: token } = form;
    const of = formFor(kind, content)!;
    const typed = { ...typedFor(of.fields, content), reason };
    const order = { kind, content, reason, evidence: [] };
    const open = await findOpenProposal(this.pool, subject.record);
    if (open && open.id !== proposalId(this.acts.findOperator(request)!.id, keyOf(token, order)))
      throw new LedgerProblem('digest-mismatch', 'Another proposal about this record was made meanwhile. Open the page again to see it.');
    return this.make({ request, reply, ids, form: of, formId: randomUUID(), token, order, typed }, subject.path);
  }

  /** Does the same for the form of a kind; the caller has verified its token. @param from page to which the proposal links back */
  async make({ request, reply, ids, form, formId, token, order, typed }: FilledForm, from?: string): Promise<string> {
    try {
      requireValid(form, order);
      const command = new MakeProposal(order, keyOf(token, order), request.keyId!, ids);
      const { proposal_id, position } = await this.commands.execute(command);
      await this.consistency.shown(reply, position);
      void reply.header('location', this.pages.links.to(proposalPage(proposal_id), { Done: from }));
      return '';
    } catch (error) {
      return this.#sendRefused(error, { request, reply, form, formId, typed });
    }
  }

  /** Leads to the answer for last month at the fee of the form. */
  async priceLastMonth({ request, reply, form, formId, order, typed }: FilledForm): Promise<string> {
    try {
      requireContent(form, order);
      const content = order.content as FeeContent;
      const { now, ...today } = this.pages.today;
      const scenario = lastMonthAt(content, this.pages.plainMerchantName(content.merchant_id), today);
      const { position, name } = await this.opener.open({ time: timestamp(now) }, request.keyId!, scenario);
      void reply.header('location', this.pages.links.to(momentPage(momentId(position, name)), { Page: WHAT_IF_PAGE }));
      return '';
    } catch (error) {
      return this.#sendRefused(error, { request, reply, form, formId, typed });
    }
  }

  /** Sends the form with the faults that it was refused for. @throws other errors */
  #sendRefused(error: unknown, { request, reply, ...shown }: Pick<FilledForm, 'request' | 'reply' | 'form' | 'formId' | 'typed'>): string {
    const faults = faultsOf(shown.form, error);
    if (!faults) throw error;
    return this.send(request, reply, { ...shown, faults });
  }

  /** Sends a form with its typed texts and its faults. */
  send(request: FastifyRequest, reply: FastifyReply, { form, formId, typed: sent, of, faults = NO_FAULTS }: ShownForm): string {
    const about = { ...sent, ...typedRecord(form, of) };
    const mode = this.pages.modeOf(request, about[nameOf('merchant_id')]);
    const typed = sent ?? { ...this.#beginning(form, mode), ...about };
    const subject = this.subjectOf(form, formId);
    const content = proposalFormPage({
      ...{ links: this.pages.links, form, formId, faults, typed },
      ...{ digest: subject.digest, token: this.acts.tokenFor(request, subject) },
      ...{ merchants: this.#merchants(mode), operators: this.#operators() },
    });
    const isOfMode = form.fields.some(({ at }) => at === 'mode' || at === 'merchant_id');
    const shown = this.pages.modeOfProposal(form.fixed) ?? (isOfMode ? mode : null);
    const page = {
      title: form.title,
      section: 'desk',
      above: [['Propose', this.pages.links.to('desk/propose')] as const],
      mode: shown,
      content,
    } as const;
    return this.pages.send(request, reply, page, faults === NO_FAULTS ? 200 : 400);
  }

  /** The digest covers the form's initial values, so that a form cannot unknowingly revert a policy that has changed meanwhile. */
  subjectOf(form: ProposalForm, formId: string): ActSubject {
    return { path: proposePage(form.name), record: formId, digest: digestOf({ form: form.name, begins: this.#policy(form) }) };
  }

  /** Returns the initial texts: the policy in force for a form about a policy, else the shown mode. */
  #beginning(form: ProposalForm, mode: Mode): Typed {
    return typedFor(form.fields, form.kind === 'POLICY' ? this.#policy(form) : { mode });
  }

  #policy({ kind, fixed }: ProposalForm): ProposalContent {
    if (kind !== 'POLICY') return {};
    const { payouts, payouts_day, merchants, adjustments, settings, expires_hours } = this.known.approvalPolicy(fixed['mode'] as Mode) ?? {};
    const policy = { payouts, payouts_day, merchants, adjustments, settings, expires_hours };
    return Object.fromEntries(Object.entries(policy).filter(([, value]) => value !== undefined));
  }

  #merchants(mode: Mode): readonly Choice[] | undefined {
    return this.pages.merchantOptions(mode)?.filter(([id]) => id !== '');
  }

  #operators(): readonly Choice[] {
    return this.known.operators.all().map(({ id, name, roles }) => [id, `${plain(name)} (${roles.join(', ') || 'no role'})`] as const);
  }
}

/** Returns the faults that a refusal has for the form; undefined when it is about something else. */
function faultsOf({ fields }: ProposalForm, error: unknown): FormFaults | undefined {
  if (!(error instanceof Problem)) return undefined;
  if (error.code === 'validation-failed') return placeFaults(fields, error.errors ?? []);
  return error.code === 'too-many-moments' ? { of: new Map(), others: [error.detail] } : undefined;
}

/** Fields for the record that a proposal is about. A form has one of them, or the merchant beside it. */
const RECORD_FIELDS = ['break_id', 'item_id', 'payout_id', 'event_id', 'statement_id', 'person_id', 'merchant_id'] as const;

function typedRecord({ fields }: ProposalForm, of: string | undefined): Typed {
  const about = RECORD_FIELDS.find((name) => fields.some(({ at }) => at === name));
  return of === undefined || about === undefined ? {} : { [nameOf(about)]: of };
}

/** The idempotency key of a sent form. */
const keyOf = (token: string, order: ProposalOrder): string => digestOf({ form_token: token, ...order, evidence: [...order.evidence] });

/** Returns the form's proposal as a program would send it. */
export function orderOf({ kind, fixed, fields }: ProposalForm, typed: Typed): ProposalOrder {
  return { kind, content: contentOf(fixed, fields, typed), reason: typed['reason'] ?? '', evidence: evidenceIn(typed['evidence'] ?? '') };
}

/** Reads lines in the format of `sha256sum`. */
function evidenceIn(text: string): ProposalOrder['evidence'] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const [, sha256 = '', name = ''] = /^\s*(\S+)(?:\s+\*?(.*))?$/.exec(line) ?? [];
    return { name, sha256 };
  });
}

/** Applies all rules for programs at once, and requires the form's required fields. @throws Problem validation-failed */
function requireValid(form: ProposalForm, order: ProposalOrder): void {
  requireContent(form, order, faultsOfObject(readObject({ ...order }, MakeProposalBody)));
}

/** Applies the rules of the content alone. @throws Problem validation-failed */
function requireContent({ fields }: ProposalForm, order: ProposalOrder, others: readonly MemberFault[] = []): void {
  const faults = [...others, ...faultsOfContent(order.kind, order.content)];
  const missing = missingIn(fields, order.content as ProposalContent)
    .map(({ at }) => ({ at: pointerTo(at), code: 'required', detail: 'This field is required.' }))
    .filter(({ at }) => !faults.some((fault) => fault.at === at));
  if (faults.length + missing.length > 0) throw invalid('body', [...missing, ...faults]);
}
