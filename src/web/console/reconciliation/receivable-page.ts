import type { TrialBalance } from '../../../../projections/balances/trial-balance.js';
import { AGES, type BreakAge } from '../../../../projections/reconciliation/matches/ages.js';
import type { Receivable } from '../../../../projections/reconciliation/matches/receivable.js';
import { formatAmount } from '../../../platform/text/format.js';
import { html, type Html } from '../../../platform/html/html.js';
import { amountsIn, chart } from '../shared/chart.js';
import { money, statusLink, table } from '../shared/components.js';
import type { ConsolePages } from '../shared/console-pages.js';
import type { Links } from '../shared/links.js';
import { sumOf } from '../shared/reconciliation-parts.js';

/** Movements of the processors' accounts that were not booked with a batch, by processor and age, and their comparison with the books. */
export function receivablePage({ links }: ConsolePages, owed: readonly Receivable[], books: readonly TrialBalance[]): Html {
  const currencies = [...new Set([...owed, ...books].map(({ currency }) => currency))].sort();
  const account = (currency: string): bigint =>
    books.find((each) => each.currency === currency)?.accounts.find((each) => each.account === 'processor')?.balance ?? 0n;
  return html`${owed.length === 0 && html`<p class="empty">Processors owe nothing.</p>`}
    ${currencies.map((currency) =>
      agesIn(
        links,
        owed.filter((each) => each.currency === currency),
        currency,
      ),
    )}
    ${table(
      'Held against the books',
      [{ title: 'Currency' }, ...['Sum of the items', 'Account processor', 'Difference'].map((title) => ({ title, isFigure: true }))],
      currencies.map((currency) => {
        const sum = sumOf(owed.filter((each) => each.currency === currency));
        const difference = sum + account(currency);
        return [
          currency,
          money(sum, currency),
          money(account(currency), currency),
          difference === 0n ? money(0, currency) : html`<strong>${money(difference, currency)}</strong>`,
        ];
      }),
      'Nothing is booked yet.',
    )}
    <p class="hint">The account is negative by the amount that processors owe. The two may differ while a day is being closed.</p>`;
}

function agesIn(links: Links, owed: readonly Receivable[], currency: string): Html | false {
  if (owed.length === 0) return false;
  const processors = [...new Set(owed.map(({ processor }) => processor))].sort();
  const of = (processor: string, age?: BreakAge): Receivable[] =>
    owed.filter((each) => each.processor === processor && each.age === (age ?? each.age));
  const written = (amount: bigint): string => formatAmount(amount, currency);
  return html`<section aria-labelledby="owed-${currency}">
    <h2 id="owed-${currency}">${currency}</h2>
    ${chart({
      id: `owed-${currency}-chart`,
      title: `Amounts that processors owe in ${currency}, by age in banking days`,
      summary: `${processors.map((processor) => `${processor} ${written(sumOf(of(processor)))}`).join(', ')}.`,
      kind: 'bars',
      moments: AGES,
      series: processors.map((processor) => ({
        name: processor,
        values: AGES.map((age) => Number(sumOf(of(processor, age)))),
        figure: money(sumOf(of(processor)), currency, true),
      })),
      ...amountsIn(currency),
      figures: table(
        `Amounts that processors owe in ${currency}, by age in banking days`,
        [{ title: 'Processor' }, ...['Items', ...AGES, 'Of it overdue', 'They owe us'].map((title) => ({ title, isFigure: true }))],
        processors.map((processor) => {
          const overdue = of(processor).filter((each) => each.overdue);
          return [
            processor,
            of(processor).reduce((count, { items }) => count + items, 0),
            ...AGES.map((age) => money(sumOf(of(processor, age)), currency, true)),
            overdue.length === 0
              ? '–'
              : html`${statusLink('OVERDUE', links.to('recon', { Kind: 'LEDGER_ONLY' }))} ${money(sumOf(overdue), currency, true)}`,
            money(sumOf(of(processor)), currency, true),
          ];
        }),
        '',
      ),
      isOpen: true,
    })}
  </section>`;
}
