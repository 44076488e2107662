import type { ClientBase, PoolClient } from 'pg';
import type { LedgerReadModel, LoggedEvent } from '../../src/ledger/read-model.js';
import { channelNumber } from './charge-blocks.js';
import { Table, type RowOf } from '../../src/platform/postgres/binary/table.js';
import { buildSegment, FIELD_END, foldCase, intersect, keysOf, SEGMENT_SIZE } from './search-segments.js';

const sizesTable = new Table('search_sizes', { merchant_id: 'uuid primary key', texts: 'integer not null' }, [], 'with (fillfactor = 50)');
const textsTable = new Table(
  'search_texts',
  {
    merchant_id: 'uuid not null',
    /** Counts the merchant's charges from 0 in the order of the log. */
    number: 'integer not null',
    charge_id: 'uuid not null',
    created_on: 'timestamptz not null',
    amount: 'bigint not null',
    /** Number of the channel (charge-blocks.ts). */
    channel: 'smallint not null',
    /** Code, reference_id and description, case-folded. */
    text: 'text collate "C" not null',
  },
  ['primary key (merchant_id, number)'],
);
const segmentsTable = new Table(
  'search_segments',
  {
    merchant_id: 'uuid not null',
    segment: 'integer not null',
    first_key: 'integer not null',
    keys: 'integer[] not null',
    ends: 'integer[] not null',
    lists: 'bytea not null',
  },
  ['primary key (merchant_id, segment, first_key)'],
  // Two rows fill a page, and none is moved to TOAST.
  'with (toast_tuple_target = 8160)',
);

/**
 * The searchable text of each charge, in a separate table. A row is written once and never changes, and also has the other unchangeable columns that
 * lists filter and sort by. A merchant's texts are numbered in the order of the log, and each full segment of them gets an index. The newest texts,
 * which are all texts of a small merchant, are scanned.
 */
export const search: LedgerReadModel = {
  name: 'search',
  version: 1,
  ddl: (schema) => [sizesTable, textsTable, segmentsTable].map((table) => table.ddl(schema)).join('\n'),
  // Indexes for searches across merchants. In this table a charge adds only one entry to each of them.
  indexes: (schema) => [
    `create index search_texts_by_code on ${schema}.search_texts ((${CODE_KEY}))`,
    `create index search_texts_by_reference on ${schema}.search_texts ((${REFERENCE}))`,
  ],

  async apply(tx, schema, batch) {
    const texts = batch.flatMap(textOfCharge);
    if (texts.length === 0) return;
    const sizes = await grow(tx, schema, texts);
    const numbered = texts.map((text): TextRow => ({ ...text, number: sizes.get(text.merchant_id)!.next++ }));
    await textsTable.add(tx, schema, numbered);
    for (const [merchantId, { before, next }] of sizes) {
      for (let segment = segmentsOf(before); segment < segmentsOf(next); segment++) await indexSegment(tx, schema, merchantId, segment);
    }
  },
};

/** The prefix of every code, folded. */
const CODE_BEGINNING = 'chg_';
/**
 * Indexed part of the 16 characters after the prefix. The last one adds nothing, because the characters are random, and would cost 8 bytes per entry.
 */
const CODE_KEY_LENGTH = 15;
const CODE_KEY = `substr(text, ${CODE_BEGINNING.length + 1}, ${CODE_KEY_LENGTH})`;
const REFERENCE = `split_part(text, E'\\x01', 2)`;

type TextRow = RowOf<(typeof textsTable)['definitions']>;

const sizeColumns = sizesTable.parameters(['merchant_id', 'texts'], 'rows');

/** Number of full segments. */
export const segmentsOf = (texts: number): number => Math.floor(texts / SEGMENT_SIZE);

/** Only ChargeCreated has the texts of a charge; other events do not change them. */
function textOfCharge(event: LoggedEvent): Omit<TextRow, 'number'>[] {
  if (event.type !== 'ChargeCreated') return [];
  const { merchant_id, charge_id, created_on, amount, channel_code, currency, code, reference_id, description } = event.data;
  const channel = channelNumber(channel_code, currency);
  return [{ merchant_id, charge_id, created_on, amount, channel, text: searchedText(code, reference_id, description) }];
}

function searchedText(code: string, referenceId: string, description: string | null): string {
  return foldCase([code, referenceId, description ?? ''].join(FIELD_END));
}

