import type { SuspenseItemDto } from '../../finance-api/approvals/suspense.dto.js';
import { html, type Html } from '../../../platform/html/html.js';
import type { TrialBalance } from '../../../../projections/balances/trial-balance.js';
import { AGES } from '../../../../projections/reconciliation/matches/ages.js';
import type { SuspenseAge, SuspenseEnd } from '../../../../projections/approvals/suspense.js';
import { HOUSE_OWNERS } from '../../../ledger/events/adjustment.events.js';
import { formatAmount } from '../../../platform/text/format.js';
import { linesLink } from '../shared/accounts.js';
import { amountsIn, chart } from '../shared/chart.js';
import type { ConsolePages } from '../shared/console-pages.js';
import { pendingTag, sourceLink, sumOf } from '../shared/reconciliation-parts.js';
import { idLink, money, table, type Sort } from '../shared/components.js';
import { proposalPage, suspensePage } from '../shared/links.js';

const REASONS: Readonly<Record<SuspenseItemDto['reason'], string>> = {
  SECOND_PAYMENT: 'a second payment',
  OTHER_AMOUNT: 'another amount than asked for',
  BANK_UNKNOWN: 'an unknown line of a bank',
  REMITTED_UNKNOWN: 'an unknown line in a remittance',
};

/** Reason for which the item is in suspense. */
export const reasonOf = ({ reason }: Pick<SuspenseItemDto, 'reason'>): string => REASONS[reason];

const RESOLVED: Readonly<Record<SuspenseEnd, string>> = {
  UNMATCHED_TO_MERCHANT: 'given to the merchant',
  UNMATCHED_SENT_BACK: 'sent back',
  TOP_UP: 'topped up',
  COST: 'a cost',
  LOSS: 'a loss',
  GAIN: 'a gain',
  MATCHED: 'matched',
};

/** The open items of each currency by age, beside the balance of the account that they add up to. */
export function suspenseSums({ links }: ConsolePages, ages: readonly SuspenseAge[], books: readonly TrialBalance[]): Html | false {
  const some = books.filter(({ currency, accounts }) => suspenseOf(accounts) !== 0n || ages.some((each) => each.currency === currency));
  if (some.length === 0) return false;
  return table(
    'Open items by age in days, held against the account',
    [{ title: 'Currency' }, ...['Items', ...AGES, 'Sum', 'Account suspense'].map((title) => ({ title, isFigure: true }))],
    some.map(({ currency, accounts }) => {
      const theirs = ages.filter((each) => each.currency === currency);
      return [
        currency,
        theirs.reduce((count, { items }) => count + items, 0),
        ...AGES.map((age) => money(sumOf(theirs.filter((each) => each.age === age)), currency)),
        money(sumOf(theirs), currency),
        linesLink(links, { account: 'suspense', currency }, money(suspenseOf(accounts), currency)),
      ];
    }),
    '',
  );
}

/** How old the money in suspense is. */
export function suspenseCharts(ages: readonly SuspenseAge[]): Html | false {
  const currencies = [...new Set(ages.map(({ currency }) => currency))];
  if (currencies.length === 0) return false;
  return html`<section aria-labelledby="ages">
    <h2 id="ages">By age</h2>
    <div class="charts">
      ${currencies.map((currency) => {
        const theirs = ages.filter((each) => each.currency === currency);
        const amounts = AGES.map((age) => sumOf(theirs.filter((each) => each.age === age)));
        const title = `Suspense in ${currency} by age in days`;
        return chart({
          id: `suspense-${currency}`,
          title,
          summary: `In all ${formatAmount(sumOf(theirs), currency)}.`,
          kind: 'bars',
          moments: AGES,
          series: [{ name: currency, values: amounts.map(Number), figure: money(sumOf(theirs), currency) }],
          ...amountsIn(currency),
          figures: table(
            title,
            [{ title: 'Age' }, { title: 'Amount', isFigure: true }],
            AGES.map((age, at) => [age, money(amounts[at]!, currency)]),
            '',
          ),
        });
      })}
    </div>
  </section>`;
}

const suspenseOf = (accounts: TrialBalance['accounts']): bigint => accounts.find(({ account }) => account === 'suspense')?.balance ?? 0n;

/** Items in suspense in the order of their arrival. */
export function suspenseTable(pages: ConsolePages, items: readonly SuspenseItemDto[], order: 'newest' | 'oldest', sort: Sort): Html {
  const { links } = pages;
  return table(
    `Items in suspense, the ${order} first`,
    [
      { title: 'Item' },
      { title: 'Amount', isFigure: true },
      { title: 'Owner or source' },
      { title: 'Why' },
      { title: 'Age', isFigure: true },
      { title: 'Since (UTC)', sort },
      { title: 'Resolved' },
    ],
    items.map((item) => [
      idLink(item.id, links.to(suspensePage(item.id))),
      money(item.amount, item.currency),
      ownerOf(pages, item),
      html`${reasonOf(item)}${pendingTag(pages, item)}`,
      `${item.age_days} d`,
      sinceOf(pages, item),
      resolution(pages, item),
    ]),
    'Nothing is in suspense.',
  );
}

/** The item's merchant, or the source of its statement. */
export function ownerOf(pages: ConsolePages, { merchant_id, source }: SuspenseItemDto): Html | string {
  if (merchant_id !== null) return pages.merchant(merchant_id);
  return source === null ? '–' : sourceLink(pages, source);
}
export const sinceOf = (pages: ConsolePages, { since, mode, merchant_id }: SuspenseItemDto): Html | string =>
  pages.time(since, merchant_id ?? HOUSE_OWNERS[mode]);

export function resolution({ links }: ConsolePages, { proposal_id, resolved_as }: SuspenseItemDto): Html | string {
  if (proposal_id === null) return resolved_as === null ? '' : RESOLVED[resolved_as];
  return html`<a href="${links.to(proposalPage(proposal_id))}">${resolved_as === null ? 'taking effect' : RESOLVED[resolved_as]}</a>`;
}

/** Explains how an item is resolved. */
export function howToResolve(): Html {
  return html`A preparer proposes its owner, on the item’s page, on the command line (<code>proposal make --kind adjustment</code>) or over REST. An
    item is resolved whole, and once.`;
}
