import type { Account } from '../../../ledger/postings.js';
import { ACCOUNTS, isPlatformAccount } from '../../../../projections/balances/journal.js';
import type { TrialBalance } from '../../../../projections/balances/trial-balance.js';
import { html, type Html } from '../../../platform/html/html.js';
import { ACCOUNT_WORDS, linesLink } from '../shared/accounts.js';
import type { Links } from '../shared/links.js';
import type { TransparencyLogState } from '../../../transparency-log/transparency-log-watch.js';
import { transparencyLogWarning } from './chain-page.js';
import { chargeStream } from '../../../ledger/events/charge.events.js';
import { payoutStream } from '../../../ledger/events/payout.events.js';
import { settlementStream } from '../../../ledger/events/settlement.events.js';
import type { FoundStop } from '../../../domain/settlements/settlement-stops.js';
import { titleOf } from '../records/event-page.js';
import { filters, money, table, tiles, time } from '../shared/components.js';
import type { ConsolePages } from '../shared/console-pages.js';
import type { Exceptions } from './exceptions.js';
import type { Waiting } from '../../finance-api/approvals/waiting.js';
import { waitingSection } from './waiting-section.js';
import { exceptionsSummary } from './exceptions-page.js';

const OF_MERCHANTS = ACCOUNTS.filter((account) => !isPlatformAccount(account));

/** Alarms on which an operator must act. */
export interface Alarms {
  readonly contradictions: Contradictions;
  readonly settlementStops: readonly FoundStop[];
  readonly transparencyLog: TransparencyLogState;
  readonly exceptions: Exceptions;
  readonly waiting: readonly Waiting[];
}

/** Streams of payouts for which the bank has reported the opposite of the books; the first of them when there are many. */
interface Contradictions {
  readonly count: number;
  readonly streams: readonly string[];
}

export function overviewPage(pages: ConsolePages, currencies: readonly TrialBalance[], asOf: string | undefined, alarms: Alarms): Html {
  const { links } = pages;
  const moment = asOf === undefined ? 'now' : `at the end of ${asOf} (UTC)`;
  return html`${transparencyLogWarning(alarms.transparencyLog)} ${waitingSection(links, alarms.waiting, alarms.exceptions.now)}
  ${filters(links.to(''), [{ name: 'AsOf', label: 'As of the end of (UTC)', value: asOf, type: 'date' }])}
  ${alarms.contradictions.count > 0 && contradicted(links, alarms.contradictions)} ${alarms.settlementStops.map((stop) => stopped(links, stop))}
  ${exceptionsSummary(pages, alarms.exceptions)}
  ${currencies.length === 0 && html`<p class="empty">Nothing is booked ${moment === 'now' ? 'yet' : moment}.</p>`}
  ${currencies.map((balance) => trialBalance(links, balance, asOf, moment))}`;
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

function trialBalance(links: Links, balance: TrialBalance, asOf: string | undefined, moment: string): Html {
  const { currency, accounts, difference } = balance;
  const balanceOf = (account: Account): Html =>
    linesLink(links, { account, currency, to: asOf }, money(accounts.find((each) => each.account === account)?.balance ?? 0n, currency));
  const isEven = difference === 0n;
  return html`<section aria-label="${currency}">
    <h2>${currency}</h2>
    ${tiles([
      {
        title: 'Difference',
        figure: money(difference, currency),
        note: isEven ? 'Debits equal credits to the minor unit' : 'The books do not balance',
        tone: isEven ? 'good' : 'bad',
      },
      ...[...OF_MERCHANTS, 'fees' as const].map((account) => ({ title: account, figure: balanceOf(account), note: ACCOUNT_WORDS[account] })),
    ])}
    ${accountTables(links, balance, asOf, moment)}
    <p><a href="${links.to('journal', { Currency: currency })}">Journal in ${currency}</a></p>
  </section> `;
}

type AccountRow = TrialBalance['accounts'][number];

/** Accounts without movements are in a closed section, because they add nothing to the totals. */
function accountTables(
  links: Links,
  { currency, accounts, total_debit, total_credit }: TrialBalance,
  asOf: string | undefined,
  moment: string,
): Html {
  const row = ({ account, debit, credit, balance }: AccountRow): (Html | string)[] => {
    const lines = { account, currency, to: asOf };
    return [
      linesLink(links, lines, html`<span title="${ACCOUNT_WORDS[account]}">${account}</span>`),
      isPlatformAccount(account) ? 'platform' : 'all merchants',
      ...[debit, credit].map((sum) => money(sum, currency)),
      linesLink(links, lines, money(balance, currency)),
    ];
  };
  const isMoved = ({ debit, credit }: AccountRow): boolean => debit !== 0n || credit !== 0n;
  const idle = accounts.filter((each) => !isMoved(each));
  const total = [
    html`<strong>Total</strong>`,
    '',
    ...[total_debit, total_credit, total_credit - total_debit].map((sum) => html`<strong>${money(sum, currency)}</strong>`),
  ];
  return html`${table(`Trial balance in ${currency}, ${moment}`, ACCOUNT_COLUMNS, [...accounts.filter(isMoved).map(row), total], '')}
  ${
    idle.length > 0 &&
    html`<details>
      <summary>Without a movement: ${idle.map(({ account }) => account).join(', ')}</summary>
      ${table(`Accounts without a movement in ${currency}`, ACCOUNT_COLUMNS, idle.map(row), '')}
    </details>`
  }`;
}

const ACCOUNT_COLUMNS = [
  { title: 'Account' },
  { title: 'Whose', isSpare: true },
  ...['Debit', 'Credit', 'Balance'].map((title) => ({ title, isFigure: true })),
];
