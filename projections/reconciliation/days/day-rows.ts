import type { PoolClient } from 'pg';
import { ROWS_PER_PART } from '../../../src/ledger/events/day-close.events.js';
import { derivedId } from '../../../src/ledger/idempotency.js';
import { firstFree } from '../break-id.js';
import { differences } from './day-differences.js';
import {
  bookingOf,
  claims,
  dayRowsTable,
  end,
  heldColumns,
  heldOf,
  HOLDS,
  isSame,
  IS_DIFFERENCE,
  type Booking,
  type Closing,
  type Held,
  type Row,
  type Stored,
} from './day-rows-table.js';
import { lookAnew } from '../planning.js';
import type { Tick } from './tick.js';

/**
 * Writes the rows that the close books: new lines up to its day, and reversals of booked rows that no longer hold. Items that operators have resolved
 * stay as booked. @returns the number of rows and parts
 */
export async function addDayRows(tx: PoolClient, schema: string, tick: Tick, closing: Closing): Promise<{ rows: number; parts: number }> {
  const lines = await bankLines(tx, schema, tick, closing);
  const changed = lines.filter(({ now, held }) => !held || (!held.is_final && !isSame(now, held)));
  const ended = changed.flatMap(({ held }) => (held ? [held] : []));
  await end(tx, schema, tick, closing, ended);
  const added = changed.map(({ now }) => now);
  const endedBatches = ended.filter(({ movement }) => movement === 'BATCH');
  const remitted = await remittedLines(tx, schema, tick, closing, endedBatches);
  await end(tx, schema, tick, closing, remitted.ended);
  const unremitted = await unremittedLines(
    tx,
    schema,
    tick,
    added.filter(({ movement }) => movement === 'BATCH'),
  );
  const taken = [...ended, ...remitted.ended].map(({ n: _, place: __, is_final: ___, ...row }) => ({ ...row, reversed: true }));
  const ids = new Set<string>();
  const booked = [...added, ...remitted.added, ...unremitted]
    .sort((a, b) => compare(a.line_id, b.line_id))
    .map((row) => ({ ...row, reversed: false, item_id: itemOf(tick, closing, row, ids) }));
  const lastLine = await book(tx, schema, tick, closing, [...taken, ...booked]);
  await bookItems(tx, schema, tick, closing, { ended: endedBatches, added: added.filter(({ movement }) => movement === 'BATCH') });
  const last = await book(tx, schema, tick, closing, await differences(tx, schema, tick, closing), lastLine);
  return { rows: last.place, parts: last.part };
}

const FIRST = { place: 0, part: 0 };

/** Adds rows after those that the close already has. @returns the last place and part */
async function book(
  tx: PoolClient,
  schema: string,
  { source }: Tick,
  { n }: Closing,
  all: readonly Omit<Row, 'source' | 'n' | 'place' | 'part' | 'ended_n'>[],
  behind: Pick<Row, 'place' | 'part'> = FIRST,
): Promise<Pick<Row, 'place' | 'part'>> {
  const rows = inParts(all, behind).map((row) => ({ ...row, source, n, ended_n: null }));
  await dayRowsTable.add(tx, schema, rows);
  await lookAnew(tx, schema, 'day_rows', rows.length);
  return rows.at(-1) ?? behind;
}

/** A line without a known owner is an item in suspense. Each close that puts it there creates a separate item. @param ids of items of the close */
function itemOf({ source }: Tick, { n }: Closing, { movement, line_source, line_key, line_id, amount }: Booking, ids: Set<string>): string | null {
  const isOfNobody = movement === 'UNKNOWN' || movement === 'UNREMITTED';
  if (!isOfNobody || amount === 0) return null;
  return firstFree(ids, (more) => derivedId(source, `suspense\0${n}\0${line_source}\0${line_key}${more}`), line_id);
}

/** Sorts by currency; within a currency reversals first, then in the order of the log. */
function inParts<Each extends Pick<Row, 'currency' | 'reversed' | 'line_id' | 'movement'>>(
  all: readonly Each[],
  behind: Pick<Row, 'place' | 'part'>,
): (Each & Pick<Row, 'place' | 'part'>)[] {
  const order = (a: Each, b: Each): number =>
    compare(a.currency, b.currency) || compare(!a.reversed, !b.reversed) || compare(Number(a.line_id), Number(b.line_id));
  let [part, inPart, currency] = [behind.part, 0, ''];
  return [...all].sort(order).map((row, at) => {
    if (row.currency !== currency || inPart === ROWS_PER_PART) [part, inPart, currency] = [part + 1, 0, row.currency];
    inPart += 1;
    return { ...row, place: behind.place + at + 1, part };
  });
}

const compare = <T>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

interface BankLine {
  readonly now: Booking;
  readonly held: Held | null;
}

