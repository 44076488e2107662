import type { ClientBase } from 'pg';
import type { Mode } from '../../src/ledger/mode.js';
import type { Account, MoneyEvent } from '../../src/ledger/postings.js';
import type { Timestamp } from '../../src/ledger/time.js';
import { Conditions } from '../../src/platform/postgres/conditions.js';
import type { MerchantsQuery } from '../merchants/list-queries.js';
import { joinOwners } from '../merchants/owners.js';
import { JOURNAL } from './journal.js';
import { Running, type Cumulated } from './running-balance.js';

/** Amounts are minor units; `position` is the event's ordinal, `line` counts from 1. */
export interface JournalLine {
  readonly position: number;
  readonly line: number;
  readonly event_id: string;
  readonly merchant_id: string;
  readonly currency: string;
  readonly account: Account;
  readonly debit: bigint;
  readonly credit: bigint;
  readonly balance_before: bigint;
  readonly balance_after: bigint;
  readonly occurred_on: Timestamp;
  /** Mode of the merchant. */
  readonly mode: Mode;
  /**
   * The proposal whose effect an adjustment is, and the month that it belongs to, such as `2026-01`. A bank line has only the month; other lines have
   * neither.
   */
  readonly proposal_id: string | null;
  readonly relates_to: string | null;
  /** Type of the event, and the records that it belongs to. A settlement is named by its number in the merchant's account. */
  readonly type: MoneyEvent['type'];
  readonly charge_id: string | null;
  readonly code: string | null;
  readonly payout_id: string | null;
  readonly refund_id: string | null;
  readonly dispute_id: string | null;
  readonly settlement_number: number | null;
  /**
   * Sum of all lines that the query selects without its times, up to and including this one, in the order of the list. null unless the query names
   * the account, the currency, and a mode or merchant: other sums would have no meaning.
   */
  readonly running_balance: bigint | null;
}

export interface JournalQuery extends Omit<MerchantsQuery, 'after'> {
  readonly account?: Account | undefined;
  /** Inclusive, by booking time. */
  readonly date_from?: Timestamp | undefined;
  readonly date_to?: Timestamp | undefined;
  readonly event_id?: string | undefined;
  /** The last position to return. */
  readonly until?: number | undefined;
  /** Returns lines after this one. */
  readonly after?: Pick<JournalLine, 'position' | 'line'> | undefined;
  /** Returns the newest event first. The lines of an event keep their order. */
  readonly is_descending?: boolean;
  /** 1 or more. */
  readonly limit: number;
}

/** Maximum accounts that are read through their own index and merged. For more accounts, the whole journal is scanned. */
const ACCOUNTS_APART_MAX = 64;

/**
 * Returns lines in the order of events. With a time range, the order is by booking time, then by event: events of two merchants may be booked in
 * another order than that of the log. Balances of the platform's accounts always follow the order of events.
 */
export async function findJournal(db: Pick<ClientBase, 'query'>, query: JournalQuery): Promise<JournalLine[]> {
  const conditions = new Conditions(query.limit)
    .where(query.event_id, (p) => `e.event_id = ${p}::uuid`)
    .where(query.date_from, (p) => `e.booked_on >= ${p}::timestamptz`)
    .where(query.date_to, (p) => `e.booked_on <= ${p}::timestamptz`)
    .where(query.until, (p) => `e.ordinal <= ${p}`);
  const isOfTime = query.date_from !== undefined || query.date_to !== undefined;
  const [direction, behindIs] = query.is_descending === true ? (['desc', '<'] as const) : (['asc', '>'] as const);
  const order = isOfTime ? `booked_on ${direction}, ordinal ${direction}` : `ordinal ${direction}`;
  conditions.where(query.after?.position, (p) =>
    isOfTime ? `(e.booked_on, e.ordinal) ${behindIs}= (${bookedAt(`${p}::int8`)}, ${p}::int8)` : `e.ordinal ${behindIs}= ${p}::int8`,
  );
  // An entry without lines changes only counts: the settlement of a charge whose fee was its whole amount.
  conditions.always(query.account === undefined ? 'cardinality(e.accounts) > 0' : `e.accounts @> '{${query.account}}'`);
  const apart = query.event_id === undefined ? await findFewAccounts(db, query) : null;
  if (!apart) conditions.equal({ 'e.mode': query.mode, 'e.merchant_id': query.merchant_id, 'e.currency': query.currency });
  const entriesWhere = (...more: string[]): string => `select * from ${JOURNAL} e where ${conditions.sql(...more)} order by ${order} limit $1 + 1`;
  const entries = apart
    ? `select e.* from unnest(${conditions.parameter(apart.map(({ merchant_id }) => merchant_id))}::uuid[], ${conditions.parameter(apart.map(({ currency }) => currency))}::text[]) a (merchant_id, currency)
         cross join lateral (${entriesWhere('e.merchant_id = a.merchant_id', 'e.currency = a.currency')}) e order by ${order} limit $1 + 1`
    : entriesWhere();
  const last = query.after && {
    ordinal: `${conditions.parameter(query.after.position)}::int8`,
    line: `${conditions.parameter(query.after.line)}::int8`,
  };
  const lines = new Conditions(...conditions.values).where(query.account, (p) => `l.account = ${p}`);
  if (last) lines.always(`(j.ordinal <> ${last.ordinal} or l.line > ${last.line})`);
  const running = Running.of(query, isOfTime);
  const { rows } = await db.query<StoredLine & Cumulated>(
    `select ${LINE_COLUMNS}${running ? `, ${running.columns}` : ''}
       from (${entries}) j
       cross join lateral unnest(j.accounts, j.amounts, j.balances) with ordinality as l(account, amount, balance, line)
       ${joinCharges}
      where ${lines.sql()}
      order by ${isOfTime ? `j.booked_on ${direction}, ` : ''}j.ordinal ${direction}, l.line limit $1`,
    lines.values,
  );
  const balances = await running?.balances(db, rows);
  return rows.map((row, at) => toJournalLine(row, balances?.[at]));
}

