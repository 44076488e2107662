import type { PoolClient } from 'pg';
import { ROWS_PER_PART } from '../../../src/ledger/events/day-close.events.js';
import { derivedId } from '../../../src/ledger/ids/idempotency.js';
import { firstFree } from '../break-id.js';
import { differences } from './day-differences.js';
import {
  bookingOf,
  dayRowsTable,
  end,
  heldColumns,
  heldOf,
  HOLDS,
  isClaimed,
  isSame,
  IS_DIFFERENCE,
  rowsOfBatch,
  rowsOfLine,
  type Booking,
  type Closing,
  type Held,
  type Row,
  type Stored,
} from './day-rows-table.js';
import { bookOwed } from '../matches/owed-sums.js';
import { addInPieces, batchesNamed, correctStatistics, linesOfGroup, lookUp } from '../planning.js';
import type { Tick } from './tick.js';

/**
 * Writes the rows that the close books: new lines up to its day, and reversals of booked rows that no longer hold. Items that operators have resolved
 * stay as booked. The bank's lines are read twice and in pieces, because there may be a million of them: first for the rows that end, and then for the
 * rows that are added, which follow. @returns the number of rows and parts
 */
export async function addDayRows(tx: PoolClient, schema: string, tick: Tick, closing: Closing): Promise<{ rows: number; parts: number }> {
  await openBankLines(tx, schema, tick, closing);
  const ended: Held[] = [];
  const batches: Booking[] = [];
  for await (const piece of changedLines(tx)) {
    ended.push(...piece.flatMap(({ held }) => (held ? [held] : [])));
    batches.push(...piece.flatMap(({ now }) => (now.movement === 'BATCH' ? [now] : [])));
  }
  await end(tx, schema, tick, closing, ended);
  const endedBatches = ended.filter(({ movement }) => movement === 'BATCH');
  const remitted = await remittedLines(tx, schema, tick, closing, endedBatches);
  await end(tx, schema, tick, closing, remitted.ended);
  const taken = [...ended, ...remitted.ended].map(({ n: _, place: __, is_final: ___, ...row }): NewRow => ({ ...row, reversed: true }));
  const unremitted = [...remitted.added, ...(await unremittedLines(tx, schema, tick, batches))];
  await hold(tx, schema, ended, false);
  const book = new BookOfDay(tx, schema, tick, closing);
  await book.add(mergedRows(tx, [...taken, ...unremitted.map((row): NewRow => ({ ...row, reversed: false, item_id: null }))]));
  await tx.query(`close ${LINES_CURSOR}`);
  await bookItems(tx, schema, tick, closing, { ended: endedBatches, added: batches });
  await book.add([sorted(await differences(tx, schema, tick, closing))]);
  return { rows: book.place, parts: book.part };
}

/** A row without its place, and without the item that it is in suspense. */
type NewRow = Omit<Row, 'source' | 'n' | 'place' | 'part' | 'ended_n'>;

/** Rows by currency; within a currency reversals first, then in the order of the log. */
const order = (a: NewRow, b: NewRow): number =>
  compare(a.currency, b.currency) || compare(!a.reversed, !b.reversed) || compare(Number(a.line_id), Number(b.line_id));
const sorted = (rows: readonly NewRow[]): NewRow[] => [...rows].sort(order);

/** Yields the lines that the close adds, in pieces, with these rows among them, all in order. */
async function* mergedRows(tx: PoolClient, few: readonly NewRow[]): AsyncGenerator<NewRow[]> {
  let left = sorted(few);
  for await (const piece of changedLines(tx)) {
    const lines = piece.map(({ now }): NewRow => ({ ...now, reversed: false, item_id: null }));
    const last = lines.at(-1);
    const at = last ? left.findIndex((row) => order(row, last) > 0) : 0;
    const before = at < 0 ? left : left.slice(0, at);
    left = left.slice(before.length);
    yield sorted([...before, ...lines]);
  }
  yield left;
}

/** Gives rows their places and parts, and writes them. */
class BookOfDay {
  place = 0;
  part = 0;
  #currency = '';
  #inPart = 0;
  /** Ids of items in suspense. */
  readonly #ids = new Set<string>();

