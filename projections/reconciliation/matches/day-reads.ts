import type { ClientBase } from 'pg';
import type { Timestamp } from '../../../src/ledger/time.js';
import { isAccepted } from './break-acts.js';
import type { Mode } from '../../../src/ledger/mode.js';

type Db = Pick<ClientBase, 'query'>;

/** Files and breaks of a source on one day. */
export interface SourceDay {
  readonly source: string;
  /** YYYY-MM-DD; null for all days before the first requested one. */
  readonly day: string | null;
  /** Statements that close on the day, or batches that are booked on it, and count. */
  readonly groups: number;
  /** Lines of these. */
  readonly lines: number;
  /** Those of them that are not matched. A processor’s own charges, which name nothing to match, are never open. */
  readonly open_lines: number;
  /** Breaks that were opened on the day and are OPEN. */
  readonly breaks: number;
  /** A file of the day is missing. */
  readonly is_missing: boolean;
}

/**
 * Returns the days of all sources of a mode from a day on, by source and day. Earlier days are one row per source, the last one, which has breaks only.
 */
export async function findSourceDays(db: Db, mode: Mode | undefined, from: string, now: Timestamp): Promise<SourceDay[]> {
  const { rows } = await db.query<SourceDay>({
    name: 'recon: source days',
    text: `with source as (
             select id, settings->>'time_zone' as time_zone from recon.sources where $1::text is null or settings->>'mode' = $1
           ), found as (
             select source, day, 1 as groups, lines, 0 as open_lines, 0 as breaks, false as is_missing
               from recon.groups where counted_until is null and day >= $2
             union all
             select source, group_day, 0, 0, 1, 0, false from recon.open_lines where group_day >= $2
             union all
             select at_tick.source, (opened.opened_on at time zone source.time_zone)::date::text, 0, 0, 0, at_tick.breaks, false
               from (select source, opened_from, count(*)::integer as breaks from recon.breaks b where resolved_from is null and not ${isAccepted('$3')} group by 1, 2) at_tick
               join source on source.id = at_tick.source
              cross join lateral (select opened_on from recon.breaks b where b.opened_from = at_tick.opened_from limit 1) opened
             union all
             select b.source, b.subject, 0, 0, 0, 0, true
               from recon.breaks b join source on source.id = b.source where b.resolved_from is null and b.kind = 'FILE_MISSING' and b.subject >= $2
           )
           select source, case when day >= $2 then day end as day, sum(groups)::integer as groups, sum(lines)::integer as lines,
                  sum(open_lines)::integer as open_lines, sum(breaks)::integer as breaks, bool_or(is_missing) as is_missing
             from found join source on source.id = found.source group by 1, 2 order by 1, 2`,
    values: [mode ?? null, from, now],
  });
  return rows;
}
