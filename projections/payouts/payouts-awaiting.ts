import type { ClientBase } from 'pg';
import type { Timestamp } from '../../src/ledger/time.js';
import { AWAITS_APPROVAL } from './approval-columns.js';
import type { Payout } from './payouts.js';

type Db = Pick<ClientBase, 'query'>;

/** A payout that its account has to decide about. */
export type ListedPayout = Pick<Payout, 'id' | 'merchant_id' | 'currency'>;

/** Returns payouts that did not get their approvals in time, the longest overdue first. */
export async function findUnapproved(db: Db, now: Timestamp, limit: number): Promise<ListedPayout[]> {
  const { rows } = await db.query<ListedPayout>({
    name: 'payouts: unapproved',
    text: `select id, merchant_id, currency from ledger.payouts where ${AWAITS_APPROVAL} and approve_by <= $1 order by approve_by, id limit $2`,
    values: [now, limit],
  });
  return rows;
}

/** Returns payouts that have all required approvals and are not at a bank yet. */
export async function findApproved(db: Db, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'payouts: approved',
    text: `select id from ledger.payouts
            where payout_status = 'PENDING' and approvals_required > 0 and approvals_given >= approvals_required order by approve_by, id limit $1`,
    values: [limit],
  });
  return rows.map(({ id }) => id);
}

/** Returns the number of payouts that need an approval. */
export async function countAwaitingApproval(db: Db): Promise<number> {
  const { rows } = await db.query<{ waiting: number }>(`select count(*)::int4 as waiting from ledger.payouts where ${AWAITS_APPROVAL}`);
  return rows[0]!.waiting;
}
