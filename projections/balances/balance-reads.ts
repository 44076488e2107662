import type { ClientBase } from 'pg';
import { derivedId } from '../../src/ledger/ids/idempotency.js';
import type { Mode } from '../../src/ledger/mode.js';
import type { Timestamp } from '../../src/ledger/time.js';
import { joinOwners } from '../merchants/owners.js';
import { balanceColumns, balanceSql, lastEntry, RESERVED_ACCOUNTS } from './journal.js';

/** A balance as the API returns it. Amounts are minor units; sums may exceed 2^53. */
export interface Balance {
  readonly id: string;
  readonly merchant_id: string;
  readonly currency: string;
  readonly total_amount: bigint;
  readonly available_amount: bigint;
  readonly pending_amount: bigint;
  readonly reserved_amount: bigint;
  readonly fee_amount: bigint;
  readonly available_count: number;
  readonly pending_count: number;
  readonly created_by: string;
  readonly created_on: Timestamp;
  readonly last_modified_by: string;
  readonly last_modified_on: Timestamp;
}

/** Owner of balances. A balance exists from the moment its merchant is created. */
export interface BalanceOwner {
  readonly merchant_id: string;
  readonly created_on: Timestamp;
}

type Db = Pick<ClientBase, 'query'>;
const TABLE = 'ledger.balances';
const amountsOf = (row: string): string => `${balanceColumns(row)}, ${row}.pending_count, ${row}.available_count`;

/** All columns except the currency are null before the first entry. */
interface RecordRow {
  readonly currency: string;
  readonly pending: string | null;
  readonly available: string | null;
  readonly reserved: string | null;
  readonly fees: string | null;
  readonly pending_count: bigint | null;
  readonly available_count: bigint | null;
  readonly modified_on: Timestamp | null;
  readonly modified_by: string | null;
}

/**
 * Returns one record for each of `currencies` (those of the merchant's channels) in their order, also with zeros; then the records of other
 * currencies that have entries.
 */
export async function findBalances(db: Db, owner: BalanceOwner, currencies: readonly string[]): Promise<Balance[]> {
  const { rows } = await db.query<RecordRow>({
    name: 'balances: current',
    text: `select b.currency, ${amountsOf('b')}, b.modified_on, b.modified_by from ${TABLE} b where b.merchant_id = $1`,
    values: [owner.merchant_id],
  });
  return records(owner, currencies, rows);
}

/** Returns the balances, counts and fees as of `asOf` (inclusive) by booking time. They are zero before the first entry. */
export async function findBalancesAsOf(db: Db, owner: BalanceOwner, currencies: readonly string[], asOf: Timestamp): Promise<Balance[]> {
  const { rows } = await db.query<RecordRow>({
    name: 'balances: as of',
    text: `select b.currency, ${amountsOf('j')}, j.booked_on as modified_on, j.booked_by as modified_by
             from ${TABLE} b
             left join lateral ${lastEntry({ merchant_id: 'b.merchant_id', currency: 'b.currency' }, '<= $2::timestamptz')} j on true
            where b.merchant_id = $1`,
    values: [owner.merchant_id, asOf],
  });
  return records(owner, currencies, rows);
}

/** Returns each of these balances as of the event at `ordinal`, in the order of `wanted`. */
export async function findBalancesAfter(
  db: Db,
  wanted: readonly { readonly owner: BalanceOwner; readonly currency: string; readonly ordinal: number }[],
): Promise<Balance[]> {
  const { rows } = await db.query<RecordRow>({
    name: 'balances: after events',
    text: `select w.currency, ${amountsOf('j')}, j.booked_on as modified_on, j.booked_by as modified_by
             from unnest($1::uuid[], $2::text[], $3::bigint[]) with ordinality w (merchant_id, currency, ordinal, place)
             left join lateral (select * from ledger.journal e
               where e.merchant_id = w.merchant_id and e.currency = w.currency and e.ordinal <= w.ordinal
               order by e.ordinal desc limit 1) j on true
            order by w.place`,
    values: [wanted.map(({ owner }) => owner.merchant_id), wanted.map(({ currency }) => currency), wanted.map(({ ordinal }) => ordinal)],
  });
  return rows.map((row, place) => record(wanted[place]!.owner, row.currency, row));
}

