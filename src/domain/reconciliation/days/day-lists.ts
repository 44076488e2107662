import type { Pool } from 'pg';
import { findDayCloses, type DayClosesQuery, type StoredDayClose } from '../../../../projections/reconciliation/days/day-close-reads.js';
import type { ReceivableDto } from './receivable.dto.js';
import { findReceivable } from '../../../../projections/reconciliation/matches/receivable.js';
import type { Mode } from '../../../ledger/mode.js';
import { timestamp } from '../../../ledger/time.js';
import { csvOf, pagesById, type PagedList } from '../../../platform/http/answer-list.js';
import type { AsOf } from '../as-of.js';
import { isComplete } from './day-figures.js';
import type { ReconDayDto } from './days.dto.js';

/** Lists closes in their order. */
export function daysList(pool: Pool, query: Omit<DayClosesQuery, 'after' | 'limit'>): PagedList<ReconDayDto> {
  return {
    name: 'days',
    csv: daysCsv,
    page: pagesById(
      'day',
      (after, limit) => findDayCloses(pool, { ...query, after, limit }),
      (close) => toDay(close, query.as_of),
    ),
  };
}

/** @param asOf ordinal; later events are ignored */
export function toDay({ ordinal: position, closed: found, closed_from, ...close }: StoredDayClose, asOf?: number): ReconDayDto {
  const { id, source, mode, n, day, matcher, opened_by, opened_on, rows, parts, booked_parts } = close;
  const closed = asOf === undefined || (closed_from !== null && closed_from <= asOf) ? found : null;
  return {
    id,
    source,
    mode,
    n,
    day,
    status: closed === null ? 'OPEN' : isComplete(closed) ? 'COMPLETE' : 'INCOMPLETE',
    position,
    matcher,
    opened_by,
    opened_on,
    rows,
    parts,
    booked_parts,
    figures: closed?.figures ?? [],
    breaks: closed?.breaks ?? [],
    digest: closed?.digest ?? null,
    head: closed?.head ?? null,
    closed_on: closed?.closed_on ?? null,
  };
}

/** The whole list is one page. */
export const receivableList = (pool: Pool, mode: Mode | undefined, { as_of, now }: AsOf): PagedList<ReceivableDto> => ({
  name: 'receivable',
  csv: csvOf<ReceivableDto>(['mode', 'processor', 'currency', 'age', 'overdue', 'items', 'amount']),
  page: async () => ({ items: await findReceivable(pool, mode, timestamp(now), as_of), next_after: null }),
});

const daysCsv = csvOf<ReconDayDto>([
  ...(['id', 'source', 'mode', 'n', 'day', 'status', 'position', 'matcher', 'opened_by', 'opened_on', 'rows', 'parts', 'booked_parts'] as const),
  ...(['digest', 'closed_on'] as const),
]);
