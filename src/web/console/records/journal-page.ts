import type { JournalLineDto } from '../../finance-api/journal.dto.js';
import { html, type Html } from '../../../platform/html/html.js';
import type { Mode } from '../../../ledger/mode.js';
import type { ListPage } from '../../../platform/http/answer-list.js';
import type { JournalQuery } from '../shared/console.dto.js';
import type { ConsolePages } from '../shared/console-pages.js';
import { filters, money, moneyOrNothing, pager, table } from '../shared/components.js';
import { currencyField, dayFields, merchantField, orderField } from '../shared/list-page.js';

export function journalPage(pages: ConsolePages, mode: Mode, query: JournalQuery, { items, next_after }: ListPage<JournalLineDto, string>): Html {
  const { links } = pages;
  const { MerchantId, Currency, DateFrom, DateTo, EventId, Order, After } = query;
  const asked = { MerchantId, Currency, DateFrom, DateTo, EventId, Order };
  return html`${filters(links.to('journal'), [
    merchantField(pages, mode, MerchantId),
    currencyField(Currency),
    ...dayFields(query),
    orderField(Order),
  ])}
  ${EventId !== undefined && html`<p>Lines of one event. <a href="${links.event(EventId)}">The event</a> · <a href="${links.to('journal')}">The whole journal</a></p>`}
  ${journalTable(pages, `Lines of the journal in the order of booking, the ${Order ?? 'newest'} first`, items)}
  ${pager(
    {
      first: After === undefined ? undefined : links.to('journal', asked),
      next: next_after === null ? undefined : links.to('journal', { ...asked, After: next_after }),
    },
    { first: 'From the start', next: Order === 'oldest' ? 'Later lines' : 'Earlier lines' },
  )}`;
}

/** A table of lines, each with a link to its event. */
export function journalTable(pages: ConsolePages, caption: string, lines: readonly JournalLineDto[]): Html {
  return table(
    caption,
    [
      { title: 'Event' },
      { title: 'Booked (UTC)' },
      { title: 'Merchant', isSpare: true },
      { title: 'Account' },
      { title: 'Debit', isFigure: true },
      { title: 'Credit', isFigure: true },
      { title: 'Balance before', isFigure: true, isSpare: true },
      { title: 'Balance after', isFigure: true },
    ],
    lines.map((line) => [
      html`<a href="${pages.links.event(line.position)}">${line.position}</a><span class="line"> line ${line.line}</span>`,
      pages.time(line.occurred_on, line.merchant_id),
      pages.merchant(line.merchant_id),
      `${line.account} ${line.currency}`,
      moneyOrNothing(line.debit, line.currency),
      moneyOrNothing(line.credit, line.currency),
      money(line.balance_before, line.currency),
      money(line.balance_after, line.currency),
    ]),
    'No line of the journal is like this.',
  );
}