/** An available balance below zero: the debt of a merchant. */
export interface NegativeBalance {
  readonly merchant_id: string;
  readonly currency: string;
  /** Minor units. */
  readonly available: bigint;
  readonly modified_on: Timestamp;
}

/** Returns those of all merchants of a mode, the largest debts of each currency first. */
export async function findNegativeBalances(db: Db, mode: Mode, limit: number): Promise<NegativeBalance[]> {
  const { rows } = await db.query<Omit<NegativeBalance, 'available'> & { available: string }>(
    `select b.merchant_id, b.currency, available_credit - available_debit as available, modified_on from ${TABLE} b ${joinOwners('b')}
      where available_credit < available_debit and o.mode = $1
      order by b.currency, available_credit - available_debit limit $2`,
    [mode, limit],
  );
  return rows.map((row) => ({ ...row, available: BigInt(row.available) }));
}

/** Balances of a merchant in one currency at one moment. */
export interface BalancePoint {
  readonly at: Timestamp;
  readonly pending: bigint;
  readonly available: bigint;
  readonly reserved: bigint;
}

/** Returns the balances at each of `moments` (inclusive), in their order: one index lookup per moment. They are zero before the first entry. */
export async function findBalancesOverTime(
  db: Db,
  { merchant_id, currency }: { readonly merchant_id: string; readonly currency: string },
  moments: readonly Timestamp[],
): Promise<BalancePoint[]> {
  const { rows } = await db.query<{ at: Timestamp } & Record<'pending' | 'available' | 'reserved', string | null>>({
    name: 'balances: over time',
    text: `select w.at, ${balanceSql('j', ['pending'])} as pending, ${balanceSql('j', ['available'])} as available,
                  ${balanceSql('j', RESERVED_ACCOUNTS)} as reserved
             from unnest($3::timestamptz[]) with ordinality w (at, place)
             left join lateral ${lastEntry({ merchant_id: '$1', currency: '$2' }, '<= w.at')} j on true
            order by w.place`,
    values: [merchant_id, currency, moments],
  });
  return rows.map(({ at, pending, available, reserved }) => ({
    at,
    pending: BigInt(pending ?? 0),
    available: BigInt(available ?? 0),
    reserved: BigInt(reserved ?? 0),
  }));
}

function records(owner: BalanceOwner, currencies: readonly string[], rows: readonly RecordRow[]): Balance[] {
  const found = new Map(rows.map((row) => [row.currency, row]));
  const others = [...found.keys()].filter((currency) => !currencies.includes(currency)).sort();
  return [...currencies, ...others].map((currency) => record(owner, currency, found.get(currency)));
}

function record({ merchant_id, created_on }: BalanceOwner, currency: string, row: RecordRow | undefined): Balance {
  const pending = BigInt(row?.pending ?? 0);
  const available = BigInt(row?.available ?? 0);
  return {
    id: derivedId(merchant_id, `balance-${currency}`),
    merchant_id,
    currency,
    total_amount: available + pending,
    available_amount: available,
    pending_amount: pending,
    reserved_amount: BigInt(row?.reserved ?? 0),
    fee_amount: BigInt(row?.fees ?? 0),
    available_count: Number(row?.available_count ?? 0),
    pending_count: Number(row?.pending_count ?? 0),
    created_by: 'System',
    created_on,
    last_modified_by: row?.modified_by ?? 'System',
    // Timestamps sort as text. The clock of the process that booked may have been behind the clock of the process that registered the merchant.
    last_modified_on: row?.modified_on && row.modified_on > created_on ? row.modified_on : created_on,
  };
}