  constructor(
    private readonly tx: PoolClient,
    private readonly schema: string,
    private readonly tick: Tick,
    private readonly closing: Closing,
  ) {}

  /** Adds rows in order, behind those that were added before, in new parts. */
  async add(pieces: AsyncIterable<readonly NewRow[]> | Iterable<readonly NewRow[]>): Promise<void> {
    const { tx, schema } = this;
    this.#currency = '';
    for await (const piece of pieces) {
      await addInPieces(
        piece,
        (row) => this.#placed(row),
        (rows) => dayRowsTable.add(tx, schema, rows),
      );
      await hold(
        tx,
        schema,
        piece.filter(({ reversed }) => !reversed),
        true,
      );
    }
    await correctStatistics(tx, schema);
  }

  #placed(row: NewRow): Row {
    const { source } = this.tick;
    const { n } = this.closing;
    if (row.currency !== this.#currency || this.#inPart === ROWS_PER_PART) {
      this.part += 1;
      this.#inPart = 0;
      this.#currency = row.currency;
    }
    this.#inPart += 1;
    this.place += 1;
    const item_id = row.reversed ? row.item_id : itemOf(this.tick, this.closing, row, this.#ids);
    return { ...row, item_id, source, n, place: this.place, part: this.part, ended_n: null };
  }
}

/** Records for payouts and returns whether their line is booked. */
async function hold(tx: PoolClient, schema: string, rows: readonly Booking[], is_held: boolean): Promise<void> {
  const items = rows.flatMap(({ movement, item }) => (movement === 'PAYOUT' || movement === 'RETURN' ? [item] : []));
  if (items.length === 0) return;
  await tx.query({
    name: `${schema} day rows: hold items`,
    text: `update ${schema}.item_states i set is_held = $2 from unnest($1::int8[]) k (ordinal) where i.ordinal = k.ordinal`,
    values: [items, is_held],
  });
}

/** A line without a known owner is an item in suspense. Each close that puts it there creates a separate item. @param ids of items of the close */
function itemOf({ source }: Tick, { n }: Closing, { movement, line_source, line_key, line_id, amount }: Booking, ids: Set<string>): string | null {
  const isOfNobody = movement === 'UNKNOWN' || movement === 'UNREMITTED';
  if (!isOfNobody || amount === 0) return null;
  return firstFree(ids, (more) => derivedId(source, `suspense\0${n}\0${line_source}\0${line_key}${more}`), line_id);
}

const compare = <T>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

interface BankLine {
  readonly now: Booking;
  readonly held: Held | null;
}

const counted = (g: string): string => `${g}.counted_from < $2 and (${g}.counted_until is null or ${g}.counted_until > $2)`;

const LINES_CURSOR = 'lines_of_the_bank';
/** Lines that are read at a time. */
const LINES_TOGETHER = 1_000;

