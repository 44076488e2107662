import { CHANNELS } from '../../ledger/channels.js';
import type { Mode } from '../../ledger/mode.js';
import { html, type Html } from '../../platform/html/html.js';
import type { ConsolePages } from './console-pages.js';
import { filters, pager, type Field } from './components.js';

/** Records of a page. */
export const PAGE_RECORDS = 50;

/** What was found for a page of a list. */
export interface Found<Row> {
  readonly items: readonly Row[];
  /** Of all pages; where it is known, pages have numbers. */
  readonly total?: number;
  /** Where to go on; null at the end. Of pages with numbers: the next one. */
  readonly next_after: number | string | null;
}

/** Of a list in pages with numbers. */
export function pageOf<Row>({ total, items }: { readonly total: number; readonly items: readonly Row[] }, number: number): Found<Row> {
  return { total, items, next_after: number * PAGE_RECORDS < total ? number + 1 : null };
}

export interface ListPageOptions {
  /** Within the console. */
  readonly path: string;
  /** Filters as they were asked for; those that are undefined are left out of links. */
  readonly asked: Readonly<Record<string, string | number | undefined>>;
  readonly fields: readonly Field[];
  readonly found: Found<unknown>;
  readonly content: Html;
  /** How a page is asked for that begins at `next_after`. */
  readonly cursor: 'PageNumber' | 'Before' | 'After';
  /** Of `cursor`, as it was asked for; undefined: the first page. */
  readonly at: number | string | undefined;
  /** Beside the filters: what they cannot do. */
  readonly hint?: Html | string;
}

/** A list: its filters, what was found, and where it goes on. */
export function listPage(pages: ConsolePages, options: ListPageOptions): Html {
  const { path, asked, fields, found, content, cursor, at, hint } = options;
  const { items, total, next_after } = found;
  const to = (place: number | string | null | undefined): string =>
    pages.links.to(path, { ...asked, ...(place === null || place === undefined ? {} : { [cursor]: place }) });
  const isFirst = at === undefined || (cursor === 'PageNumber' && at === 1);
  return html`${filters(pages.links.to(path), fields)} ${hint !== undefined && html`<p class="hint">${hint}</p>`}
  ${total !== undefined && html`<p class="hint">${total} in all${total > PAGE_RECORDS && `, page ${at ?? 1} of ${Math.ceil(total / PAGE_RECORDS)}`}.</p>`}
  ${content}
  ${
    next_after !== null &&
    total === undefined &&
    items.length < PAGE_RECORDS &&
    html`<p class="hint" role="status">Thousands of newer records were looked at, and there are older ones: go on to look at them.</p>`
  }
  ${pager(
    { first: isFirst ? undefined : to(undefined), next: next_after === null ? undefined : to(next_after) },
    { first: 'From the start', next: 'Further' },
  )}`;
}

/** Of a select that need not be used. */
export function choice(name: string, label: string, value: string | undefined, words: readonly string[], all: string): Field {
  return { name, label, value, options: [['', all], ...words.map((word) => [word, word] as const)] };
}

export const CURRENCIES = [...new Set(CHANNELS.map(({ currency }) => currency))].sort();

export function currencyField(value: string | undefined): Field {
  return choice('Currency', 'Currency', value, CURRENCIES, 'All currencies');
}

export function merchantField(pages: ConsolePages, mode: Mode, value: string | undefined): Field {
  const options = pages.merchantOptions(mode);
  return { name: 'MerchantId', label: 'Merchant', value, ...(options ? { options } : { placeholder: 'Id of a merchant' }) };
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
