import type { ClientBase } from 'pg';
import type { Account } from '../../src/ledger/postings.js';
import type { Timestamp } from '../../src/ledger/time.js';
import { ACCOUNTS, PLATFORM, isPlatformAccount, lastEntry, SUM_COLUMNS, type Sums } from './journal.js';

/** Minor units. `balance` is credit less debit: what the platform owes (positive) or is owed (negative). */
export interface TrialBalanceAccount {
  readonly account: Account;
  /** null for the platform's accounts, unless one merchant's part in them was asked for. */
  readonly merchant_id: string | null;
  /** Everything that ever went out. */
  readonly debit: bigint;
  /** Everything that ever came in. */
  readonly credit: bigint;
  readonly balance: bigint;
}

export interface TrialBalance {
  readonly currency: string;
  readonly accounts: readonly TrialBalanceAccount[];
  readonly total_debit: bigint;
  readonly total_credit: bigint;
  /** Always 0. */
  readonly difference: bigint;
}

export interface TrialBalanceQuery {
  /** Inclusive, by time of booking; absent: now. */
  readonly as_of?: Timestamp | undefined;
  /** This merchant's part only. */
  readonly merchant_id?: string | undefined;
}

type SumRow = Record<keyof Sums, string> & { readonly merchant_id: string; readonly currency: string };

type Db = Pick<ClientBase, 'query'>;

/**
 * The sums of every merchant and currency, and the parameters that they are asked for with. Of a moment: one look into an index for
 * each merchant and currency that has entries, however long the journal is. The platform is the sum of them, as they stood then.
 */
function merchantSums({ as_of, merchant_id }: TrialBalanceQuery): { readonly text: string; readonly values: unknown[] } {
  const values: unknown[] = [PLATFORM];
  const owner = merchant_id === undefined ? '' : `and b.merchant_id = $${values.push(merchant_id)}::uuid`;
  const sums = (row: string): string => SUM_COLUMNS.map((column) => `${row}.${column}`).join(', ');
  const from =
    as_of === undefined
      ? `select b.merchant_id, b.currency, ${sums('b')} from ledger.balances b where true`
      : `select b.merchant_id, b.currency, ${sums('j')} from ledger.balances b
         cross join lateral ${lastEntry({ merchant_id: 'b.merchant_id', currency: 'b.currency' }, `<= $${values.push(as_of)}::timestamptz`)} j where true`;
  return { text: `${from} and b.merchant_id <> $1 ${owner}`, values };
}

/** By currency: the platform's accounts, then each merchant's. Merchants without an entry are left out. */
export async function findTrialBalance(db: Db, query: TrialBalanceQuery = {}): Promise<TrialBalance[]> {
  const { text, values } = merchantSums(query);
  const { rows } = await db.query<SumRow>(`${text} order by b.currency, b.merchant_id`, values);
  const currencies = [...new Set(rows.map(({ currency }) => currency))];
  return currencies.map((currency) =>
    trialBalance(
      currency,
      rows.filter((row) => row.currency === currency),
      query.merchant_id ?? null,
    ),
  );
}

/** The same with the merchants' accounts added up: a line for each account of each currency, however many merchants there are. */
export async function findTrialTotals(db: Db, query: Pick<TrialBalanceQuery, 'as_of'> = {}): Promise<TrialBalance[]> {
  const { text, values } = merchantSums(query);
  const sums = SUM_COLUMNS.map((column) => `sum(${column}) as ${column}`).join(', ');
  const { rows } = await db.query<SumRow>(`select currency, ${sums} from (${text}) m group by currency order by currency`, values);
  return rows.map((row) =>
    balanced(
      row.currency,
      ACCOUNTS.map((account) => line(account, null, [row])),
    ),
  );
}

function trialBalance(currency: string, merchants: readonly SumRow[], merchantId: string | null): TrialBalance {
  const platform = ACCOUNTS.filter(isPlatformAccount).map((account) => line(account, merchantId, merchants));
  const merchantAccounts = ACCOUNTS.filter((account) => !isPlatformAccount(account));
  return balanced(currency, [...platform, ...merchants.flatMap((row) => merchantAccounts.map((account) => line(account, row.merchant_id, [row])))]);
}

function balanced(currency: string, accounts: readonly TrialBalanceAccount[]): TrialBalance {
  const total_debit = accounts.reduce((sum, { debit }) => sum + debit, 0n);
  const total_credit = accounts.reduce((sum, { credit }) => sum + credit, 0n);
  return { currency, accounts, total_debit, total_credit, difference: total_debit - total_credit };
}

function line(account: Account, merchant_id: string | null, rows: readonly SumRow[]): TrialBalanceAccount {
  const debit = rows.reduce((sum, row) => sum + BigInt(row[`${account}_debit`]), 0n);
  const credit = rows.reduce((sum, row) => sum + BigInt(row[`${account}_credit`]), 0n);
  return { account, merchant_id, debit, credit, balance: credit - debit };
}
