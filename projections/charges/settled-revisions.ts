import type { ClientBase, Pool } from 'pg';

/**
 * Returns the revisions of FundsSettled in the account's stream for the settlements with these numbers, without those that the account has not taken
 * yet.
 */
export async function findSettledRevisions(
  db: Pool | ClientBase,
  merchantId: string,
  currency: string,
  numbers: readonly number[],
): Promise<number[]> {
  const { rows } = await db.query<{ settled_revision: number }>(
    `select settled_revision from ledger.settlements
      where merchant_id = $1 and currency = $2 and number = any($3::int[]) and settled_revision is not null order by number`,
    [merchantId, currency, numbers],
  );
  return rows.map(({ settled_revision }) => settled_revision);
}
