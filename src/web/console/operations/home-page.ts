import type { AccountDay } from '../../../../projections/balances/account-days.js';
import type { TrialBalance } from '../../../../projections/balances/trial-balance.js';
import type { ChargeDay } from '../../../../projections/charges/charge-days.js';
import { chargeStream } from '../../../ledger/events/charge.events.js';
import { payoutStream } from '../../../ledger/events/payout.events.js';
import { settlementStream } from '../../../ledger/events/settlement.events.js';
import type { Account } from '../../../ledger/postings.js';
import type { CashForecastDto } from '../../../domain/reconciliation/cash/cash-forecast.dto.js';
import type { FoundStop } from '../../../domain/settlements/settlement-stops.js';
import type { TransparencyLogState } from '../../../transparency-log/transparency-log-watch.js';
import { formatAmount } from '../../../platform/text/format.js';
import { html, type Html } from '../../../platform/html/html.js';
import type { Waiting } from '../../finance-api/approvals/waiting.js';
import { titleOf } from '../records/event-page.js';
import { linesLink } from '../shared/accounts.js';
import { amountsIn, chart, sparkline } from '../shared/chart.js';
import { chargeCharts, paidCharges, volumeOf } from '../shared/charge-charts.js';
import { choice, duration, money, table, tiles, time } from '../shared/components.js';
import type { ConsolePages } from '../shared/console-pages.js';
import type { Links } from '../shared/links.js';
import { cashForecastChart } from './cash-forecast-page.js';
import { transparencyLogWarning } from './chain-page.js';
import type { Exceptions } from './exceptions.js';
import { exceptionsSummary } from './exceptions-page.js';
import { waitingSection } from './waiting-section.js';

export interface Home {
  readonly alarms: Alarms;
  readonly waiting: readonly Waiting[];
  readonly books: readonly TrialBalance[];
  /** In the order of their names. */
  readonly currencies: readonly string[];
  /** One of them; undefined when there is none. */
  readonly currency: string | undefined;
  /** The last days, UTC, in their order. */
  readonly days: readonly string[];
  /** Figures of these days in all currencies. */
  readonly accounts: readonly AccountDay[];
  readonly charges: readonly ChargeDay[];
  /** Forecast in the currency; undefined when it cannot be made now. */
  readonly cashForecast: readonly CashForecastDto[] | undefined;
}

/** Alarms on which an operator must act. */
export interface Alarms {
  readonly contradictions: Contradictions;
  readonly settlementStops: readonly FoundStop[];
  /** undefined in the past. */
  readonly transparencyLog: TransparencyLogState | undefined;
  readonly exceptions: Exceptions;
}

/** Streams of payouts for which the bank has reported the opposite of the books; the first of them when there are many. */
interface Contradictions {
  readonly count: number;
  readonly streams: readonly string[];
}

/** The work that waits for people, the state of the books, and the figures of the last days. */
export function homePage(pages: ConsolePages, home: Home): Html {
  const { links } = pages;
  const { alarms, waiting, books, currencies, currency } = home;
  return html`${alarms.transparencyLog && transparencyLogWarning(alarms.transparencyLog)} ${unbalanced(links, books)}
  ${alarms.contradictions.count > 0 && contradicted(links, alarms.contradictions)} ${alarms.settlementStops.map((stop) => stopped(links, stop))}
  ${waitingSection(links, waiting, alarms.exceptions.now)} ${exceptionsSummary(pages, alarms.exceptions)} ${pulse(links, home)}
  ${
    currencies.length > 1 &&
    html`<nav class="choices" aria-label="Currency of the figures">
      ${currencies.map((each) => choice(each, links.to('', { Currency: each }), each === currency))}
    </nav>`
  }
  ${currency === undefined ? html`<p class="empty">Nothing is booked yet.</p>` : figures(links, home, currency)}`;
}

