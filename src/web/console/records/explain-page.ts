import type { Account } from '../../../ledger/postings.js';
import { payoutStream } from '../../../ledger/events/payout.events.js';
import type { Bucket } from '../../../../projections/balances/explanation.js';
import type { ExplanationDto } from '../../../domain/balances/explanation.dto.js';
import { html, type Html } from '../../../platform/html/html.js';
import { linesLink } from '../shared/accounts.js';
import type { ConsolePages } from '../shared/console-pages.js';
import { idLink, money, pager, status, table, tiles, userText } from '../shared/components.js';
import { proposalPage } from '../shared/links.js';
import type { State } from '../shared/tones.js';

type ShownBucket = ExplanationDto['buckets'][number];
type Group = ShownBucket['groups'][number];
type Part = ShownBucket['items'][number];

interface Words {
  readonly title: string;
  readonly note: string;
  /** Heading of the records. */
  readonly records: string;
  /** Accounts of the journal whose balances add up to the bucket. */
  readonly accounts: readonly Account[];
}

const WORDS: Readonly<Record<Bucket, Words>> = {
  AVAILABLE: {
    title: 'Available',
    note: 'Settlements, less the money that has left. Payouts, refunds and adjustments take the oldest money first.',
    records: 'Records with money left, or not covered yet',
    accounts: ['available'],
  },
  PENDING: {
    title: 'Pending',
    note: 'Charges that are paid and not settled yet, less their fees.',
    records: 'Charges that wait for their settlement',
    accounts: ['pending'],
  },
  RESERVED: {
    title: 'Reserved',
    note: 'Held for payouts and refunds under way, and for disputes.',
    records: 'Records that hold money',
    accounts: ['reserved', 'refunding', 'disputed'],
  },
  FEES: {
    title: 'Fees',
    note: 'Kept by us, and already taken off the other balances.',
    records: 'Records with a fee',
    accounts: ['fees'],
  },
  PAYOUTS: {
    title: 'Payouts',
    note: 'Taken from available by payouts that have not failed, and were not cancelled.',
    records: 'Payouts, each with the settlements that fund it',
    accounts: [],
  },
  REFUNDS: { title: 'Refunds', note: 'Taken from available by refunds of settled charges.', records: 'Refunds', accounts: [] },
  ADJUSTMENTS: { title: 'Adjustments', note: 'Changes of the available balance by operators.', records: 'Adjustments', accounts: [] },
};

/** Buckets that are figures of a balance, those asked for most first. */
export const FIGURES: readonly Bucket[] = ['AVAILABLE', 'PENDING', 'RESERVED', 'FEES'];

/** All FIGURES of a merchant's balance: each with the groups that add up to it, and the first of its records. */
export function explainPage(pages: ConsolePages, explanation: ExplanationDto): Html {
  const { merchant_id, currency, buckets } = explanation;
  const figures = buckets.map(({ bucket, amount }) => ({
    title: WORDS[bucket].title,
    figure: html`<a href="#${bucket}">${money(amount, currency, true)}</a>`,
    note: WORDS[bucket].note,
  }));
  return html`${tiles(figures)}
  ${buckets.map((bucket) => {
    const name = bucket.bucket;
    return html`<section aria-labelledby="${name}">
      <h2 id="${name}">${WORDS[name].title} <small>${money(bucket.amount, currency)}</small></h2>
      ${groupsTable(pages, explanation, bucket)} ${linesOf(pages, explanation, name)}
      ${
        bucket.items.length > 0 &&
        html`<details>
          <summary>${WORDS[name].records}</summary>
          ${partsTable(pages, explanation, bucket)}
          ${bucket.next_after !== null && html`<p><a href="${pages.links.explanation(merchant_id, currency, { Bucket: name })}">All of them</a></p>`}
        </details>`
      }
    </section>`;
  })}`;
}

/** One bucket: its groups, and a page of its records. */
export function bucketPage(pages: ConsolePages, explanation: ExplanationDto, after: string | undefined): Html {
  const { links } = pages;
  const { merchant_id, currency } = explanation;
  const bucket = explanation.buckets[0]!;
  const name = bucket.bucket;
  const pageAt = (After?: string): string => links.explanation(merchant_id, currency, { Bucket: name, After });
  return html`<p class="lead">${WORDS[name].note} <a href="${links.explanation(merchant_id, currency)}">The whole balance</a></p>
    ${groupsTable(pages, explanation, bucket)} ${linesOf(pages, explanation, name)} ${partsTable(pages, explanation, bucket)}
    ${pager(
      {
        first: after === undefined ? undefined : pageAt(),
        next: bucket.next_after === null ? undefined : pageAt(bucket.next_after),
      },
      { first: 'From the start', next: 'Further' },
    )}`;
}

export const bucketTitle = (bucket: Bucket): string => WORDS[bucket].title;

/** Links to the lines of the journal that add up to the bucket too. */
function linesOf({ links }: ConsolePages, { merchant_id: merchantId, currency }: ExplanationDto, bucket: Bucket): Html | false {
  const { accounts } = WORDS[bucket];
  if (accounts.length === 0) return false;
  return html`<p class="hint">
    Line by line in the journal: ${accounts.map((account) => html`${linesLink(links, { account, currency, merchantId }, account)} `)}
  </p>`;
}

