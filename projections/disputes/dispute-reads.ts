import type { ClientBase } from 'pg';
import type { Mode } from '../../src/ledger/mode.js';
import type { Timestamp } from '../../src/ledger/time.js';
import { answered, type Stored } from '../../src/platform/postgres/answered.js';
import type { Conditions } from '../../src/platform/postgres/conditions.js';
import { readBehind, readTablePage, type PageQuery } from '../../src/platform/postgres/list-page.js';
import { ofMerchant, ofMerchants, type MerchantQuery, type MerchantsQuery } from '../merchants/list-queries.js';
import { sumTable, type Sum } from '../merchants/sums.js';
import { isOfMode } from '../merchants/owners.js';
import { DISPUTE_FIELDS, type DisputeRow, type DisputeStatus } from './disputes.js';

type Db = Pick<ClientBase, 'query'>;

/** Amounts are minor units. The file names of evidence are not included. */
export type Dispute = Pick<DisputeRow, (typeof DISPUTE_FIELDS)[number]>;

const COLUMNS = DISPUTE_FIELDS.join(', ');

export const disputeOf = (row: Stored<Dispute>): Dispute => answered<Dispute, keyof Dispute>(DISPUTE_FIELDS, row);

/** Returns a dispute of this merchant; undefined for a dispute of another merchant. @param id a UUID */
export async function findDispute(db: Db, merchantId: string, id: string): Promise<{ dispute: Dispute; version: number } | undefined> {
  const { rows } = await db.query<Stored<Dispute> & { version: number }>({
    name: 'disputes: one',
    text: `select ${COLUMNS}, version from ledger.disputes where id = $1 and merchant_id = $2`,
    values: [id, merchantId],
  });
  return rows.map((row) => ({ dispute: disputeOf(row), version: row.version }))[0];
}

/** Returns a dispute of any merchant. @param id a UUID */
export async function findDisputeById(db: Db, id: string): Promise<Dispute | undefined> {
  const { rows } = await db.query<Stored<Dispute>>({
    name: 'disputes: by id',
    text: `select ${COLUMNS} from ledger.disputes where id = $1`,
    values: [id],
  });
  return rows.map(disputeOf)[0];
}

/** Returns the disputes that these events opened, by the events' ordinals. */
export async function findDisputesByOrdinal(db: Db, ordinals: readonly number[]): Promise<Map<number, Dispute>> {
  const { rows } = await db.query<Stored<Dispute> & { readonly ordinal: bigint }>({
    name: 'disputes: by ordinal',
    text: `select ${COLUMNS}, ordinal from ledger.disputes where ordinal = any($1::int8[])`,
    values: [ordinals],
  });
  return new Map(rows.map((row) => [Number(row.ordinal), disputeOf(row)]));
}

interface Narrowing {
  readonly dispute_status?: DisputeStatus | undefined;
  readonly charge_id?: string | undefined;
  /** Returns only disputes that can be answered and are due at this time or earlier. */
  readonly due_before?: Timestamp | undefined;
}
export type DisputeListQuery = MerchantQuery & Narrowing;
export type AllDisputesQuery = MerchantsQuery & Narrowing;

const narrowed = (conditions: Conditions, { dispute_status, charge_id, due_before }: Narrowing): Conditions =>
  conditions.equal({ dispute_status, charge_id }).where(due_before, (p) => `${IS_ANSWERABLE} and due_by <= ${p}`);

const conditionsOf = (merchantId: string, query: Omit<DisputeListQuery, keyof PageQuery>): Conditions =>
  narrowed(ofMerchant(merchantId, query), query).within('opened_on', query.date_from, query.date_to);

/** Returns the sums of the disputes that `findDisputes` lists, on all pages. */
export const sumDisputes = (db: Db, merchantId: string, query: Omit<DisputeListQuery, keyof PageQuery>): Promise<Sum[]> =>
  sumTable(db, 'amount', 'ledger.disputes', conditionsOf(merchantId, query));

/** Returns disputes by opened_on, then id. `total` counts all pages exactly, in the same snapshot as the items. */
export async function findDisputes(db: Db, merchantId: string, query: DisputeListQuery): Promise<{ total: number; items: Dispute[] }> {
  const conditions = conditionsOf(merchantId, query);
  return readTablePage(db, query, { table: 'ledger.disputes', columns: COLUMNS, conditions, order_by: 'opened_on', item: disputeOf });
}

