import type { PoolClient } from 'pg';
import { moment, type Span } from './charge-ranges.js';
import { alongTime, chargeColumns, CHARGES, chargesOf, eachOf } from './charge-reads.js';
import type { ChargeRow } from './charges-table.js';

/**
 * Finds a page by amount or status in a date range of very many charges. No index has that order, and sorting all rows takes most of a second.
 * Therefore two keys are guessed, one before the page and one after it. One pass over the index by time counts the rows before the first key, and
 * only the rows between the two are sorted. The count proves whether the page is between the keys, so a wrong guess costs time and never returns a
 * wrong page.
 */

/** Order within a group. In a list by status each group has one status, so only the id is left. */
export const ORDER_KEYS = { created_on: ['created_on', 'id'], amount: ['amount', 'id'], status: ['id'] } as const;

/** A page among the charges of some cells in a date range. */
export interface PlaceInRange {
  readonly merchantId: string;
  readonly cells: readonly number[];
  /** Number of charges of these cells in all date ranges. */
  readonly charges: number;
  readonly span: Span;
  /** Number of charges of these cells in the date range. */
  readonly size: number;
  readonly order_by: 'amount' | 'status';
  readonly descending: boolean;
  readonly offset: number;
  readonly limit: number;
}

/** Columns of the order, as text. */
type Key = Readonly<Record<'amount' | 'id', string>>;

const LOWEST: Key = { amount: '0', id: '00000000-0000-0000-0000-000000000000' };
const HIGHEST: Key = { amount: '9223372036854775807', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };
const TYPES = { amount: 'bigint', id: 'uuid' } as const;

export interface Guess {
  /** Number of charges that are read to guess amounts. */
  readonly sampled: number;
  /** Distance of a guessed key from the page, in standard deviations. With 3.5, one page in two thousand is missed. */
  readonly deviations: number;
}

/**
 * Returns the rows of the page in their order; undefined when the page is not between the guessed keys.
 * @param patience options of the statement that may take long
 */
export async function selectRows(
  db: PoolClient,
  place: PlaceInRange,
  guess: Guess,
  patience: { readonly query_timeout: number },
): Promise<ChargeRow[] | undefined> {
  const { order_by, descending, offset, limit, merchantId, span } = place;
  const [first, last] = order_by === 'amount' ? await guessAmounts(db, place, guess) : guessIds(place, guess);
  const keys = ORDER_KEYS[order_by];
  const values: unknown[] = [merchantId, moment(span.start), moment(span.end)];
  const key = `(${keys.join(', ')})`;
  const bound = (of: Key): string => `(${keys.map((column) => `$${values.push(of[column])}::${TYPES[column]}`).join(', ')})`;
  const [before, after] = descending ? ['>', '<'] : ['<', '>'];
  const isBefore = `${key} ${before} ${bound(first)}`;
  const order = (table: string): string => `order by ${keys.map((column) => `${table}.${column} ${descending ? 'desc' : 'asc'}`).join(', ')}`;
  const { rows } = await db.query<ChargeRow & { before: bigint; up_to: bigint }>({
    text: `
      with near as materialized (
        select n.* from ${eachOf(place.cells)} cross join lateral (
          select count(*) filter (where ${isBefore}) as before, count(*) as up_to,
                 ${keys.map((column) => `array_agg(${column}) filter (where not ${isBefore}) as ${column}`).join(', ')}
            from ${alongTime(keys.join(', '), 'cells.cell')} r where not ${key} ${after} ${bound(last)}) n),
      counted as materialized (select sum(before)::bigint as before, sum(up_to)::bigint as up_to from near),
      page as (
        select n.id from near, unnest(${keys.map((column) => `near.${column}`).join(', ')}) n (${keys.join(', ')})
         ${order('n')} limit ${limit} offset (select greatest(${offset} - before, 0) from counted))
      select counted.before, counted.up_to, ${chargeColumns('c')}
        from counted left join (page ${chargesOf('page')}) on true ${order('c')}`,
    values,
    ...patience,
  });
  const isBetween = Number(rows[0]!.before) <= offset && offset + limit <= Number(rows[0]!.up_to);
  return isBetween ? rows : undefined;
}

/**
 * Guesses two keys around the page from the amounts of a sample of the range: the charges with the lowest ids. Ids are hashes, so the sample is
 * random.
 */
async function guessAmounts(db: PoolClient, place: PlaceInRange, { sampled, deviations }: Guess): Promise<[first: Key, last: Key]> {
  const { merchantId, cells, span, charges, size, descending, offset, limit } = place;
  const direction = descending ? 'desc' : 'asc';
  const share = sampled / charges;
  const ofCell = (cell: number): string =>
    `(select amount, id from ${CHARGES} where merchant_id = $1 and cell = ${cell} and created_on >= $2 and created_on < $3 and id < $4 order by id offset 0)`;
  const { rows } = await db.query<Key>({
    text: `select amount::text, id from (${cells.map(ofCell).join(' union all ')}) c order by c.amount ${direction}, c.id ${direction}`,
    values: [merchantId, moment(span.start), moment(span.end), idAt(share)],
  });
  // Charges of one amount are sorted by id, and the sample has only the lowest ids. They are therefore scaled to the range of all ids.
  const sample = rows.map(({ amount, id }) => ({ amount, id: idAt(shareBelow(id) / Math.min(1, share)) }));
  const at = (row: number, side: 1 | -1): number => (row / size) * sample.length + side * deviations * deviation(sample.length, row / size);
  return [
    sample[Math.floor(at(offset, -1))] ?? (descending ? HIGHEST : LOWEST),
    sample[Math.ceil(at(offset + limit, 1))] ?? (descending ? LOWEST : HIGHEST),
  ];
}

/** Guesses two ids around the page. Ids are hashes and therefore evenly spread. */
function guessIds({ size, descending, offset, limit }: PlaceInRange, { deviations }: Guess): [first: Key, last: Key] {
  const at = (row: number, side: 1 | -1): Key => {
    const share = (row + side * deviations * deviation(size, row / size)) / size;
    return { amount: '', id: idAt(descending ? 1 - share : share) };
  };
  return [at(offset, -1), at(offset + limit, 1)];
}

/**
 * Standard deviation of the position of a key in a sample of `count` rows, in rows. Never 0: rows at either end are not exactly where they are
 * guessed either.
 */
const deviation = (count: number, share: number): number => Math.sqrt(count * share * (1 - share) + 1);

/** Returns the id below which this share of all ids is. */
function idAt(share: number): string {
  if (share <= 0) return LOWEST.id;
  if (share >= 1) return HIGHEST.id;
  const digits = Math.floor(share * 2 ** 48)
    .toString(16)
    .padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`;
}

/** Returns the share of all ids that are below `id`. */
const shareBelow = (id: string): number => parseInt(id.slice(0, 8) + id.slice(9, 13), 16) / 2 ** 48;
