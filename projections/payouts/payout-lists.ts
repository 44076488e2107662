import type { ClientBase } from 'pg';
import type { Mode } from '../../src/ledger/mode.js';
import { Conditions } from '../../src/platform/postgres/conditions.js';
import { readBehind } from '../../src/platform/postgres/list-page.js';
import { isOfMode } from '../merchants/owners.js';
import { PAYOUT_COLUMNS, payoutOf, type Payout, type PayoutStatus, type StoredPayout } from './payouts.js';

type Db = Pick<ClientBase, 'query'>;

export interface AllPayoutsQuery {
  readonly mode?: Mode | undefined;
  readonly merchant_id?: string | undefined;
  readonly currency?: string | undefined;
  readonly payout_status?: PayoutStatus | undefined;
  /** Returns only payouts that have not ended. */
  readonly isOpen: boolean;
  /** Returns payouts after the one with this id (a UUID). */
  readonly after?: string | undefined;
  readonly limit: number;
}

const IS_OPEN = `payout_status in ('PENDING', 'PROCESSING')`;

/** Returns payouts of any merchant in the order of the log; undefined when there is no payout `after`. */
export async function findAllPayouts(db: Db, query: AllPayoutsQuery): Promise<Payout[] | undefined> {
  const conditions = new Conditions(query.limit)
    .where(query.mode, isOfMode)
    .where(query.merchant_id, (p) => `merchant_id = ${p}::uuid`)
    .where(query.currency, (p) => `currency = ${p}`)
    .where(query.payout_status, (p) => `payout_status = ${p}`);
  if (query.isOpen) conditions.always(IS_OPEN);
  const rows = await readBehind<StoredPayout>(db, { table: 'ledger.payouts', columns: PAYOUT_COLUMNS, conditions, after: query.after });
  return rows?.map(payoutOf);
}

/** Returns payouts that have not ended, with the ordinal of the event that requested each: those before the ordinal `before`, the newest first. */
export async function findNewestOpenPayouts(
  db: Db,
  query: {
    readonly mode?: Mode | undefined;
    readonly merchant_id?: string | undefined;
    readonly before?: number | undefined;
    readonly limit: number;
  },
): Promise<{ readonly ordinal: number; readonly payout: Payout }[]> {
  const conditions = new Conditions(query.limit)
    .always(IS_OPEN)
    .where(query.mode, isOfMode)
    .where(query.merchant_id, (p) => `merchant_id = ${p}::uuid`)
    .where(query.before, (p) => `ordinal < ${p}`);
  const { rows } = await db.query<StoredPayout & { readonly ordinal: bigint }>(
    `select ${PAYOUT_COLUMNS}, ordinal from ledger.payouts where ${conditions.sql()} order by ordinal desc limit $1`,
    conditions.values,
  );
  return rows.map((row) => ({ ordinal: Number(row.ordinal), payout: payoutOf(row) }));
}
