import type { ClientBase } from 'pg';
import type { Mode } from '../../src/ledger/mode.js';
import type { Timestamp } from '../../src/ledger/time.js';
import { answered, type Stored } from '../../src/platform/postgres/answered.js';
import type { Conditions } from '../../src/platform/postgres/conditions.js';
import { readBehind, readTablePage, type PageQuery } from '../../src/platform/postgres/list-page.js';
import { ofMerchant, ofMerchants, type MerchantQuery, type MerchantsQuery } from '../merchants/list-queries.js';
import { sumTable, type Sum } from '../merchants/sums.js';
import { isOfMode } from '../merchants/owners.js';
import type { RefundRow, RefundStatus } from './refunds.js';

type Db = Pick<ClientBase, 'query'>;

/** In the order of the response. */
const REFUND_FIELDS = [
  ...(['id', 'charge_id', 'merchant_id', 'amount', 'fee_amount', 'net_amount', 'currency', 'source', 'refund_status'] as const),
  ...(['status_reason', 'processor_reason', 'reason', 'reference_id', 'description', 'meta_data', 'submitted_on', 'succeeded_on'] as const),
  ...(['failed_on', 'cancelled_on', 'created_by', 'created_on', 'updated_by', 'updated_on'] as const),
] as const satisfies readonly (keyof RefundRow)[];

/** A refund as the API returns it. Amounts are minor units. */
export type Refund = Omit<Pick<RefundRow, (typeof REFUND_FIELDS)[number]>, 'meta_data'> & { readonly meta_data: Readonly<Record<string, string>> };

type StoredRefund = Stored<Refund>;

const COLUMNS = REFUND_FIELDS.join(', ');

const refundOf = (row: StoredRefund): Refund => answered<Refund, keyof Refund>(REFUND_FIELDS, row);

/** Returns a refund of this merchant; undefined for a refund of another merchant. @param id a UUID */
export async function findRefund(db: Db, merchantId: string, id: string): Promise<{ refund: Refund; version: number } | undefined> {
  const { rows } = await db.query<StoredRefund & { version: number }>({
    name: 'refunds: one',
    text: `select ${COLUMNS}, version from ledger.refunds where id = $1 and merchant_id = $2`,
    values: [id, merchantId],
  });
  return rows.map((row) => ({ refund: refundOf(row), version: row.version }))[0];
}

/** Returns those of `ids` (UUIDs) that exist, of any merchant. */
export async function findRefundsById(db: Db, ids: readonly string[]): Promise<Refund[]> {
  const { rows } = await db.query<StoredRefund>({
    name: 'refunds: by id',
    text: `select ${COLUMNS} from ledger.refunds where id = any($1::uuid[])`,
    values: [ids],
  });
  return rows.map(refundOf);
}

/** Returns the refunds that these events claimed, by the events' ordinals. */
export async function findRefundsByOrdinal(db: Db, ordinals: readonly number[]): Promise<Map<number, Refund>> {
  const { rows } = await db.query<StoredRefund & { readonly ordinal: bigint }>({
    name: 'refunds: by ordinal',
    text: `select ${COLUMNS}, ordinal from ledger.refunds where ordinal = any($1::int8[])`,
    values: [ordinals],
  });
  return new Map(rows.map((row) => [Number(row.ordinal), refundOf(row)]));
}

interface Narrowing {
  readonly refund_status?: RefundStatus | undefined;
  readonly charge_id?: string | undefined;
}
export type RefundListQuery = MerchantQuery & Narrowing;
export type AllRefundsQuery = MerchantsQuery & Narrowing;

const narrowed = (conditions: Conditions, { refund_status, charge_id }: Narrowing): Conditions => conditions.equal({ refund_status, charge_id });

const conditionsOf = (merchantId: string, query: Omit<RefundListQuery, keyof PageQuery>): Conditions =>
  narrowed(ofMerchant(merchantId, query), query).within('created_on', query.date_from, query.date_to);

/** Returns the sums of the refunds that `findRefunds` lists, on all pages. */
export const sumRefunds = (db: Db, merchantId: string, query: Omit<RefundListQuery, keyof PageQuery>): Promise<Sum[]> =>
  sumTable(db, 'amount', 'ledger.refunds', conditionsOf(merchantId, query));

/** Returns refunds by created_on, then id. `total` counts all pages exactly, in the same snapshot as the items. */
export async function findRefunds(db: Db, merchantId: string, query: RefundListQuery): Promise<{ total: number; items: Refund[] }> {
  const conditions = conditionsOf(merchantId, query);
  return readTablePage(db, query, { table: 'ledger.refunds', columns: COLUMNS, conditions, order_by: 'created_on', item: refundOf });
}

/** Returns refunds of any merchant in the order of the log; undefined when there is no refund `after`. */
export async function findAllRefunds(db: Db, query: AllRefundsQuery): Promise<Refund[] | undefined> {
  const conditions = narrowed(ofMerchants(query), query);
  const rows = await readBehind<Stored<Refund>>(db, { table: 'ledger.refunds', columns: COLUMNS, conditions, after: query.after });
  return rows?.map(refundOf);
}

