import type { ClientBase } from 'pg';
import type { BookedRow, DayClosed } from '../../../src/ledger/events/day-close.events.js';
import type { Mode } from '../../../src/ledger/mode.js';
import { Conditions } from '../../../src/platform/postgres/conditions.js';
import { readBehind, type PartQuery } from '../../../src/platform/postgres/list-page.js';
import { ofMode, type ReconciliationQuery } from '../as-of.js';
import type { DayCloseRow, TickFigures } from './day-closes.js';

type Db = Pick<ClientBase, 'query'>;

/** A close of a bank's day with the results of its tick, and its progress in booking them. */
export type StoredDayClose = Omit<DayCloseRow, 'figures' | 'closed'> & {
  readonly figures: readonly TickFigures[];
  readonly closed: DayClosed | null;
};

const COLUMNS =
  'id, source, n, ordinal::float8, mode, day, matcher, opened_by, opened_on, rows, parts, booked_parts, figures, closed_from::float8, closed';

export interface DayClosesQuery extends PartQuery, ReconciliationQuery {
  /** Days, inclusive. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Returns closes in the order of the log; undefined when there is no close `after`. */
export function findDayCloses(db: Db, { source, mode, from, to, as_of, after, limit }: DayClosesQuery): Promise<StoredDayClose[] | undefined> {
  const conditions = new Conditions(limit)
    .equal({ source })
    .where(mode, (p) => ofMode('source', p))
    .within('day', from, to)
    .where(as_of, (p) => `ordinal <= ${p}`);
  return readBehind<StoredDayClose>(db, { table: 'recon.day_closes', columns: COLUMNS, conditions, after });
}

/** @param id a UUID */
export async function findDayClose(db: Db, id: string): Promise<StoredDayClose | undefined> {
  return (await db.query<StoredDayClose>(`select ${COLUMNS} from recon.day_closes where id = $1`, [id])).rows[0];
}

export async function findCloseOfDay(db: Db, source: string, day: string): Promise<StoredDayClose | undefined> {
  return (await db.query<StoredDayClose>(`select ${COLUMNS} from recon.day_closes where source = $1 and day = $2`, [source, day])).rows[0];
}

/** Returns sources with a close that has not ended, the oldest first. */
export async function findUnendedCloses(db: Db, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ source: string }>('select source from recon.day_closes where closed_from is null order by ordinal limit $1', [
    limit,
  ]);
  return rows.map(({ source }) => source);
}

/** Returns whether a close was open at an event: opened by then, and not ended. @param ordinal of the event */
export async function isDayCloseOpen(db: Db, ordinal: number): Promise<boolean> {
  const { rows } = await db.query<{ is_open: boolean }>(
    'select exists (select from recon.day_closes where ordinal <= $1 and (closed_from is null or closed_from > $1)) as is_open',
    [ordinal],
  );
  return rows[0]!.is_open;
}

const ROW_COLUMNS = 'movement, reversed, line_source, line_key, amount, fee, tax, batch_source, batch, processor, event_id, item_id';

export interface DayPart {
  readonly currency: string;
  readonly rows: readonly BookedRow[];
}

/** Returns one part of a close's rows, as its event contains it; undefined when there is no such part. */
export async function findDayPart(db: Db, source: string, n: number, part: number): Promise<DayPart | undefined> {
  const { rows } = await db.query<
    Omit<BookedRow, 'amount' | 'fee' | 'tax'> & Record<'amount' | 'fee' | 'tax', bigint> & { readonly currency: string }
  >({
    name: 'recon: part of a day',
    text: `select currency, ${ROW_COLUMNS} from recon.day_rows where source = $1 and n = $2 and part = $3 order by place`,
    values: [source, n, part],
  });
  const [first] = rows;
  if (!first) return undefined;
  return {
    currency: first.currency,
    rows: rows.map(({ currency: _, amount, fee, tax, ...row }) => ({ ...row, amount: Number(amount), fee: Number(fee), tax: Number(tax) })),
  };
}

/** Returns whether a later close takes back a line that a close has put into suspense. */
export async function findBookedItem(db: Db, itemId: string): Promise<{ is_taken: boolean } | undefined> {
  const { rows } = await db.query<{ is_taken: boolean }>(
    'select r.ended_n is not null as is_taken from recon.day_rows r where r.item_id = $1 and not r.reversed',
    [itemId],
  );
  return rows[0];
}

/**
 * Returns banks of a mode that have an unclosed day up to `day`, as of the event at an ordinal. A bank whose first statement is of a later day has no
 * day to close; a bank without any statement may have one.
 */
export async function findBanksBehind(db: Db, mode: Mode, day: string, ordinal: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select s.id from recon.sources s
      where s.settings->>'kind' = 'BANK' and s.settings->>'mode' = $1
        and not exists (select from recon.day_closes c where c.source = s.id and c.day >= $2 and c.closed_from <= $3)
        and coalesce((select min(g.day) from recon.groups g where g.source = s.id), $2) <= $2
      order by s.id`,
    [mode, day, ordinal],
  );
  return rows.map(({ id }) => id);
}
