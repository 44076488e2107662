import type { ClientBase } from 'pg';
import type { Mode } from '../../../src/ledger/mode.js';
import { Conditions } from '../../../src/platform/postgres/conditions.js';
import { ofMode } from '../as-of.js';

/** Breaks of one day (UTC). */
export interface BreakDay {
  /** `2026-01-31`. */
  readonly day: string;
  /** Number of breaks that came up on the day; one that came up again counts again. */
  readonly opened_count: number;
  /** Number of those that were resolved on the day. */
  readonly resolved_count: number;
  /** Number of breaks that were open at the end of the day. */
  readonly open_count: number;
}

export interface BreakDaysQuery {
  readonly mode?: Mode | undefined;
  readonly source?: string | undefined;
  /** The days without a gap, in their order. */
  readonly days: readonly string[];
}

/** Returns an entry for each of `days`. It reads the breaks that came up or were resolved since the first day, and counts the open ones. */
export async function findBreakDays(db: Pick<ClientBase, 'query'>, { mode, source, days }: BreakDaysQuery): Promise<BreakDay[]> {
  const conditions = new Conditions(days[0] ?? null).equal({ source }).where(mode, (p) => ofMode('source', p));
  const dayOf = (column: string): string => `to_char(${column} at time zone 'utc', 'YYYY-MM-DD') collate "C"`;
  // Days are compared as texts, because Postgres has no year 0.
  const since = (column: string): string => `${dayOf(column)} >= $1`;
  const { rows } = await db.query<{ day: string | null; opened: bigint; resolved: bigint }>(
    `with found as (select opened_on, resolved_on from recon.breaks where ${conditions.sql()})
     select day, count(*) filter (where is_opened) as opened, count(*) filter (where not is_opened) as resolved
       from (select ${dayOf('opened_on')} as day, true as is_opened from found where ${since('opened_on')}
             union all select ${dayOf('resolved_on')}, false from found where ${since('resolved_on')}
             union all select null, true from found where resolved_on is null) moved
      group by day`,
    conditions.values,
  );
  const moved = new Map(rows.map(({ day, opened, resolved }) => [day, { opened: Number(opened), resolved: Number(resolved) }]));
  let open = moved.get(null)?.opened ?? 0;
  for (const [day, { opened, resolved }] of moved) if (day !== null && day > (days.at(-1) ?? '')) open += resolved - opened;
  return days
    .toReversed()
    .map((day) => {
      const { opened, resolved } = moved.get(day) ?? { opened: 0, resolved: 0 };
      const found = { day, opened_count: opened, resolved_count: resolved, open_count: open };
      open += resolved - opened;
      return found;
    })
    .reverse();
}
