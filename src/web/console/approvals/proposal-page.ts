import type { StoredProposal } from '../../../../projections/approvals/proposals.js';
import type { EventPage } from '../../finance-api/find-events.js';
import { roleFor } from '../../../domain/approvals/role-for.js';
import { foreign, html, type Html } from '../../../platform/html/html.js';
import { proposalStream } from '../../../ledger/events/proposal.events.js';
import type { KnownOperator } from '../../../domain/operators/known-operators.js';
import { actForm } from '../shared/act-form.js';
import { code, details, money, status, table, time, userText } from '../shared/components.js';
import type { ConsolePages } from '../shared/console-pages.js';
import { timeline } from '../records/history-page.js';
import { proposalPage as pathOf } from '../shared/links.js';
import { movedBy } from '../../finance-api/approvals/moved-money.js';
import { currencyOf, type ChangedValue } from './proposal-changes.js';
import { shownName, shownSubject, shownWay } from '../records/record-names.js';

export interface ProposalSources {
  readonly proposal: StoredProposal;
  /** Digest of the shown content. */
  readonly digest: string;
  readonly changes: readonly ChangedValue[];
  readonly history: EventPage;
  readonly operator: KnownOperator | undefined;
  /** Token for the form; null: the operator must sign in again first. */
  readonly token: string | null;
}

/** A proposal: its values beside the present ones, reason, evidence, history, and the form for the decision. */
export function proposalPage(pages: ConsolePages, sources: ProposalSources): Html {
  const { proposal, digest, changes, history } = sources;
  const { id, reason, proposed_by, proposal_status, made_on, approve_by, approvals, approvals_required, controllers_required } = proposal;
  const controllers = controllers_required > 0 ? `, ${controllers_required} of a controller` : '';
  return html`<p class="lead"><strong>${foreign(reason)}</strong></p>
    ${moves(pages, proposal)} ${outcome(pages, proposal)}
    ${details([
      ['Status', status(proposal_status)],
      ...about(pages, proposal),
      ['Proposed by', pages.operator(proposed_by)],
      ['Made (UTC)', time(made_on)],
      ['Approvals', `${approvals.length} of ${approvals_required}${controllers}`],
      ['To be approved before (UTC)', time(approve_by)],
      ['Id', code(id)],
      ['Digest of this page', code(digest)],
    ])}
    ${table(
      'Content of the proposal',
      [{ title: 'Field' }, { title: 'Now' }, { title: 'Proposed' }],
      changes.map(({ field, isChanged }) => [
        shownWay(pages, field),
        shownValue(pages, sources, field, 'before'),
        isChanged ? html`<strong>${shownValue(pages, sources, field, 'after')}</strong>` : shownValue(pages, sources, field, 'after'),
      ]),
      'It has no content.',
    )}
    ${evidence(proposal)} ${decision(pages, sources)}
    <section aria-labelledby="history">
      <h2 id="history">History</h2>
      ${timeline(pages, history.items)}
      ${history.next_after !== null && html`<p><a href="${pages.links.history(proposalStream(id))}">Full history</a></p>`}
    </section>`;
}

/** The proposal's subject by name. */
function about(pages: ConsolePages, proposal: StoredProposal): (readonly [string, Html])[] {
  const subject = shownSubject(pages, proposal);
  return subject ? [['About', subject]] : [];
}

/** A value: an id as a name with a link to its page, an amount in the currency's format. */
function shownValue(
  pages: ConsolePages,
  { proposal: { content }, changes }: ProposalSources,
  field: string,
  side: 'before' | 'after',
): Html | string {
  const value = changes.find((each) => each.field === field)?.[side] ?? null;
  if (value === null) return '–';
  const currency = currencyOf(changes, field, side);
  if (currency !== undefined && /^-?\d+$/.test(value)) return money(BigInt(value), currency);
  return shownName(pages, field.slice(field.lastIndexOf('.') + 1), value, content) ?? userText(value);
}

/** The moved amount in the currency's format; the content has minor units and ids. */
function moves(pages: ConsolePages, proposal: StoredProposal): Html | false {
  const moved = movedBy(proposal);
  if (!moved) return false;
  const { amount, currency, merchant_id } = moved;
  return html`<p>${money(amount, currency)}${merchant_id === null ? ' of the platform' : html` of ${pages.merchant(merchant_id)}`}.</p>`;
}

/** The reason why a proposal ended without effect. */
function outcome(pages: ConsolePages, { detail, ended_by, end_reason, proposal_status }: StoredProposal): Html | false {
  if (detail !== null) return html`<p class="alert bad">${foreign(detail)}</p>`;
  if (ended_by === null) return false;
  const what = proposal_status === 'VOIDED' ? 'Voided: it held an approval that no longer counted, by' : 'Ended by';
  return html`<p class="alert warn">${what} ${pages.operator(ended_by)}${end_reason !== null && html`: ${foreign(end_reason)}`}</p>`;
}

function evidence({ evidence: files }: StoredProposal): Html | false {
  if (files.length === 0) return false;
  return table(
    'Evidence',
    [{ title: 'File' }, { title: 'SHA-256' }],
    files.map(({ name, sha256 }) => [userText(name), code(sha256)]),
    '',
  );
}

function decision({ links, moment }: ConsolePages, { proposal, digest, operator, token }: ProposalSources): Html {
  const { id, proposal_status, proposed_by, approvals, target } = proposal;
  const isOpen = proposal_status === 'PENDING' || (proposal_status === 'APPROVED' && target === null);
  if (moment || !isOpen) return html``;
  if (!operator) return html`<p class="alert">Operators decide, with their own key (<code>ok_</code>): this session was opened with another one.</p>`;
  const acts = actsOf(operator, proposal);
  const hasApproved = approvals.some(({ person_id }) => person_id === operator.id);
  if (acts.length === 0) return html`<p class="alert">Deciding needs the role ${proposal.controllers_required > 0 ? 'controller' : 'approver'}.</p>`;
  return html`<section aria-labelledby="decide">
    <h2 id="decide">Decide</h2>
    ${operator.id === proposed_by && html`<p class="hint">You proposed it; another operator must approve it.</p>`}
    ${hasApproved && html`<p class="alert good">You have approved it.</p>`} ${actForm({ links, path: pathOf(id), digest, token, acts })}
  </section>`;
}

function actsOf({ id, roles }: KnownOperator, proposal: StoredProposal): (readonly [string, string])[] {
  if (id === proposal.proposed_by) return [['withdraw', 'Withdraw']];
  const { approvals, proposal_status } = proposal;
  const mayApprove =
    proposal_status === 'PENDING' && !approvals.some(({ person_id }) => person_id === id) && roleFor(proposal, approvals, roles) !== undefined;
  const mayReject = roleFor(proposal, [], roles) !== undefined;
  return [...(mayApprove ? [['approve', 'Approve'] as const] : []), ...(mayReject ? [['reject', 'Reject'] as const] : [])];
}
