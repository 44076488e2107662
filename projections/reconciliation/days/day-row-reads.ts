import type { ClientBase } from 'pg';
import type { BookedRow } from '../../../src/ledger/events/day-close.events.js';

/** A line that a close has booked, or will book. */
export interface DayRow extends Omit<BookedRow, 'line_key'> {
  /** Position in the close, from 1. */
  readonly place: number;
  readonly currency: string;
  readonly line_id: string;
  /** The file that contains the line. */
  readonly statement_id: string;
}

export interface DayRowsQuery {
  readonly source: string;
  /** Number of the close. */
  readonly n: number;
  /** Returns rows after this place. */
  readonly after: number;
  readonly limit: number;
}

type StoredRow = Omit<DayRow, 'amount' | 'fee' | 'tax'> & Record<'amount' | 'fee' | 'tax', bigint>;

/** Returns rows in the order of their booking. */
export async function findDayRows(db: Pick<ClientBase, 'query'>, { source, n, after, limit }: DayRowsQuery): Promise<DayRow[]> {
  const { rows } = await db.query<StoredRow>(
    `select r.place, r.currency, r.movement, r.reversed, r.line_source, r.line_id::text as line_id, l.statement_id, r.amount, r.fee, r.tax,
            r.batch_source, r.batch, r.processor, r.event_id, r.item_id
       from recon.day_rows r join recon.lines l on l.id = r.line_id
      where r.source = $1 and r.n = $2 and r.place > $3 order by r.place limit $4`,
    [source, n, after, limit],
  );
  return rows.map(({ amount, fee, tax, ...row }) => ({ ...row, amount: Number(amount), fee: Number(fee), tax: Number(tax) }));
}

/** The line that opened an item in suspense. */
export interface ItemLine {
  readonly line_id: string;
  /** The file that contains the line. */
  readonly statement_id: string;
  readonly booking_date: string;
  readonly batch: string | null;
  readonly references: readonly string[];
  /** A break of the line that is not RESOLVED; null when there is none. */
  readonly break_id: string | null;
}

/** @param itemId a UUID @returns undefined when no booked line opened the item */
export async function findItemLine(db: Pick<ClientBase, 'query'>, itemId: string): Promise<ItemLine | undefined> {
  const { rows } = await db.query<ItemLine>(
    `select l.id::text as line_id, l.statement_id, l.booking_date, l.batch, l.line_references as "references", b.id as break_id
       from recon.day_rows r join recon.lines l on l.id = r.line_id
       left join recon.breaks b on b.source = r.line_source and b.line_id = l.id and b.resolved_from is null
      where r.item_id = $1 order by r.n desc, b.opened_from desc limit 1`,
    [itemId],
  );
  return rows[0];
}
