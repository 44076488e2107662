import type { Mode } from '../../src/ledger/mode.js';
import type { Timestamp } from '../../src/ledger/time.js';
import { Conditions } from '../../src/platform/postgres/conditions.js';
import type { PageQuery, PartQuery } from '../../src/platform/postgres/list-page.js';
import { isOfMode } from './owners.js';

/** Query of a list of one merchant's records, each in one currency. */
export interface MerchantQuery extends PageQuery {
  readonly currency?: string | undefined;
  /** Both inclusive, on the time that orders the list. */
  readonly date_from?: Timestamp | undefined;
  readonly date_to?: Timestamp | undefined;
}

/** Returns the conditions of such a query on rows with a merchant and a currency, without its range of time; `$1` is the merchant. */
export const ofMerchant = (merchantId: string, { currency }: Pick<MerchantQuery, 'currency'>): Conditions =>
  new Conditions(merchantId).always('merchant_id = $1').equal({ currency });

/** Query of a list of records of all merchants, each in one currency. */
export interface MerchantsQuery extends PartQuery {
  readonly mode?: Mode | undefined;
  readonly merchant_id?: string | undefined;
  readonly currency?: string | undefined;
}

/** Conditions of such a query on rows with a merchant and a currency; their `$1` is the limit. */
export const ofMerchants = ({ mode, merchant_id, currency, limit }: MerchantsQuery): Conditions =>
  new Conditions(limit).where(mode, isOfMode).equal({ merchant_id, currency });
