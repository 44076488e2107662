import type { ChargeListRow } from '../../projections/charge-list.js';
import { chargeStream } from '../charges/charge.events.js';
import { foreign, html, type Html } from '../pages/html.js';
import type { SearchQuery } from './console.dto.js';
import type { ConsolePages } from './console-pages.js';
import { merchantField } from './journal-page.js';
import { filters, money, status, table, theirs, time } from './parts.js';

export type FoundCharge = ChargeListRow;

export interface SearchPageOptions {
  readonly query: SearchQuery;
  /** What is searched; may be empty. */
  readonly text: string;
  /** It has the form of an id, and nothing has it. */
  readonly isId: boolean;
  readonly charges: readonly FoundCharge[];
  /** Merchants whose charges were searched. */
  readonly searched: number;
  /** The merchant to go on with; null when all were searched. */
  readonly left: string | null;
}

export function searchPage(pages: ConsolePages, { query, text, isId, charges, searched, left }: SearchPageOptions): Html {
  const { links } = pages;
  return html`${filters(links.to('search'), [
    { name: 'Text', label: 'Code, reference, description or id', value: text },
    merchantField(pages, query.MerchantId),
  ])}
  ${text === '' && html`<p class="empty">Type a charge’s code (CHG_…), a part of a reference or description, or the id of any record, merchant or event.</p>`}
  ${isId && html`<p class="empty">Nothing has the id ${foreign(text)}.</p>`}
  ${
    text !== '' &&
    !isId &&
    html`${table(
        'Charges found',
        [
          { title: 'Code' },
          { title: 'Reference' },
          { title: 'Merchant' },
          { title: 'Created (UTC)' },
          { title: 'Status' },
          { title: 'Settlement' },
          { title: 'Amount', isFigure: true },
        ],
        charges.map((charge) => [
          html`<a href="${links.history(chargeStream(charge.id))}"><code>${charge.code}</code></a>`,
          theirs(charge.reference_id),
          pages.merchant(charge.merchant_id),
          time(charge.created_on),
          status(charge.status),
          charge.settlement_status === 'UNKNOWN' ? '–' : status(charge.settlement_status),
          money(charge.amount, charge.currency),
        ]),
        'No charge has this in its code, reference or description.',
      )}
      <p class="hint">
        Searched the charges of ${searched} ${searched === 1 ? 'merchant' : 'merchants'}, the newest 20 of each.
        ${left !== null && html`Others were not searched: choose a merchant, such as ${pages.merchant(left)}.`}
      </p>`
  }`;
}
