import type { ClientBase } from 'pg';
import type { Account } from '../../src/ledger/postings.js';
import { MODES, type Mode } from '../../src/ledger/mode.js';
import type { Timestamp } from '../../src/ledger/time.js';
import { ACCOUNTS, isPlatformAccount, lastEntry, SUM_COLUMNS, type Sums } from './journal.js';
import { Conditions } from '../../src/platform/postgres/conditions.js';
import { joinOwners } from '../merchants/owners.js';

/** Minor units. `balance` is credit less debit: positive for a debt of the platform, negative for a claim. */
export interface TrialBalanceAccount {
  readonly account: Account;
  /** null for the platform's accounts, unless the query asked for one merchant's part. */
  readonly merchant_id: string | null;
  /** Sum of all outgoing amounts. */
  readonly debit: bigint;
  /** Sum of all incoming amounts. */
  readonly credit: bigint;
  readonly balance: bigint;
}

/** Trial balance of one mode and currency. */
export interface TrialBalance {
  readonly mode: Mode;
  readonly currency: string;
  readonly accounts: readonly TrialBalanceAccount[];
  readonly total_debit: bigint;
  readonly total_credit: bigint;
  /** Always 0. */
  readonly difference: bigint;
}

export interface TrialBalanceQuery {
  /** Inclusive, by booking time; absent for now. */
  readonly as_of?: Timestamp | undefined;
  /** Restricts the balance to this merchant's part. */
  readonly merchant_id?: string | undefined;
  /** Restricts the balance to this mode. */
  readonly mode?: Mode | undefined;
  readonly currency?: string | undefined;
  /** Replaces `as_of`: entries that were booked before a moment, by events up to and including an ordinal. */
  readonly closing?: { readonly ends_on: Timestamp; readonly position: number } | undefined;
}

type SumRow = Record<keyof Sums, string> & { readonly merchant_id: string; readonly mode: Mode; readonly currency: string };

type Db = Pick<ClientBase, 'query'>;

/**
 * Returns the query for the sums of every merchant and currency, and its parameters. For a past moment it makes one index lookup per merchant and
 * currency, independent of the length of the journal. The sums of the platform are added up from these rows.
 */
function merchantSums({ as_of, merchant_id, mode, currency, closing }: TrialBalanceQuery): { readonly text: string; readonly values: unknown[] } {
  const sums = (row: string): string => SUM_COLUMNS.map((column) => `${row}.${column}`).join(', ');
  const conditions = new Conditions().equal({ 'o.mode': mode, 'b.currency': currency }).where(merchant_id, (p) => `b.merchant_id = ${p}::uuid`);
  const accounts = `ledger.balances b ${joinOwners('b')}`;
  const then = (booked: string): string =>
    `${accounts} cross join lateral ${lastEntry({ merchant_id: 'b.merchant_id', currency: 'b.currency' }, booked)} j`;
  const [row, from] = closing
    ? ['j', then(`< ${conditions.parameter(closing.ends_on)}::timestamptz and e.ordinal <= ${conditions.parameter(closing.position)}`)]
    : as_of === undefined
      ? ['b', accounts]
      : ['j', then(`<= ${conditions.parameter(as_of)}::timestamptz`)];
  return { text: `select b.merchant_id, o.mode, b.currency, ${sums(row)} from ${from} where ${conditions.sql()}`, values: conditions.values };
}

/**
 * Returns trial balances by mode, live first, and currency: the platform's accounts, then each merchant's. Merchants without an entry are left out.
 */
export async function findTrialBalance(db: Db, query: TrialBalanceQuery = {}): Promise<TrialBalance[]> {
  const { text, values } = merchantSums(query);
  const { rows } = await db.query<SumRow>(`${text} order by b.currency, b.merchant_id`, values);
  return MODES.flatMap((mode) => {
    const ofMode = rows.filter((row) => row.mode === mode);
    const currencies = [...new Set(ofMode.map(({ currency }) => currency))];
    return currencies.map((currency) =>
      trialBalance(
        { mode, currency },
        ofMode.filter((row) => row.currency === currency),
        query.merchant_id ?? null,
      ),
    );
  });
}

/** Returns trial balances with the merchants' accounts added up: one line per account, mode and currency, independent of the number of merchants. */
export async function findTrialTotals(db: Db, query: TrialBalanceQuery = {}): Promise<TrialBalance[]> {
  const { text, values } = merchantSums(query);
  const sums = SUM_COLUMNS.map((column) => `sum(${column}) as ${column}`).join(', ');
  const { rows } = await db.query<SumRow>(
    `select mode, currency, ${sums} from (${text}) m group by mode, currency order by array_position($${values.length + 1}::text[], mode), currency`,
    [...values, MODES],
  );
  return rows.map((row) =>
    balanced(
      row,
      ACCOUNTS.map((account) => line(account, null, [row])),
    ),
  );
}

type Of = Pick<TrialBalance, 'mode' | 'currency'>;

function trialBalance(of: Of, merchants: readonly SumRow[], merchantId: string | null): TrialBalance {
  const platform = ACCOUNTS.filter(isPlatformAccount).map((account) => line(account, merchantId, merchants));
  const merchantAccounts = ACCOUNTS.filter((account) => !isPlatformAccount(account));
  return balanced(of, [...platform, ...merchants.flatMap((row) => merchantAccounts.map((account) => line(account, row.merchant_id, [row])))]);
}

/** Adds the totals. */
export function balanced({ mode, currency }: Of, accounts: readonly TrialBalanceAccount[]): TrialBalance {
  const total_debit = accounts.reduce((sum, { debit }) => sum + debit, 0n);
  const total_credit = accounts.reduce((sum, { credit }) => sum + credit, 0n);
  return { mode, currency, accounts, total_debit, total_credit, difference: total_debit - total_credit };
}

function line(account: Account, merchant_id: string | null, rows: readonly SumRow[]): TrialBalanceAccount {
  const debit = rows.reduce((sum, row) => sum + BigInt(row[`${account}_debit`]), 0n);
  const credit = rows.reduce((sum, row) => sum + BigInt(row[`${account}_credit`]), 0n);
  return { account, merchant_id, debit, credit, balance: credit - debit };
}
