import type { ClientBase } from 'pg';
import type { Mode } from '../../src/ledger/mode.js';
import type { Timestamp } from '../../src/ledger/time.js';
import { joinOwners } from '../merchants/owners.js';

export interface SuspenseOfDay {
  readonly currency: string;
  /** Day on which the items appeared, in the time zone. */
  readonly day: string;
  readonly count: bigint;
  /** Minor units. */
  readonly amount: string;
}

/**
 * Returns the items that were open at a moment, counting events up to `position` only: booked before the moment, and not resolved before it. They add
 * up to the account `suspense` of the trial balance of that moment and position.
 */
export async function findSuspenseAtClose(
  db: Pick<ClientBase, 'query'>,
  { mode, ends_on, position, time_zone }: { readonly mode: Mode; readonly ends_on: Timestamp; readonly position: number; readonly time_zone: string },
): Promise<SuspenseOfDay[]> {
  const { rows } = await db.query<SuspenseOfDay>(
    `select i.currency, (i.since at time zone $4)::date::text as day, count(*) as count, sum(i.amount)::text as amount
       from ledger.suspense_items i ${joinOwners('i')}
       join ledger.journal came on came.ordinal = i.ordinal
       left join ledger.journal resolved on resolved.ordinal = i.resolved_from
      where o.mode = $1 and i.ordinal <= $3 and came.booked_on < $2::timestamptz
        and (i.item_status <> 'RESOLVED' or resolved.ordinal > $3 or resolved.booked_on >= $2::timestamptz)
      group by 1, 2 order by 1, 2`,
    [mode, ends_on, position, time_zone],
  );
  return rows;
}
