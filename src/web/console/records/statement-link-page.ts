import { html, type Html } from '../../../platform/html/html.js';
import type { Merchant } from '../../../domain/merchants/known-merchants.js';
import type { ConsolePages } from '../shared/console-pages.js';
import { details, filters } from '../shared/components.js';

export interface StatementLinkPageOptions {
  readonly merchant: Merchant;
  readonly currency: string;
  readonly currencies: readonly string[];
  /** `YYYY-MM` */
  readonly month: string;
  /** Address of the statement; it gives access without a key. */
  readonly address: string;
  readonly expires: string;
}

/** A page to choose a statement and to get its address, for printing or for the merchant. */
export function statementLinkPage(pages: ConsolePages, options: StatementLinkPageOptions): Html {
  const { merchant, currency, currencies, month, address, expires } = options;
  return html`${filters(pages.links.to(`merchants/${merchant.id}/statement`), [
      { name: 'Currency', label: 'Currency', value: currency, options: [...new Set([currency, ...currencies])].map((each) => [each, each]) },
      { name: 'Month', label: `Month (${merchant.timezone})`, value: month, type: 'month' },
    ])}
    ${details([
      ['Merchant', pages.merchant(merchant.id)],
      ['Currency', currency],
      ['Month', month],
      ['The link holds until (UTC)', pages.time(expires, merchant.id)],
    ])}
    <p><a class="primary" href="${address}">Open the statement</a></p>
    <label class="address"
      ><span>Address for the merchant</span>
      <input readonly value="${address}" />
    </label>
    <p class="hint">Anyone with this address can read this statement until then, and nothing else; no key is needed. The link cannot be revoked.</p>`;
}
