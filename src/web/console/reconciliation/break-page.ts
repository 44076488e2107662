import type { StoredProposal } from '../../../../projections/approvals/proposals.js';
import { foreign, html, type Html } from '../../../platform/html/html.js';
import type { KnownOperator } from '../../../domain/operators/known-operators.js';
import { bookableDifference } from '../../../domain/reconciliation/breaks/break-difference.js';
import type { ReconBreakDetailDto } from '../../../domain/reconciliation/breaks/breaks.dto.js';
import type { ReconBreakLineDto, ReconItemDto } from '../../../domain/reconciliation/breaks/matches.dto.js';
import { actForm } from '../shared/act-form.js';
import { code, details, idLink, money, status, table, tag, time, userText } from '../shared/components.js';
import type { ConsolePages } from '../shared/console-pages.js';
import { breakPage as pathOf, filePage, proposalPage } from '../shared/links.js';
import { pendingNote } from '../approvals/pending-proposal.js';
import { proposeAside, proposeForm } from '../approvals/propose-form.js';
import { breakMeaning } from '../shared/break-words.js';
import { breakDifference, breakSides, kindTag, sourceLink, type Side } from '../shared/reconciliation-parts.js';
import { suggestionTables } from './suggestions.js';

export interface BreakSources {
  readonly found: ReconBreakDetailDto;
  /** Digest of both sides as they are shown. */
  readonly digest: string;
  readonly pending: StoredProposal | undefined;
  readonly operator: KnownOperator | undefined;
  /** Token for the form; null: the operator must sign in again first. */
  readonly token: string | null;
}

/** A break: the line and the books, suggestions, notes, and the forms for acts. */
export function breakPage(pages: ConsolePages, sources: BreakSources): Html {
  const { found, pending } = sources;
  const { id, kind, source, age, of_mode, owner, accepted_until, opened_on, resolved_on } = found;
  return html`<p class="lead">${breakMeaning(kind)}</p>
    ${pendingNote(pages, pending)}
    ${details([
      ['Status', status(found.status)],
      ['Kind', html`${kindTag(kind)}${of_mode !== null && ` of ${of_mode} money`}`],
      ['Source', sourceLink(pages, source)],
      ['Whose', owner === null ? '–' : pages.operator(owner)],
      ['Age', `${age} banking days`],
      ['Accepted until', accepted_until],
      ['Opened (UTC)', time(opened_on)],
      ['Resolved (UTC)', time(resolved_on)],
      ['Id', code(id)],
    ])}
    ${sides(pages, found)} ${settlement(pages, sources)} ${suggestionTables(pages, found)} ${decision(pages, sources)} ${acceptance(pages, sources)}
    ${acts(pages, found)}`;
}

/** Both sides beside each other, with the difference between them. */
function sides(pages: ConsolePages, found: ReconBreakDetailDto): Html {
  const { kind, line, item, remittance, charged } = found;
  const difference = breakDifference(found);
  const whole = ({ amount, currency }: Side): Facts => (charged === null ? [] : [['Amount', money(amount, currency)]]);
  const statement = line && [...whole(line), ...lineFacts(pages, line)];
  const books = (item && [...whole(item), ...itemFacts(pages, item)]) ?? (remittance && batchFacts(pages, remittance));
  const [left, right] = breakSides(found);
  const differing = charged === null ? '' : `: ${kind === 'TAX' ? 'tax' : 'fee'}`;
  return html`<div class="sides">
    ${side(`Statement${differing}`, 'No line names it.', left, statement)}
    ${difference !== null && html`<p class="between"><span>Difference</span> <strong>${money(difference, line!.currency, true)}</strong></p>`}
    ${side(charged === null ? 'Books' : `Expected${differing}`, 'The books have nothing of it.', right, books)}
  </div>`;
}

type Facts = Parameters<typeof details>[0];

/** One side: the amount that differs, and the record that it is of. */
function side(title: string, empty: string, differs: Side | null, facts: Facts | null): Html {
  return html`<section aria-label="${title}">
    <h2>${title}</h2>
    ${
      differs === null
        ? html`<p class="empty">${empty}</p>`
        : html`<p class="amount">${money(differs.amount, differs.currency)}</p>
            ${facts && details(facts)}`
    }
  </section>`;
}

const lineFacts = (pages: ConsolePages, line: ReconBreakLineDto): Facts => [
  ['Kind', line.kind],
  ['References', userText(line.references.join(' '))],
  ['Booked on', line.booking_date],
  ['Line', lineOrigin(pages, line)],
];

const itemFacts = (pages: ConsolePages, item: ReconItemDto): Facts => [
  ['Kind', item.kind],
  ['Reference', userText(item.payment_reference)],
  ['When (UTC)', time(item.occurred_on)],
  ['Event', itemOrigin(pages, item)],
];

const batchFacts = (pages: ConsolePages, { source, batch, day }: NonNullable<ReconBreakDetailDto['remittance']>): Facts => [
  ['Batch', foreign(batch)],
  ['Source', sourceLink(pages, source)],
  ['Day', day],
];

function lineOrigin({ links }: ConsolePages, { line_id, statement_id, batch }: ReconBreakLineDto): Html {
  return html`${code(line_id)}${batch !== null && html` of batch ${foreign(batch)}`} in file ${idLink(statement_id, links.to(filePage(statement_id)))}`;
}

function itemOrigin(pages: ConsolePages, { event_id, merchant_id }: ReconItemDto): Html {
  return html`${idLink(event_id, pages.links.event(event_id))} of ${pages.merchant(merchant_id)}`;
}

