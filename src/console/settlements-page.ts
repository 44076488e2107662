import type { Settlement } from '../../projections/settlements/settlements.js';
import { effectOnAvailable, type SettlementLine } from '../ledger/events/account.events.js';
import type { AuditSettlementDto } from '../audit/audit.dto.js';
import { chargeStream } from '../ledger/events/charge.events.js';
import { html, type Html } from '../html/html.js';
import { payoutStream } from '../ledger/events/payout.events.js';
import type { ListPage } from '../platform/http/answer-list.js';
import { settlementStream } from '../ledger/events/settlement.events.js';
import type { SettlementsQuery } from './console.dto.js';
import type { ConsolePages } from './console-pages.js';
import { CURRENCY_OPTIONS, merchantField } from './journal-page.js';
import { code, facts, filters, idLink, money, pager, status, table, time } from './components.js';

export function settlementsPage(pages: ConsolePages, query: SettlementsQuery, { items, next_after }: ListPage<AuditSettlementDto, string>): Html {
  const { links } = pages;
  const { MerchantId, Currency, After } = query;
  const asked = { MerchantId, Currency };
  return html`${filters(links.to('settlements'), [
    merchantField(pages, MerchantId),
    { name: 'Currency', label: 'Currency', value: Currency, options: CURRENCY_OPTIONS },
  ])}
  ${table(
    'Settlements by merchant, currency and number',
    [
      { title: 'Number', isFigure: true },
      { title: 'Merchant' },
      { title: 'State' },
      { title: 'Opened (UTC)' },
      { title: 'Settled (UTC)' },
      { title: 'Lines', isFigure: true },
      { title: 'Net amount', isFigure: true },
    ],
    items.map((settlement) => [
      html`<a href="${links.settlement(settlement.id)}">${settlement.currency} ${settlement.number}</a>`,
      pages.merchant(settlement.merchant_id),
      status(stateOf(settlement)),
      time(settlement.opened_on),
      time(settlement.settled_on),
      settlement.lines,
      money(settlement.totals.net_amount, settlement.currency),
    ]),
    'There is no settlement like this.',
  )}
  ${pager(
    {
      first: After === undefined ? undefined : links.to('settlements', asked),
      next: next_after === null ? undefined : links.to('settlements', { ...asked, After: next_after }),
    },
    { first: 'From the start', next: 'Further settlements' },
  )}`;
}

export function stateOf({ closed_on, settled_on }: Pick<Settlement, 'closed_on' | 'settled_on'>): string {
  if (settled_on !== null) return 'SETTLED';
  return closed_on === null ? 'OPEN' : 'CLOSED';
}

/** A settlement has at most 1,000 lines. */
export function settlementPage(pages: ConsolePages, settlement: Settlement & { readonly lines: readonly SettlementLine[] }): Html {
  const { links } = pages;
  const { merchant_id, currency, number, totals, lines } = settlement;
  return html`${facts([
    ['Merchant', pages.merchant(merchant_id)],
    ['State', status(stateOf(settlement))],
    ['Net amount', html`${money(BigInt(totals.net_amount), currency)} <span class="minor">${totals.net_amount.toString()}</span>`],
    ['Charges', totals.charges],
    ['Reversals', totals.reversals],
    ['Returns', totals.returns],
    ['Opened (UTC)', time(settlement.opened_on)],
    ['Closed (UTC)', time(settlement.closed_on)],
    ['Settled (UTC)', time(settlement.settled_on)],
    ['Id', code(settlement.id)],
    ['History', html`<a href="${links.history(settlementStream(merchant_id, currency, number))}">What happened to it</a>`],
  ])}
  ${table(
    `Lines of settlement ${number} in ${currency}`,
    [
      { title: 'Line', isFigure: true },
      { title: 'Kind' },
      { title: 'Record' },
      { title: 'Fee', isFigure: true },
      { title: 'Adds to available', isFigure: true },
    ],
    lines.map((line, index) => [
      index + 1,
      line.kind,
      idLink(line.record_id, links.history((line.kind === 'return' ? payoutStream : chargeStream)(line.record_id))),
      money(line.fee_amount, currency),
      money(effectOnAvailable(line), currency),
    ]),
    'No line was left when it was closed.',
  )}`;
}