/** Opens the cursor of the bank's lines that concern the close, with their current match and their booked row, by currency and in the order of the log. */
async function openBankLines(tx: PoolClient, schema: string, { source, ordinal }: Tick, { day, last }: Closing): Promise<void> {
  await tx.query({
    text: `declare ${LINES_CURSOR} scroll cursor for
           with touched as (
             select l.id from ${schema}.groups g cross join lateral ${linesOfGroup(schema, 'g.statement_id', 'g.name')} l
              where g.source = $1 and g.number is not null and ${counted('g')} and g.day <= $3 and (g.day > $4 or g.counted_from > $5)
             union select line_id from ${schema}.matches where source = $1 and matched_from > $5
             union select line_id from ${schema}.matches where source = $1 and matched_until > $5
             union select r.line_id from ${schema}.groups g cross join lateral ${rowsOfBatch(schema, 'g.source', 'g.name')} r
                    where g.number is null and g.counted_from > $5 and r.source = $1 and r.movement = 'BATCH'
           )
           select case when m.line_id is null then 'UNKNOWN' when m.batch is not null then 'BATCH' else coalesce(i.kind, 'CHARGE') end as movement,
                  l.id as line_id, l.source as line_source, l.line_key, l.currency, l.amount, coalesce(b.fee, 0) as fee, coalesce(b.tax, 0) as tax,
                  m.batch_source, m.batch, of.statement_id as batch_statement, p.processor, i.id as event_id, i.ordinal as item, ${heldColumns(schema)}
             from touched t
            cross join lateral ${lookUp(`${schema}.lines`, 'id = t.id')} l
             join lateral ${lookUp(`${schema}.groups`, 'statement_id = l.statement_id and name = l.group_name')} g on g.source = $1 and ${counted('g')} and g.day <= $3
             left join lateral ${lookUp(`${schema}.matches`, 'line_id = l.id')} m on m.matched_until is null
             left join lateral ${lookUp(`${schema}.items`, 'ordinal = m.item')} i on true
             left join lateral ${batchesNamed(schema, 'm.batch')} of on of.source = m.batch_source and ${counted('of')}
             left join lateral (select sum(fee)::int8 as fee, sum(tax)::int8 as tax from ${linesOfGroup(schema, 'of.statement_id', 'of.name')} b) b on of.statement_id is not null
             left join lateral (select processor from ${schema}.rules p where p.source = m.batch_source and p.ordinal < $2 order by p.ordinal desc limit 1) p on true
             left join lateral ${rowsOfLine(schema, 'l.id')} r on r.source = $1 and not ${IS_DIFFERENCE} and ${HOLDS}
            order by l.currency, l.id`,
    values: [source, ordinal, day, last.day, last.ordinal],
  });
}

/** Yields the lines of the cursor, from its beginning, that the close books otherwise than they are booked. */
async function* changedLines(tx: PoolClient): AsyncGenerator<BankLine[]> {
  await tx.query(`move absolute 0 in ${LINES_CURSOR}`);
  for (;;) {
    const { rows } = await tx.query<Stored>(`fetch ${LINES_TOGETHER} from ${LINES_CURSOR}`);
    if (rows.length === 0) return;
    const lines = rows.map((row): BankLine => ({ now: bookingOf(row), held: heldOf(row) }));
    yield lines.filter(({ now, held }) => !held || (!held.is_final && !isSame(now, held)));
  }
}

/** Returns the lines without an item in batches that this close is the first to book. */
async function unremittedLines(tx: PoolClient, schema: string, { ordinal }: Tick, batches: readonly Booking[]): Promise<Booking[]> {
  if (batches.length === 0) return [];
  const { rows } = await tx.query<Booking>({
    name: `${schema} day rows: new batches`,
    text: `select ${unremitted} from unnest($1::text[], $3::text[], $4::uuid[], $5::text[]) b (source, name, statement_id, processor)
            cross join lateral ${linesOfGroup(schema, 'b.statement_id', 'b.name')} l
            where coalesce(l.gross, l.amount) <> 0 and not ${hasItem(schema)}
              -- What an operator has resolved before the batch was issued anew is resolved.
              and not exists (select from ${unremittedRows(schema)} r where ${isUnremitted('r')} and ${isClaimed(schema)})`,
    values: [
      ...[batches.map(({ batch_source }) => batch_source), ordinal, batches.map(({ batch }) => batch)],
      ...[batches.map(({ batch_statement }) => batch_statement), batches.map(({ processor }) => processor)],
    ],
  });
  return rows.map(bookingOf);
}

/** Valid rows for a line with the key of `l`, in any file: a batch that is issued again contains the same line again. */
const unremittedRows = (schema: string): string =>
  lookUp(`${schema}.day_rows`, `line_source = l.source and line_key = l.line_key and movement = 'UNREMITTED' and not reversed and ended_n is null`);
const isUnremitted = (r: string): string => `${r}.amount = coalesce(l.gross, l.amount)`;

const unremitted = `'UNREMITTED' as movement, l.id as line_id, l.source as line_source, l.line_key, l.currency, coalesce(l.gross, l.amount) as amount, 0 as fee, 0 as tax,
  b.source as batch_source, b.name as batch, b.statement_id as batch_statement, b.processor, null::uuid as event_id, null::int8 as item`;
const hasItem = (schema: string): string =>
  `exists (select from ${lookUp(`${schema}.matches`, 'line_id = l.id')} m where m.item is not null and m.matched_until is null)`;