/** Reserves numbers for the batch's texts. Returns the number of texts that the merchant had, and the number of its next one. */
async function grow(
  tx: PoolClient,
  schema: string,
  texts: readonly { readonly merchant_id: string }[],
): Promise<Map<string, { readonly before: number; next: number }>> {
  const added = new Map<string, number>();
  for (const { merchant_id } of texts) added.set(merchant_id, (added.get(merchant_id) ?? 0) + 1);
  const { rows } = await tx.query<{ merchant_id: string; texts: number }>({
    name: `${schema} search: grow`,
    text: `insert into ${schema}.search_sizes as s (${sizeColumns.list}) select ${sizeColumns.list} from ${sizeColumns.rows}
           on conflict (merchant_id) do update set texts = s.texts + excluded.texts returning s.merchant_id, s.texts`,
    values: sizeColumns.values([...added].map(([merchant_id, count]) => ({ merchant_id, texts: count }))),
  });
  return new Map(
    rows.map(({ merchant_id, texts: after }) => [merchant_id, { before: after - added.get(merchant_id)!, next: after - added.get(merchant_id)! }]),
  );
}

/** Builds the index of a full segment. */
export async function indexSegment(tx: ClientBase, schema: string, merchantId: string, segment: number): Promise<void> {
  const { rows } = await tx.query<{ text: string }>({
    name: `${schema} search: texts of a segment`,
    text: `select text from ${schema}.search_texts where merchant_id = $1 and number >= $2 and number < $3 order by number`,
    values: [merchantId, segment * SEGMENT_SIZE, (segment + 1) * SEGMENT_SIZE],
  });
  const built = buildSegment(rows.map(({ text }) => text)).map((row) => ({ merchant_id: merchantId, segment, ...row }));
  await segmentsTable.add(tx, schema, built);
}

// --- reading ----------------------------------------------------------------------------------------------------------

/** Maximum keys of a longer text that are looked up: that many exclude nearly all texts that can be excluded. */
const KEYS_ASKED_MAX = 6;
/** A list of up to this many bytes is returned with its length. */
const SHORT_LIST_BYTES = 128;
/** Number of lists that are read from a segment without a short one. */
const LONG_LISTS_READ = 3;
/** With more candidates than this, all texts are scanned. */
const CANDIDATES_MAX = 250_000;

/** Up to this many matches get their rows one by one, in half a second. */
const LOOKED_UP_MAX = 100_000;

/** Texts of a merchant that may contain the searched text. All of them must be compared. */
export interface Candidates {
  /** Numbers below `from`. */
  readonly numbers: readonly number[];
  /** This and all later numbers are candidates. 0: no index helps, and every text is scanned. */
  readonly from: number;
  /** Number of all candidates. */
  readonly count: number;
}

/** Returns the folded text to search for; undefined when nothing can match. */
export function searchedPart(text: string): string | undefined {
  const folded = foldCase(text);
  return folded.includes(FIELD_END) || folded.includes('\0') ? undefined : folded;
}

/** True when a charge's texts contain `part`, which `searchedPart` returned. */
export function holdsText(
  charge: { readonly code: string; readonly reference_id: string; readonly description: string | null },
  part: string,
): boolean {
  return searchedText(charge.code, charge.reference_id, charge.description).includes(part);
}

/**
 * Returns ids of charges of any merchant whose code, with or without CHG_, or reference begins with `text`, case-insensitive. Codes come first; each
 * group is sorted, so that exact matches precede longer ones. At most `limit`.
 */
export async function findChargesNamed(db: Pick<ClientBase, 'query'>, text: string, limit: number): Promise<string[]> {
  const part = searchedPart(text);
  if (part === undefined || part === '') return [];
  const code = part.startsWith(CODE_BEGINNING) ? part.slice(CODE_BEGINNING.length) : part;
  const { rows } = await db.query<{ charge_id: string }>(NAMED, [
    ...rangeOf(Array.from(code).slice(0, CODE_KEY_LENGTH).join('')),
    CODE_BEGINNING + code,
    ...rangeOf(part),
    limit,
  ]);
  return rows.map(({ charge_id }) => charge_id);
}

// The part of a code after its key is compared at the end: a filter inside would make the planner collect and sort a whole range.
const NAMED = `
select charge_id from (
  (select charge_id, text, 1 as place, ${CODE_KEY} as key from ledger.search_texts
    where ${CODE_KEY} >= $1 and ${CODE_KEY} < $2 order by ${CODE_KEY} limit $6)
  union all
  (select charge_id, text, 2, ${REFERENCE} from ledger.search_texts
    where ${REFERENCE} >= $4 and ${REFERENCE} < $5 order by ${REFERENCE} limit $6)
) named where place = 2 or starts_with(text, $3) group by charge_id order by min(place), min(key), charge_id limit $6`;

/** Returns the bounds of texts with this prefix, in the order of code points. */
const rangeOf = (prefix: string): [from: string, to: string] => [prefix, `${prefix}\u{10ffff}`];

/** Returns a table expression for the merchant's texts that contain the searched part; $1 is the merchant, the others are names of parameters. */
export function matchingTexts(parameters: { readonly numbers: string; readonly from: string; readonly part: string }): string {
  const texts = `select charge_id, created_on, amount, channel from ledger.search_texts where merchant_id = $1 and strpos(text, ${parameters.part}) > 0`;
  return `(${texts} and number = any(${parameters.numbers}::integer[]) union all ${texts} and number >= ${parameters.from}::integer)`;
}

