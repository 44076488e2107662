import type { Account } from '../../../ledger/postings.js';
import { ACCOUNTS, isPlatformAccount } from '../../../../projections/balances/journal.js';
import type { TrialBalance } from '../../../../projections/balances/trial-balance.js';
import { html, type Html } from '../../../platform/html/html.js';
import { ACCOUNT_WORDS, linesLink } from '../shared/accounts.js';
import { filters, money, table, tiles } from '../shared/components.js';
import type { Links } from '../shared/links.js';

const OF_MERCHANTS = ACCOUNTS.filter((account) => !isPlatformAccount(account));

/** All accounts of a mode, by currency. @param asOf a day, `2026-01-31`; undefined: now */
export function trialBalancePage(links: Links, currencies: readonly TrialBalance[], asOf: string | undefined): Html {
  const moment = asOf === undefined ? 'now' : `at the end of ${asOf} (UTC)`;
  return html`${filters(links.section('trial-balance'), [{ name: 'AsOf', label: 'As of the end of (UTC)', value: asOf, type: 'date' }])}
  ${currencies.length === 0 && html`<p class="empty">Nothing is booked ${moment === 'now' ? 'yet' : moment}.</p>`}
  ${currencies.map((balance) => trialBalance(links, balance, asOf, moment))}`;
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
