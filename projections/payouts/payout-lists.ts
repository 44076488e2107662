import type { ClientBase } from 'pg';
import { readBehind, type PageQuery } from '../../src/platform/postgres/list-page.js';
import { ofMerchant, ofMerchants, type MerchantsQuery } from '../merchants/list-queries.js';
import { sumTable, type Sum } from '../merchants/sums.js';
import { PAYOUT_COLUMNS, payoutOf, type Payout, type PayoutListQuery, type PayoutStatus, type StoredPayout } from './payouts.js';

type Db = Pick<ClientBase, 'query'>;

export interface AllPayoutsQuery extends MerchantsQuery {
  readonly payout_status?: PayoutStatus | undefined;
  /** Returns only payouts that have not ended. */
  readonly isOpen: boolean;
}

const IS_OPEN = `payout_status in ('PENDING', 'PROCESSING')`;

/** Returns payouts of any merchant in the order of the log; undefined when there is no payout `after`. */
export async function findAllPayouts(db: Db, query: AllPayoutsQuery): Promise<Payout[] | undefined> {
  const conditions = ofMerchants(query).equal({ payout_status: query.payout_status });
  if (query.isOpen) conditions.always(IS_OPEN);
  const rows = await readBehind<StoredPayout>(db, { table: 'ledger.payouts', columns: PAYOUT_COLUMNS, conditions, after: query.after });
  return rows?.map(payoutOf);
}

/** Returns the sums of the payouts that `findPayouts` lists, on all pages. */
export function sumPayouts(db: Db, merchantId: string, query: Omit<PayoutListQuery, keyof PageQuery>): Promise<Sum[]> {
  const { payout_status, date_from, date_to } = query;
  const conditions = ofMerchant(merchantId, query).equal({ payout_status }).within('created_on', date_from, date_to);
  return sumTable(db, 'amount', 'ledger.payouts', conditions);
}

/** Returns payouts that have not ended, with the ordinal of the event that requested each: those before the ordinal `before`, the newest first. */
export async function findNewestOpenPayouts(
  db: Db,
  query: Omit<MerchantsQuery, 'currency' | 'after'> & { readonly before?: number | undefined },
): Promise<{ readonly ordinal: number; readonly payout: Payout }[]> {
  const conditions = ofMerchants(query)
    .always(IS_OPEN)
    .where(query.before, (p) => `ordinal < ${p}`);
  const { rows } = await db.query<StoredPayout & { readonly ordinal: bigint }>(
    `select ${PAYOUT_COLUMNS}, ordinal from ledger.payouts where ${conditions.sql()} order by ordinal desc limit $1`,
    conditions.values,
  );
  return rows.map((row) => ({ ordinal: Number(row.ordinal), payout: payoutOf(row) }));
}
