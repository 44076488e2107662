import { html, type Html } from '../../../platform/html/html.js';
import type { ProposedBreak } from '../../../domain/reconciliation/breaks/proposed-breaks.js';
import { code, idLink, money, status, table, tag } from './components.js';
import type { ConsolePages } from './console-pages.js';
import { breakPage, filePage, proposalPage, sourcePage } from './links.js';

interface LineOfFile {
  /** Digits. */
  readonly line_id: string;
  readonly statement_id: string;
}

/** A line, with a link to the page of its file on which it is the first. */
export const lineLink = ({ links }: ConsolePages, { line_id, statement_id }: LineOfFile): Html =>
  html`<a href="${links.to(filePage(statement_id), { After: `${BigInt(line_id) - 1n}` })}">${code(line_id)}</a>`;

/** A source of statements or remittances, with a link to its files. */
export const sourceLink = ({ links }: ConsolePages, source: string): Html => html`<a href="${links.to(sourcePage(source))}">${source}</a>`;

/** Links a row of a list to the open proposal about its record. */
export function pendingTag({ links }: ConsolePages, { pending_proposal_id: id }: { readonly pending_proposal_id: string | null }): Html | false {
  return id !== null && html` <a href="${links.to(proposalPage(id))}">${tag('PROPOSED')}</a>`;
}

export function breakTable(pages: ConsolePages, caption: string, breaks: readonly ProposedBreak[]): Html {
  return table(
    caption,
    [
      { title: 'Break' },
      { title: 'Kind' },
      { title: 'Status' },
      { title: 'Source' },
      { title: 'Statement', isFigure: true },
      { title: 'Books', isFigure: true },
      { title: 'Whose' },
      { title: 'Age, banking days', isFigure: true },
    ],
    breaks.map(({ id, kind, source, line, item, remittance, owner, age, of_mode, ...found }) => [
      idLink(id, pages.links.to(breakPage(id))),
      html`${tag(kind)}${of_mode !== null && ` of ${of_mode}`}`,
      html`${status(found.status)}${pendingTag(pages, found)}`,
      sourceLink(pages, source),
      line ? money(line.amount, line.currency) : '–',
      item || remittance ? money((item ?? remittance)!.amount, (item ?? remittance)!.currency) : '–',
      owner === null ? '–' : pages.operator(owner),
      age,
    ]),
    'There is none.',
  );
}
