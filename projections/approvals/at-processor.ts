import type { ClientBase } from 'pg';
import type { Mode } from '../../src/ledger/mode.js';
import type { ItemRow } from '../reconciliation/items/items-table.js';

type Db = Pick<ClientBase, 'query'>;

/** The debt of a processor for one event, minor units; below zero for our debt to the processor. Of a payout or its return it is the bank's debt. */
export type OpenItem = Pick<ItemRow, 'currency' | 'amount' | 'charge_id' | 'processor'> & { readonly item_id: string; readonly mode: Mode };

/**
 * Returns undefined when there is no such item, when a line of a remittance is matched with it, or when it was closed by the opening of a source.
 * Also returns written-off items, because their stream records that. @param id of the item's event, a UUID
 */
export async function findOpenItem(db: Db, id: string): Promise<OpenItem | undefined> {
  const { rows } = await db.query<Omit<OpenItem, 'amount'> & { amount: bigint }>(
    `select id as item_id, mode, currency, charge_id, processor, amount from recon.items where id = $1 and line_id is null and closed_as is distinct from 'OPENING'`,
    [id],
  );
  return rows.map((row) => ({ ...row, amount: Number(row.amount) }))[0];
}

/**
 * Returns the debt of a processor for all events up to and including `position`, an ordinal, without closed items: exactly the items that an opening
 * would close. The caller requires that `recon` has applied that event, and all adjustments before the opening.
 */
export async function findOwedUpTo(
  db: Db,
  { processor, mode, currency, position }: { readonly processor: string; readonly mode: Mode; readonly currency: string; readonly position: number },
): Promise<{ readonly amount: bigint; readonly items: number }> {
  const { rows } = await db.query<{ amount: string; items: bigint }>(
    `select coalesce(sum(amount), 0)::text as amount, count(*) as items
       from recon.items where processor = $1 and mode = $2 and currency = $3 and ordinal <= $4 and closed_from is null`,
    [processor, mode, currency, position],
  );
  const { amount, items } = rows[0]!;
  return { amount: BigInt(amount), items: Number(items) };
}
