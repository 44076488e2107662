import type { ForecastDto } from '../../../domain/balances/forecast.dto.js';
import type { Bucket } from '../../../../projections/balances/explanation.js';
import type { Balance, BalancePoint } from '../../../../projections/balances/balance-reads.js';
import type { ChargeDay } from '../../../../projections/charges/charge-days.js';
import type { ChargeList } from '../../../../projections/charges/charge-list.js';
import type { OpenDispute } from '../../../../projections/disputes/dispute-reads.js';
import type { Payout } from '../../../../projections/payouts/payouts.js';
import type { Settlement } from '../../../../projections/settlements/settlements.js';
import { accountStream } from '../../../ledger/events/account.events.js';
import type { Merchant, MerchantRail } from '../../../domain/merchants/known-merchants.js';
import type { MerchantTermDto } from '../../finance-api/audit-merchants.dto.js';
import { channelName } from '../../../ledger/channels.js';
import { merchantStream } from '../../../ledger/events/merchant.events.js';
import { html, type Html } from '../../../platform/html/html.js';
import { formatAmount } from '../../../platform/text/format.js';
import { balanceChart } from './balance-chart.js';
import type { ConsolePages } from '../shared/console-pages.js';
import { chargeCharts } from '../shared/charge-charts.js';
import { forecastDays } from '../shared/forecast-parts.js';
import type { Links } from '../shared/links.js';
import { choice, code, details, money, table, tag } from '../shared/components.js';
import { SECTIONS } from '../shared/layout.js';
import { chargeTable, payoutTable, railLink, settlementTable } from './record-tables.js';

export interface MerchantPageOptions {
  readonly merchant: Merchant;
  /** The merchant's own routes. */
  readonly rails: readonly MerchantRail[];
  readonly balances: readonly Balance[];
  readonly terms: readonly MerchantTermDto[];
  /** Links to the forms that change them; false for a visitor who may not. */
  readonly proposals: Html | false;
  /** Currency of the chart. */
  readonly currency: string;
  readonly days: number;
  readonly points: readonly BalancePoint[];
  /** In the currency of the chart; undefined while the event store, which has the calendar, does not answer. */
  readonly forecast: ForecastDto | undefined;
  /** Charges by day on the last days, in the currency of the chart. */
  readonly chargeDays: { readonly days: readonly string[]; readonly charges: readonly ChargeDay[] };
  readonly charges: ChargeList;
  /** Open disputes of those charges, by charge. */
  readonly disputes: ReadonlyMap<string, OpenDispute>;
  readonly payouts: { readonly total: number; readonly items: readonly Payout[] };
  readonly settlements: { readonly total: number; readonly items: readonly Settlement[] };
}

const PERIODS = [1, 7, 30, 90, 365] as const;