/** Joins the charge of an entry `j` as `c`. */
export const joinCharges = 'left join ledger.charges c on c.id = j.record_id';

/** Columns of an entry `j`, one of its lines `l`, and its charge `c`. */
export const LINE_COLUMNS = `j.ordinal, l.line::int4 as line, j.event_id, j.merchant_id, j.currency, l.account, l.amount, l.balance,
  j.booked_on as occurred_on, j.mode, j.proposal_id, j.relates_to, j.type, j.record_id, c.code, j.refund_id, j.dispute_id, j.settlement_number`;

type Computed = 'position' | 'debit' | 'credit' | 'balance_before' | 'balance_after' | 'charge_id' | 'payout_id' | 'running_balance';
export type StoredLine = Omit<JournalLine, Computed> &
  Readonly<Record<'amount' | 'balance', string>> & { readonly ordinal: bigint; readonly record_id: string | null };

export function toJournalLine({ ordinal, amount: text, balance, record_id, ...row }: StoredLine, running_balance: bigint | null = null): JournalLine {
  const { line, event_id, merchant_id, currency, account, occurred_on, mode, proposal_id, relates_to } = row;
  const { type, code, refund_id, dispute_id, settlement_number } = row;
  const [amount, balance_after] = [BigInt(text), BigInt(balance)];
  return {
    position: Number(ordinal),
    line,
    event_id,
    merchant_id,
    currency,
    account,
    debit: amount < 0n ? -amount : 0n,
    credit: amount > 0n ? amount : 0n,
    balance_before: balance_after - amount,
    balance_after,
    occurred_on,
    mode,
    proposal_id,
    relates_to,
    type,
    ...recordOf(type, record_id),
    code,
    refund_id,
    dispute_id,
    settlement_number,
    running_balance,
  };
}

/** The record of an entry is a payout or a charge, by the event's type. */
export const recordOf = (type: MoneyEvent['type'], id: string | null): Pick<JournalLine, 'charge_id' | 'payout_id'> =>
  type.startsWith('Payout') ? { charge_id: null, payout_id: id } : { charge_id: id, payout_id: null };

/** Booking time of the event at `position`; for an event that moved no money, that of the entry before it. */
const bookedAt = (position: string): string =>
  `coalesce((select booked_on from ${JOURNAL} where ordinal <= ${position} order by ordinal desc limit 1), '-infinity')`;

type AccountName = Pick<JournalLine, 'merchant_id' | 'currency'>;

/** Returns the accounts that match the query; null for all accounts, or for more than ACCOUNTS_APART_MAX. */
async function findFewAccounts(db: Pick<ClientBase, 'query'>, { mode, merchant_id, currency }: JournalQuery): Promise<AccountName[] | null> {
  if (mode === undefined && merchant_id === undefined && currency === undefined) return null;
  const { rows } = await db.query<AccountName>(
    `select b.merchant_id, b.currency from ledger.balances b ${joinOwners('b')}
      where ($1::text is null or o.mode = $1) and ($2::uuid is null or b.merchant_id = $2) and ($3::text is null or b.currency = $3) limit $4`,
    [mode ?? null, merchant_id ?? null, currency ?? null, ACCOUNTS_APART_MAX + 1],
  );
  return rows.length > ACCOUNTS_APART_MAX ? null : rows;
}
