import { html, type Html } from '../../../platform/html/html.js';
import type { ReconBreakDetailDto, ReconSuggestionDto } from '../../../domain/reconciliation/breaks/breaks.dto.js';
import { code, idLink, money, table, userText } from '../shared/components.js';
import type { ConsolePages } from '../shared/console-pages.js';
import { breakPage } from '../shared/links.js';
import { lineLink, sourceLink } from '../shared/reconciliation-parts.js';

const NEAR = [
  { title: 'Characters that differ', isFigure: true },
  { title: 'Banking days apart', isFigure: true },
] as const;

/** Suggestions for a break: a line or an item that matches it, and batches whose sum is a credit. A suggestion does not match anything by itself. */
export function suggestionTables(pages: ConsolePages, { suggestions, remittance }: ReconBreakDetailDto): Html {
  const isOfBatches = ({ batches }: ReconSuggestionDto): boolean => batches.length > 0 || remittance !== null;
  return html`${matchable(
    pages,
    suggestions.filter((each) => !isOfBatches(each)),
  )}
  ${together(pages, suggestions.filter(isOfBatches), remittance)}`;
}

function matchable(pages: ConsolePages, found: readonly ReconSuggestionDto[]): Html | false {
  if (found.length === 0) return false;
  return table(
    'Possible matches',
    [
      { title: 'To match with' },
      { title: 'Amount', isFigure: true },
      { title: 'Kind' },
      { title: 'Reference' },
      ...NEAR,
      { title: 'Break of it', isSpare: true },
    ],
    found.map(({ line, item, break_id, distance, days }) => [
      line ? lineLink(pages, line) : idLink(item!.event_id, pages.links.event(item!.event_id)),
      line ? money(line.amount, line.currency) : money(item!.amount, item!.currency),
      line?.kind ?? item!.kind,
      userText(line ? line.references.join(' ') : item!.payment_reference),
      distance ?? 'more than 2',
      days,
      breakLink(pages, break_id),
    ]),
    '',
  );
}

/** Credits with the batches whose sum they are. They are shown together, and no form matches them. */
function together(pages: ConsolePages, found: readonly ReconSuggestionDto[], remittance: ReconBreakDetailDto['remittance']): Html | false {
  if (found.length === 0) return false;
  return table(
    'Credits and batches that may belong together',
    [{ title: 'Credit' }, { title: 'Batches' }, { title: 'Amounts', isFigure: true }, ...NEAR, { title: 'Breaks of them', isSpare: true }],
    found.map(({ line, batches, break_id, distance, days }) => [
      line ? html`line ${lineLink(pages, line)}, ${line.booking_date}: ${money(line.amount, line.currency)}` : 'this line',
      lines([
        ...(line ? ['this one'] : []),
        ...batches.map(({ source, batch, day }) => html`${code(batch)} of ${sourceLink(pages, source)}, ${day}`),
      ]),
      lines([
        ...(line && remittance ? [money(remittance.amount, remittance.currency)] : []),
        ...batches.map(({ amount, currency }) => money(amount, currency)),
      ]),
      distance ?? 'more than 2',
      days,
      lines([line ? breakLink(pages, break_id) : '', ...batches.map((batch) => breakLink(pages, batch.break_id))]),
    ]),
    '',
  );
}

/** Lines of a cell. */
const lines = (all: readonly (Html | string)[]): Html => html`${all.map((each) => html`<div>${each}&nbsp;</div>`)}`;

const breakLink = ({ links }: ConsolePages, id: string | null): Html | string => (id === null ? '–' : idLink(id, links.to(breakPage(id))));
