import type { SuspenseItemDto } from '../../finance-api/approvals/suspense.dto.js';
import { html, type Html } from '../../../platform/html/html.js';
import type { SuspenseEnd } from '../../../../projections/approvals/suspense.js';
import { HOUSE_OWNERS } from '../../../ledger/events/adjustment.events.js';
import type { ConsolePages } from '../shared/console-pages.js';
import { pendingTag, sourceLink } from '../shared/reconciliation-parts.js';
import { idLink, money, table } from '../shared/components.js';
import { proposalPage, suspensePage } from '../shared/links.js';

const REASONS: Readonly<Record<SuspenseItemDto['reason'], string>> = {
  SECOND_PAYMENT: 'a second payment',
  OTHER_AMOUNT: 'another amount than asked for',
  BANK_UNKNOWN: 'an unknown line of a bank',
  REMITTED_UNKNOWN: 'an unknown line of a batch',
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

const COLUMNS = [
  { title: 'Item' },
  { title: 'Amount', isFigure: true },
  { title: 'Merchant' },
  { title: 'Why' },
  { title: 'Age', isFigure: true },
  { title: 'Since (UTC)' },
  { title: 'Resolved' },
];

/** Items in suspense in the order of their arrival. */
export function suspenseTable(pages: ConsolePages, items: readonly SuspenseItemDto[], order: 'newest' | 'oldest'): Html {
  const { links } = pages;
  return table(
    `Items in suspense, the ${order} first`,
    COLUMNS,
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
  return html`A preparer proposes whose it is, on the item’s page, on the command line (<code>proposal make --kind adjustment</code>) or over REST. An
    item is resolved whole, and once.`;
}