const counted = (g: string): string => `${g}.counted_from < $2 and (${g}.counted_until is null or ${g}.counted_until > $2)`;

/** Returns the bank's lines that concern the close, with their current match and their booked row. */
async function bankLines(tx: PoolClient, schema: string, { source, ordinal }: Tick, { day, last }: Closing): Promise<BankLine[]> {
  const { rows } = await tx.query<Stored>({
    name: `${schema} day rows: lines of the bank`,
    text: `with ${claims(schema)}, touched as (
             select l.id from ${schema}.groups g join ${schema}.lines l on l.statement_id = g.statement_id and l.group_name = g.name
              where g.source = $1 and g.number is not null and ${counted('g')} and g.day <= $3 and (g.day > $4 or g.counted_from > $5)
             union select line_id from ${schema}.matches where source = $1 and matched_from > $5
             union select line_id from ${schema}.matches where source = $1 and matched_until > $5
             union select r.line_id from ${schema}.day_rows r join ${schema}.groups g on g.source = r.batch_source and g.name = r.batch
                    where r.source = $1 and r.movement = 'BATCH' and ${HOLDS} and g.counted_from > $5
           )
           select case when m.line_id is null then 'UNKNOWN' when m.batch is not null then 'BATCH' else coalesce(i.kind, 'CHARGE') end as movement,
                  l.id as line_id, l.source as line_source, l.line_key, l.currency, l.amount, coalesce(b.fee, 0) as fee, coalesce(b.tax, 0) as tax,
                  m.batch_source, m.batch, of.statement_id as batch_statement, p.processor, i.id as event_id, i.ordinal as item, ${heldColumns}
             from touched t
             join ${schema}.lines l on l.id = t.id
             join ${schema}.groups g on g.statement_id = l.statement_id and g.name = l.group_name and g.source = $1 and ${counted('g')} and g.day <= $3
             left join ${schema}.matches m on m.line_id = l.id and m.matched_until is null
             left join ${schema}.items i on i.ordinal = m.item
             left join ${schema}.groups of on of.source = m.batch_source and of.name = m.batch and of.number is null and ${counted('of')}
             left join lateral (select sum(fee)::int8 as fee, sum(tax)::int8 as tax from ${schema}.lines b
                                 where b.statement_id = of.statement_id and b.group_name = of.name) b on of.statement_id is not null
             left join lateral (select processor from ${schema}.rules p where p.source = m.batch_source and p.ordinal < $2 order by p.ordinal desc limit 1) p on true
             left join ${schema}.day_rows r on r.line_id = l.id and r.source = $1 and not ${IS_DIFFERENCE} and ${HOLDS}
            order by l.id`,
    values: [source, ordinal, day, last.day, last.ordinal],
  });
  return rows.map((row) => ({ now: bookingOf(row), held: heldOf(row) }));
}

/** Returns the lines without an item in batches that this close is the first to book. */
async function unremittedLines(tx: PoolClient, schema: string, { ordinal }: Tick, batches: readonly Booking[]): Promise<Booking[]> {
  if (batches.length === 0) return [];
  const { rows } = await tx.query<Booking>({
    name: `${schema} day rows: new batches`,
    text: `with ${claims(schema)}
           select ${unremitted} from unnest($1::text[], $3::text[], $4::uuid[], $5::text[]) b (source, name, statement_id, processor)
             join ${schema}.lines l on l.statement_id = b.statement_id and l.group_name = b.name
            where coalesce(l.gross, l.amount) <> 0 and not ${hasItem(schema)}
              -- What an operator has resolved before the batch was issued anew is resolved.
              and not exists (select from ${schema}.day_rows r join claims c on c.item_id = r.item_id
                               where ${isUnremitted('r')})`,
    values: [
      ...[batches.map(({ batch_source }) => batch_source), ordinal, batches.map(({ batch }) => batch)],
      ...[batches.map(({ batch_statement }) => batch_statement), batches.map(({ processor }) => processor)],
    ],
  });
  return rows.map(bookingOf);
}

/** `r` is the valid row for the line `l` of a batch, in any file: a batch that is issued again contains the same line again. */
const isUnremitted = (r: string): string =>
  `${r}.line_source = l.source and ${r}.line_key = l.line_key and ${r}.amount = coalesce(l.gross, l.amount) and ${r}.movement = 'UNREMITTED'
    and not ${r}.reversed and ${r}.ended_n is null`;

const unremitted = `'UNREMITTED' as movement, l.id as line_id, l.source as line_source, l.line_key, l.currency, coalesce(l.gross, l.amount) as amount, 0 as fee, 0 as tax,
  b.source as batch_source, b.name as batch, b.statement_id as batch_statement, b.processor, null::uuid as event_id, null::int8 as item`;
