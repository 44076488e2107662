import type { ClientBase } from 'pg';
import type { PayoutRow } from './payouts.js';

type Db = Pick<ClientBase, 'query'>;

/** `ordinal`: of the event that requested it. */
export type OpenPayout = Pick<PayoutRow, 'id' | 'merchant_id' | 'currency' | 'created_on' | 'updated_on' | 'rail' | 'ordinal'> & {
  readonly payout_status: 'PENDING' | 'PROCESSING';
};

/** Payouts that have not ended and were requested behind the ordinal `after`, in the order of the log. */
export async function findOpenPayouts(db: Db, after: number, limit: number): Promise<OpenPayout[]> {
  const { rows } = await db.query<Omit<OpenPayout, 'ordinal'> & { ordinal: bigint }>({
    name: 'payouts: open',
    text: `select id, merchant_id, currency, payout_status, created_on, updated_on, rail, ordinal from ledger.payouts
            where payout_status in ('PENDING', 'PROCESSING') and ordinal > $1 order by ordinal limit $2`,
    values: [after, limit],
  });
  return rows.map((row) => ({ ...row, ordinal: Number(row.ordinal) }));
}

export type PaidPayout = Pick<PayoutRow, 'id' | 'merchant_id' | 'updated_on'>;

/** Payouts that the simulated bank has paid, to accounts whose number ends in these four characters. */
export async function findPaidPayouts(db: Db, numberEnding: string, limit: number): Promise<PaidPayout[]> {
  const { rows } = await db.query<PaidPayout>(
    `select id, merchant_id, updated_on from ledger.payouts
      where payout_status = 'SUCCEEDED' and rail is null and right(bank_account_number, 4) = $1 order by updated_on, id limit $2`,
    [numberEnding, limit],
  );
  return rows;
}