function figures(links: Links, home: Home, currency: string): Html {
  const { days } = home;
  const accounts = new DaysOfAccounts(
    days,
    home.accounts.filter((each) => each.currency === currency),
  );
  const charges = home.charges.filter((each) => each.currency === currency);
  const [from, to] = [days[0], days.at(-1)];
  const balance = (account: Account, sign: 1n | -1n): { readonly figure: Html; readonly picture: Html } => {
    const closing = accounts.closing(account).map((each) => each * sign);
    return { figure: linesLink(links, { account, currency, to }, money(closing.at(-1)!, currency)), picture: sparkline(closing.map(Number)) };
  };
  const volumes = days.map((day) => Number(volumeOf(charges.filter((each) => each.day === day))));
  return html`${tiles([
      {
        title: `Paid volume of ${days.length} days`,
        figure: paidCharges(links, { currency, merchantId: undefined }, { from, to }, money(volumeOf(charges), currency)),
        picture: sparkline(volumes),
        note: 'Charges created in these days that are paid',
      },
      { title: 'Available to merchants', ...balance('available', 1n), note: 'Settled, and not paid out' },
      { title: 'Owed by processors', ...balance('processor', -1n), note: html`<a href="${links.to('recon/receivable')}">By processor and age</a>` },
      { title: 'Suspense', ...balance('suspense', 1n), note: html`<a href="${links.to('suspense')}">Items without an owner</a>` },
    ])}
    ${chargeCharts(links, { currency, merchantId: undefined, days, charges })}
    <div class="charts">
      <section aria-labelledby="earnings">
        <h2 id="earnings">Fees against costs <small>by the day of booking, UTC</small></h2>
        ${earningsChart(links, accounts, currency)}
      </section>
      <section aria-labelledby="cash">
        <h2 id="cash">Cash at banks <small>at the end of the day, UTC</small></h2>
        ${cashChart(links, accounts, currency)}
        <p><a href="${links.to('journal-days.csv', { Currency: currency, From: from, To: to })}" download>All accounts by day as CSV</a></p>
      </section>
    </div>
    <section aria-labelledby="cash-forecast">
      <h2 id="cash-forecast">Cash forecast <small>if merchants take out all that they may</small></h2>
      ${cashForecast(links, home.cashForecast)}
      <p><a href="${links.section('cash-forecast')}">With the items that are in the cash of no day</a></p>
    </section>`;
}

function cashForecast(links: Links, rows: Home['cashForecast']): Html {
  if (rows === undefined) return html`<p class="empty">It cannot be made now.</p>`;
  return rows.length === 0 ? html`<p class="empty">No money is booked yet.</p>` : cashForecastChart(links, rows);
}

/** Days of the accounts of one currency; an account that was never moved has none. */
class DaysOfAccounts {
  readonly #all: ReadonlyMap<string, AccountDay>;

  constructor(
    readonly days: readonly string[],
    all: readonly AccountDay[],
  ) {
    this.#all = new Map(all.map((each) => [`${each.account} ${each.day}`, each]));
  }

