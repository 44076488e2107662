import type { ClientBase } from 'pg';
import { addDays } from '../../../src/ledger/days.js';

/** The next day of a bank to close. */
export interface NextDay {
  readonly day: string;
  /** Id of its close, if that has begun and not ended; otherwise null. */
  readonly under_way: string | null;
  /** Whether the statements of all currencies cover the day to its end. */
  readonly has_statements: boolean;
}

/** Returns undefined when no statement of the source was accepted. @param source id of a BANK */
export async function findNextDay(db: Pick<ClientBase, 'query'>, source: string): Promise<NextDay | undefined> {
  const { rows } = await db.query<{ first: string | null; last: string | null; day: string | null; under_way: string | null }>(
    `with statements as (
       select min(day) as first, max(day) as last from recon.groups where source = $1 and number is not null and counted_until is null group by currency
     )
     select min(s.first) as first, min(s.last) as last, c.day, c.under_way
       from statements s
       left join (select day, case when closed_from is null then id end as under_way from recon.day_closes where source = $1 order by n desc limit 1) c
         on true
      group by c.day, c.under_way`,
    [source],
  );
  const [found] = rows;
  if (!found || found.first === null) return undefined;
  const { first, last, day: closed, under_way } = found;
  const day = closed === null ? first : under_way === null ? addDays(closed, 1) : closed;
  return { day, under_way, has_statements: last! >= day };
}
