import type { Account } from '../../../ledger/postings.js';
import { html, type Html } from '../../../platform/html/html.js';
import type { Links } from './links.js';

/** Meaning of each account, for people. */
export const ACCOUNT_WORDS: Readonly<Record<Account, string>> = {
  processor: 'Money at or from payment processors',
  bank: 'Money paid out through the bank',
  returns: 'Reversals and returns on their way through a settlement',
  suspense: 'Money without a known owner',
  fees: 'Earnings of the platform',
  costs: 'Charges by processors and banks',
  tax: 'Tax on these charges',
  losses: 'Losses of the platform',
  equity: 'Opening equity of the platform',
  pending: 'Paid, not settled yet',
  available: 'Settled, at the merchants’ disposal',
  reserved: 'Held for payouts under way',
  refunding: 'Held for refunds under way',
  disputed: 'Held for disputes',
};

/** The lines of an account: all of them, of a merchant, or of the time up to a day. */
export interface AccountLines {
  readonly account: Account;
  readonly currency: string;
  readonly merchantId?: string | undefined;
  /** First and last day, in UTC; without them, from the first entry to now. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** A link to the lines whose sum is the figure in `content`. */
export function linesLink(links: Links, { account, currency, merchantId, from, to }: AccountLines, content: Html | string): Html {
  const query = { MerchantId: merchantId, Currency: currency, Account: account, DateFrom: from, DateTo: to };
  return html`<a href="${links.to('journal', query)}">${content}</a>`;
}
