import type { Pool } from 'pg';
import { findEventRefs, type EventRef } from '../../../../projections/audit/event-index.js';
import type { LedgerEventType } from '../../../ledger/catalogue.js';
import type { Mode } from '../../../ledger/mode.js';
import { milliseconds, timestamp } from '../../../ledger/time.js';
import type { ListPage } from '../../../platform/http/answer-list.js';

/** Records per query when a filter selects some of them. */
const BATCH = 500;
/** Limits of one page: records read, and time, ms. A page then returns the records found so far, and the next page continues from there. */
const LOOKED_AT_MAX = 10_000;
const LOOKED_FOR_MS = 75;
/** Larger than the difference between the order of the log and the order of times: clocks of writers differ by seconds. */
const OUT_OF_ORDER_MS = 10 * 60_000;

/** Records of a kind, found through their first events: one index has the newest of all merchants and of each merchant. */
export interface Kind<Row> {
  /** Type of the first event of each record. */
  readonly type: LedgerEventType;
  /** Returns the records with these first events, by the events' ordinals, without records that no longer exist. */
  readonly rowsOf: (began: readonly EventRef[]) => Promise<ReadonlyMap<number, Row>>;
  /** Returns the time of the record's first event, RFC 3339 in UTC. */
  readonly beganOn: (row: Row) => string;
}

/**
 * Sorts the records of a page by time, newest first, with ties in the order of the log. A page is a section of the log, to which processes
 * append concurrently. Pages are in the order of the log, which differs from the order of times by no more than the clocks do.
 */
export const newestFirst = <Row>(rows: readonly Row[], beganOn: (row: Row) => string): Row[] =>
  rows.toSorted((one, other) => (beganOn(one) === beganOn(other) ? 0 : beganOn(one) < beganOn(other) ? 1 : -1));

/** Returns `rowsOf` for records with a separate stream each. @param find returns the records of these streams in any order */
export function byStream<Row>(find: (streams: readonly string[]) => Promise<readonly Row[]>, streamOf: (row: Row) => string): Kind<Row>['rowsOf'] {
  return async (began) => {
    const rows = new Map((await find(began.map(({ stream }) => stream))).map((row) => [streamOf(row), row]));
    return new Map(began.flatMap(({ stream, ordinal }) => (rows.has(stream) ? [[ordinal, rows.get(stream)!]] : [])));
  };
}

export interface NewestQuery<Row> {
  readonly mode: Mode;
  readonly merchant_id?: string | undefined;
  /** Selects records; undefined: all. */
  readonly matches?: ((row: Row) => boolean) | undefined;
  /** `matches` selects no record that began before, RFC 3339: the list ends there. */
  readonly since?: string | undefined;
}

/**
 * Returns a page of the records of `kind`, newest first. The next page has records before the event with the ordinal `next_after`. A page
 * may be short or empty without being the last.
 */
export async function findNewest<Row>(
  pool: Pool,
  { type, rowsOf, beganOn }: Kind<Row>,
  { mode, merchant_id, matches, since }: NewestQuery<Row>,
  before: number | undefined,
  limit: number,
): Promise<ListPage<Row, number>> {
  const began = performance.now();
  const size = matches ? BATCH : limit + 1;
  const items: Row[] = [];
  const page = (next_after: number | null): ListPage<Row, number> => ({ items: newestFirst(items, beganOn), next_after });
  let next = before ?? Number.MAX_SAFE_INTEGER;
  const end = since === undefined ? undefined : timestamp(milliseconds(since) - OUT_OF_ORDER_MS);
  for (let lookedAt = 0; lookedAt < LOOKED_AT_MAX && performance.now() - began < LOOKED_FOR_MS; lookedAt += size) {
    const places = await findEventRefs(pool, { mode, type, merchant_id, after: 0, until: next - 1, limit: size, is_descending: true });
    const rows = await rowsOf(places);
    for (const { ordinal } of places) {
      if (items.length === limit) return page(next);
      next = ordinal;
      const row = rows.get(ordinal);
      if (end !== undefined && row !== undefined && beganOn(row) < end) return page(null);
      if (row !== undefined && (matches?.(row) ?? true)) items.push(row);
    }
    if (places.length < size) return page(null);
  }
  return page(next);
}
