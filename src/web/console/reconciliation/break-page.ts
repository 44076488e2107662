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
import { sourceLink } from '../shared/reconciliation-parts.js';
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
  return html`<p class="lead">${WORDS[kind] ?? kind}</p>
    ${pendingNote(pages, pending)}
    ${details([
      ['Status', status(found.status)],
      ['Kind', html`${tag(kind)}${of_mode !== null && ` of ${of_mode} money`}`],
      ['Source', sourceLink(pages, source)],
      ['Whose', owner === null ? '–' : pages.operator(owner)],
      ['Age', `${age} banking days`],
      ['Accepted until', accepted_until],
      ['Came up (UTC)', time(opened_on)],
      ['Resolved (UTC)', time(resolved_on)],
      ['Id', code(id)],
    ])}
    ${sides(pages, found)} ${settlement(pages, sources)} ${suggestionTables(pages, found)} ${decision(pages, sources)} ${acceptance(pages, sources)}
    ${acts(pages, found)}`;
}

const WORDS: Readonly<Record<string, string>> = {
  LEDGER_ONLY: 'The books have an item that is due, and no line names it.',
  PROCESSOR_ONLY: 'A line that names no item of ours.',
  AMOUNT: 'A line whose reference is known, with another amount.',
  CURRENCY: 'A line whose reference is known, in another currency.',
  DUPLICATE: 'A line for an item that another line has been matched with.',
  STATUS: 'It was remitted although it had been reversed before, written off, or opened with.',
  FEE: 'It is matched, but the source expects another fee.',
  TAX: 'It is matched, but the source expects another tax.',
  REMITTANCE_SHORT: 'Less than the batch was credited.',
  REMITTANCE_MISSING: 'A batch that is due, and nothing was credited for it.',
  BANK_UNKNOWN: 'A line of the bank that names no item of ours.',
  PAYOUT_NOT_PRESENTED: 'A payout that is due to be debited, and is not.',
  PAYOUT_TWICE: 'A payout that was debited before.',
  PAYOUT_AMOUNT: 'A payout that was debited with another amount.',
  PAYOUT_UNORDERED: 'A debit for a payout that was not at the bank, or had failed.',
  PAYOUT_RETURNED: 'Money of a payout came back, but no return was reported.',
  FILE_MISSING: 'No statement of a banking day.',
};

function sides(pages: ConsolePages, { line, item, remittance }: ReconBreakDetailDto): Html {
  const theirs = remittance ? html`batch ${foreign(remittance.batch)} of ${sourceLink(pages, remittance.source)}, ${remittance.day}` : '–';
  const ours = item ?? remittance;
  return table(
    'Both sides',
    [{ title: 'What' }, { title: 'Statement' }, { title: 'Books' }],
    [
      ['Amount', line ? money(line.amount, line.currency) : '–', ours ? money(ours.amount, ours.currency) : '–'],
      ['Kind', line?.kind ?? '–', item?.kind ?? '–'],
      ['Reference', userText(line && line.references.join(' ')), userText(item && item.payment_reference)],
      ['When', line?.booking_date ?? '–', item ? time(item.occurred_on) : '–'],
      ['Of', line ? lineOrigin(pages, line) : '–', item ? itemOrigin(pages, item) : theirs],
    ],
    '',
  );
}

function lineOrigin({ links }: ConsolePages, { line_id, statement_id, batch }: ReconBreakLineDto): Html {
  return html`line ${code(line_id)}${batch !== null && html` of batch ${foreign(batch)}`} in file
  ${idLink(statement_id, links.to(filePage(statement_id)))}`;
}

function itemOrigin(pages: ConsolePages, { event_id, merchant_id }: ReconItemDto): Html {
  return html`event ${idLink(event_id, pages.links.event(event_id))} of ${pages.merchant(merchant_id)}`;
}

/** Amount by which the line exceeds the item or batch that it names, minor units; null when no difference can be booked. */
function differenceOf({ kind, line, item, remittance }: ReconBreakDetailDto): number | null {
  const found = bookableDifference(kind, line, item ?? remittance);
  return 'refusal' in found ? null : found.amount;
}

const isMatched = ({ acts }: ReconBreakDetailDto): boolean => acts.findLast(({ act }) => act === 'MATCHED' || act === 'UNMATCHED')?.act === 'MATCHED';

function decision({ links }: ConsolePages, { found, pending, digest, operator, token }: BreakSources): Html {
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
      ...{ ...subject, reasonLabel: 'Note or reason', isAside: true },
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
        ${actForm({ ...subject, acts: [['match', 'Match']], name: 'match', label: 'Match', isAside: true, ...matching })}
      </details>`
    }
  </section>`;
}

/** The main form for a line with another amount: it proposes to book the difference. Other people approve it. */
function settlement({ links }: ConsolePages, { found, pending, digest, operator, token }: BreakSources): Html | false {
  const difference = differenceOf(found);
  if (difference === null || pending || found.status === 'RESOLVED' || isMatched(found) || !operator?.roles.includes('preparer')) return false;
  const amount = money(Math.abs(difference), found.line!.currency);
  const path = pathOf(found.id);
  return html`<section aria-labelledby="difference">
    <h2 id="difference">Book the difference of ${amount}</h2>
    <p>The line is ${amount} ${difference > 0 ? 'more' : 'less'} than the books.</p>
    ${proposeForm(
      {
        ...{ links, operator, token, subject: { path, record: found.id, digest }, action: `${path}/difference`, name: 'difference' },
        label: 'Propose to book the difference',
        before: html`<label for="account">Book it to</label>
          <select id="account" name="account">
            <option value="costs">costs: it was charged to us</option>
            <option value="losses">losses: it is lost, or gained</option>
          </select>`,
        hint: 'Approvers decide, as for an adjustment of that amount. The records are matched with the source’s next file or run, and the close of the bank’s day books the difference.',
      },
      true,
    )}
  </section>`;
}

/** A form that proposes to accept a correct break until a day. Other people approve it. */
function acceptance({ links }: ConsolePages, { found, pending, digest, operator, token }: BreakSources): Html | false {
  if (found.status === 'RESOLVED' || pending) return false;
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
