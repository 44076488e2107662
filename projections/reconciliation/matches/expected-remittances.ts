import type { ClientBase } from 'pg';
import type { Mode } from '../../../src/ledger/mode.js';
import { OWED_NOW } from './receivable.js';

/** The debt of a processor for items of one day, minor units. */
export interface OwedOfDay {
  readonly mode: Mode;
  readonly processor: string;
  readonly currency: string;
  /** Day of the events, in the time zone of the processor's source, `YYYY-MM-DD`; in UTC without a source. */
  readonly day: string;
  /** Banking days until the processor remits them, by the terms of its source; null without a source. */
  readonly due_days: number | null;
  readonly items: number;
  /** Below zero for our debt to the processor. */
  readonly amount: bigint;
  /** Fees and tax that the processor deducts from the payments among them, by the terms of its source. */
  readonly cost: bigint;
  /** Payments whose channel has no cost in the source. */
  readonly items_without_cost: number;
}

/** Returns all items that were not booked with a batch, as `findReceivable`, by the day of their events. */
export async function findOwedByDay(db: Pick<ClientBase, 'query'>, mode: Mode | undefined, currency: string | undefined): Promise<OwedOfDay[]> {
  const { rows } = await db.query<
    Omit<OwedOfDay, 'items' | 'amount' | 'cost' | 'items_without_cost'> &
      Record<'items' | 'items_without_cost', bigint> &
      Record<'amount' | 'cost', string>
  >(
    `with ${OWED_NOW}
     select o.mode, o.processor, o.currency, o.day, r.due_days, sum(o.items)::int8 as items, sum(o.amount)::text as amount, sum(o.cost)::text as cost,
            sum(o.items_without_cost)::int8 as items_without_cost
       from owed o left join rule r using (mode, processor)
      where ($2::text is null or o.mode = $2) and ($3::text is null or o.currency = $3)
      group by 1, 2, 3, 4, 5 order by 1, 3, 2, 4`,
    [Number.MAX_SAFE_INTEGER, mode ?? null, currency ?? null],
  );
  return rows.map(({ items, amount, cost, items_without_cost, ...row }) => ({
    ...row,
    items: Number(items),
    amount: BigInt(amount),
    cost: BigInt(cost),
    items_without_cost: Number(items_without_cost),
  }));
}
