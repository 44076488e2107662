import type { ClientBase } from 'pg';
import { MODES, type Mode } from '../../../src/ledger/mode.js';
import type { Timestamp } from '../../../src/ledger/time.js';
import { bankingDaysUpTo } from '../days/banking-days.js';
import { ageSql, type BreakAge } from './ages.js';

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

/**
 * CTEs of all items that moved a processor's account and were not booked with one of its batches, as of the event `$1`: `rule` has the settings of each
 * processor's source, and `owed` the items. Their sum is the amount by which that account is below zero. A closed item (written off, or covered by an
 * opening) is left out; if it was booked with a batch anyway, it counts with the opposite sign. Lines of a batch that operators have resolved count the
 * same way when the batch is no longer booked, or has other lines now.
 */
export const OWED = `rule as (
       select distinct on (mode, processor) mode, processor, due_days, time_zone, costs
         from recon.rules where processor is not null and ordinal <= $1 order by mode, processor, ordinal desc
     ), owed as (
       select i.mode, i.processor, i.currency, i.kind, i.channel, i.occurred_on, case when i.closed_from <= $1 then -i.amount else i.amount end as amount
         from recon.items i left join recon.booked_items k on k.item = i.ordinal and k.booked_from <= $1 and (k.booked_until is null or k.booked_until > $1)
        where i.processor is not null and i.ordinal <= $1 and (coalesce(i.closed_from <= $1, false) = (k.item is not null))
       union all
       select split_part(r.source, '-', 1), r.processor, r.currency, null, null, c.opened_on, r.amount
         from recon.day_rows r join recon.day_closes c on c.source = r.source and c.n = r.n
        where r.movement = 'UNREMITTED' and ${holds('r')}
          and not exists (select from recon.day_rows b join recon.lines l on l.statement_id = b.batch_statement and l.group_name = b.batch
                             and l.line_key = r.line_key and coalesce(l.gross, l.amount) = r.amount
                           where b.source = r.source and b.movement = 'BATCH' and ${holds('b')}
                             and b.batch_source = r.batch_source and b.batch = r.batch)
     )`;

/** Returns these items by processor and age. @param asOf ordinal; later events are ignored; undefined: now */
export async function findReceivable(
  db: Pick<ClientBase, 'query'>,
  mode: Mode | undefined,
  now: Timestamp,
  asOf: number = Number.MAX_SAFE_INTEGER,
): Promise<Receivable[]> {
  const { rows } = await db.query<Omit<Receivable, 'items' | 'amount'> & { readonly items: bigint; readonly amount: string }>(
    `with ${OWED}, aged as (
       select o.*, coalesce(due_days, 2147483647) as due_days,
              greatest(0, ${bankingDaysUpTo("($3::timestamptz at time zone coalesce(time_zone, 'UTC'))::date")} -
                          ${bankingDaysUpTo("(o.occurred_on at time zone coalesce(time_zone, 'UTC'))::date")}) as days
         from owed o left join rule using (mode, processor) where $2::text is null or o.mode = $2
     )
     select mode, processor, currency, ${ageSql('days')} as age, days > due_days as overdue, count(*) as items, sum(amount)::text as amount
       from aged group by 1, 2, 3, 4, 5 order by array_position($4::text[], mode), processor, currency, min(days), overdue`,
    [asOf, mode ?? null, now, MODES],
  );
  return rows.map(({ items, amount, ...row }) => ({ ...row, items: Number(items), amount: BigInt(amount) }));
}