const hasItem = (schema: string): string =>
  `exists (select from ${schema}.matches m where m.line_id = l.id and m.item is not null and m.matched_until is null)`;

interface Remitted {
  readonly ended: readonly Held[];
  readonly added: readonly Booking[];
}

/**
 * Returns changes in batches that earlier closes have booked: lines that have an item now, lines that have lost it, and all rows of batches that are
 * no longer booked.
 */
async function remittedLines(tx: PoolClient, schema: string, tick: Tick, { last }: Closing, ended: readonly Held[]): Promise<Remitted> {
  const { source, ordinal } = tick;
  const { rows } = await tx.query<Stored & { readonly is_unremitted: boolean }>({
    name: `${schema} day rows: batches`,
    text: `with ${claims(schema)}, held as (
             select batch_source as source, batch as name, batch_statement as statement_id, processor from ${schema}.day_rows r
              where r.source = $1 and r.movement = 'BATCH' and ${HOLDS}
           ), touched as (
             select line_id from ${schema}.matches where source = any(array(select source from held)) and matched_from > $3
             union select line_id from ${schema}.matches where source = any(array(select source from held)) and matched_until > $3
           )
           select ${unremitted}, not ${hasItem(schema)} as is_unremitted, ${heldColumns}
             from touched t
             join ${schema}.lines l on l.id = t.line_id
             join held b on b.statement_id = l.statement_id and b.name = l.group_name
             left join ${schema}.day_rows r on ${isUnremitted('r')}
            where coalesce(l.gross, l.amount) <> 0
           union all
           select ${unremitted}, false, ${heldColumns}
             from unnest($4::text[], $5::text[], $6::uuid[], $7::text[]) b (source, name, statement_id, processor)
             join ${schema}.day_rows r on r.batch_source = b.source and r.batch = b.name and r.source = $1 and r.movement = 'UNREMITTED' and ${HOLDS}
             join ${schema}.lines l on l.id = r.line_id`,
    values: [
      ...[source, ordinal, last.ordinal, ended.map(({ batch_source }) => batch_source), ended.map(({ batch }) => batch)],
      ...[ended.map(({ batch_statement }) => batch_statement), ended.map(({ processor }) => processor)],
    ],
  });
  const lines = rows.map((row) => ({ now: bookingOf(row), held: heldOf(row), is_unremitted: row.is_unremitted }));
  return {
    ended: lines.flatMap(({ held, is_unremitted }) => (held && !held.is_final && !is_unremitted ? [held] : [])),
    added: lines.flatMap(({ now, held, is_unremitted }) => (held || !is_unremitted ? [] : [now])),
  };
}

/** Updates booked items: for batches that the close books or takes back, and for lines whose match has changed since the last close. */
async function bookItems(
  tx: PoolClient,
  schema: string,
  { source, ordinal }: Tick,
  { last }: Closing,
  { ended, added }: { readonly ended: readonly Booking[]; readonly added: readonly Booking[] },
): Promise<void> {
  const touched = `touched as (
    select line_id from ${schema}.matches where source = any($3) and (matched_from > $2 or matched_until > $2)
    union
    select l.id from unnest($4::uuid[], $5::text[]) b (statement_id, name) join ${schema}.lines l on l.statement_id = b.statement_id and l.group_name = b.name)`;
  const { rows: sources } = await tx.query<{ batch_source: string }>(
    `select distinct batch_source from ${schema}.day_rows r where r.source = $1 and r.movement = 'BATCH' and ${HOLDS}`,
    [source],
  );
  const batches = [...ended, ...added];
  const values = [
    ...[source, last.ordinal, sources.map(({ batch_source }) => batch_source)],
    ...[batches.map(({ batch_statement }) => batch_statement), batches.map(({ batch }) => batch), ordinal],
  ];
  await tx.query({
    name: `${schema} day rows: free items`,
    text: `with ${touched}
           update ${schema}.booked_items k set booked_until = $6::int8 from touched t
            where k.line_id = t.line_id and k.booked_until is null and $1::text is not null`,
    values,
  });
  const { rowCount } = await tx.query({
    name: `${schema} day rows: book items`,
    text: `with ${touched}
           insert into ${schema}.booked_items (item, line_id, booked_from)
           select m.item, m.line_id, $6::int8
             from touched t
             join ${schema}.matches m on m.line_id = t.line_id and m.item is not null and m.matched_until is null
             join ${schema}.lines l on l.id = m.line_id
             join ${schema}.day_rows r on r.batch_statement = l.statement_id and r.batch = l.group_name and r.source = $1 and r.movement = 'BATCH' and ${HOLDS}
            where not exists (select from ${schema}.day_rows u where ${isUnremitted('u')})`,
    values,
  });
  await lookAnew(tx, schema, 'booked_items', rowCount ?? 0);
}
