import type { JournalTotal } from '../../../../projections/balances/journal-totals.js';
import { ACCOUNTS } from '../../../../projections/balances/journal.js';
import type { JournalLineDto } from '../../finance-api/journal.dto.js';
import { html, type Html } from '../../../platform/html/html.js';
import { payoutStream } from '../../../ledger/events/payout.events.js';
import { settlementStream } from '../../../ledger/events/settlement.events.js';
import type { Mode } from '../../../ledger/mode.js';
import type { ListPage } from '../../../platform/http/answer-list.js';
import { ACCOUNT_WORDS, linesLink } from '../shared/accounts.js';
import type { JournalQuery } from '../shared/console.dto.js';
import type { ConsolePages } from '../shared/console-pages.js';
import { filters, idLink, inWords, money, moneyOrNothing, pager, table, tiles, type Sort } from '../shared/components.js';
import { proposalPage } from '../shared/links.js';
import { choice, currencyField, dayFields, merchantField, orderField, orderSort } from '../shared/list-page.js';

export interface JournalSources {
  readonly mode: Mode;
  readonly page: ListPage<JournalLineDto, string>;
  /** Sums of all lines of the query; undefined: of no interest. */
  readonly totals: readonly JournalTotal[] | undefined;
}

export function journalPage(pages: ConsolePages, query: JournalQuery, { mode, page, totals }: JournalSources): Html {
  const { links } = pages;
  const { MerchantId, Currency, Account, DateFrom, DateTo, EventId, Order, After } = query;
  const asked = { MerchantId, Currency, Account, DateFrom, DateTo, EventId, Order };
  return html`${filters(links.to('journal'), [
    merchantField(pages, mode, MerchantId),
    choice('Account', 'Account', Account, ACCOUNTS, 'All accounts'),
    currencyField(Currency),
    ...dayFields(query),
    orderField(Order),
  ])}
  ${EventId !== undefined && html`<p>Lines of one event. <a href="${links.event(EventId)}">The event</a> · <a href="${links.to('journal')}">The whole journal</a></p>`}
  ${totals && totalsSection(pages, query, totals)}
  ${journalTable(pages, `Lines of the journal in the order of booking, the ${Order ?? 'newest'} first`, page.items, orderSort(links, 'journal', asked))}
  ${pager(
    {
      first: After === undefined ? undefined : links.to('journal', asked),
      next: page.next_after === null ? undefined : links.to('journal', { ...asked, After: page.next_after }),
    },
    { first: 'From the start', next: Order === 'oldest' ? 'Later lines' : 'Earlier lines' },
  )}`;
}

/** The sums of all pages: of one account in one currency as large figures, of several as a table that leads to each. */
function totalsSection(pages: ConsolePages, query: JournalQuery, totals: readonly JournalTotal[]): Html {
  const { Account: account, Currency: currency, MerchantId: merchantId, DateFrom: from, DateTo: to } = query;
  if (account !== undefined && currency !== undefined) {
    const [total] = totals;
    const amount = (figure = 0n): Html => money(figure, currency);
    return html`<section aria-labelledby="sums">
      <h2 id="sums">${account} <small>${ACCOUNT_WORDS[account]}, in ${currency}</small></h2>
      ${tiles([
        {
          title: 'Opening balance',
          figure: amount(total?.opening_balance),
          note: from === undefined ? 'before the first entry' : `before ${from} (UTC)`,
        },
        { title: 'Debits', figure: amount(total?.debit), note: 'out of the account' },
        { title: 'Credits', figure: amount(total?.credit), note: 'into the account' },
        { title: 'Closing balance', figure: amount(total?.closing_balance), note: to === undefined ? 'now' : `at the end of ${to} (UTC)` },
      ])}
    </section>`;
  }
  return html`<details>
    <summary>Sums by account</summary>
    ${table(
      'Sums of all lines with these filters',
      [
        { title: 'Account' },
        { title: 'Currency' },
        ...['Opening balance', 'Debits', 'Credits', 'Closing balance'].map((title) => ({ title, isFigure: true })),
      ],
      totals.map(({ account: name, currency: each, opening_balance, debit, credit, closing_balance }) => [
        linesLink(pages.links, { account: name, currency: each, merchantId, from, to }, html`<span title="${ACCOUNT_WORDS[name]}">${name}</span>`),
        each,
        ...[opening_balance, debit, credit, closing_balance].map((sum) => money(sum, each)),
      ]),
      'Nothing is booked up to then.',
    )}
  </details>`;
}

/** A table of lines in words, each with links to its event and to its record. Lines with a running balance are all of one account. */
export function journalTable(pages: ConsolePages, caption: string, lines: readonly JournalLineDto[], sort?: Sort): Html {
  const isRunning = lines.every(({ running_balance }) => running_balance !== null);
  return table(
    caption,
    [
      { title: 'Event' },
      { title: 'Booked (UTC)', sort },
      { title: 'What' },
      { title: 'Merchant', isSpare: true },
      ...(isRunning ? [] : [{ title: 'Account' }]),
      { title: 'Debit', isFigure: true },
      { title: 'Credit', isFigure: true },
      { title: isRunning ? 'Running balance' : 'Balance after', isFigure: true },
    ],
    lines.map((line) => [
      html`<a href="${pages.links.event(line.position)}">${line.position}</a><span class="line"> line ${line.line}</span>`,
      pages.time(line.occurred_on, line.merchant_id),
      html`${inWords(line.type)} <span class="below">${recordOf(pages, line)}</span>`,
      pages.merchant(line.merchant_id),
      ...(isRunning ? [] : [line.account]),
      moneyOrNothing(line.debit, line.currency),
      moneyOrNothing(line.credit, line.currency),
      money(line.running_balance ?? line.balance_after, line.currency),
    ]),
    'No line matches.',
  );
}

/** A link to the page of the record that a line is of. */
function recordOf(pages: ConsolePages, line: JournalLineDto): Html | false {
  const { links } = pages;
  const { merchant_id, currency, charge_id, code, payout_id, refund_id, dispute_id, settlement_number, proposal_id } = line;
  if (proposal_id !== null) return idLink(proposal_id, links.to(proposalPage(proposal_id)));
  if (refund_id !== null) return idLink(refund_id, links.refund(refund_id));
  if (dispute_id !== null) return idLink(dispute_id, links.dispute(dispute_id));
  if (payout_id !== null) return idLink(payout_id, links.history(payoutStream(payout_id)));
  if (charge_id !== null) return pages.charge(charge_id, code ?? undefined);
  if (settlement_number === null) return false;
  return html`<a href="${links.history(settlementStream(merchant_id, currency, settlement_number))}">settlement ${settlement_number}</a>`;
}
