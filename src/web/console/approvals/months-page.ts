import type { StoredProposal } from '../../../../projections/approvals/proposals.js';
import type { NextPeriod } from '../../finance-api/period-reads.js';
import type { ClosedPeriodDto, PeriodDto } from '../../finance-api/periods.dto.js';
import type { JournalLineDto } from '../../finance-api/journal.dto.js';
import { html, type Html } from '../../../platform/html/html.js';
import { digestOf } from '../../../ledger/ids/canonical-json.js';
import type { Mode } from '../../../ledger/mode.js';
import { periodStream } from '../../../ledger/events/period.events.js';
import { milliseconds } from '../../../ledger/time.js';
import type { KnownOperator } from '../../../domain/operators/known-operators.js';
import type { ListPage } from '../../../platform/http/answer-list.js';
import { code, details, money, pager, table, time } from '../shared/components.js';
import type { ConsolePages } from '../shared/console-pages.js';
import { journalTable } from '../records/journal-page.js';
import { kindTag } from '../shared/reconciliation-parts.js';
import { monthPage, proposalPage, type Links } from '../shared/links.js';
import type { ActSubject } from '../shared/operator-actions.js';
import { pendingNote } from './pending-proposal.js';
import { proposeForm } from './propose-form.js';

export interface MonthsSources {
  readonly mode: Mode;
  /** Closed months in their order. */
  readonly closed: readonly PeriodDto[];
  readonly next: NextPeriod | undefined;
  /** The open proposal to close the next month. */
  readonly pending: StoredProposal | undefined;
  readonly operator: KnownOperator | undefined;
  /** Token for the form; null: the operator must sign in again first. */
  readonly token: string | null;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Subject of the form: one month of one mode. */
export const monthsSubject = (mode: Mode, month: string | undefined): ActSubject => ({
  path: 'months',
  record: `${mode} ${month ?? ''}`,
  digest: digestOf({ mode, month: month ?? null }),
});

/** The closed months, and the next one. */
export function monthsPage(pages: ConsolePages, sources: MonthsSources): Html {
  return html`${nextMonth(pages, sources)} ${closedMonths(pages, sources.closed)}`;
}

function nextMonth(pages: ConsolePages, { mode, next, pending, operator, token, now }: MonthsSources): Html | false {
  const { links, moment } = pages;
  if (moment) return false;
  if (!next) return html`<p class="empty">Nothing is booked yet: no month can be closed.</p>`;
  const { month, closes_from } = next;
  if (now < milliseconds(closes_from))
    return html`<p class="alert">The next month is ${month}. It may be closed from ${time(closes_from)} UTC on, an hour after its end.</p>`;
  if (pending) return pendingNote(pages, pending);
  if (!operator?.roles.includes('preparer'))
    return html`<p class="alert">${month} can be closed. Proposing needs an operator’s own key with the role preparer.</p>`;
  return html`<section aria-labelledby="close">
    <h2 id="close">Propose to close ${month}</h2>
    ${proposeForm({
      ...{ links, operator, token, subject: monthsSubject(mode, month), action: 'months', label: `Propose to close ${month}`, name: 'month' },
      hint: 'A controller approves it. Its figures are then recorded under a signed head and never change.',
    })}
  </section>`;
}

function closedMonths({ links }: ConsolePages, closed: readonly PeriodDto[]): Html {
  return table(
    'Closed months, the newest first',
    [
      { title: 'Month' },
      { title: 'Closed (UTC)' },
      { title: 'Up to event', isFigure: true },
      { title: 'Breaks', isFigure: true },
      { title: 'In suspense', isFigure: true },
      { title: 'Proposal' },
    ],
    closed
      .toReversed()
      .map(({ month, closed_on, position, breaks, suspense, proposal_id }) => [
        html`<a href="${links.to(monthPage(month))}">${month}</a>`,
        time(closed_on),
        html`<a href="${links.event(position)}">${position}</a>`,
        countOf(breaks),
        countOf(suspense),
        html`<a href="${links.to(proposalPage(proposal_id))}">${proposal_id.slice(0, 8)}</a>`,
      ]),
    'No month is closed.',
  );
}

const countOf = (figures: readonly { readonly count: number }[]): number => figures.reduce((sum, { count }) => sum + count, 0);

export interface MonthSources {
  readonly period: ClosedPeriodDto;
  readonly corrections: ListPage<JournalLineDto, string>;
  readonly after: string | undefined;
}

/** A month's books as closed, which never change, beside the books as corrected, and the corrections since. */
export function oneMonthPage(pages: ConsolePages, { period, corrections, after }: MonthSources): Html {
  const { links } = pages;
  const path = monthPage(period.month);
  return html`${proof(pages, period)} ${books(period)} ${figures(links, period)}
    <section aria-labelledby="corrections">
      <h2 id="corrections">Later bookings</h2>
      ${
        corrections.items.length === 0
          ? html`<p class="empty">Nothing: as corrected is as closed.</p>`
          : journalTable(pages, 'Lines that are in the corrected books but not in the closed books', corrections.items)
      }
      ${pager(
        {
          first: after === undefined ? undefined : links.to(path),
          next: corrections.next_after === null ? undefined : links.to(path, { After: corrections.next_after }),
        },
        { first: 'From the start', next: 'Later lines' },
      )}
    </section>`;
}

function proof(
  { links }: ConsolePages,
  { mode, month, time_zone, ends_on, position, head, digest, digest_holds, digest_now, proposal_id, closed_on }: ClosedPeriodDto,
): Html {
  return html`${
      digest_holds
        ? html`<p class="alert good" role="status">
            Computed anew from the journal just now, the trial balance of ${month} has the digest that it was closed with.
          </p>`
        : html`<p class="alert bad" role="alert">
            <strong>The books of ${month} are not as they were closed.</strong> Their digest is ${code(digest_now)} now. Run
            <code>audit verify</code>.
          </p>`
    }
    ${details([
      ['Month', `${month} in ${time_zone}`],
      ['Ends before (UTC)', time(ends_on)],
      ['Closed (UTC)', time(closed_on)],
      ['By', html`<a href="${links.to(proposalPage(proposal_id))}">proposal ${proposal_id.slice(0, 8)}</a>`],
      ['Up to', html`<a href="${links.event(position)}">event ${position}</a>`],
      ['Digest of the trial balance', code(digest)],
      ['Head: hash', code(head.hash)],
      ['Head: signature (Ed25519)', code(head.signature)],
      ['Head sealed (UTC)', time(head.sealed_on)],
    ])}
    <p class="hint">
      <code>period show ${month}</code> says the same. The page of the month’s event, in the
      <a href="${links.history(periodStream(mode))}">history of closes</a>, has its proof, as that of every event; and
      <a href="${links.now('chain')}">Chain</a> has the key.
    </p>`;
}

type Books = ClosedPeriodDto['as_closed'];

/** Balances by account, summed over all merchants. */
const balancesOf = (books: Books, currency: string): Map<string, bigint> => {
  const sums = new Map<string, bigint>();
  for (const { account, balance } of books.find((each) => each.currency === currency)?.accounts ?? [])
    sums.set(account, (sums.get(account) ?? 0n) + BigInt(balance));
  return sums;
};

function books({ as_closed, as_corrected }: ClosedPeriodDto): Html {
  const currencies = [...new Set([...as_closed, ...as_corrected].map(({ currency }) => currency))].sort();
  return html`${currencies.map((currency) => {
    const [closed, corrected] = [balancesOf(as_closed, currency), balancesOf(as_corrected, currency)];
    const accounts = [...new Set([...closed.keys(), ...corrected.keys()])].filter((account) => closed.get(account) || corrected.get(account));
    return table(
      `Trial balance in ${currency} at its end`,
      [{ title: 'Account' }, ...['As closed', 'As corrected', 'Difference'].map((title) => ({ title, isFigure: true }))],
      accounts.map((account) => {
        const [was, is] = [closed.get(account) ?? 0n, corrected.get(account) ?? 0n];
        return [account, money(was, currency), money(is, currency), is === was ? '–' : html`<strong>${money(is - was, currency)}</strong>`];
      }),
      `Nothing was booked in ${currency}.`,
    );
  })}`;
}

function figures(links: Links, period: ClosedPeriodDto): Html {
  return html`${table(
    'Breaks that were open, by kind',
    [{ title: 'Kind' }, { title: 'How many', isFigure: true }, { title: 'Amount', isFigure: true }],
    period.breaks.map(({ kind, currency, count, amount }) => [
      html`<a href="${links.to('recon', { Kind: kind })}">${kindTag(kind)}</a>`,
      count,
      currency === null ? '–' : money(amount, currency),
    ]),
    'No break was open.',
  )}
  ${table(
    'In suspense at its end, by age',
    [{ title: 'Banking days' }, { title: 'Items', isFigure: true }, { title: 'Amount', isFigure: true }],
    period.suspense.map(({ age, currency, count, amount }) => [
      html`<a href="${links.to('suspense', { Status: 'ALL' })}">${age}</a>`,
      count,
      money(amount, currency),
    ]),
    'Nothing was in suspense.',
  )}`;
}
