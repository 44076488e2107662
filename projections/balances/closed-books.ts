import type { ClientBase } from 'pg';
import { digestOf } from '../../src/ledger/ids/canonical-json.js';
import { HOUSE_OWNERS } from '../../src/ledger/events/adjustment.events.js';
import type { Mode } from '../../src/ledger/mode.js';
import type { Timestamp } from '../../src/ledger/time.js';
import { joinOwners } from '../merchants/owners.js';
import { joinCharges, LINE_COLUMNS, toJournalLine, type JournalLine, type StoredLine } from './journal-lines.js';
import { isPlatformAccount, lastEntry } from './journal.js';
import { balanced, type TrialBalance, type TrialBalanceAccount } from './trial-balance.js';

type Db = Pick<ClientBase, 'query'>;

/** The books of one mode as they were when a month was closed. */
export interface ClosedBooks {
  readonly mode: Mode;
  /** `2026-01`. */
  readonly month: string;
  /** The first moment after the month. */
  readonly ends_on: Timestamp;
  /** Ordinal of the last event that counts. */
  readonly position: number;
}

/**
 * Returns the digest that proves a trial balance: SHA-256, hex, of the canonical JSON (RFC 8785) of its currencies in their order, each `{accounts:
 * [{account, balance, credit, debit, merchant_id}], currency}` with amounts as decimal text. Accounts without any movement are left out, so that a
 * new account in a later version changes nothing. The others are sorted by account and merchant.
 */
export function trialBalanceDigest(books: readonly TrialBalance[]): string {
  const currencies = books.map(({ currency, accounts }) => ({
    currency,
    accounts: accounts
      .filter(({ debit, credit }) => debit !== 0n || credit !== 0n)
      .map(({ account, merchant_id, debit, credit, balance }) => ({
        ...{ account, merchant_id, debit: `${debit}`, credit: `${credit}`, balance: `${balance}` },
      }))
      .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)),
  }));
  return digestOf(currencies.filter(({ accounts }) => accounts.length > 0));
}

const keyOf = ({ account, merchant_id }: Pick<TrialBalanceAccount, 'account' | 'merchant_id'>): string => `${account} ${merchant_id ?? ''}`;

/** Returns the earliest booking time of a mode; undefined when nothing is booked. */
export async function findFirstBooked(db: Db, mode: Mode): Promise<Timestamp | undefined> {
  const { rows } = await db.query<{ booked_on: Timestamp }>(
    'select booked_on from ledger.journal where mode = $1 order by booked_on, ordinal limit 1',
    [mode],
  );
  return rows[0]?.booked_on;
}

/**
 * Ordinals of entries that belong to the closed books and are not in them. Either an event after the position was booked in or before the month, or
 * `relates_to` names the month or an earlier one, as for adjustments and bank lines; bank lines are entries of house accounts only. Booking times
 * rise within an owner's books in a currency, so entries of the first kind are contiguous.
 */
const CORRECTIONS = `
  select e.ordinal
    from ledger.balances b ${joinOwners('b')}
    cross join lateral ${lastEntry({ merchant_id: 'b.merchant_id', currency: 'b.currency' }, '< $2::timestamptz')} l
    join ledger.journal e on e.merchant_id = b.merchant_id and e.currency = b.currency and e.ordinal > $3::int8 and e.ordinal <= l.ordinal
   where o.mode = $1 and l.ordinal > $3::int8
  union
  select j.ordinal
    from (select ordinal from ledger.adjustments where relates_to <= $4
          union select ordinal from ledger.journal where merchant_id = $5::uuid and relates_to <= $4) said join ledger.journal j using (ordinal)
   where j.mode = $1 and (j.ordinal > $3::int8 or j.booked_on >= $2::timestamptz)`;

const LINES = `(${CORRECTIONS}) corrected join ledger.journal j on j.ordinal = corrected.ordinal
  cross join lateral unnest(j.accounts, j.amounts, j.balances) with ordinality as l(account, amount, balance, line)`;

const values = ({ mode, ends_on, position, month }: ClosedBooks): unknown[] => [mode, ends_on, position, month, HOUSE_OWNERS[mode]];

/** Returns journal lines that belong to the month or an earlier one and are not in its closed books, in the order of events. */
export async function findCorrections(
  db: Db,
  closed: ClosedBooks,
  { after, limit }: { readonly after?: Pick<JournalLine, 'position' | 'line'> | undefined; readonly limit: number },
): Promise<JournalLine[]> {
  const { rows } = await db.query<StoredLine>(
    `select ${LINE_COLUMNS} from ${LINES} ${joinCharges} where (j.ordinal, l.line) > ($6::int8, $7::int8) order by j.ordinal, l.line limit $8`,
    [...values(closed), after?.position ?? 0, after?.line ?? 0, limit],
  );
  return rows.map((row) => toJournalLine(row));
}

/** Returns the closed books with their corrections. @param books as closed */
export async function findCorrected(db: Db, closed: ClosedBooks, books: readonly TrialBalance[]): Promise<TrialBalance[]> {
  const { rows } = await db.query<Pick<JournalLine, 'currency' | 'merchant_id' | 'account'> & { debit: string; credit: string }>(
    `select j.currency, j.merchant_id, l.account, sum(greatest(-l.amount, 0))::text as debit, sum(greatest(l.amount, 0))::text as credit
       from ${LINES} group by j.currency, j.merchant_id, l.account order by j.currency, j.merchant_id, l.account`,
    values(closed),
  );
  const corrected = new Map(books.map(({ currency, accounts }) => [currency, [...accounts]]));
  for (const { currency, merchant_id: owner, account, debit, credit } of rows) {
    const accounts = corrected.get(currency) ?? [];
    corrected.set(currency, accounts);
    const merchant_id = isPlatformAccount(account) ? null : owner;
    const at = accounts.findIndex((each) => each.account === account && each.merchant_id === merchant_id);
    const before = accounts[at] ?? { account, merchant_id, debit: 0n, credit: 0n };
    const [debits, credits] = [before.debit + BigInt(debit), before.credit + BigInt(credit)];
    accounts.splice(at < 0 ? accounts.length : at, 1, { account, merchant_id, debit: debits, credit: credits, balance: credits - debits });
  }
  return [...corrected].sort(([a], [b]) => (a < b ? -1 : 1)).map(([currency, accounts]) => balanced({ mode: closed.mode, currency }, accounts));
}
