import type { PoolClient } from 'pg';
import type { Movement } from '../../../src/ledger/events/day-close.events.js';
import { Table, type RowOf } from '../../../src/platform/postgres/binary/table.js';
import { lookUp } from '../planning.js';
import type { Tick } from './tick.js';

/** Rows that each close of a bank's day books, line by line, as its tick computed them. */
export const dayRowsTable = new Table(
  'day_rows',
  {
    source: 'text collate "C" not null',
    n: 'integer not null',
    /** From 1, in the order of booking. */
    place: 'integer not null',
    part: 'integer not null',
    currency: 'text collate "C" not null',
    movement: 'text collate "C" not null',
    reversed: 'boolean not null',
    line_source: 'text collate "C" not null',
    line_key: 'text collate "C" not null',
    line_id: 'bigint not null',
    amount: 'bigint not null',
    fee: 'bigint not null',
    tax: 'bigint not null',
    batch_source: 'text collate "C"',
    batch: 'text',
    /** The file that contained the batch at the tick. */
    batch_statement: 'uuid',
    processor: 'text collate "C"',
    event_id: 'uuid',
    /** Ordinal of the event in `event_id`. */
    item: 'bigint',
    /** Id of the item in suspense. */
    item_id: 'uuid',
    /** The close that takes the row back. */
    ended_n: 'integer',
  },
  ['primary key (source, n, place)'],
);

/** Items in suspense that proposals have claimed. Closes do not book bank items among them again. */
export const claimsTable = new Table('suspense_claims', { item_id: 'uuid not null primary key', claimed_from: 'bigint not null' });

/** Items whose money was booked with the batch of one of their lines. */
export const bookedItemsTable = new Table(
  'booked_items',
  {
    item: 'bigint not null',
    line_id: 'bigint not null',
    /** The tick that books the item, and the tick that takes it back or books it again. */
    booked_from: 'bigint not null',
    booked_until: 'bigint',
  },
  ['primary key (item, booked_from)'],
);

export const HOLDS = 'not r.reversed and r.ended_n is null';
export const IS_DIFFERENCE = `r.movement in ('DIFFERENCE_TO_COSTS', 'DIFFERENCE_TO_LOSSES')`;

export const dayRowsDdl = (schema: string): string => `
  ${dayRowsTable.ddl(schema)}
  ${claimsTable.ddl(schema)}
  ${bookedItemsTable.ddl(schema)}
  create index booked_items_of_line on ${schema}.booked_items (line_id) where booked_until is null;
  create index day_rows_of_line on ${schema}.day_rows (line_id);
  create index day_rows_unremitted on ${schema}.day_rows (line_source, line_key) where movement = 'UNREMITTED' and not reversed and ended_n is null;
  create index day_rows_differing on ${schema}.day_rows (source)
    where movement in ('DIFFERENCE_TO_COSTS', 'DIFFERENCE_TO_LOSSES') and not reversed and ended_n is null;
  create index day_rows_of_item on ${schema}.day_rows (item_id) where item_id is not null;
  create index day_rows_of_batch on ${schema}.day_rows (batch_source, batch) where batch is not null and not reversed and ended_n is null;
  create index items_paid_not_held on ${schema}.item_states (mode) where succeeded_from is not null and not is_held;
  create index items_returned_not_held on ${schema}.item_states (mode) where kind = 'RETURN' and not is_held;
  create index items_held_not_paid on ${schema}.item_states (mode) where is_held and succeeded_from is null;
  create index items_paid on ${schema}.item_states (succeeded_from) where is_held;
  create index groups_counted on ${schema}.groups (counted_from) where number is null;
  create index matches_ended on ${schema}.matches (source, matched_until) where matched_until is not null;`;

export type Row = RowOf<(typeof dayRowsTable)['definitions'], { readonly movement: Movement }>;
export type Booking = Omit<Row, 'source' | 'n' | 'place' | 'part' | 'reversed' | 'item_id' | 'ended_n'>;
export type Held = Booking & Pick<Row, 'n' | 'place' | 'item_id'> & { readonly is_final: boolean };

/** The close, and the day and tick of the previous close. */
export interface Closing {
  readonly n: number;
  readonly day: string;
  readonly last: { readonly day: string; readonly ordinal: number };
}

const STATE = ['movement', 'amount', 'fee', 'tax', 'batch_source', 'batch', 'batch_statement', 'event_id'] as const;
export const isSame = (now: Booking, held: Booking): boolean => STATE.every((name) => now[name] === held[name]);

export type Stored = { readonly [Column in keyof Held as `held_${Column}`]: Held[Column] | null } & Booking;

const HELD = [...STATE, 'n', 'place', 'item_id', 'item', 'currency', 'line_source', 'line_key', 'line_id', 'processor'] as const;
export const heldColumns = (schema: string): string =>
  `${HELD.map((name) => `r.${name} as held_${name}`).join(', ')}, ${isClaimed(schema)} as held_is_final`;
/** The item of the row `r` was claimed before the tick; `$2` is its ordinal. */
export const isClaimed = (schema: string): string =>
  `exists (select from ${lookUp(`${schema}.suspense_claims`, 'item_id = r.item_id')} c where c.claimed_from < $2)`;

export const rowsOfLine = (schema: string, line: string): string => lookUp(`${schema}.day_rows`, `line_id = ${line}`);
/** Valid rows of a batch. */
export const rowsOfBatch = (schema: string, source: string, name: string): string =>
  lookUp(`${schema}.day_rows`, `batch_source = ${source} and batch = ${name} and not reversed and ended_n is null`);

export function bookingOf(row: Booking): Booking {
  const { movement, line_source, line_key, currency, batch_source, batch, batch_statement, processor, event_id } = row;
  const figures = { line_id: Number(row.line_id), amount: Number(row.amount), fee: Number(row.fee), tax: Number(row.tax) };
  const of = { movement, line_source, line_key, currency, batch_source, batch, batch_statement, processor, event_id };
  return { ...of, ...figures, item: row.item === null ? null : Number(row.item) };
}

export function heldOf(row: Stored): Held | null {
  if (row.held_line_key === null) return null;
  const plain = Object.fromEntries([...HELD, 'is_final' as const].map((name) => [name, row[`held_${name}`]])) as unknown as Held;
  return { ...bookingOf(plain), n: plain.n, place: plain.place, item_id: plain.item_id, is_final: plain.is_final };
}

/** Ends these rows of earlier closes. */
export async function end(tx: PoolClient, schema: string, { source }: Tick, { n }: Closing, held: readonly Held[]): Promise<void> {
  if (held.length === 0) return;
  await tx.query({
    name: `${schema} day rows: end`,
    text: `update ${schema}.day_rows r set ended_n = $2 from unnest($1::text[], $3::int4[], $4::int4[]) e (source, n, place)
            where (r.source, r.n, r.place) = (e.source, e.n, e.place)`,
    values: [held.map(() => source), n, held.map((each) => each.n), held.map(({ place }) => place)],
  });
}
