import type { Balance, BalancePoint } from '../../projections/books/balances.js';
import type { ChargeList } from '../../projections/charges/charge-list.js';
import type { Payout } from '../../projections/payouts/payouts.js';
import type { Settlement } from '../../projections/settlements/settlements.js';
import { accountStream } from '../ledger/events/account.events.js';
import { chargeStream } from '../ledger/events/charge.events.js';
import type { Merchant } from '../merchants/known-merchants.js';
import { merchantStream } from '../ledger/events/merchant.events.js';
import { html, type Html } from '../html/html.js';
import { payoutStream } from '../ledger/events/payout.events.js';
import { balanceChart } from './balance-chart.js';
import type { ConsolePages } from './console-pages.js';
import type { Links } from './links.js';
import { code, facts, money, status, table, userText, time } from './components.js';
import { stateOf } from './settlements-page.js';

export interface MerchantPageOptions {
  readonly merchant: Merchant;
  readonly balances: readonly Balance[];
  /** Of the chart. */
  readonly currency: string;
  readonly days: number;
  readonly points: readonly BalancePoint[];
  readonly charges: ChargeList;
  readonly payouts: { readonly total: number; readonly items: readonly Payout[] };
  readonly settlements: { readonly total: number; readonly items: readonly Settlement[] };
}

const PERIODS = [1, 7, 30, 90, 365] as const;

export function merchantPage(pages: ConsolePages, options: MerchantPageOptions): Html {
  const { links } = pages;
  const { merchant } = options;
  const { id } = merchant;
  return html`${facts([
    ['Mode', merchant.mode.toUpperCase()],
    ['Country', merchant.country],
    ['Currency', merchant.default_currency],
    ['Time zone', merchant.timezone],
    ['Registered (UTC)', time(merchant.created_on)],
    ['Id', code(id)],
    ['History', html`<a href="${links.history(merchantStream(id))}">What happened to it</a>`],
  ])}
  ${balancesSection(links, options)} ${chartSection(links, options)} ${chargesSection(links, options)} ${payoutsSection(links, options)}
  ${settlementsSection(links, options)}`;
}

function balancesSection(links: Links, { merchant: { id }, balances }: MerchantPageOptions): Html {
  return html`<section aria-labelledby="balances">
    <h2 id="balances">Balances</h2>
    ${table(
      'Balances now',
      [
        { title: 'Currency' },
        { title: 'Available', isFigure: true },
        { title: 'Pending', isFigure: true },
        { title: 'Reserved', isFigure: true },
        { title: 'Fees paid', isFigure: true },
        { title: 'Account' },
      ],
      balances.map((balance) => [
        balance.currency,
        money(balance.available_amount, balance.currency),
        money(balance.pending_amount, balance.currency),
        money(balance.reserved_amount, balance.currency),
        money(balance.fee_amount, balance.currency),
        html`<a href="${links.to('journal', { MerchantId: id, Currency: balance.currency })}">Journal</a>
          <a href="${links.history(accountStream(id, balance.currency))}">History</a>`,
      ]),
      'This merchant has no currency to be paid in.',
    )}
  </section>`;
}

function chartSection(links: Links, { merchant: { id }, balances, currency, days, points }: MerchantPageOptions): Html {
  const chartOf = (of: { Currency?: string; Days?: number }): string =>
    links.to(`merchants/${id}`, { Currency: of.Currency ?? currency, Days: of.Days ?? days });
  return html`<section aria-labelledby="over-time">
    <h2 id="over-time">Balances over time</h2>
    <nav class="choices" aria-label="Currency and period of the chart">
      ${balances.map(({ currency: each }) => choice(each, chartOf({ Currency: each }), each === currency))}
      <span aria-hidden="true"></span>
      ${PERIODS.map((each) => choice(each === 1 ? '24 hours' : `${each} days`, chartOf({ Days: each }), each === days))}
    </nav>
    ${balanceChart(points, currency)}
  </section>`;
}

function chargesSection(links: Links, { charges }: MerchantPageOptions): Html {
  return html`<section aria-labelledby="charges">
    <h2 id="charges">Charges <small>${charges.total} in all</small></h2>
    ${table(
      'The newest charges',
      [
        { title: 'Code' },
        { title: 'Reference' },
        { title: 'Created (UTC)' },
        { title: 'Channel' },
        { title: 'Status' },
        { title: 'Settlement' },
        { title: 'Amount', isFigure: true },
        { title: 'Net', isFigure: true },
      ],
      charges.items.map((charge) => [
        html`<a href="${links.history(chargeStream(charge.id))}"><code>${charge.code}</code></a>`,
        userText(charge.reference_id),
        time(charge.created_on),
        charge.channel_code,
        status(charge.status),
        charge.settlement_status === 'UNKNOWN' ? '–' : status(charge.settlement_status),
        money(charge.amount, charge.currency),
        money(charge.net_amount, charge.currency),
      ]),
      'No charge yet.',
    )}
  </section>`;
}

function payoutsSection(links: Links, { payouts }: MerchantPageOptions): Html {
  return html`<section aria-labelledby="payouts">
    <h2 id="payouts">Payouts <small>${payouts.total} in all</small></h2>
    ${table(
      'The newest payouts',
      [{ title: 'Id' }, { title: 'Created (UTC)' }, { title: 'Status' }, { title: 'Amount', isFigure: true }, { title: 'Fee', isFigure: true }],
      payouts.items.map((payout) => [
        html`<a href="${links.history(payoutStream(payout.id))}"><code>${payout.id}</code></a>`,
        time(payout.created_on),
        status(payout.payout_status),
        money(payout.amount, payout.currency),
        money(payout.fee_amount, payout.currency),
      ]),
      'No payout yet.',
    )}
  </section>`;
}

function settlementsSection(links: Links, { merchant: { id }, settlements }: MerchantPageOptions): Html {
  return html`<section aria-labelledby="settlements">
    <h2 id="settlements">Settlements <small>${settlements.total} in all</small></h2>
    ${table(
      'The newest settlements',
      [
        { title: 'Number' },
        { title: 'State' },
        { title: 'Opened (UTC)' },
        { title: 'Settled (UTC)' },
        { title: 'Charges', isFigure: true },
        { title: 'Net amount', isFigure: true },
      ],
      settlements.items.map((settlement) => [
        html`<a href="${links.settlement(settlement.id)}">${settlement.currency} ${settlement.number}</a>`,
        status(stateOf(settlement)),
        time(settlement.opened_on),
        time(settlement.settled_on),
        settlement.totals.charges,
        money(BigInt(settlement.totals.net_amount), settlement.currency),
      ]),
      'No settlement yet.',
    )}
    <p><a href="${links.to('settlements', { MerchantId: id })}">All settlements of this merchant</a></p>
  </section>`;
}

function choice(label: string, address: string, isChosen: boolean): Html {
  return isChosen ? html`<a href="${address}" aria-current="true">${label}</a> ` : html`<a href="${address}">${label}</a> `;
}
