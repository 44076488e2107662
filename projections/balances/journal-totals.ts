import type { ClientBase } from 'pg';
import type { Mode } from '../../src/ledger/mode.js';
import type { Account } from '../../src/ledger/postings.js';
import type { JournalQuery } from './journal-lines.js';
import { findTrialTotals } from './trial-balance.js';

/** An account of one mode and currency over a period, in minor units. `opening_balance` + `credit` - `debit` = `closing_balance`. */
export interface JournalTotal {
  readonly mode: Mode;
  readonly currency: string;
  readonly account: Account;
  readonly opening_balance: bigint;
  readonly debit: bigint;
  readonly credit: bigint;
  readonly closing_balance: bigint;
}

export type JournalTotalsQuery = Pick<JournalQuery, 'mode' | 'merchant_id' | 'currency' | 'account' | 'date_from' | 'date_to'>;

/**
 * Returns the sums of the lines that `findJournal` lists for the same query: live accounts first, by currency and account. The sums of merchants are
 * added up, and accounts that were never moved up to the end are left out. Compares two trial balances, so the number of lines does not matter.
 */
export async function findJournalTotals(db: Pick<ClientBase, 'query'>, query: JournalTotalsQuery): Promise<JournalTotal[]> {
  const { date_from, date_to, account: wanted, ...of } = query;
  const isEmpty = date_from !== undefined && date_to !== undefined && date_to < date_from;
  const before =
    date_from === undefined ? [] : await findTrialTotals(db, { ...of, closing: { ends_on: date_from, position: Number.MAX_SAFE_INTEGER } });
  const until = isEmpty ? before : await findTrialTotals(db, { ...of, as_of: date_to });
  return until.flatMap(({ mode, currency, accounts }) => {
    const opening = before.find((each) => each.mode === mode && each.currency === currency);
    return accounts
      .filter(({ account, debit, credit }) => account === (wanted ?? account) && (debit !== 0n || credit !== 0n))
      .map(({ account, debit, credit, balance }) => {
        const start = opening?.accounts.find((each) => each.account === account);
        return {
          mode,
          currency,
          account,
          opening_balance: start?.balance ?? 0n,
          debit: debit - (start?.debit ?? 0n),
          credit: credit - (start?.credit ?? 0n),
          closing_balance: balance,
        };
      });
  });
}
