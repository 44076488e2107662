import type { Pool } from 'pg';
import { findEventRefs, type EventRef } from '../../../../projections/audit/event-index.js';
import type { LedgerEventType } from '../../../ledger/catalogue.js';
import type { Mode } from '../../../ledger/mode.js';
import type { ListPage } from '../../../platform/http/answer-list.js';

/** Records that are looked at together where not all of them are wanted. */
const BATCH = 500;
/** A page answers with what it has found when it has looked at so many, or for so long, ms: the next one goes on from there. */
const LOOKED_AT_MAX = 10_000;
const LOOKED_FOR_MS = 75;

/** Records of a kind, found through the events that began them: one index leads to the newest of all merchants, and of each. */
export interface Kind<Row> {
  /** Of the event that began each record. */
  readonly type: LedgerEventType;
  /** The records that began at these events, by the events' ordinals; those that are not there any more are left out. */
  readonly rowsOf: (began: readonly EventRef[]) => Promise<ReadonlyMap<number, Row>>;
  /** When the record began, RFC 3339 in UTC. */
  readonly beganOn: (row: Row) => string;
}

/**
 * Puts the records of a page in the order of their times, ties in that of the log. A page is a piece of the log, to which processes
 * append side by side: two pages are in the order of the log, which differs from that of the times by no more than clocks do.
 */
export const newestFirst = <Row>(rows: readonly Row[], beganOn: (row: Row) => string): Row[] =>
  rows.toSorted((one, other) => (beganOn(one) === beganOn(other) ? 0 : beganOn(one) < beganOn(other) ? 1 : -1));

/** Of records in streams of their own. @param find the records of these streams, in whatever order */
export function byStream<Row>(find: (streams: readonly string[]) => Promise<readonly Row[]>, streamOf: (row: Row) => string): Kind<Row>['rowsOf'] {
  return async (began) => {
    const rows = new Map((await find(began.map(({ stream }) => stream))).map((row) => [streamOf(row), row]));
    return new Map(began.flatMap(({ stream, ordinal }) => (rows.has(stream) ? [[ordinal, rows.get(stream)!]] : [])));
  };
}

export interface NewestQuery<Row> {
  readonly mode: Mode;
  readonly merchant_id?: string | undefined;
  /** undefined: all are wanted. */
  readonly matches?: ((row: Row) => boolean) | undefined;
}

/** A page of the records of `kind`, the newest first; `next_after` is the ordinal of an event to go on before. It may be short, or empty, and not the last. */
export async function findNewest<Row>(
  pool: Pool,
  { type, rowsOf, beganOn }: Kind<Row>,
  { mode, merchant_id, matches }: NewestQuery<Row>,
  before: number | undefined,
  limit: number,
): Promise<ListPage<Row, number>> {
  const began = performance.now();
  const size = matches ? BATCH : limit + 1;
  const items: Row[] = [];
  const page = (next_after: number | null): ListPage<Row, number> => ({ items: newestFirst(items, beganOn), next_after });
  let next = before ?? Number.MAX_SAFE_INTEGER;
  for (let lookedAt = 0; lookedAt < LOOKED_AT_MAX && performance.now() - began < LOOKED_FOR_MS; lookedAt += size) {
    const places = await findEventRefs(pool, { mode, type, merchant_id, after: 0, until: next - 1, limit: size, is_descending: true });
    const rows = await rowsOf(places);
    for (const { ordinal } of places) {
      if (items.length === limit) return page(next);
      next = ordinal;
      const row = rows.get(ordinal);
      if (row !== undefined && (matches?.(row) ?? true)) items.push(row);
    }
    if (places.length < size) return page(null);
  }
  return page(next);
}