/** The booked batch, one of the source `$1`, that contains the line `l`: at most one. */
const bookedBatch = (schema: string): string => `(
  select r.batch_source as source, r.batch as name, r.batch_statement as statement_id, r.processor
    from ${rowsOfBatch(schema, 'l.source', 'l.group_name')} r where r.source = $1 and r.movement = 'BATCH' and r.batch_statement = l.statement_id)`;

/** Common table expression `touched`: lines of processors with a match that has begun or ended after the event `last`. */
const touchedSince = (schema: string, last: string): string => {
  const processors = `array(select distinct source from ${schema}.rules where kind = 'PROCESSOR')`;
  return `touched as (
  select line_id from ${schema}.matches where source = any(${processors}) and matched_from > ${last}
  union
  select line_id from ${schema}.matches where source = any(${processors}) and matched_until > ${last})`;
};

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
    text: `with ${touchedSince(schema, '$3')}
           select ${unremitted}, not ${hasItem(schema)} as is_unremitted, ${heldColumns(schema)}
             from touched t
            cross join lateral ${lookUp(`${schema}.lines`, 'id = t.line_id')} l
            cross join lateral ${bookedBatch(schema)} b
             left join lateral ${unremittedRows(schema)} r on ${isUnremitted('r')}
            where coalesce(l.gross, l.amount) <> 0
           union all
           select ${unremitted}, false, ${heldColumns(schema)}
             from unnest($4::text[], $5::text[], $6::uuid[], $7::text[]) b (source, name, statement_id, processor)
             join lateral ${rowsOfBatch(schema, 'b.source', 'b.name')} r on r.source = $1 and r.movement = 'UNREMITTED'
            cross join lateral ${lookUp(`${schema}.lines`, 'id = r.line_id')} l`,
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

/**
 * Updates booked items: for batches that the close books or takes back, and for lines whose match has changed since the last close, in batches that
 * the source has booked: those of another bank's are booked by its own closes.
 */
async function bookItems(
  tx: PoolClient,
  schema: string,
  { source, ordinal }: Tick,
  { last }: Closing,
  { ended, added }: { readonly ended: readonly Booking[]; readonly added: readonly Booking[] },
): Promise<void> {
  const touched = `${touchedSince(schema, '$2')}, concerned as (
    select l.id as line_id
      from touched t cross join lateral ${lookUp(`${schema}.lines`, 'id = t.line_id')} l cross join lateral ${bookedBatch(schema)} b
    union
    select l.id from unnest($3::uuid[], $4::text[]) b (statement_id, name) cross join lateral ${linesOfGroup(schema, 'b.statement_id', 'b.name')} l
  )`;
  const batches = [...ended, ...added];
  const values = [...[source, last.ordinal, batches.map(({ batch_statement }) => batch_statement)], ...[batches.map(({ batch }) => batch), ordinal]];
  await tx.query({
    name: `${schema} day rows: free items`,
    text: `with ${touched}, booked as (
             select k.item, k.booked_from
               from concerned t cross join lateral ${lookUp(`${schema}.booked_items`, 'line_id = t.line_id and booked_until is null')} k
           ), freed as (
             update ${schema}.booked_items k set booked_until = $5::int8 from booked
              where (k.item, k.booked_from) = (booked.item, booked.booked_from) returning k.item
           )
           ${bookOwed(schema, 'freed', false)}`,
    values,
  });
  await tx.query({
    name: `${schema} day rows: book items`,
    text: `with ${touched}, booked as (
             insert into ${schema}.booked_items (item, line_id, booked_from)
             select m.item, m.line_id, $5::int8
               from concerned t
               join lateral ${lookUp(`${schema}.matches`, 'line_id = t.line_id')} m on m.item is not null and m.matched_until is null
              cross join lateral ${lookUp(`${schema}.lines`, 'id = m.line_id')} l
              cross join lateral ${bookedBatch(schema)} r
              where not exists (select from ${unremittedRows(schema)} u where ${isUnremitted('u')})
             returning item
           )
           ${bookOwed(schema, 'booked', true)}`,
    values,
  });
}
