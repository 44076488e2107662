import { html, type Html } from '../../../platform/html/html.js';
import type { ProposedBreak } from '../../../domain/reconciliation/breaks/proposed-breaks.js';
import { breakName } from './break-words.js';
import { cards, code, idLink, money, oneLine, status, tag } from './components.js';
import type { ConsolePages } from './console-pages.js';
import { breakPage, filePage, proposalPage, sourcePage } from './links.js';

/** Sum in minor units. */
export const sumOf = (parts: readonly { readonly amount: bigint }[]): bigint => parts.reduce((sum, { amount }) => sum + amount, 0n);

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

/** A kind of break by its name, with the word that the API has for it. */
export const kindTag = (kind: string): Html => html`<span title="${kind}">${tag(breakName(kind))}</span>`;

export interface Side {
  /** Minor units. */
  readonly amount: number;
  readonly currency: string;
}

interface SidesOfBreak extends Readonly<Record<'line' | 'item' | 'remittance', Side | null>>, Pick<ProposedBreak, 'charged' | 'expected'> {}

/** The amounts that differ: those of the line and of the books, or the charged and the expected fee or tax. */
export function breakSides({ line, item, remittance, charged, expected }: SidesOfBreak): readonly [Side | null, Side | null] {
  if (line === null || charged === null || expected === null) return [line, item ?? remittance];
  const { currency } = line;
  return [
    { amount: charged, currency },
    { amount: expected, currency },
  ];
}

/** The line less the books, minor units; null without two sides in one currency. */
export function breakDifference(found: SidesOfBreak): number | null {
  const [line, books] = breakSides(found);
  return line && books?.currency === line.currency ? line.amount - books.amount : null;
}

/** The reference and day by which people recognise a break: those of the line; without one, those of the books. */
function nameOf({ line, item, remittance, day }: ProposedBreak): Html {
  const reference = line?.references[0] ?? item?.payment_reference ?? remittance?.batch ?? null;
  const on = line?.booking_date ?? item?.occurred_on.slice(0, 10) ?? remittance?.day ?? day;
  return html`${oneLine(reference)}${on !== null && html`<span class="below">${on}</span>`}`;
}

export function breakTable(pages: ConsolePages, caption: string, breaks: readonly ProposedBreak[]): Html {
  const ofMoney = (side: Side | null): Html | string => (side ? money(side.amount, side.currency) : '–');
  return cards(
    caption,
    [
      { title: 'Break' },
      { title: 'Kind' },
      { title: 'Reference and day' },
      { title: 'Merchant' },
      { title: 'Statement', isFigure: true },
      { title: 'Books', isFigure: true },
      { title: 'Difference', isFigure: true },
      { title: 'Source' },
      { title: 'Whose' },
      { title: 'Age', isFigure: true },
    ],
    breaks.map((found) => {
      const { id, kind, source, line, item, owner, age, of_mode } = found;
      const sides = breakSides(found);
      const difference = breakDifference(found);
      return [
        idLink(id, pages.links.to(breakPage(id))),
        html`${kindTag(kind)}${of_mode !== null && ` of ${of_mode}`} ${found.status !== 'OPEN' && status(found.status)}${pendingTag(pages, found)}`,
        nameOf(found),
        item ? pages.merchant(item.merchant_id) : '–',
        ...sides.map(ofMoney),
        difference === null || difference === 0 ? '–' : html`<strong>${money(difference, line!.currency, true)}</strong>`,
        sourceLink(pages, source),
        owner === null ? '–' : pages.operator(owner),
        `${age} d`,
      ];
    }),
    'There is none.',
  );
}
