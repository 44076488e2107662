import type { ClientBase } from 'pg';
import type { Mode } from '../../../src/ledger/mode.js';
import { expectedFee, expectedTax } from './expected-costs.js';
import { OWED } from './receivable.js';

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
    `with ${OWED}, priced as (
       select o.*, r.due_days, r.costs->>'tax' as tax, r.costs->'by_channel'->o.channel as cost,
              case when o.kind = 'PAYMENT' and o.amount > 0 then o.amount end as gross,
              to_char(o.occurred_on at time zone coalesce(r.time_zone, 'UTC'), 'YYYY-MM-DD') as day
         from owed o left join rule r using (mode, processor)
        where ($2::text is null or o.mode = $2) and ($3::text is null or o.currency = $3)
     ), charged as (
       select l.*, case when l.gross is not null and l.cost is not null then ${expectedFee(`l.cost->>'type'`, `(l.cost->>'value')::numeric`)} end as fee from priced l
     )
     select mode, processor, currency, day, due_days, count(*) as items, sum(amount)::text as amount,
            coalesce(sum(fee + coalesce(${expectedTax('l.tax::numeric')}, 0)), 0)::text as cost,
            count(*) filter (where gross is not null and cost is null) as items_without_cost
       from charged l group by mode, processor, currency, day, due_days order by mode, currency, processor, day`,
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