/**
 * Joins the charge of each match, as `c`, if it is in one of `cells`. On a table that was never analyzed, the planner compares every match with every
 * row of the cells: half a minute for 10,000 charges. With few matches the rows are therefore read one by one, independent of the planner's
 * estimates. With more matches the table is large enough to have statistics.
 */
export function rowsOfMatches({ count }: Candidates, cells: string): string {
  const isMerchants = 'merchant_id = $1';
  if (count > LOOKED_UP_MAX) return `join ledger.charges c on c.id = m.charge_id and c.${isMerchants} and c.cell = any(${cells})`;
  return `join lateral (select cell from ledger.charges where id = m.charge_id and ${isMerchants} offset 0) c on c.cell = any(${cells})`;
}

export async function findCandidates(db: Pick<ClientBase, 'query'>, merchantId: string, part: string): Promise<Candidates> {
  const { rows } = await db.query<{ texts: number }>({
    name: 'search: size',
    text: 'select texts from ledger.search_sizes where merchant_id = $1',
    values: [merchantId],
  });
  const texts = rows[0]?.texts ?? 0;
  const everyText = { numbers: [], from: 0, count: texts };
  const keys = spread(keysOf(part), KEYS_ASKED_MAX);
  const segments = segmentsOf(texts);
  if (keys.length === 0 || segments === 0) return everyText;

  const found = await listsOf(db, merchantId, segments, keys);
  const numbers: number[] = [];
  for (const [segment, lists] of found) {
    for (const number of intersect(lists)) numbers.push(segment * SEGMENT_SIZE + number);
    if (numbers.length > CANDIDATES_MAX) return everyText;
  }
  const from = segments * SEGMENT_SIZE;
  return { numbers, from, count: numbers.length + texts - from };
}

/** Returns `count` of `items`, evenly spread. */
function spread<T>(items: readonly T[], count: number): T[] {
  if (items.length <= count) return [...items];
  return Array.from({ length: count }, (_, i) => items[Math.round((i * (items.length - 1)) / (count - 1))]!);
}

interface FoundList {
  readonly segment: number;
  readonly key: number;
  readonly bytes: number;
  /** Only for a short list. */
  readonly list: Buffer | null;
}

/** Returns the lists to intersect for each segment that has all of `keys`. */
async function listsOf(db: Pick<ClientBase, 'query'>, merchantId: string, segments: number, keys: readonly number[]): Promise<Map<number, Buffer[]>> {
  const { rows } = await db.query<FoundList>({
    name: 'search: short lists',
    text: `${FIND_LIST} select segment, key, bytes, case when bytes <= ${SHORT_LIST_BYTES} then substring(lists from begins + 1 for bytes) end as list from found`,
    values: [
      merchantId,
      ...pairs(
        Array.from({ length: segments }, (_, segment) => segment),
        keys,
      ),
    ],
  });
  const bySegment = new Map<number, FoundList[]>(rows.map(({ segment }) => [segment, []]));
  for (const row of rows) bySegment.get(row.segment)!.push(row);
  const lists = new Map<number, Buffer[]>();
  const long: FoundList[] = [];
  for (const [segment, found] of bySegment) {
    if (found.length < keys.length) continue;
    const short = found.flatMap(({ list }) => (list === null ? [] : [list]));
    lists.set(segment, short);
    if (short.length === 0) long.push(...found.sort((a, b) => a.bytes - b.bytes).slice(0, LONG_LISTS_READ));
  }
  if (long.length > 0) {
    const { rows: more } = await db.query<{ segment: number; list: Buffer }>({
      name: 'search: long lists',
      text: `${FIND_LIST} select segment, substring(lists from begins + 1 for bytes) as list from found`,
      values: [merchantId, long.map(({ segment }) => segment), long.map(({ key }) => key)],
    });
    for (const { segment, list } of more) lists.get(segment)!.push(list);
  }
  return lists;
}

/** Returns every key with every segment, as two columns. */
function pairs(segments: readonly number[], keys: readonly number[]): [segments: number[], keys: number[]] {
  return [segments.flatMap((segment) => keys.map(() => segment)), segments.flatMap(() => keys)];
}

/** `found`: the requested pairs of segment and key that exist. */
const FIND_LIST = `
with found as (
  select a.segment, a.key, coalesce(r.ends[p.place - 1], 0) as begins, r.ends[p.place] - coalesce(r.ends[p.place - 1], 0) as bytes, r.lists
    from unnest($2::integer[], $3::integer[]) as a(segment, key)
   cross join lateral (select keys, ends, lists from ledger.search_segments
      where merchant_id = $1 and segment = a.segment and first_key <= a.key order by first_key desc limit 1) r
   cross join lateral (select array_position(r.keys, a.key) as place) p
   where p.place is not null)`;
