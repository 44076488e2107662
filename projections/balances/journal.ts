import type { ClientBase, PoolClient } from 'pg';
import type { Account, MoneyEvent, MoneyMove } from '../../src/ledger/postings.js';
import type { Mode } from '../../src/ledger/mode.js';
import type { LoggedEvent } from '../../src/ledger/read-model.js';
import { later, type Timestamp } from '../../src/ledger/time.js';
import { Table, type RowOf } from '../../src/platform/postgres/binary/table.js';

/**
 * The journal: one row for each event that moves money, with its double-entry lines and the merchant's sums in that currency after it. A balance at
 * any moment is one row, found through an index.
 *
 * Money leaves an account by a debit and enters it by a credit; a balance is credits less debits. All merchants of a mode share the platform's
 * accounts.
 */
const OF_THE_PLATFORM: Readonly<Record<Account, boolean>> = {
  processor: true,
  bank: true,
  returns: true,
  suspense: true,
  fees: true,
  costs: true,
  tax: true,
  losses: true,
  equity: true,
  pending: false,
  available: false,
  reserved: false,
  refunding: false,
  disputed: false,
};
export const ACCOUNTS = Object.keys(OF_THE_PLATFORM) as readonly Account[];
/** Accounts of a merchant's money that is held for payouts, refunds and disputes: `reserved_amount`. */
export const RESERVED_ACCOUNTS = ['reserved', 'refunding', 'disputed'] as const satisfies readonly Account[];
/** The accounts that each amount of a merchant's balance adds up. */
export const BALANCE_ACCOUNTS = {
  pending: ['pending'],
  available: ['available'],
  reserved: RESERVED_ACCOUNTS,
  fees: ['fees'],
} as const satisfies Readonly<Record<string, readonly Account[]>>;
/** SQL for the balance of these accounts in a row of sums. */
export const balanceSql = (row: string, accounts: readonly Account[]): string =>
  accounts.map((account) => `${row}.${account}_credit - ${row}.${account}_debit`).join(' + ');
/** SQL columns with the amounts of a merchant's balance in a row of sums, under their names. */
export const balanceColumns = (row: string): string =>
  Object.entries(BALANCE_ACCOUNTS)
    .map(([name, accounts]) => `${balanceSql(row, accounts)} as ${name}`)
    .join(', ');
export const isPlatformAccount = (account: Account): boolean => OF_THE_PLATFORM[account];

type SumColumn = `${Account}_${'debit' | 'credit'}`;
export const SUM_COLUMNS: readonly SumColumn[] = ACCOUNTS.flatMap((account) => [`${account}_debit`, `${account}_credit`] as const);

/** All debits and credits of each account of one owner in one currency, in minor units. */
export type Sums = Record<SumColumn, bigint>;

/** The accounts of one owner in one currency. */
export interface Books {
  readonly owner: string;
  readonly currency: string;
  readonly sums: Sums;
  /** Counts of a merchant: charges that are paid and not settled; charges that are settled and not reversed. */
  pending_count: number;
  available_count: number;
  /** Booking time of a merchant's newest entry. The platform has the latest time of its merchants. Empty before the first entry. */
  modified_on: Timestamp;
  modified_by: string;
}

/** Column definitions of Sums. */
export const SUM_DDL = Object.fromEntries(SUM_COLUMNS.map((column) => [column, 'numeric not null'])) as Record<SumColumn, 'numeric not null'>;

