import type { Sum } from '../../../../projections/merchants/sums.js';
import { CURRENCIES } from '../../../ledger/channels.js';
import type { Mode } from '../../../ledger/mode.js';
import { html, type Html } from '../../../platform/html/html.js';
import type { ConsolePages } from './console-pages.js';
import { filters, money, pager, type Field, type Pager, type Sort } from './components.js';
import type { Links } from './links.js';

/** Records per page. */
export const PAGE_RECORDS = 50;

/** Result of a query for a page of a list. */
export interface Found<Row> {
  readonly items: readonly Row[];
  /** Number of records on all pages; when it is known, pages have numbers. */
  readonly total?: number;
  /** Cursor or number of the next page; null on the last page. */
  readonly next_after: number | string | null;
  /** Sums of the records on all pages, by currency; undefined when they were not added up. */
  readonly sums?: readonly Sum[] | undefined;
}

/** Records of a list up to which a page adds them up: their file has the others. */
const SUMMED_MAX = 10_000;

/** Result for a list with numbered pages. @param sum adds up the records on all pages */
export async function pageOf<Row>(
  { total, items }: { readonly total: number; readonly items: readonly Row[] },
  number: number,
  sum: () => Promise<readonly Sum[] | undefined>,
): Promise<Found<Row>> {
  const sums = total > 0 && total <= SUMMED_MAX ? await sum() : undefined;
  return { total, items, next_after: number * PAGE_RECORDS < total ? number + 1 : null, sums };
}

export interface ListPageOptions {
  /** Path within the console. */
  readonly path: string;
  /** Filters of the request. Links leave out undefined ones. */
  readonly asked: Readonly<Record<string, string | number | undefined>>;
  readonly fields: readonly Field[];
  readonly found: Found<unknown>;
  readonly content: Html;
  /** Query parameter of a page, which takes `next_after`. */
  readonly cursor: 'PageNumber' | 'Before' | 'After';
  /** Value of `cursor` in the request; undefined: the first page. */
  readonly at: number | string | undefined;
  /** Hint below the filters about their limits. */
  readonly hint?: Html | string;
}

/** A list with its filters, its records, and links to its other pages. */
export function listPage(pages: ConsolePages, options: ListPageOptions): Html {
  const { path, asked, fields, found, content, cursor, at, hint } = options;
  const { items, total, next_after, sums } = found;
  const to = (place: number | string | null | undefined): string =>
    pages.links.to(path, { ...asked, ...(place === null || place === undefined ? {} : { [cursor]: place }) });
  return html`${filters(pages.links.to(path), fields)} ${hint !== undefined && html`<p class="hint">${hint}</p>`}
  ${total !== undefined && html`<p class="hint">${placeIn(total, Number(at ?? 1), items.length)}</p>`} ${content}
  ${sums !== undefined && sumsOf(sums)}
  ${
    next_after !== null &&
    total === undefined &&
    items.length < PAGE_RECORDS &&
    html`<p class="hint" role="status">Thousands of newer records were searched; the next page continues with older ones.</p>`
  }
  ${
    total === undefined
      ? pager(
          { first: at === undefined ? undefined : to(undefined), next: next_after === null ? undefined : to(next_after) },
          { first: 'From the start', next: 'Further' },
        )
      : pager(numbered(total, Number(at ?? 1), to))
  }`;
}

const sumsOf = (sums: readonly Sum[]): Html => html`<p class="sums">Sum of all: ${sums.map(({ amount, currency }) => money(amount, currency))}</p>`;

/** `1–50 of 1,160`, or `7 in all`. */
function placeIn(total: number, page: number, shown: number): string {
  if (total <= PAGE_RECORDS) return `${total} in all.`;
  const before = (page - 1) * PAGE_RECORDS;
  const count = COUNT.format(total);
  return shown === 0
    ? `There is no such page: the list has ${count} records.`
    : `${COUNT.format(before + 1)}–${COUNT.format(before + shown)} of ${count}.`;
}

const COUNT = new Intl.NumberFormat('en');

function numbered(total: number, page: number, to: (page: number) => string): Pager {
  const last = Math.max(1, Math.ceil(total / PAGE_RECORDS));
  return {
    first: page > 1 ? to(1) : undefined,
    previous: page > 1 && page <= last ? to(page - 1) : undefined,
    next: page < last ? to(page + 1) : undefined,
    last: page < last ? to(last) : undefined,
  };
}

/** An optional select; `all` is the text of its empty choice. */
export function choice(name: string, label: string, value: string | undefined, words: readonly string[], all: string): Field {
  return { name, label, value, options: [['', all], ...words.map((word) => [word, word] as const)] };
}

export function currencyField(value: string | undefined): Field {
  return choice('Currency', 'Currency', value, CURRENCIES, 'All currencies');
}

export function merchantField(pages: ConsolePages, mode: Mode, value: string | undefined): Field {
  const options = pages.merchantOptions(mode);
  return { name: 'MerchantId', label: 'Merchant', value, ...(options ? { options } : { placeholder: 'Id of a merchant' }) };
}

/** The order of a list by time, which its head turns round. @param asked the query of the list */
export function orderSort(links: Links, path: string, asked: { readonly Order?: 'newest' | 'oldest' | undefined }): Sort {
  const isOldest = asked.Order === 'oldest';
  return { address: links.to(path, { ...asked, Order: isOldest ? 'newest' : 'oldest' }), is: isOldest ? 'ascending' : 'descending' };
}

export function orderField(value: 'newest' | 'oldest' | undefined): Field {
  return {
    name: 'Order',
    label: 'Order',
    value,
    options: [
      ['newest', 'Newest first'],
      ['oldest', 'Oldest first'],
    ],
  };
}

export function dayFields({ DateFrom, DateTo }: { readonly DateFrom?: string; readonly DateTo?: string }): Field[] {
  return [
    { name: 'DateFrom', label: 'From (UTC)', value: DateFrom, type: 'date' },
    { name: 'DateTo', label: 'To (UTC)', value: DateTo, type: 'date' },
  ];
}