export function merchantPage(pages: ConsolePages, options: MerchantPageOptions): Html {
  const { links } = pages;
  const { merchant, charges, disputes, payouts, settlements } = options;
  const { id } = merchant;
  return html`${balancesSection(links, options)} ${forecastSection(links, options)}
  ${details([
    ['Mode', merchant.mode.toUpperCase()],
    ['Country', merchant.country],
    ['Currency', merchant.default_currency],
    ['Time zone', merchant.timezone],
    ['Registered (UTC)', pages.time(merchant.created_on, id)],
    ['Id', code(id)],
    ['History', html`<a href="${links.history(merchantStream(id))}">History</a>`],
    ...(pages.moment
      ? []
      : ([
          ['Statements', html`<a href="${links.to(`merchants/${id}/statement`)}">Statement of a month</a>`],
          ['Webhooks', html`<a href="${links.to('deliveries', { MerchantId: id })}">Deliveries</a>`],
        ] as const)),
    ['Customers', html`<a href="${links.to('customers', { MerchantId: id })}">Their ids</a>`],
  ])}
  ${chartSection(links, options)} ${chargeCharts(links, { currency: options.currency, merchantId: id, ...options.chargeDays })}
  ${termsSection(links, options)} ${railsSection(pages, options)}
  ${newestSection(
    links,
    options,
    'charges',
    charges.total,
    chargeTable(pages, charges.items, { caption: 'The newest charges', empty: 'No charge yet.', isOfOne: true, disputes }),
  )}
  ${newestSection(
    links,
    options,
    'payouts',
    payouts.total,
    payoutTable(pages, payouts.items, { caption: 'The newest payouts', empty: 'No payout yet.', isOfOne: true }),
  )}
  ${newestSection(
    links,
    options,
    'settlements',
    settlements.total,
    settlementTable(pages, settlements.items, { caption: 'The newest settlements', empty: 'No settlement yet.', isOfOne: true }),
  )}`;
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
      balances.map(({ currency, available_amount, pending_amount, reserved_amount, fee_amount }) => {
        const explained = (bucket: Bucket, amount: bigint): Html =>
          html`<a href="${links.explanation(id, currency)}#${bucket}">${money(amount, currency, bucket === 'AVAILABLE')}</a>`;
        return [
          html`<a href="${links.explanation(id, currency)}">${currency}</a>`,
          explained('AVAILABLE', available_amount),
          explained('PENDING', pending_amount),
          explained('RESERVED', reserved_amount),
          explained('FEES', fee_amount),
          html`<a href="${links.to('journal', { MerchantId: id, Currency: currency })}">Journal</a>
            <a href="${links.history(accountStream(id, currency))}">History</a>`,
        ];
      }),
      'This merchant has no currency to be paid in.',
    )}
  </section>`;
}

function forecastSection(links: Links, { merchant: { id }, currency, forecast }: MerchantPageOptions): Html {
  return html`<section aria-labelledby="forecast">
    <h2 id="forecast">Money that becomes available <small>in ${currency}, if nothing else happens</small></h2>
    ${forecast ? forecastDays(links, forecast) : html`<p class="empty">The calendar cannot be read now.</p>`}
    <p><a href="${links.forecast(id, currency)}">Forecast and its lines</a></p>
  </section>`;
}

function termsSection(links: Links, { merchant: { id }, terms, proposals }: MerchantPageOptions): Html {
  const bound = (amount: number | null, currency: string): string => (amount === null ? '–' : formatAmount(amount, currency));
  return html`<section aria-labelledby="terms">
    <h2 id="terms">Terms <small>for records from now on</small></h2>
    ${table(
      'Fees, bounds and settlement',
      [
        { title: 'For' },
        { title: 'Fee', isFigure: true },
        { title: 'From', isFigure: true },
        { title: 'To', isFigure: true },
        { title: 'Available after' },
      ],
      terms.map(({ use, channel_code, currency, enabled, fee_type, fee_value, min_amount, max_amount, settlement_cycle }) => [
        channel_code === null ? `${USES[use]} in ${currency}` : html`${channelName(channel_code)}${!enabled && html` ${tag('OFF')}`}`,
        fee_type === 'FIXED' ? formatAmount(fee_value, currency) : `${fee_value} %`,
        bound(min_amount, currency),
        bound(max_amount, currency),
        settlement_cycle ?? '–',
      ]),
      '',
    )}
    <p><a href="${links.to(`merchants/${id}/terms.csv`)}" download>The terms as CSV</a></p>
    ${proposals}
  </section>`;
}

const USES: Readonly<Record<MerchantTermDto['use'], string>> = { CHARGE: 'Charges', PAYOUT: 'Payouts', DISPUTE: 'Lost disputes' };

/** Returns false for a merchant without own routes, which uses the rails of its mode. */
function railsSection(pages: ConsolePages, { rails }: MerchantPageOptions): Html | false {
  if (rails.length === 0) return false;
  return html`<section aria-labelledby="rails">
    <h2 id="rails">Its own rails</h2>
    ${table(
      'Rails of this merchant, whatever the rail of its mode is',
      [{ title: 'For' }, { title: 'Rail' }, { title: 'Its id there' }],
      rails.map(({ use, rail, merchant_name_id }) => [use, railLink(pages, rail), merchant_name_id ?? '–']),
      '',
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

/** The newest records of a kind, with a link to all of them. */
function newestSection(
  links: Links,
  { merchant: { id } }: MerchantPageOptions,
  section: 'charges' | 'payouts' | 'settlements',
  total: number,
  content: Html,
): Html {
  return html`<section aria-labelledby="${section}">
    <h2 id="${section}">${SECTIONS[section]} <small>${total} in all</small></h2>
    ${content} ${total > 0 && html`<p><a href="${links.to(section, { MerchantId: id })}">All ${section} of this merchant</a></p>`}
  </section>`;
}