export type LongRefund = Pick<RefundRow, 'id' | 'charge_id' | 'merchant_id' | 'amount' | 'currency' | 'submitted_on'> & {
  readonly submitted_on: string;
};

/** Returns refunds of a mode that have been at the processor since `since` or longer, the longest first. */
export async function findLongRefunds(db: Db, mode: Mode, since: Timestamp, limit: number): Promise<LongRefund[]> {
  const { rows } = await db.query<Omit<LongRefund, 'amount'> & { amount: bigint }>(
    `select id, charge_id, merchant_id, amount, currency, submitted_on from ledger.refunds
      where refund_status = 'PROCESSING' and submitted_on <= $1 and ${isOfMode('$3')} order by submitted_on, id limit $2`,
    [since, limit, mode],
  );
  return rows.map((row) => ({ ...row, amount: Number(row.amount) }));
}

export type OpenRefund = Pick<RefundRow, 'charge_id' | 'merchant_id' | 'created_on' | 'updated_on' | 'ordinal'> & {
  readonly refund_id: string;
  readonly refund_status: 'PENDING' | 'PROCESSING';
};

/** Returns refunds that have not ended and were claimed after the ordinal `after`, in the order of the log. */
export async function findOpenRefunds(db: Db, after: number, limit: number): Promise<OpenRefund[]> {
  const { rows } = await db.query<Omit<OpenRefund, 'ordinal'> & { ordinal: bigint }>({
    name: 'refunds: open',
    text: `select id as refund_id, charge_id, merchant_id, refund_status, created_on, updated_on, ordinal from ledger.refunds
            where refund_status in ('PENDING', 'PROCESSING') and ordinal > $1 order by ordinal limit $2`,
    values: [after, limit],
  });
  return rows.map((row) => ({ ...row, ordinal: Number(row.ordinal) }));
}

/** Returns reservations that accounts hold for refunds, oldest first. */
export async function findOpenReservations(
  db: Db,
  limit: number,
): Promise<{ readonly refund_id: string; readonly merchant_id: string; readonly currency: string }[]> {
  const { rows } = await db.query<{ refund_id: string; merchant_id: string; currency: string }>({
    name: 'refunds: open reservations',
    text: 'select refund_id, merchant_id, currency from ledger.refund_reservations order by ordinal limit $1',
    values: [limit],
  });
  return rows;
}

/** Returns succeeded refunds that the simulated processor has to bounce, oldest success first. */
export async function findBouncingRefunds(
  db: Db,
  limit: number,
): Promise<{ readonly refund_id: string; readonly charge_id: string; readonly merchant_id: string; readonly updated_on: Timestamp }[]> {
  const { rows } = await db.query<{ refund_id: string; charge_id: string; merchant_id: string; updated_on: Timestamp }>(
    `select id as refund_id, charge_id, merchant_id, updated_on from ledger.refunds
      where refund_status = 'SUCCEEDED' and meta_data ->> 'simulate' = 'bounce' order by updated_on limit $1`,
    [limit],
  );
  return rows;
}

/** Returns the revisions of events about the charge's refunds in its account's stream, in ascending order. */
export async function findRefundRevisions(db: Db, chargeId: string): Promise<number[]> {
  const { rows } = await db.query<{ revision: number }>('select revision from ledger.refund_account_events where charge_id = $1 order by revision', [
    chargeId,
  ]);
  return rows.map(({ revision }) => revision);
}

/** Amounts that refunds had taken of a charge at an event. */
export interface RefundedThen {
  readonly refunded_amount: number;
  readonly taken_amount: number;
}

/** Returns the amounts for each charge and ordinal, in their order. */
export async function findRefundedThen(db: Db, wanted: readonly { readonly charge_id: string; readonly ordinal: number }[]): Promise<RefundedThen[]> {
  const { rows } = await db.query<Record<keyof RefundedThen, string>>(
    `select coalesce(sum(r.amount) filter (where r.succeeded_at <= w.ordinal and (r.ended_at is null or r.ended_at > w.ordinal)), 0) as refunded_amount,
            coalesce(sum(r.amount) filter (where r.ended_at is null or r.ended_at > w.ordinal), 0) as taken_amount
       from unnest($1::uuid[], $2::bigint[]) with ordinality w (charge_id, ordinal, place)
       left join ledger.refunds r on r.charge_id = w.charge_id and r.ordinal <= w.ordinal
      group by w.place order by w.place`,
    [wanted.map(({ charge_id }) => charge_id), wanted.map(({ ordinal }) => ordinal)],
  );
  return rows.map(({ refunded_amount, taken_amount }) => ({ refunded_amount: Number(refunded_amount), taken_amount: Number(taken_amount) }));
}
