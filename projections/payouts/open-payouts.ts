import type { ClientBase } from 'pg';
import type { PayoutRow } from './payouts.js';

type Db = Pick<ClientBase, 'query'>;

/** `ordinal`: ordinal of the PayoutRequested event. */
export type OpenPayout = Pick<PayoutRow, 'id' | 'merchant_id' | 'currency' | 'created_on' | 'updated_on' | 'rail' | 'ordinal'> & {
  readonly payout_status: 'PENDING' | 'PROCESSING';
};

/** Returns payouts that have not ended and were requested after the ordinal `after`, in the order of the log. */
export async function findOpenPayouts(db: Db, after: number, limit: number): Promise<OpenPayout[]> {
  const { rows } = await db.query<Omit<OpenPayout, 'ordinal'> & { ordinal: bigint }>({
    name: 'payouts: open',
    text: `select id, merchant_id, currency, payout_status, created_on, updated_on, rail, ordinal from ledger.payouts
            where payout_status in ('PENDING', 'PROCESSING') and ordinal > $1 order by ordinal limit $2`,
    values: [after, limit],
  });
  return rows.map((row) => ({ ...row, ordinal: Number(row.ordinal) }));
}

/** Returns those of `ids` (UUIDs) that have ended, as far as the projection has read. */
export async function findEnded(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await db.query<{ id: string }>({
    name: 'payouts: ended',
    text: `select id from ledger.payouts where id = any($1::uuid[]) and payout_status not in ('PENDING', 'PROCESSING')`,
    values: [ids],
  });
  return new Set(rows.map(({ id }) => id));
}

export type PaidPayout = Pick<PayoutRow, 'id' | 'merchant_id' | 'currency' | 'updated_on'> & { readonly net_amount: number };

/** Returns payouts that the simulated bank paid to accounts whose number ends with these four characters. */
export async function findPaidPayouts(db: Db, numberEnding: string, limit: number): Promise<PaidPayout[]> {
  const { rows } = await db.query<Omit<PaidPayout, 'net_amount'> & { readonly net_amount: bigint }>(
    `select id, merchant_id, currency, net_amount, updated_on from ledger.payouts
      where payout_status = 'SUCCEEDED' and rail is null and right(bank_account_number, 4) = $1 order by updated_on, id limit $2`,
    [numberEnding, limit],
  );
  return rows.map((row) => ({ ...row, net_amount: Number(row.net_amount) }));
}
