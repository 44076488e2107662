import type { JournalLineDto } from '../audit/audit.dto.js';
import { CHANNELS } from '../ledger/channels.js';
import { html, type Html } from '../html/html.js';
import type { ListPage } from '../platform/http/answer-list.js';
import type { JournalQuery } from './console.dto.js';
import type { ConsolePages } from './console-pages.js';
import { filters, money, moneyOrNothing, pager, table, time, type Field } from './components.js';

/** Currencies that money can be booked in. */
export const CURRENCY_OPTIONS: readonly (readonly [string, string])[] = [
  ['', 'All currencies'],
  ...[...new Set(CHANNELS.map(({ currency }) => currency))].sort().map((currency) => [currency, currency] as const),
];

export function merchantField(pages: ConsolePages, value: string | undefined): Field {
  const options = pages.merchantOptions();
  return { name: 'MerchantId', label: 'Merchant', value, ...(options ? { options } : { placeholder: 'Id of a merchant' }) };
}

export function journalPage(pages: ConsolePages, query: JournalQuery, { items, next_after }: ListPage<JournalLineDto, string>): Html {
  const { links } = pages;
  const { MerchantId, Currency, DateFrom, DateTo, EventId, Order, After } = query;
  const asked = { MerchantId, Currency, DateFrom, DateTo, EventId, Order };
  return html`${filters(links.to('journal'), [
    merchantField(pages, MerchantId),
    { name: 'Currency', label: 'Currency', value: Currency, options: CURRENCY_OPTIONS },
    { name: 'DateFrom', label: 'From (UTC)', value: DateFrom, type: 'date' },
    { name: 'DateTo', label: 'To (UTC)', value: DateTo, type: 'date' },
    {
      name: 'Order',
      label: 'Order',
      value: Order,
      options: [
        ['newest', 'Newest first'],
        ['oldest', 'Oldest first'],
      ],
    },
  ])}
  ${EventId !== undefined && html`<p>Lines of one event. <a href="${links.event(EventId)}">The event</a> · <a href="${links.to('journal')}">The whole journal</a></p>`}
  ${journalTable(pages, 'Lines of the journal', items)}
  ${pager(
    {
      first: After === undefined ? undefined : links.to('journal', asked),
      next: next_after === null ? undefined : links.to('journal', { ...asked, After: next_after }),
    },
    { first: 'From the start', next: Order === 'oldest' ? 'Later lines' : 'Earlier lines' },
  )}`;
}

/** Each line leads to its event. */
export function journalTable(pages: ConsolePages, caption: string, lines: readonly JournalLineDto[]): Html {
  return table(
    caption,
    [
      { title: 'Event' },
      { title: 'Booked (UTC)' },
      { title: 'Merchant' },
      { title: 'Account' },
      { title: 'Debit', isFigure: true },
      { title: 'Credit', isFigure: true },
      { title: 'Balance before', isFigure: true },
      { title: 'Balance after', isFigure: true },
    ],
    lines.map((line) => [
      html`<a href="${pages.links.event(line.position)}">${line.position}</a><span class="line"> line ${line.line}</span>`,
      time(line.occurred_on),
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
