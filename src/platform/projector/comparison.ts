import { hash } from 'node:crypto';
import type { ClientBase } from 'pg';
import { spread } from '../async/spread.js';
import type { MeantDifference } from './projection.js';

type Db = Pick<ClientBase, 'query'>;

/** Maximum differences of one table that are listed; all are counted. */
export const NAMED_DIFFERENCES_MAX = 20;

/** One row that is not the same in both builds. */
export interface Difference {
  /** Columns of the primary key, as text. */
  readonly key: Readonly<Record<string, string>>;
  /** `missing`: not in the live table. `extra`: in the live table only. */
  readonly kind: 'changed' | 'missing' | 'extra';
  /** All of its columns as text: as computed from the events, or as they are live when the events give no such row. */
  readonly row: Readonly<Record<string, string | null>>;
  /** The columns that differ, as text; none for a row that is in one table only. */
  readonly columns: readonly { readonly column: string; readonly live: string | null; readonly rebuilt: string | null }[];
}

export interface TableComparison {
  readonly name: string;
  /** Number of rows of the live table. */
  readonly rows: number;
  /** Digest of all rows, independent of their order: 128 bits, hexadecimal. Without columns that are meant to differ. */
  readonly digest: string;
  readonly rebuilt_digest: string;
  /** Number of rows that differ. */
  readonly differences: number;
  /** Digest of all of them with their live values and those computed from the events, independent of their order: 128 bits, hexadecimal. */
  readonly differences_digest: string;
  /** The first of them by key, at most NAMED_DIFFERENCES_MAX. */
  readonly found: readonly Difference[];
  /** Set for a table whose version was raised for it: further rows, which differ as they are meant to. */
  readonly meant?: MeantSum;
}

/** Rows that differ as they are meant to, and the sum of their differences. */
export interface MeantSum {
  readonly words: string;
  readonly rows: number;
  /** A decimal number. */
  readonly sum: string;
}

/** How builds of two versions are compared: see Bridge. */
export interface Bridging {
  readonly views: Readonly<Record<string, string>>;
  readonly meant: Readonly<Record<string, MeantDifference>>;
}

/** Settings of the transaction that compares: room for hash joins of large tables. */
const SETTINGS = `set local work_mem = '64MB'; set local enable_nestloop = off`;

/**
 * Compares every table of two builds row by row. Each of `dbs` is in a transaction that sees both at the same ordinal, and takes the largest table
 * that is left.
 * Each side of a table is read once and its rows' hashes are added up: when count and sums are the same, so are the rows. Only when they are not, or
 * some rows may differ, rows are joined by their primary key, so that a join of millions of rows is the exception, and narrow. The hashes are
 * Postgres's own, of values as they are stored: that costs a quarter of writing each row as text and taking its MD5.
 */
export async function compareBuilds(dbs: readonly [Db, ...Db[]], live: string, rebuilt: string, bridging?: Bridging): Promise<TableComparison[]> {
  // When the versions differ, the compared rows are those of the live tables, as they are defined there.
  const tables = await tablesOf(dbs[0], bridging ? live : rebuilt);
  const keyless = tables.find(({ key }) => key.length === 0);
  if (keyless) {
    throw new Error(
      `${keyless.name} of projection ${live} has no primary key, so its rows cannot be compared: run "drop schema ${live} cascade" in the ` +
        `database, then "projections rebuild ${live}"`,
    );
  }
  for (const db of dbs) await db.query(SETTINGS);
  const found = bridging ? tables : await tablesOf(dbs[0], live, 'c.relname');
  const comparisons = tables.map((table) => {
    const view = bridging?.views[table.name];
    const sources: Sources = { live: liveSource(live, table, found), rebuilt: view === undefined ? `${rebuilt}.${table.name}` : `(${view})` };
    return { table, sources, meant: bridging?.meant[table.name], summed: {} as Record<keyof Sources, Summed> };
  });
  const sides = comparisons.flatMap(({ table, sources, meant, summed }) =>
    (['live', 'rebuilt'] as const).map((side) => async (db: Db) => {
      summed[side] = await sumRows(db, sources[side], table, meant);
    }),
  );
  await spread(dbs, sides);
  const compared: TableComparison[] = [];
  const joins = comparisons.map(({ table, sources, meant, summed }) => async (db: Db) => {
    const { rows, digest } = summed.live;
    const isSame = !meant && digest === summed.rebuilt.digest;
    const differing = isSame ? NOTHING_DIFFERS : await findDifferences(db, sources, table, meant);
    compared.push({ name: table.name, rows, digest, rebuilt_digest: summed.rebuilt.digest, ...differing });
  });
  await spread(dbs, joins);
  return compared.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Returns the rows of the live table that are compared: a column that it has lost, or that has another type, has no values, and a table that was
 * lost, or whose key was, has no rows.
 */
function liveSource(schema: string, { name, columns, types, key }: Table, found: readonly Table[]): string {
  const live = found.find((each) => each.name === name);
  const isThere = (column: string): boolean => {
    const place = live?.columns.indexOf(column) ?? -1;
    return place >= 0 && live!.types[place] === types[columns.indexOf(column)];
  };
  if (columns.every(isThere)) return `${schema}.${name}`;
  const values = columns.map((column, place) => (isThere(column) ? column : `null::${types[place]} as ${column}`));
  if (key.every(isThere)) return `(select ${values.join(', ')} from ${schema}.${name})`;
  return `(select ${columns.map((column, place) => `null::${types[place]} as ${column}`).join(', ')} where false)`;
}

/** Source of a table's rows, on either side. */
interface Sources {
  readonly live: string;
  readonly rebuilt: string;
}

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** Type of each column. */
  readonly types: readonly string[];
  /** Columns of the primary key, in its order. */
  readonly key: readonly string[];
}

