import type { ClientBase } from 'pg';
import type { BookedRow } from '../../src/ledger/events/day-close.events.js';

/** A line that a close has booked, or is about to. */
export interface DayRow extends Omit<BookedRow, 'line_key'> {
  /** In the close, from 1. */
  readonly place: number;
  readonly currency: string;
  readonly line_id: string;
  /** The file that the line is in. */
  readonly statement_id: string;
}

export interface DayRowsQuery {
  readonly source: string;
  /** Of the close. */
  readonly n: number;
  /** Place to go on behind. */
  readonly after: number;
  readonly limit: number;
}

type StoredRow = Omit<DayRow, 'amount' | 'fee' | 'tax'> & Record<'amount' | 'fee' | 'tax', bigint>;

/** In the order in which they are booked. */
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