/** One entry per event. */
const journalTable = new Table('journal', {
  ordinal: 'bigint not null primary key',
  event_id: 'uuid not null',
  merchant_id: 'uuid not null',
  currency: 'text collate "C" not null',
  type: 'text collate "C" not null',
  /** The charge or payout that moved; null for a settlement, which has a number. */
  record_id: 'uuid',
  settlement_number: 'integer',
  /** A refund of the charge in `record_id`. */
  refund_id: 'uuid',
  /** A dispute of the charge in `record_id`. */
  dispute_id: 'uuid',
  /**
   * `proposal_id`: the proposal whose effect an adjustment is. `relates_to`: the month that an adjustment or a bank line belongs to, such as
   * `2026-01`.
   */
  proposal_id: 'uuid',
  relates_to: 'text collate "C"',
  /** Booking time: the time of the event, but never before the previous entry of the same merchant and currency. */
  booked_on: 'timestamptz not null',
  booked_by: 'text not null',
  // The merchant's accounts after this event: all debits and credits so far.
  ...SUM_DDL,
  pending_count: 'bigint not null',
  available_count: 'bigint not null',
  // The lines as parallel arrays: credits are positive, debits negative; `balances` has the balance after each line. For the platform's accounts it
  // is the balance of the whole platform in the merchant's mode.
  accounts: 'text[] not null',
  amounts: 'numeric[] not null',
  balances: 'numeric[] not null',
  /** Mode of the merchant. */
  mode: 'text collate "C" not null',
});
export type JournalEntry = RowOf<(typeof journalTable)['definitions'], Sums & { mode: Mode }>;

export function emptyBooks(owner: string, currency: string): Books {
  const sums = Object.fromEntries(SUM_COLUMNS.map((column) => [column, 0n])) as Sums;
  return { owner, currency, sums, pending_count: 0, available_count: 0, modified_on: '', modified_by: '' };
}

export const balanceOf = (sums: Sums, account: Account): bigint => sums[`${account}_credit`] - sums[`${account}_debit`];

/** Adds a line to sums: a credit is positive, a debit negative. */
export function addTo(sums: Sums, account: Account, amount: bigint): void {
  if (amount < 0n) sums[`${account}_debit`] -= amount;
  else sums[`${account}_credit`] += amount;
}

/** The books that a move changes: the merchant's, and the platform's in the merchant's mode. */
export interface BookedIn {
  readonly mode: Mode;
  readonly merchant: Books;
  readonly platform: Books;
}

/**
 * Books one event: adds it to the sums of its merchant and of the platform, and returns the entry. Booking times rise only within one merchant's
 * account in one currency. A process with a wrong clock therefore affects only the books of the merchants whose events it decides.
 */
export function book(event: LoggedEvent & MoneyEvent, move: MoneyMove, { mode, merchant, platform }: BookedIn): JournalEntry {
  const { occurred_on, actor } = event.metadata;
  const booked_on = bookedAfter(merchant, occurred_on);
  merchant.pending_count += move.counts.pending_count;
  merchant.available_count += move.counts.available_count;
  const lines = linesOf(move);
  const balances: bigint[] = [];
  for (const { account, amount } of lines) {
    for (const { sums } of [merchant, platform]) addTo(sums, account, amount);
    balances.push(balanceOf(isPlatformAccount(account) ? platform.sums : merchant.sums, account));
  }
  for (const books of [merchant, platform]) {
    books.modified_on = bookedAfter(books, booked_on);
    books.modified_by = actor;
  }
  return {
    ordinal: event.ordinal,
    event_id: event.id,
    merchant_id: move.merchant_id,
    currency: move.currency,
    type: event.type,
    ...recordOf(event),
    booked_on,
    booked_by: actor,
    ...merchant.sums,
    pending_count: merchant.pending_count,
    available_count: merchant.available_count,
    accounts: lines.map(({ account }) => account),
    amounts: lines.map(({ amount }) => amount),
    balances,
    mode,
  };
}

const bookedAfter = ({ modified_on }: Books, moment: Timestamp): Timestamp => (modified_on === '' ? moment : later(modified_on, moment));

type RecordColumns = Pick<JournalEntry, 'record_id' | 'settlement_number' | 'refund_id' | 'dispute_id' | 'proposal_id' | 'relates_to'>;
const OF_NOTHING: RecordColumns = {
  ...{ record_id: null, settlement_number: null, refund_id: null, dispute_id: null, proposal_id: null, relates_to: null },
};