/** @param order default: the largest first, which waits for any session that holds one of them. */
async function tablesOf(db: Db, schema: string, order = 'pg_relation_size(c.oid) desc'): Promise<Table[]> {
  const { rows } = await db.query<Table>(
    `select c.relname as name,
            array(select quote_ident(attname) from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped order by attnum) as columns,
            array(select format_type(atttypid, null) from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped order by attnum) as types,
            array(select quote_ident(a.attname) from pg_index i cross join unnest(i.indkey) with ordinality k (attnum, place)
                    join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
                   where i.indrelid = c.oid and i.indisprimary order by k.place) as key
       from pg_class c
      where c.relnamespace = $1::regnamespace and c.relkind = 'r' and c.relname not in ('checkpoint', 'bridge')
      order by ${order}`,
    [schema],
  );
  return rows;
}

/** Types whose values look the same when their hashes are the same. */
const HASHED_AS_STORED: ReadonlySet<string> = new Set([
  'boolean',
  'smallint',
  'integer',
  'bigint',
  'uuid',
  'text',
  'timestamp with time zone',
  'bytea',
]);

/** Returns the part of a column of `t` that goes into a row's hash: every visible difference changes it. */
function hashedPart(column: string, type: string): string {
  if (HASHED_AS_STORED.has(type)) return `t.${column}`;
  // 1 and 1.0 have the same hash; the hash of an array leaves out its bounds.
  return type === 'numeric' ? `t.${column}, scale(t.${column})` : `t.${column}::text`;
}

/** The two halves of 128 bits. */
const HALVES = [0, 1];

/** All rows of one side of a table. */
interface Summed {
  readonly rows: number;
  readonly digest: string;
}

/** Returns the parts of a row that must not differ, for its hash. */
function hashedParts({ columns, types }: Table, meant?: MeantDifference): string {
  const mayDiffer = meant?.columns ?? [];
  return columns.flatMap((column, place) => (mayDiffer.includes(column) ? [] : [hashedPart(column, types[place]!)])).join(', ');
}

/**
 * Hashes each row to 64 bits, and all of them to 128: sums, which do not depend on the order of the rows and need no sorting. A record's hash is
 * itself a sum over its columns, so two rows that exchange values would leave the sum unchanged: each row's hash is hashed once more.
 */
async function sumRows(db: Db, source: string, table: Table, meant?: MeantDifference): Promise<Summed> {
  const sums = HALVES.map((half) => `coalesce(sum(hashint8extended(hash, ${half})), 0)`).join(', ');
  const { rows } = await db.query<{ rows: string; digest: string }>(
    `select count(*)::text as rows, md5(concat_ws(':', count(*), ${sums})) as digest
       from (select hash_record_extended(row(${hashedParts(table, meant)}), 0) as hash from ${source} t) hashed`,
  );
  return { rows: Number(rows[0]!.rows), digest: rows[0]!.digest };
}

type Differing = Pick<TableComparison, 'differences' | 'differences_digest' | 'found' | 'meant'>;

/** The result of `findDifferences` when nothing differs. */
const NOTHING_DIFFERS: Differing = { differences: 0, differences_digest: hash('md5', HALVES.map(() => 0).join(':')), found: [] };

