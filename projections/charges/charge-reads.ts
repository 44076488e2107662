import type { Pool } from 'pg';
import type { Timestamp } from '../../src/ledger/time.js';
import type { ChargeRow } from './charges-table.js';

export const CHARGES = 'ledger.charges';
/** In the order of responses and messages. */
const COLUMN_LIST = [
  ...(['id', 'code', 'merchant_id', 'reference_id', 'amount', 'currency', 'channel_code', 'action_flow', 'status'] as const),
  ...(['settlement_status', 'description', 'meta_data', 'fee', 'fee_amount', 'net_amount', 'charge_statement_id', 'processor'] as const),
  ...(['settlement_cycle', 'created_by', 'created_on', 'updated_by', 'updated_on', 'expires_on', 'paid_on', 'failed_on'] as const),
  ...(['failure_reason', 'settlement_date', 'settlement_on', 'refunded_amount', 'disputed_amount', 'taken_amount', 'reversed_on'] as const),
  ...(['reversed_at', 'return_url', 'processor_reference', 'action', 'failure_code', 'is_remote', 'revision'] as const),
] as const satisfies readonly (keyof ChargeRow)[];
type Unlisted = Exclude<keyof ChargeRow, (typeof COLUMN_LIST)[number]>;
/** Does not compile while a column of ChargeRow is not listed: a response would leave it out. */
const ALL_COLUMNS = COLUMN_LIST satisfies [Unlisted] extends [never] ? readonly string[] : never;

/** Returns the columns of a ChargeRow in the table `table`. */
export const chargeColumns = (table: string): string => ALL_COLUMNS.map((column) => `${table}.${column}`).join(', ');

/**
 * Joins the charge of each row of `page` as `c`, row by row: a planner that expects one charge in the table would join the page with all of them.
 */
export const chargesOf = (page: string): string =>
  `cross join lateral (select ${chargeColumns('charges')} from ${CHARGES} where id = ${page}.id offset 0) c`;

/** Server settings under which rows in the order of an index are read along that index and never sorted. */
export const ORDERED_BY_INDEX = { enable_sort: 'off' };

/**
 * Selects `columns` of the merchant's charges of one cell in a date range, for use with ORDERED_BY_INDEX: $1 is the merchant, $2 and $3 bound the range.
 * The order makes the planner use the index of time. A planner that expects one charge values every index of the merchant's charges alike, and
 * reads all of them along the others.
 */
export const alongTime = (columns: string, cell: string): string =>
  `(select ${columns} from ${CHARGES} where merchant_id = $1 and cell = ${cell} and created_on >= $2 and created_on < $3 order by created_on offset 0)`;

/** Returns a row per cell, with the column `cells.cell`. */
export const eachOf = (cells: readonly number[]): string => `unnest('{${cells.join(',')}}'::smallint[]) cells (cell)`;

/** Returns the merchant's charge `id` (a UUID); undefined when the merchant has no such charge. */
export async function findCharge(pool: Pool, merchantId: string, id: string): Promise<ChargeRow | undefined> {
  const charge = await findChargeById(pool, id);
  return charge?.merchant_id === merchantId ? charge : undefined;
}

/** Returns the charge `id` (a UUID) of any merchant: for callers whose credential is the URL that they know, and for our own processes. */
export async function findChargeById(pool: Pool, id: string): Promise<ChargeRow | undefined> {
  const { rows } = await pool.query<ChargeRow>({
    name: 'charge by id',
    text: `select ${chargeColumns('c')} from ${CHARGES} c where id = $1`,
    values: [id],
  });
  return rows[0] && withNumbers(rows[0]);
}

/** Returns the codes of the charges of these records, by charge (a UUID). */
export async function findChargeCodes(
  db: Pick<Pool, 'query'>,
  records: readonly { readonly charge_id: string | null }[],
): Promise<Map<string, string>> {
  const { rows } = await db.query<Pick<ChargeRow, 'id' | 'code'>>({
    name: 'codes of charges',
    text: `select id, code from ${CHARGES} where id = any($1::uuid[])`,
    values: [records.flatMap(({ charge_id }) => charge_id ?? [])],
  });
  return new Map(rows.map(({ id, code }) => [id, code]));
}

/** Returns those of `ids` (UUIDs) that exist, of any merchant. */
export async function findChargesById(db: Pick<Pool, 'query'>, ids: readonly string[]): Promise<ChargeRow[]> {
  const { rows } = await db.query<ChargeRow>({
    name: 'charges by id',
    text: `select ${chargeColumns('c')} from ${CHARGES} c where id = any($1::uuid[])`,
    values: [ids],
  });
  return rows.map(withNumbers);
}

export type ExpirableCharge = Pick<ChargeRow, 'id' | 'merchant_id' | 'expires_on'>;

/** Returns PENDING charges that have expired by `now`, oldest first, after `after` (the last one of the page before), at most `limit`. */
export async function findExpirableCharges(pool: Pool, now: Timestamp, after: ExpirableCharge | null, limit: number): Promise<ExpirableCharge[]> {
  const { rows } = await pool.query<ExpirableCharge>({
    name: 'expirable charges',
    text: `select id, merchant_id, expires_on from ${CHARGES}
            where status = 'PENDING' and expires_on <= $1
              and (expires_on, id) > (coalesce($2::timestamptz, '-infinity'), coalesce($3::uuid, '00000000-0000-0000-0000-000000000000'))
            order by expires_on, id limit $4`,
    values: [now, after?.expires_on ?? null, after?.id ?? null, limit],
  });
  return rows;
}

/** Converts columns that a pool returns as bigint; all of them are safe integers. */
export function withNumbers(row: ChargeRow): ChargeRow {
  const { amount, fee_amount, net_amount, refunded_amount, disputed_amount, taken_amount, reversed_at } = row;
  return {
    ...row,
    amount: Number(amount),
    fee_amount: Number(fee_amount),
    net_amount: Number(net_amount),
    refunded_amount: Number(refunded_amount),
    disputed_amount: Number(disputed_amount),
    taken_amount: Number(taken_amount),
    reversed_at: reversed_at === null ? null : Number(reversed_at),
  };
}
