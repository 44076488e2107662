import type { StoredProposal } from '../../../../projections/approvals/proposals.js';
import type { QueueEntry } from '../../../../projections/approvals/queue.js';
import { html, type Html } from '../../../platform/html/html.js';
import { DAY_MS, milliseconds } from '../../../ledger/time.js';
import type { KnownOperator } from '../../../domain/operators/known-operators.js';
import { cards, money, shortId, tiles, time, timeUntil } from '../shared/components.js';
import type { ConsolePages } from '../shared/console-pages.js';
import { decides, idOf, WAITING_MAX } from '../../finance-api/approvals/waiting-approvals.js';
import { payoutPage, proposalPage } from '../shared/links.js';
import { movedBy } from '../../finance-api/approvals/moved-money.js';
import { proposalName } from './proposal-form-list.js';
import { shownSubject } from '../records/record-names.js';

export interface ApprovalsSources {
  readonly operator: KnownOperator | undefined;
  /** Pending entries, oldest first. */
  readonly waiting: readonly QueueEntry[];
  /** Proposals by the operator that wait for others. */
  readonly proposed: readonly StoredProposal[];
  /** Page of the record about which the operator has just decided. */
  readonly done: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Maximum number of entries on the page. */
const SHOWN = 100;
const AGES = [
  ['Less than a day', 0, 1],
  ['1 to 2 days', 1, 3],
  ['3 days and more', 3, Infinity],
] as const;

/** The entries that wait for the operator's decision; for an operator without decisions, all that wait for approval. */
export function approvalsPage(pages: ConsolePages, { operator, waiting, proposed, done, now }: ApprovalsSources): Html {
  const isAsked = decides(operator);
  const heading = isAsked ? 'Waits for you' : 'Waits for approval';
  return html`${doneNote(pages, done)} ${ages(waiting, now)}
  ${cards(
    waiting.length > SHOWN
      ? `${heading}: the ${SHOWN} most urgent of ${waiting.length === WAITING_MAX ? `${WAITING_MAX} or more` : waiting.length}`
      : `${heading}, the most urgent first`,
    [
      { title: 'What' },
      { title: 'About' },
      { title: 'Waits since (UTC)' },
      { title: 'Proposed by' },
      { title: 'Amount', isFigure: true },
      { title: 'Approvals' },
      { title: 'Left', isFigure: true },
    ],
    waiting
      .toSorted((a, b) => milliseconds(deadlineOf(a)) - milliseconds(deadlineOf(b)))
      .slice(0, SHOWN)
      .map((entry) => queueRow(pages, entry, now)),
    isAsked ? 'Nothing waits for you.' : 'Nothing waits for approval.',
  )}
  ${proposed.length > 0 && ownProposals(pages, proposed, now)}
  ${
    !pages.moment &&
    operator?.roles.includes('preparer') === true &&
    html`<p>
      <a href="${pages.links.to('desk/propose')}">Propose something</a>, or do so on the page of an item in suspense, a break, a file or the months.
    </p>`
  }`;
}

/** Note after an act, with a link to the record. */
export function doneNote({ links }: ConsolePages, done: string | undefined): Html | false {
  return done !== undefined && html`<p class="alert good" role="status">Recorded. <a href="${links.to(done)}">Your decision</a></p>`;
}

function ages(waiting: readonly QueueEntry[], now: number): Html {
  const days = waiting.map((entry) => (now - milliseconds(sinceOf(entry))) / DAY_MS);
  return tiles(AGES.map(([title, from, to]) => ({ title, figure: days.filter((each) => Math.max(0, each) >= from && each < to).length })));
}

const deadlineOf = (entry: QueueEntry): string => (entry.kind === 'PAYOUT' ? entry.payout.approve_by! : entry.proposal.approve_by);
const sinceOf = (entry: QueueEntry): string => (entry.kind === 'PAYOUT' ? entry.payout.created_on : entry.proposal.made_on);

function queueRow(pages: ConsolePages, entry: QueueEntry, now: number): readonly (Html | string)[] {
  const { links } = pages;
  if (entry.kind === 'PROPOSAL') return proposalRow(pages, entry.proposal, now);
  const { payout } = entry;
  return [
    html`<a href="${links.to(payoutPage(idOf(entry)))}">Payout</a> ${shortId(payout.id)}`,
    pages.merchant(payout.merchant_id),
    time(payout.created_on),
    '–',
    money(payout.amount, payout.currency),
    `${payout.approvals_given} of ${payout.approvals_required}`,
    left(payout.approve_by!, now),
  ];
}

function proposalRow(pages: ConsolePages, proposal: StoredProposal, now: number): readonly (Html | string)[] {
  const { id, kind, content, made_on, proposed_by, approvals, approvals_required, approve_by } = proposal;
  const moved = movedBy(proposal);
  return [
    html`<a href="${pages.links.to(proposalPage(id))}">${proposalName(kind, content)}</a> ${shortId(id)}`,
    shownSubject(pages, proposal) ?? '–',
    time(made_on),
    pages.operator(proposed_by),
    moved ? money(moved.amount, moved.currency) : '–',
    `${approvals.length} of ${approvals_required}`,
    left(approve_by, now),
  ];
}

const left = (approve_by: string, now: number): string => timeUntil(milliseconds(approve_by) - now);

function ownProposals(pages: ConsolePages, proposed: readonly StoredProposal[], now: number): Html {
  return cards(
    'Proposed by you: waits for others, the oldest first',
    [
      { title: 'What' },
      { title: 'About' },
      { title: 'Made (UTC)' },
      { title: 'Proposed by' },
      { title: 'Amount', isFigure: true },
      { title: 'Approvals' },
      { title: 'Left', isFigure: true },
    ],
    proposed.map((proposal) => proposalRow(pages, proposal, now)),
    '',
  );
}
