import type { ClientBase } from 'pg';
import { MODES, type Mode } from '../../../src/ledger/mode.js';
import type { Timestamp } from '../../../src/ledger/time.js';
import { bankingDaysUpTo } from '../days/banking-days.js';
import { ageSql, type BreakAge } from './ages.js';
import { dayIn, newestRules } from './owed-sums.js';

/** The debt of a processor for items of one age, minor units; below zero for our debt to the processor. */
export interface Receivable {
  readonly mode: Mode;
  readonly processor: string;
  readonly currency: string;
  /** Banking days since the event. */
  readonly age: BreakAge;
  /** Older than the period in which the processor remits, according to its source. False without a source. */
  readonly overdue: boolean;
  readonly items: number;
  readonly amount: bigint;
}

/** Condition: a close at or before `$1` booked the row, and no close until then has taken it back. */
const holds = (r: string): string => `not ${r}.reversed
  and exists (select from recon.day_closes c where c.source = ${r}.source and c.n = ${r}.n and c.ordinal <= $1)
  and not exists (select from recon.day_closes c where c.source = ${r}.source and c.n = ${r}.ended_n and c.ordinal <= $1)`;

/** Lines of batches that operators have resolved, and that count again: their batch is not booked any more, or has other lines now. `$1`: ordinal. */
const UNREMITTED = `
       select split_part(r.source, '-', 1) as mode, r.processor, r.currency, c.opened_on as occurred_on, r.amount
         from recon.day_rows r join recon.day_closes c on c.source = r.source and c.n = r.n
        where r.movement = 'UNREMITTED' and ${holds('r')}
          and not exists (select from recon.day_rows b join recon.lines l on l.statement_id = b.batch_statement and l.group_name = b.batch
                             and l.line_key = r.line_key and coalesce(l.gross, l.amount) = r.amount
                           where b.source = r.source and b.movement = 'BATCH' and ${holds('b')}
                             and b.batch_source = r.batch_source and b.batch = r.batch)`;

/**
 * CTEs of all items that moved a processor's account and were not booked with one of its batches, by day: `rule` has the settings of each processor's
 * source, and `owed` the sums. Their sum is the amount by which that account is below zero. A closed item (written off, or covered by an opening) is
 * left out; if it was booked with a batch anyway, it counts with the opposite sign, as UNREMITTED lines do.
 */
export const OWED_NOW = `rule as (${newestRules('recon')}), owed as (
       select mode, processor, currency, day, items, amount, cost, items_without_cost from recon.owed_sums
       union all
       select u.mode, u.processor, u.currency, ${dayIn('u.occurred_on', 'rule.time_zone')}, 1, u.amount, 0, 0
         from (${UNREMITTED} and r.ended_n is null) u left join rule using (mode, processor)
     )`;

/** The same as of the event `$1`, by item. */
const OWED_THEN = `rule as (${newestRules('recon', 'ordinal <= $1')}), owed as (
       select u.mode, u.processor, u.currency, ${dayIn('u.occurred_on', 'rule.time_zone')} as day, 1 as items, u.amount
         from (select i.mode, i.processor, i.currency, i.occurred_on, case when i.closed_from <= $1 then -i.amount else i.amount end as amount
                 from recon.items i
                 left join recon.booked_items k on k.item = i.ordinal and k.booked_from <= $1 and (k.booked_until is null or k.booked_until > $1)
                where i.processor is not null and i.ordinal <= $1 and (coalesce(i.closed_from <= $1, false) = (k.item is not null))
                union all ${UNREMITTED}) u left join rule using (mode, processor)
     )`;

/** Returns these items by processor and age. @param asOf ordinal; later events are ignored; undefined: now */
export async function findReceivable(db: Pick<ClientBase, 'query'>, mode: Mode | undefined, now: Timestamp, asOf?: number): Promise<Receivable[]> {
  const { rows } = await db.query<Omit<Receivable, 'items' | 'amount'> & { readonly items: bigint; readonly amount: string }>(
    `with ${asOf === undefined ? OWED_NOW : OWED_THEN}, aged as (
       select o.*, coalesce(due_days, 2147483647) as due_days,
              greatest(0, ${bankingDaysUpTo("($3::timestamptz at time zone coalesce(time_zone, 'UTC'))::date")} - ${bankingDaysUpTo('o.day::date')}) as days
         from owed o left join rule using (mode, processor) where $2::text is null or o.mode = $2
     )
     select mode, processor, currency, ${ageSql('days')} as age, days > due_days as overdue, sum(items)::int8 as items, sum(amount)::text as amount
       from aged group by 1, 2, 3, 4, 5 order by array_position($4::text[], mode), processor, currency, min(days), overdue`,
    [asOf ?? Number.MAX_SAFE_INTEGER, mode ?? null, now, MODES],
  );
  return rows.map(({ items, amount, ...row }) => ({ ...row, items: Number(items), amount: BigInt(amount) }));
}