/** Returns disputes of any merchant in the order of the log; undefined when there is no dispute `after`. */
export async function findAllDisputes(db: Db, query: AllDisputesQuery): Promise<Dispute[] | undefined> {
  const conditions = narrowed(ofMerchants(query), query);
  const rows = await readBehind<Stored<Dispute>>(db, { table: 'ledger.disputes', columns: COLUMNS, conditions, after: query.after });
  return rows?.map(disputeOf);
}

/** A dispute that has not ended. */
export type OpenDispute = Pick<DisputeRow, 'id' | 'charge_id' | 'dispute_status'>;

export const isOpen = ({ dispute_status }: Pick<DisputeRow, 'dispute_status'>): boolean => dispute_status !== 'WON' && dispute_status !== 'LOST';

/** Condition for disputes that have not ended. */
export const IS_OPEN = `dispute_status not in ('WON', 'LOST')`;

/** Returns the open dispute that is due first for each of these charges (UUIDs). */
export async function findOpenDisputes(db: Db, chargeIds: readonly string[]): Promise<Map<string, OpenDispute>> {
  const { rows } = await db.query<OpenDispute>({
    name: 'disputes: open ones of charges',
    text: `select distinct on (charge_id) id, charge_id, dispute_status from ledger.disputes
            where charge_id = any($1::uuid[]) and ${IS_OPEN} order by charge_id, due_by, id`,
    values: [chargeIds],
  });
  return new Map(rows.map((row) => [row.charge_id, row]));
}

/** Condition for disputes that the merchant can still answer. */
export const IS_ANSWERABLE = `dispute_status in ('INQUIRY', 'ACTION_REQUIRED')`;

/** Returns disputes of a mode that can be answered and are due at `until` or earlier, the earliest due time first. */
export async function findDisputesDueSoon(db: Db, mode: Mode, until: Timestamp, limit: number): Promise<Dispute[]> {
  const { rows } = await db.query<Stored<Dispute>>(
    `select ${COLUMNS} from ledger.disputes where ${IS_ANSWERABLE} and due_by <= $1 and ${isOfMode('$3')} order by due_by, id limit $2`,
    [until, limit, mode],
  );
  return rows.map(disputeOf);
}

/** A dispute that needs an action because time has passed. */
export interface DueDispute {
  readonly dispute_id: string;
  readonly charge_id: string;
  /** null: the response is overdue. Otherwise the reminder that is due, in seconds before the due time. */
  readonly seconds_before: number | null;
}

/**
 * Returns disputes that were not answered in time, and reminders for the merchant, one for each of `reminders`; the earliest due times come first.
 */
export async function findDueDisputes(db: Db, now: Timestamp, reminders: readonly number[], limit: number): Promise<DueDispute[]> {
  const { rows } = await db.query<DueDispute>({
    name: 'disputes: due',
    text: `select id as dispute_id, charge_id, null::integer as seconds_before, due_by from ledger.disputes
            where dispute_status = 'ACTION_REQUIRED' and due_by <= $1
            union all
           select d.id, d.charge_id, r.seconds_before, d.due_by
             from unnest($2::integer[]) r (seconds_before)
             join ledger.disputes d on d.due_by > $1 and d.due_by <= $1::timestamptz + make_interval(secs => r.seconds_before)
            where d.${IS_ANSWERABLE} and not r.seconds_before = any(d.reminders)
              and d.due_by - make_interval(secs => r.seconds_before) >= d.stage_since
            order by due_by, dispute_id, seconds_before limit $3`,
    values: [now, reminders, limit],
  });
  return rows.map(({ dispute_id, charge_id, seconds_before }) => ({ dispute_id, charge_id, seconds_before }));
}

/** A challenge that its processor has not received yet. */
export interface OpenChallenge {
  readonly dispute_id: string;
  readonly charge_id: string;
  readonly merchant_id: string;
  /** Ordinal of the dispute's opening. */
  readonly ordinal: number;
}

/** Returns open challenges of disputes that were opened after the ordinal `after`, in the order of the log. */
export async function findOpenChallenges(db: Db, after: number, limit: number): Promise<OpenChallenge[]> {
  const { rows } = await db.query<Stored<OpenChallenge>>({
    name: 'disputes: open challenges',
    text: `select id as dispute_id, charge_id, merchant_id, ordinal from ledger.disputes
            where dispute_status = 'UNDER_REVIEW' and submitted_on is null and ordinal > $1 order by ordinal limit $2`,
    values: [after, limit],
  });
  return rows.map((row) => ({ ...row, ordinal: Number(row.ordinal) }));
}
