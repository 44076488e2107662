import type { ClientBase } from 'pg';
import type { PayoutStatus } from './payouts.js';

export interface PayoutTotal {
  readonly currency: string;
  readonly payout_status: PayoutStatus;
  readonly total: number;
}

/** How many payouts of all merchants there are, by currency and status; nothing is counted out. */
export async function findPayoutTotals(db: Pick<ClientBase, 'query'>): Promise<PayoutTotal[]> {
  const { rows } = await db.query<PayoutTotal>(
    'select currency, payout_status, sum(total)::float8 as total from ledger.payout_totals group by currency, payout_status',
  );
  return rows;
}