async function findDifferences(db: Db, sources: Sources, table: Table, meant?: MeantDifference): Promise<Differing> {
  const list = table.key.join(', ');
  const mayDiffer = meant?.columns ?? [];
  const halves = HALVES.map((half) => `hash_record_extended(row(${hashedParts(table, meant)}), ${half}) as hash_${half}`);
  const hashed = (source: string): string => `(select ${[list, ...mayDiffer, ...halves].join(', ')} from ${source} t)`;
  const joined = `${hashed(sources.live)} live full join ${hashed(sources.rebuilt)} rebuilt using (${list})`;
  const isOther = HALVES.map((half) => `live.hash_${half} is distinct from rebuilt.hash_${half}`).join(' or ');
  const valuesOf = (side: string): string => `row(${mayDiffer.map((column) => `${side}.${column}`).join(', ')})`;
  const isOtherwise = meant ? `${valuesOf('live')} is distinct from ${valuesOf('rebuilt')}` : 'false';
  const differs = `(${isOther}) or (${isOtherwise} and (${meant?.when ?? 'false'}) is not true)`;
  const { rows } = await db.query<{ differences_digest: string; differences: bigint; meant: bigint; sum: string }>(
    `select ${digestOfDifferences(table, mayDiffer)} as differences_digest,
            count(*) filter (where differs) as differences, count(*) filter (where is_otherwise and not differs) as meant,
            coalesce(sum(${meant?.sum ?? 0}) filter (where is_otherwise and not differs), 0)::text as sum
       from ${joined} cross join lateral (select ${differs} as differs, ${isOtherwise} as is_otherwise) d`,
  );
  const { differences_digest, sum } = rows[0]!;
  const differences = Number(rows[0]!.differences);
  const found = differences === 0 ? [] : await nameDifferences(db, sources, table, `${joined} where ${differs}`);
  return { differences, differences_digest, found, ...(meant && { meant: { words: meant.words, rows: Number(rows[0]!.meant), sum } }) };
}

/** Digests each row that differs by its key and both of its sides; columns that must not differ are represented by their hashes alone. */
function digestOfDifferences({ key }: Table, mayDiffer: readonly string[]): string {
  const sides = ['live', 'rebuilt'].flatMap((side) => [...HALVES.map((half) => `hash_${half}`), ...mayDiffer].map((column) => `${side}.${column}`));
  const row = `array[${[...key, ...sides].map((column) => `${column}::text`).join(', ')}]::text`;
  return `md5(concat_ws(':', ${HALVES.map((half) => `coalesce(sum(hashtextextended(${row}, ${half})) filter (where differs), 0)`).join(', ')}))`;
}

/** Returns the SHA-256, hexadecimal, of all differences in the tables of a projection. An operator accepts these differences, and no others. */
export function differencesDigest(tables: readonly TableComparison[]): string {
  const differing = tables
    .filter(({ differences }) => differences > 0)
    .map(({ name, differences, differences_digest }) => `${name} ${differences} ${differences_digest}\n`);
  return hash('sha256', differing.sort().join(''));
}

async function nameDifferences(db: Db, { live, rebuilt }: Sources, { columns, key }: Table, differing: string): Promise<Difference[]> {
  const list = key.join(', ');
  const texts = (from: readonly string[], table: string): string => `array[${from.map((column) => `${table}.${column}::text`).join(', ')}]`;
  const on = (table: string): string => key.map((column) => `${table}.${column} = d.${column}`).join(' and ');
  const { rows } = await db.query<{ key: string[]; live: string[] | null; rebuilt: string[] | null }>(
    `select ${texts(key, 'd')} as key,
            (select ${texts(columns, 'a')} from ${live} a where ${on('a')} limit 1) as live,
            (select ${texts(columns, 'b')} from ${rebuilt} b where ${on('b')}) as rebuilt
       from (select ${list} from ${differing} order by ${list} limit ${NAMED_DIFFERENCES_MAX}) d
      order by ${key.map((column) => `d.${column}`).join(', ')}`,
  );
  return rows.map((row) => ({
    key: Object.fromEntries(key.map((column, place) => [column, row.key[place]!])),
    kind: row.live === null ? 'missing' : row.rebuilt === null ? 'extra' : 'changed',
    row: Object.fromEntries(columns.map((column, place) => [column, (row.rebuilt ?? row.live)![place]!])),
    columns: columns.flatMap((column, place) => {
      const [was, is] = [row.live?.[place] ?? null, row.rebuilt?.[place] ?? null];
      return row.live === null || row.rebuilt === null || was === is ? [] : [{ column, live: was, rebuilt: is }];
    }),
  }));
}
