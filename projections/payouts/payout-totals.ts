import type { ClientBase } from 'pg';
import type { PayoutStatus } from './payouts.js';

export interface PayoutTotal {
  readonly currency: string;
  readonly payout_status: PayoutStatus;
  readonly total: number;
}

/** Returns the number of payouts of all merchants by currency and status from stored totals, without counting rows. */
export async function findPayoutTotals(db: Pick<ClientBase, 'query'>): Promise<PayoutTotal[]> {
  const { rows } = await db.query<PayoutTotal>(
    'select currency, payout_status, sum(total)::float8 as total from ledger.payout_totals group by currency, payout_status',
  );
  return rows;
}
