import type { ClientBase } from 'pg';
import type { Conditions } from './conditions.js';

/** The page of a list by pages. */
export interface PageQuery {
  /** From 1. */
  readonly page_number: number;
  /** 1–100. */
  readonly page_size: number;
  readonly is_descending: boolean;
}

/** The part of a list that continues after a record. */
export interface PartQuery {
  /** Id (a UUID) of the record. */
  readonly after?: string | undefined;
  readonly limit: number;
}

interface ListPage<Item, Row> extends PageQuery {
  /** Name of the statement, when it is prepared once. */
  readonly name?: string;
  readonly values: readonly unknown[];
  /** SQL that counts the items of all pages. */
  readonly total: string;
  /** Selects the items of all pages, in any order; its rows have an id. */
  readonly rows: string;
  /** Selects id and time alone of the same rows, when `rows` joins tables that do not decide which rows there are. */
  readonly keys?: string;
  readonly order_by: 'created_on' | 'opened_on';
  readonly item: (row: Row) => Item;
}

/**
 * Reads a page by time, ties by id, and the `total` of all pages: as of one moment, in one statement. The rows before the page are skipped by their
 * keys, which an index may hold alone; rows of the page are read one by one, whatever the planner estimates their number to be.
 */
export async function readPage<Item, Row extends { readonly id: string }>(
  db: Pick<ClientBase, 'query'>,
  { name, values, total, rows: listed, keys = listed, order_by, is_descending, page_number, page_size, item }: ListPage<Item, Row>,
): Promise<{ total: number; items: Item[] }> {
  const direction = is_descending ? 'desc' : 'asc';
  const order = `order by ${order_by} ${direction}, id ${direction}`;
  const [limit, offset] = [values.length + 1, values.length + 2];
  const { rows } = await db.query<Row & { readonly total: bigint }>({
    ...(name === undefined ? {} : { name: `${name} ${direction}` }),
    // An empty page returns the total, too: in a row that has nothing else.
    text: `select (${total}) as total, page.*
             from (select) one left join (
               (select id from (${keys}) keys ${order} limit $${limit} offset $${offset}) place
                 cross join lateral (select * from (${listed}) listed where listed.id = place.id offset 0) page) on true ${order}`,
    values: [...values, page_size, (page_number - 1) * page_size],
  });
  return { total: Number(rows[0]!.total), items: (rows as readonly (Row & { id: string | null })[]).filter(({ id }) => id !== null).map(item) };
}

/** Reads a page of the rows of one table. `total`: see readPage. */
export function readTablePage<Item, Row extends { readonly id: string }>(
  db: Pick<ClientBase, 'query'>,
  { page_number, page_size, is_descending }: PageQuery,
  list: Pick<ListPage<Item, Row>, 'order_by' | 'item'> & { readonly table: string; readonly columns: string; readonly conditions: Conditions },
): Promise<{ total: number; items: Item[] }> {
  const { order_by, item, conditions } = list;
  const from = `from ${list.table} where ${conditions.sql()}`;
  const sql = { values: conditions.values, total: `select count(*) ${from}`, rows: `select ${list.columns} ${from}` };
  return readPage(db, { ...sql, order_by, item, page_number, page_size, is_descending });
}

/**
 * Reads rows of `table` in the order of the log, after the record `after` (a UUID); undefined when there is no such record. The table has an id and
 * the ordinal of each record, or another column that rises in the order of the log. @param conditions whose `$1` is the maximum number of rows
 */
export async function readBehind<Row extends object>(
  db: Pick<ClientBase, 'query'>,
  {
    table,
    columns,
    conditions,
    after,
    order = 'ordinal',
    is_descending = false,
  }: {
    readonly table: string;
    readonly columns: string;
    readonly conditions: Conditions;
    readonly after: string | undefined;
    readonly order?: string;
    /** Newest first; `after` then continues before that record. */
    readonly is_descending?: boolean | undefined;
  },
): Promise<Row[] | undefined> {
  if (after !== undefined) {
    const { rows } = await db.query<{ ordinal: bigint }>(`select ${order} as ordinal from ${table} where id = $1`, [after]);
    if (!rows[0]) return undefined;
    conditions.where(rows[0].ordinal, (p) => `${order} ${is_descending ? '<' : '>'} ${p}`);
  }
  const direction = is_descending ? 'desc' : 'asc';
  const { rows } = await db.query<Row>(
    `select ${columns} from ${table} where ${conditions.sql()} order by ${order} ${direction} limit $1`,
    conditions.values,
  );
  return rows;
}
