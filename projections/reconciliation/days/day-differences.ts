import type { PoolClient } from 'pg';
import {
  bookingOf,
  end,
  heldColumns,
  heldOf,
  HOLDS,
  isSame,
  IS_DIFFERENCE,
  rowsOfBatch,
  rowsOfLine,
  type Booking,
  type Closing,
  type Row,
  type Stored,
} from './day-rows-table.js';
import { lookUp } from '../planning.js';
import type { Tick } from './tick.js';

/**
 * Returns rows for approved differences between a line and the item or batch it is matched with, when that is booked: new differences, and those that
 * no longer hold. Each is booked with its line, and taken back with it. They are few, so all are compared.
 */
export async function differences(
  tx: PoolClient,
  schema: string,
  tick: Tick,
  closing: Closing,
): Promise<(Booking & Pick<Row, 'reversed' | 'item_id'>)[]> {
  const { rows: held } = await tx.query<Stored>({
    name: `${schema} day rows: differences held`,
    text: `select ${heldColumns(schema)} from ${schema}.day_rows r where r.source = $1 and ${IS_DIFFERENCE} and ${HOLDS} order by r.line_id`,
    values: [tick.source, tick.ordinal],
  });
  const { rows: now } = await tx.query<Booking>({
    name: `${schema} day rows: differences`,
    text: `select case a.difference_to when 'costs' then 'DIFFERENCE_TO_COSTS' else 'DIFFERENCE_TO_LOSSES' end as movement,
                  l.id as line_id, l.source as line_source, l.line_key, l.currency, a.difference as amount, 0 as fee, 0 as tax,
                  r.batch_source, r.batch, r.batch_statement, r.processor, i.id as event_id, i.ordinal as item
             from ${schema}.break_acts a
             join lateral ${lookUp(`${schema}.matches`, 'decided_by = a.ordinal')} m on m.matched_until is null
            cross join lateral ${lookUp(`${schema}.lines`, 'id = m.line_id')} l
             left join lateral ${lookUp(`${schema}.items`, 'ordinal = m.item')} i on true
             -- The line of the bank itself; or the batch that a line of a processor is in, where the item is booked with it.
            cross join lateral (
              select r.* from ${rowsOfLine(schema, 'l.id')} r
               where r.source = $1 and r.movement in ('BATCH', 'PAYOUT', 'RETURN') and ${HOLDS}
               union all
              select r.* from ${rowsOfBatch(schema, 'l.source', 'l.group_name')} r
                join lateral ${lookUp(`${schema}.booked_items`, 'line_id = l.id and booked_until is null')} k on k.item = m.item
               where r.source = $1 and r.batch_statement = l.statement_id and r.movement = 'BATCH'
            ) r
            where a.difference is not null
            order by l.id`,
    values: [tick.source],
  });
  const stand = held.map((row) => heldOf(row)!);
  const is = now.map(bookingOf);
  const ended = stand.filter((before) => !is.some((each) => each.line_id === before.line_id && isSame(each, before)));
  await end(tx, schema, tick, closing, ended);
  const added = is.filter((each) => !stand.some((before) => each.line_id === before.line_id && isSame(each, before)));
  const taken = ended.map(({ n: _, place: __, is_final: ___, ...row }) => ({ ...row, reversed: true }));
  return [...taken, ...added.map((row) => ({ ...row, reversed: false, item_id: null }))];
}
