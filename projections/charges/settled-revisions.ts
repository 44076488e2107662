import type { ClientBase, Pool } from 'pg';

/** Where the settlements of these numbers stand in their account's stream: revisions of FundsSettled, of those that it has taken. */
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
