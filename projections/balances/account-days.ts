import type { ClientBase, PoolClient } from 'pg';
import { MODES, type Mode } from '../../src/ledger/mode.js';
import type { Account } from '../../src/ledger/postings.js';
import { Conditions } from '../../src/platform/postgres/conditions.js';
import { Table, type RowOf } from '../../src/platform/postgres/binary/table.js';
import { PLATFORM } from '../merchants/owners.js';
import { ACCOUNTS, addTo, balanceOf, SUM_COLUMNS, SUM_DDL, type JournalEntry, type Sums } from './journal.js';

/** Debits and credits of all merchants of a mode by the day (UTC) of booking, so that a chart of years reads no journal. */
const table = new Table(
  'account_days',
  { mode: 'text collate "C" not null', currency: 'text collate "C" not null', day: 'text collate "C" not null', ...SUM_DDL },
  ['primary key (mode, currency, day)'],
  // Every batch updates the rows of its day. Free space on their pages spares the index an update.
  'with (fillfactor = 50)',
);

export const accountDaysDdl = (schema: string): string => table.ddl(schema);

const NOTHING = Object.fromEntries(SUM_COLUMNS.map((column) => [column, 0n])) as Sums;
const columns = table.parameters(table.names, 'rows');
type DayRow = RowOf<(typeof table)['definitions'], Sums>;

/** Adds the lines of entries to the sums of their days. */
export async function addToDays(tx: PoolClient, schema: string, entries: readonly JournalEntry[]): Promise<void> {
  const days = new Map<string, DayRow>();
  for (const { mode, currency, booked_on, accounts, amounts } of entries) {
    const day = booked_on.slice(0, 10);
    const key = `${mode} ${currency} ${day}`;
    let row = days.get(key);
    if (row === undefined) days.set(key, (row = { ...NOTHING, mode, currency, day }));
    for (const [index, account] of accounts.entries()) addTo(row, account as Account, BigInt(amounts[index]!));
  }
  await tx.query({
    name: `${schema} account days: save`,
    text: `insert into ${schema}.account_days as d (${columns.list}) select ${columns.list} from ${columns.rows}
           on conflict (mode, currency, day) do update set ${SUM_COLUMNS.map((column) => `${column} = d.${column} + excluded.${column}`).join(', ')}`,
    values: columns.values([...days.values()]),
  });
}

// --- reading ----------------------------------------------------------------------------------------------------------

/** An account of one mode and currency on one day (UTC), in minor units. All merchants of the mode are added up. */
export interface AccountDay {
  readonly mode: Mode;
  readonly currency: string;
  /** `2026-01-31`. */
  readonly day: string;
  readonly account: Account;
  /** Sums of the lines that were booked on the day. */
  readonly debit: bigint;
  readonly credit: bigint;
  /** Credit less debit at the end of the day. */
  readonly closing_balance: bigint;
}

export interface AccountDaysQuery {
  readonly mode?: Mode | undefined;
  readonly currency?: string | undefined;
  readonly account?: Account | undefined;
  /** The days without a gap, in their order. */
  readonly days: readonly string[];
}

type StoredSums = Readonly<Record<keyof Sums, string>>;
interface StoredBooks {
  readonly mode: Mode;
  readonly currency: string;
  /** Until now, and of each day from the first one on. */
  readonly total: StoredSums;
  readonly days: readonly (StoredSums & { readonly day: string })[];
}

/**
 * Returns each account that was ever moved on every day, also on days without a line: live first, by currency, day and account. It reads one row per
 * currency and day from the first day until now, whatever the length of the journal.
 */
export async function findAccountDays(db: Pick<ClientBase, 'query'>, { mode, currency, account, days }: AccountDaysQuery): Promise<AccountDay[]> {
  const conditions = new Conditions(
    MODES,
    MODES.map((each) => PLATFORM[each]),
    days[0] ?? null,
  ).equal({ 'o.mode': mode, 'b.currency': currency });
  // One statement, so that the sums of the days and those of now are of the same moment. Sums are texts, because they may exceed the numbers of JSON.
  const texts = (row: string): string => `json_build_object(${SUM_COLUMNS.map((column) => `'${column}', ${row}.${column}::text`).join(', ')})`;
  const { rows } = await db.query<StoredBooks>(
    `select o.mode, b.currency, ${texts('b')} as total,
            (select coalesce(json_agg(d.sums), '[]') from (
               select json_build_object('day', day)::jsonb || ${texts('a')}::jsonb as sums
                 from ledger.account_days a where a.mode = o.mode and a.currency = b.currency and day >= $3) d) as days
       from unnest($1::text[], $2::uuid[]) o (mode, owner) join ledger.balances b on b.merchant_id = o.owner
      where ${conditions.sql()} order by array_position($1::text[], o.mode), b.currency`,
    conditions.values,
  );
  return rows.flatMap((books) =>
    daysOfBooks(
      books,
      days,
      ACCOUNTS.filter((each) => each === (account ?? each) && isMoved(books.total, each)),
    ),
  );
}

const isMoved = (sums: StoredSums, account: Account): boolean => sums[`${account}_debit`] !== '0' || sums[`${account}_credit`] !== '0';

/** Goes back from now, because a stored day has no sums of earlier ones. */
function daysOfBooks({ mode, currency, total, days: stored }: StoredBooks, days: readonly string[], accounts: readonly Account[]): AccountDay[] {
  const moved = new Map(stored.map((sums) => [sums.day, sumsOf(sums)]));
  const closing = sumsOf(total);
  for (const [day, sums] of moved) if (day > days.at(-1)!) subtract(closing, sums);
  const found = days.toReversed().map((day) => {
    const sums = moved.get(day) ?? NOTHING;
    const ofDay = accounts.map((account) => {
      const [debit, credit] = [sums[`${account}_debit`], sums[`${account}_credit`]];
      return { mode, currency, day, account, debit, credit, closing_balance: balanceOf(closing, account) };
    });
    subtract(closing, sums);
    return ofDay;
  });
  return found.reverse().flat();
}

const sumsOf = (stored: StoredSums): Sums => Object.fromEntries(SUM_COLUMNS.map((column) => [column, BigInt(stored[column])])) as Sums;

function subtract(sums: Sums, less: Sums): void {
  for (const column of SUM_COLUMNS) sums[column] -= less[column];
}