const KIND_WORDS: Readonly<Record<Group['kind'], string>> = {
  CHARGES: 'Charges',
  SETTLEMENTS: 'Settlements',
  ADJUSTMENTS: 'Adjustments',
  PAYOUTS: 'Payouts',
  REFUNDS: 'Refunds',
  DISPUTES: 'Disputes',
};

/** The groups of a bucket, drawn one behind the other, and their sum. */
function groupsTable(pages: ConsolePages, { merchant_id, currency }: ExplanationDto, { bucket, amount, groups }: ShownBucket): Html {
  const moved = groups.filter(({ count }) => count > 0);
  const bars = barsOf(moved.map((group) => Number(group.amount)));
  return table(
    `${WORDS[bucket].title} in ${currency}, by kind`,
    [{ title: 'Kind' }, { title: 'Records', isFigure: true }, { title: 'Amount', isFigure: true }, { title: 'Drawn', isSpare: true }],
    [
      ...moved.map((group, at) => [
        html`<a href="${listOf(pages, merchant_id, currency, bucket, group)}">${KIND_WORDS[group.kind]}</a>
          ${group.status !== null && html`<span class="below">${status(group.status as State)}</span>`}`,
        group.count,
        money(group.amount, currency),
        bars[at]!,
      ]),
      [html`<strong>Sum</strong>`, '', html`<strong>${money(amount, currency)}</strong>`, bars.at(-1)!],
    ],
    '',
  );
}

/** The list of the records of a group. Those that change available have a bucket each; other groups are in the list of their bucket. */
function listOf({ links }: ConsolePages, merchantId: string, currency: string, bucket: Bucket, { kind }: Group): string {
  if (kind === 'SETTLEMENTS') return links.to('settlements', { MerchantId: merchantId, Currency: currency, State: 'SETTLED' });
  return links.explanation(merchantId, currency, { Bucket: bucket === 'AVAILABLE' ? kind : bucket });
}

const BAR_WIDTH = 200;
const BAR_HEIGHT = 12;

/** Returns a bar for each amount, which begins where the one before it ends, and at last one for their sum. The figures are in the cells beside them. */
function barsOf(amounts: readonly number[]): Html[] {
  const ends = amounts.reduce<number[]>((sums, amount) => [...sums, (sums.at(-1) ?? 0) + amount], []);
  const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  const x = (amount: number): number => ((amount - low) / (high - low || 1)) * BAR_WIDTH;
  const bar = (from: number, to: number, kind: string): Html => {
    const width = Math.max(Math.abs(x(to) - x(from)), from === to ? 0 : 1);
    return html`<svg class="bar-of" viewBox="0 0 ${BAR_WIDTH} ${BAR_HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
      <rect class="${kind}" x="${Math.min(x(from), x(to)).toFixed(1)}" y="0" width="${width.toFixed(1)}" height="${BAR_HEIGHT}" />
    </svg>`;
  };
  return [...ends.map((end, at) => bar(ends[at - 1] ?? 0, end, amounts[at]! < 0 ? 'out' : 'in')), bar(0, ends.at(-1) ?? 0, 'sum')];
}

function partsTable(pages: ConsolePages, { currency }: ExplanationDto, { bucket, items }: ShownBucket): Html {
  const isFunded = items.some(({ funded_from }) => funded_from !== null);
  return table(
    WORDS[bucket].records,
    [
      { title: 'Record' },
      { title: 'Status' },
      { title: 'Reference', isSpare: true },
      { title: 'Amount', isFigure: true },
      ...(isFunded ? [{ title: 'Funded from' }] : []),
    ],
    items.map((part) => [
      recordOf(pages, part),
      part.status === null ? '–' : status(part.status as State),
      userText(part.reference_id),
      money(part.amount, currency),
      ...(isFunded ? [fundingOf(pages, part)] : []),
    ]),
    'No record is part of it.',
  );
}

function recordOf(pages: ConsolePages, { kind, id, code, settlement_number }: Part): Html {
  const { links } = pages;
  switch (kind) {
    case 'CHARGE':
      return html`Charge ${pages.charge(id, code ?? undefined)}`;
    case 'SETTLEMENT':
      return html`<a href="${links.settlement(id)}">Settlement ${settlement_number}</a>`;
    case 'ADJUSTMENT':
      return html`Adjustment ${idLink(id, links.to(proposalPage(id)))}`;
    case 'PAYOUT':
      return html`Payout ${idLink(id, links.history(payoutStream(id)))}`;
    case 'REFUND':
      return html`Refund ${idLink(id, links.refund(id))}`;
    case 'DISPUTE':
      return html`Dispute ${idLink(id, links.dispute(id))}`;
  }
}

/** Sources that a row names; the page of a payout has all of them. */
const SOURCES_SHOWN = 3;

function fundingOf({ links }: ConsolePages, { funded_from, funded_from_count }: Part): Html | string {
  if (funded_from === null || funded_from.length === 0) return '–';
  const more = (funded_from_count ?? 0) - SOURCES_SHOWN;
  return html`${funded_from
    .slice(0, SOURCES_SHOWN)
    .map(({ settlement_id, settlement_number, adjustment_id }) =>
      settlement_id === null
        ? html`<a href="${links.to(proposalPage(adjustment_id!))}">adjustment</a> `
        : html`<a href="${links.settlement(settlement_id)}">settlement ${settlement_number}</a> `,
    )}${more > 0 && `and ${more} more`}`;
}