function recordOf({ data }: MoneyEvent): RecordColumns {
  if ('settlement_number' in data) return { ...OF_NOTHING, settlement_number: data.settlement_number };
  if ('rows' in data) return { ...OF_NOTHING, relates_to: data.day.slice(0, 7) };
  if ('proposal_id' in data) return { ...OF_NOTHING, record_id: data.charge_id, proposal_id: data.proposal_id, relates_to: data.relates_to };
  if (!('charge_id' in data)) return { ...OF_NOTHING, record_id: data.payout_id };
  if ('refund_id' in data) return { ...OF_NOTHING, record_id: data.charge_id, refund_id: data.refund_id };
  return { ...OF_NOTHING, record_id: data.charge_id, dispute_id: 'dispute_id' in data ? data.dispute_id : null };
}

interface Line {
  readonly account: Account;
  amount: bigint;
}

/** Returns one line per account and side, in the order of the postings: a settlement of 1,000 charges has two. */
function linesOf({ postings }: MoneyMove): Line[] {
  const lines: Line[] = [];
  const add = (account: Account, amount: bigint): void => {
    const line = lines.find((each) => each.account === account && each.amount < 0n === amount < 0n);
    if (line) line.amount += amount;
    else lines.push({ account, amount });
  };
  for (const { from, to, amount } of postings) {
    add(from, -amount);
    add(to, amount);
  }
  return lines;
}

export const saveEntries = (tx: PoolClient, schema: string, entries: readonly JournalEntry[]): Promise<void> => journalTable.add(tx, schema, entries);

/** The view `journal_lines` has one row per line, for people. */
export const journalDdl = (schema: string): string => `${journalTable.ddl(schema)}
create view ${schema}.journal_lines as
select j.ordinal, l.line::int as line, j.event_id, j.merchant_id, j.currency, l.account,
       greatest(-l.amount, 0) as debit, greatest(l.amount, 0) as credit,
       l.balance - l.amount as balance_before, l.balance as balance_after, j.booked_on as occurred_on, j.mode, j.proposal_id, j.relates_to
  from ${schema}.journal j
  cross join lateral unnest(j.accounts, j.amounts, j.balances) with ordinality as l(account, amount, balance, line)`;

/** Accounts that most entries have nothing of. The others are in nearly every entry, and are found by reading the journal in its order. */
const RARE_ACCOUNTS = ACCOUNTS.filter((account) => !['processor', 'fees', 'pending', 'available'].includes(account));

export const journalIndexes = (schema: string): readonly string[] => [
  `create index journal_of_merchant on ${schema}.journal (merchant_id, currency, ordinal)`,
  `create index journal_of_merchant_by_time on ${schema}.journal (merchant_id, currency, booked_on, ordinal)`,
  `create index journal_of_mode on ${schema}.journal (mode, ordinal)`,
  `create index journal_by_time on ${schema}.journal (booked_on, ordinal)`,
  `create index journal_of_disputes on ${schema}.journal (merchant_id, currency) where dispute_id is not null`,
  `create index journal_of_bank on ${schema}.journal (mode, currency, ordinal) where accounts @> '{bank}'`,
  `create index journal_by_event on ${schema}.journal (event_id)`,
  ...RARE_ACCOUNTS.map(
    (account) => `create index journal_of_${account}_account on ${schema}.journal (merchant_id, currency, ordinal) where accounts @> '{${account}}'`,
  ),
];

export const JOURNAL = 'ledger.journal';

/**
 * Selects the last entry of a merchant's account at a moment, or none: one index lookup. @param booked compares `booked_on` with the moment: `<= $1`,
 * or `< $1`
 */
export const lastEntry = (owner: { readonly merchant_id: string; readonly currency: string }, booked: string): string =>
  `(select * from ${JOURNAL} e where e.merchant_id = ${owner.merchant_id} and e.currency = ${owner.currency} and e.booked_on ${booked}
     order by e.booked_on desc, e.ordinal desc limit 1)`;

/** Returns the position of the newest entry; 0 when there is none. */
export async function findLastBooked(db: Pick<ClientBase, 'query'>): Promise<number> {
  const { rows } = await db.query<{ ordinal: bigint }>(`select ordinal from ${JOURNAL} order by ordinal desc limit 1`);
  return Number(rows[0]?.ordinal ?? 0);
}
