import type { ClientBase } from 'pg';
import type { Account, MoneyEvent } from '../../src/ledger/postings.js';
import type { Timestamp } from '../../src/ledger/time.js';
import { recordOf } from './journal-lines.js';
import { type BALANCE_ACCOUNTS, balanceColumns, lastEntry, RESERVED_ACCOUNTS } from './journal.js';

/** Balances of a merchant, in minor units, after an entry of the journal. */
export interface BalanceSnapshot {
  readonly pending_amount: bigint;
  readonly available_amount: bigint;
  readonly reserved_amount: bigint;
  /** Available plus pending. */
  readonly total_amount: bigint;
  readonly fee_amount: bigint;
}

/** One account of a merchant over a period, by booking time. */
export interface StatementQuery {
  readonly merchant_id: string;
  readonly currency: string;
  /** Inclusive; absent for a statement from the first entry on. */
  readonly from?: Timestamp | undefined;
  /** Inclusive. */
  readonly to: Timestamp;
}

/** The bounds of a statement: its movements have ordinals after `after`, up to and including `until`. */
export interface StatementFrame {
  readonly opening: BalanceSnapshot;
  readonly closing: BalanceSnapshot;
  readonly after: number;
  readonly until: number;
}

/** An event that changed pending, available, reserved or fees. */
export interface Movement {
  readonly position: number;
  readonly event_id: string;
  /** The excluded types move no money of a merchant: unmatched payments and entries of house accounts. */
  readonly type: Exclude<MoneyEvent['type'], 'ChargePaymentUnmatched' | 'HouseAdjusted' | 'BankLinesBooked'>;
  readonly booked_on: Timestamp;
  readonly charge_id: string | null;
  readonly payout_id: string | null;
  readonly refund_id: string | null;
  readonly dispute_id: string | null;
  readonly settlement_id: string | null;
  readonly settlement_number: number | null;
  /** Code of the charge. */
  readonly code: string | null;
  /** The merchant's own reference of the charge or payout. */
  readonly reference_id: string | null;
  /** Change of each balance, in minor units. */
  readonly pending_change: bigint;
  readonly available_change: bigint;
  readonly reserved_change: bigint;
  readonly fee_change: bigint;
  readonly after: BalanceSnapshot;
}

type Db = Pick<ClientBase, 'query'>;
type BalanceRow = Readonly<Record<keyof typeof BALANCE_ACCOUNTS, string>>;
/** Balances of a journal row `j`. Postgres computes them, because a download has thousands of rows and each row has two sums per account. */
const BALANCES = balanceColumns('j');
const NOTHING: BalanceRow = { pending: '0', available: '0', reserved: '0', fees: '0' };

/** Two index lookups, independent of the length of the period. */
export async function findStatementFrame(db: Db, { merchant_id, currency, from, to }: StatementQuery): Promise<StatementFrame> {
  const last = async (booked: string, moment: Timestamp): Promise<(BalanceRow & { ordinal: bigint }) | undefined> => {
    const entry = lastEntry({ merchant_id: '$1', currency: '$2' }, `${booked} $3::timestamptz`);
    const { rows } = await db.query<BalanceRow & { ordinal: bigint }>(`select j.ordinal, ${BALANCES} from ${entry} j`, [
      merchant_id,
      currency,
      moment,
    ]);
    return rows[0];
  };
  // Within one account, booking time and ordinal rise together.
  const [opening, closing] = await Promise.all([from === undefined ? undefined : last('<', from), last('<=', to)]);
  return {
    opening: snapshotOf(opening),
    closing: snapshotOf(closing),
    after: Number(opening?.ordinal ?? 0),
    until: Number(closing?.ordinal ?? 0),
  };
}

function snapshotOf({ pending, available, reserved, fees }: BalanceRow = NOTHING): BalanceSnapshot {
  const [pending_amount, available_amount] = [BigInt(pending), BigInt(available)];
  return {
    pending_amount,
    available_amount,
    reserved_amount: BigInt(reserved),
    total_amount: pending_amount + available_amount,
    fee_amount: BigInt(fees),
  };
}

type MovementRow = BalanceRow &
  Pick<Movement, 'event_id' | 'type' | 'booked_on' | 'settlement_id' | 'settlement_number' | 'code' | 'reference_id'> & {
    readonly ordinal: bigint;
    readonly record_id: string | null;
    readonly refund_id: string | null;
    readonly dispute_id: string | null;
    readonly accounts: readonly Account[];
    readonly amounts: readonly string[];
  };

/** Returns movements in the order of booking, after `after` and up to `until`. */
export async function findMovements(
  db: Db,
  { merchant_id, currency }: Pick<StatementQuery, 'merchant_id' | 'currency'>,
  { after, until }: Pick<StatementFrame, 'after' | 'until'>,
  limit: number,
): Promise<Movement[]> {
  const { rows } = await db.query<MovementRow>(
    `select j.ordinal, j.event_id, j.type, j.booked_on, j.record_id, j.refund_id, j.dispute_id, j.settlement_number, s.id as settlement_id, c.code,
            coalesce(c.reference_id, p.reference_id) as reference_id, j.accounts, j.amounts::text[] as amounts, ${BALANCES}
       from (select * from ledger.journal e
              where e.merchant_id = $1 and e.currency = $2 and e.ordinal > $3 and e.ordinal <= $4
                and e.accounts && array['pending', 'available', 'fees', ${RESERVED_ACCOUNTS.map((account) => `'${account}'`).join(', ')}]
              order by e.ordinal limit $5) j
       left join ledger.charges c on c.id = j.record_id
       left join ledger.payouts p on p.id = j.record_id
       left join ledger.settlements s on s.merchant_id = $1 and s.currency = $2 and s.number = j.settlement_number
      order by j.ordinal`,
    [merchant_id, currency, after, until, limit],
  );
  return rows.map((row) => {
    const change = (account: Account): bigint =>
      row.accounts.reduce((sum, each, index) => (each === account ? sum + BigInt(row.amounts[index]!) : sum), 0n);
    const { record_id, event_id, type, booked_on, refund_id, dispute_id, settlement_id, settlement_number, code, reference_id } = row;
    return {
      position: Number(row.ordinal),
      event_id,
      type,
      booked_on,
      ...recordOf(type, record_id),
      refund_id,
      dispute_id,
      settlement_id,
      settlement_number,
      code,
      reference_id,
      pending_change: change('pending'),
      available_change: change('available'),
      reserved_change: RESERVED_ACCOUNTS.reduce((sum, account) => sum + change(account), 0n),
      fee_change: change('fees'),
      after: snapshotOf(row),
    };
  });
}