  /** Balances at the end of each day, minor units. */
  closing(account: Account): bigint[] {
    return this.days.map((day) => this.#all.get(`${account} ${day}`)?.closing_balance ?? 0n);
  }

  /** Credits less debits of each day, minor units. */
  moved(account: Account): bigint[] {
    return this.days.map((day) => {
      const found = this.#all.get(`${account} ${day}`);
      return found ? found.credit - found.debit : 0n;
    });
  }
}

function earningsChart(links: Links, accounts: DaysOfAccounts, currency: string): Html {
  const shown = (['fees', 'costs', 'tax'] as const).map((account) => {
    const moved = accounts.moved(account);
    return { account, amounts: account === 'fees' ? moved : moved.map((each) => -each) };
  });
  return amountsChart(links, accounts.days, currency, {
    id: 'earnings-chart',
    title: `Fees, costs and tax in ${currency}`,
    kind: 'lines',
    shown: shown.map(({ account, amounts }) => ({ account, amounts, total: amounts.reduce((sum, each) => sum + each, 0n) })),
    linesOf: (account, from, to) => ({ account, currency, from, to }),
  });
}

function cashChart(links: Links, accounts: DaysOfAccounts, currency: string): Html {
  const amounts = accounts.closing('bank').map((each) => -each);
  return amountsChart(links, accounts.days, currency, {
    id: 'cash-chart',
    title: `Cash at banks in ${currency}`,
    kind: 'steps',
    shown: [{ account: 'bank', amounts, total: amounts.at(-1)! }],
    // The balance is the sum of all lines up to the day.
    linesOf: (account, _from, to) => ({ account, currency, to }),
  });
}

interface AmountsChart {
  readonly id: string;
  readonly title: string;
  readonly kind: 'lines' | 'steps';
  readonly shown: readonly { readonly account: Account; readonly amounts: readonly bigint[]; readonly total: bigint }[];
  /** The lines that a figure of a period adds up. */
  readonly linesOf: (account: Account, from: string, to: string) => Parameters<typeof linesLink>[1];
}

function amountsChart(links: Links, days: readonly string[], currency: string, { id, title, kind, shown, linesOf }: AmountsChart): Html {
  const figure = (account: Account, amount: bigint, from: string, to: string): Html =>
    linesLink(links, linesOf(account, from, to), money(amount, currency));
  return chart({
    id,
    title,
    summary: `${shown.map(({ account, total }) => `${account} ${formatAmount(total, currency)}`).join(', ')}.`,
    kind,
    moments: days,
    series: shown.map(({ account, amounts, total }) => ({
      name: account,
      values: amounts.map(Number),
      figure: figure(account, total, days[0]!, days.at(-1)!),
    })),
    ...amountsIn(currency),
    figures: table(
      `${title} by day`,
      [{ title: 'Day (UTC)' }, ...shown.map(({ account }) => ({ title: account, isFigure: true }))],
      days.map((day, at) => [day, ...shown.map(({ account, amounts }) => figure(account, amounts[at]!, day, day))]),
      '',
    ),
  });
}

/** One line on the state of the books; a fault has an alert above it. */
function pulse(links: Links, { books, waiting, alarms }: Home): Html {
  const toClose = waiting.find(({ kind }) => kind === 'DAYS')?.count ?? 0;
  return html`<p class="pulse">
    <a href="${links.section('trial-balance')}">${isBalanced(books) ? 'The books balance' : 'The books do not balance'}</a> ·
    ${alarms.transparencyLog && html`<a href="${links.section('chain')}">${sealing(alarms.transparencyLog)}</a> ·`}
    <a href="${links.section('recon')}">${toClose === 0 ? 'no bank day waits for its close' : 'bank days wait for their close'}</a>
  </p>`;
}

const sealing = ({ position, unsealed_events: count, oldest_unsealed_seconds: seconds }: TransparencyLogState): string =>
  count === 0 ? `the log is sealed up to event ${position}` : `${count} events are not sealed yet, for ${duration(seconds)}`;

const isBalanced = (books: readonly TrialBalance[]): boolean => books.every(({ difference }) => difference === 0n);

function unbalanced(links: Links, books: readonly TrialBalance[]): Html | false {
  if (isBalanced(books)) return false;
  const wrong = books.filter(({ difference }) => difference !== 0n);
  return html`<p class="alert bad" role="alert">
    <strong>The books do not balance.</strong> Debits and credits differ by
    ${wrong.map(({ currency, difference }) => html`${money(difference, currency)} `)}: see the
    <a href="${links.section('trial-balance')}">trial balance</a>.
  </p>`;
}

function stopped(links: Links, { merchant_id, currency, settlement_number, line_kind, record_id, reason, since }: FoundStop): Html {
  const record = line_kind === 'return' ? payoutStream(record_id) : chargeStream(record_id);
  return html`<p class="alert bad" role="alert">
    <strong>A settlement has been stopped since ${time(since)} UTC.</strong>
    <a href="${links.history(settlementStream(merchant_id, currency, settlement_number))}">Settlement ${settlement_number}</a> of
    <a href="${links.merchant(merchant_id)}">this merchant</a> in ${currency} waits for the ${line_kind} of
    <a href="${links.history(record)}">${titleOf(record)}</a>: ${reason}. Later settlements of the account wait for it.
  </p>`;
}

function contradicted(links: Links, { count, streams }: Contradictions): Html {
  return html`<p class="alert bad" role="alert">
    <strong>The bank contradicts the books${count > 1 && ` (${count} times)`}.</strong> Its reports about these payouts contradict their recorded
    results; no money was moved. Ask the bank: ${streams.map((stream) => html`<a href="${links.history(stream)}">${titleOf(stream)}</a> `)}
  </p>`;
}
