import type { TrialBalance } from '../../../../projections/balances/trial-balance.js';
import type { Receivable } from '../../../../projections/reconciliation/matches/receivable.js';
import { html, type Html } from '../../../platform/html/html.js';
import { money, statusLink, table } from '../shared/components.js';
import type { ConsolePages } from '../shared/console-pages.js';

/** Movements of the processors' accounts that were not booked with a batch, by age, and their comparison with the books. */
export function receivablePage({ links }: ConsolePages, owed: readonly Receivable[], books: readonly TrialBalance[]): Html {
  const currencies = [...new Set([...owed, ...books].map(({ currency }) => currency))].sort();
  return html`${table(
      'Amounts by processor and age',
      [
        { title: 'Processor' },
        { title: 'Age, banking days' },
        { title: 'Due' },
        { title: 'Items', isFigure: true },
        { title: 'They owe us', isFigure: true },
      ],
      owed.map(({ processor, age, overdue, items, currency, amount }) => [
        processor,
        age,
        overdue ? statusLink('OVERDUE', links.to('recon', { Kind: 'LEDGER_ONLY' })) : 'not yet',
        items,
        money(amount, currency, true),
      ]),
      'Processors owe nothing.',
    )}
    ${table(
      'Held against the books',
      [{ title: 'Currency' }, ...['Sum of the items', 'Account processor', 'Difference'].map((title) => ({ title, isFigure: true }))],
      currencies.map((currency) => {
        const sum = owed.reduce((all, each) => (each.currency === currency ? all + each.amount : all), 0n);
        const account = books.find((each) => each.currency === currency)?.accounts.find((each) => each.account === 'processor')?.balance ?? 0n;
        const difference = sum + account;
        return [
          currency,
          money(sum, currency),
          money(account, currency),
          difference === 0n ? money(0, currency) : html`<strong>${money(difference, currency)}</strong>`,
        ];
      }),
      'Nothing is booked yet.',
    )}
    <p class="hint">The account is below zero by what processors owe. While a day is being closed, the two may differ.</p>`;
}