/** Amount by which the line exceeds the item or batch that it names, minor units; null when no difference can be booked. */
function differenceOf({ kind, line, item, remittance }: ReconBreakDetailDto): number | null {
  const found = bookableDifference(kind, line, item ?? remittance);
  return 'refusal' in found ? null : found.amount;
}

const isMatched = ({ acts }: ReconBreakDetailDto): boolean => acts.findLast(({ act }) => act === 'MATCHED' || act === 'UNMATCHED')?.act === 'MATCHED';

function decision({ links, moment }: ConsolePages, { found, pending, digest, operator, token }: BreakSources): Html | false {
  if (moment) return false;
  if (!operator?.roles.includes('preparer')) return html`<p class="alert">Working on breaks needs an operator’s own key with the role preparer.</p>`;
  const isOpen = found.status !== 'RESOLVED';
  const matched = isMatched(found);
  const mayMatch = isOpen && !matched && !pending && (found.line !== null || found.item !== null);
  // A match requires equal amounts: the line cannot be matched with the record that it names, only with another.
  const differs = differenceOf(found) !== null;
  const subject = { links, path: pathOf(found.id), digest, token };
  const matching = { more: counterpart(found) };
  return html`<section aria-labelledby="work">
    <h2 id="work">Work on it</h2>
    ${isOpen && matched && html`<p class="alert">It is matched by an operator, starting with the next file or run of the source.</p>`}
    ${actForm({
      ...{ ...subject, reasonLabel: 'Note or reason' },
      acts: [
        ['note', 'Note'],
        found.owner === operator.id ? ['release', 'Give it back'] : ['take', 'Take it'],
        ...(mayMatch && !differs ? [['match', 'Match'] as const] : []),
        ...(matched ? [['unmatch', 'Undo the match'] as const] : []),
      ],
      ...(mayMatch && !differs && matching),
    })}
    ${
      mayMatch &&
      differs &&
      html`<details>
        <summary>The line belongs to another item: match it with that one</summary>
        ${actForm({ ...subject, acts: [['match', 'Match']], name: 'match', label: 'Match', ...matching })}
      </details>`
    }
  </section>`;
}

/** The main form for a line with another amount: it proposes to book the difference. Other people approve it. */
function settlement({ links, moment }: ConsolePages, { found, pending, digest, operator, token }: BreakSources): Html | false {
  const difference = differenceOf(found);
  if (moment || difference === null || pending || found.status === 'RESOLVED' || isMatched(found) || !operator?.roles.includes('preparer'))
    return false;
  const amount = money(Math.abs(difference), found.line!.currency);
  const path = pathOf(found.id);
  return html`<section aria-labelledby="difference">
    <h2 id="difference">Book the difference of ${amount}</h2>
    <p>The line is ${amount} ${difference > 0 ? 'more' : 'less'} than the books.</p>
    ${proposeForm({
      ...{ links, operator, token, subject: { path, record: found.id, digest }, action: `${path}/difference`, name: 'difference' },
      label: 'Propose to book the difference',
      before: html`<label for="account">Book it to</label>
        <select id="account" name="account">
          <option value="costs">costs: it was charged to us</option>
          <option value="losses">losses: it is lost, or gained</option>
        </select>`,
      hint: 'Approvers decide, as for an adjustment of that amount. The records are matched with the source’s next file or run, and the close of the bank’s day books the difference.',
    })}
  </section>`;
}

/** A form that proposes to accept a correct break until a day. Other people approve it. */
function acceptance({ links, moment }: ConsolePages, { found, pending, digest, operator, token }: BreakSources): Html | false {
  if (moment || found.status === 'RESOLVED' || pending) return false;
  const path = pathOf(found.id);
  return proposeAside({
    ...{ links, operator, token, subject: { path, record: found.id, digest }, action: `${path}/accept`, name: 'accept' },
    label: 'It is right and stays: propose to leave it until a day',
    before: html`<label for="until">Until the end of</label> <input id="until" name="until" type="date" required />`,
    hint: 'An approver approves it. Until that day has ended at its source it does not count as open.',
  });
}

/** The field for the counterpart of a match, with the nearest suggestion as its initial value. */
function counterpart({ line, suggestions: found }: ReconBreakDetailDto): Html {
  const nearest = found.find(({ batches }) => batches.length === 0);
  const label = line ? 'To match with: id of an event' : 'To match with: id of a line';
  const value = nearest?.line?.line_id ?? nearest?.item?.event_id ?? '';
  return html`<label for="counterpart">${label}</label>
    <input id="counterpart" name="counterpart" value="${value}" maxlength="36" autocomplete="off" spellcheck="false" />`;
}

function acts(pages: ConsolePages, { acts: done, line, item }: ReconBreakDetailDto): Html {
  const currency = (line ?? item)?.currency ?? '';
  return table(
    'Decisions of operators',
    [{ title: 'When (UTC)' }, { title: 'What' }, { title: 'Who' }, { title: 'Note or reason' }],
    done.map(({ act, acted_on, person_id, reason, owner, items, batch, difference, difference_to, accepted_until, proposal_id }) => [
      time(acted_on),
      html`${tag(act)}${act === 'ASSIGNED' && html` ${owner === null ? 'to no owner' : pages.operator(owner)}`}${
        items !== null && html` ${items.map((item) => idLink(item, pages.links.event(item)))}`
      }${batch !== null && html` batch ${foreign(batch)}`}${
        difference !== null && html`: ${money(difference, currency)} to ${difference_to}`
      }${accepted_until !== null && ` until ${accepted_until}`}`,
      proposal_id !== null
        ? html`<a href="${pages.links.to(proposalPage(proposal_id))}">a proposal</a>`
        : person_id === null
          ? '–'
          : pages.operator(person_id),
      userText(reason),
    ]),
    'Nothing yet.',
  );
}
