import type { Problem } from '../problem.js';
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { csvRow } from '../text/csv.js';
import { preferredType } from './accept.js';
import { abandoned } from './reads.js';
import { exactJson } from './validation/exact-json.js';
import { invalid } from './validation/validation.js';
import type { OpenStreams } from './edge/open-streams.js';

export interface ListPage<Item, Cursor> {
  readonly items: readonly Item[];
  /** null at the end. */
  readonly next_after: Cursor | null;
}

export type Cell = string | number | bigint | boolean | null;

/** Form of a list as CSV. */
export interface Csv<Item> {
  readonly columns: readonly string[];
  readonly cells: (item: Item) => readonly Cell[];
}

/** Returns a column for each of these members of flat items, with JSON's names. */
export function csvOf<Item>(columns: readonly { [Name in keyof Item]: Item[Name] extends Cell ? Name : never }[keyof Item][]): Csv<Item> {
  return { columns: columns as readonly string[], cells: (item) => columns.map((column) => item[column] as Cell) };
}

/** A list in pages, each of which has the cursor of the next: for any length, only one page is in memory, and no transaction is open. */
export interface PagedList<Item, Cursor = string> {
  /** Name of a file with the list; without an extension. */
  readonly name: string;
  readonly page: (after: Cursor | undefined, limit: number, signal: AbortSignal, until?: number) => Promise<ListPage<Item, Cursor>>;
  /**
   * Returns the end of a streamed list: later changes are not part of it. Called once, before the first page; each page receives the result as
   * `until`. A single page has no such end.
   */
  readonly end?: () => Promise<number>;
  /** Form as CSV, for lists with flat items. */
  readonly csv?: Csv<Item>;
}

/** The part of a list that a request wants. */
export interface Wanted<Cursor> {
  /** Cursor of the last item before the page. */
  readonly After?: Cursor | undefined;
  /** Maximum of items; absent: a page of LIMIT_DEFAULT, or all of a stream. */
  readonly Limit?: number | undefined;
}

/** Items of a page when the request names no Limit. */
export const LIMIT_DEFAULT = 100;

const JSON_TYPE = 'application/json';
const NDJSON_TYPE = 'application/x-ndjson';
const CSV_TYPE = 'text/csv';
/** Items per page of a streamed list: some hundred kilobytes, produced in milliseconds. */
const STREAM_PAGE_ITEMS = 500;

/** Answers a page as JSON, or the whole list as NDJSON or CSV, by the client's Accept header. @throws errors of `page` */
export async function answerList<Item, Cursor>(
  streams: OpenStreams,
  request: FastifyRequest,
  reply: FastifyReply,
  list: PagedList<Item, Cursor>,
  wanted: Wanted<Cursor>,
): Promise<ListPage<Item, Cursor> | Readable | ''> {
  switch (preferredType(request, reply, list.csv ? [JSON_TYPE, NDJSON_TYPE, CSV_TYPE] : [JSON_TYPE, NDJSON_TYPE])) {
    case JSON_TYPE:
      return list.page(wanted.After, wanted.Limit ?? LIMIT_DEFAULT, abandoned(request));
    case NDJSON_TYPE:
      return streams.answer(request, reply, {
        contentType: `${NDJSON_TYPE}; charset=utf-8`,
        pages: (signal) => written(list, wanted, '', (item) => `${exactJson(item)}\n`, signal),
      });
    case CSV_TYPE:
      return answerCsv(streams, request, reply, list, wanted);
  }
}

/** Answers the whole list as CSV, regardless of the Accept header. @throws errors of `page` */
export function answerCsv<Item, Cursor>(
  streams: OpenStreams,
  request: FastifyRequest,
  reply: FastifyReply,
  list: PagedList<Item, Cursor>,
  wanted: Wanted<Cursor> = {},
): Promise<Readable | ''> {
  const { columns, cells } = list.csv!;
  return streams.answer(request, reply, {
    contentType: `${CSV_TYPE}; charset=utf-8; header=present`,
    filename: `${list.name}.csv`,
    pages: (signal) => written(list, wanted, csvRow(columns), (item) => csvRow(cells(item)), signal),
  });
}

/** Answers a list that is one page, as JSON or CSV, by the client's Accept header. @throws errors of `page` */
export async function answerWhole<Item>(
  streams: OpenStreams,
  request: FastifyRequest,
  reply: FastifyReply,
  list: PagedList<Item>,
): Promise<{ readonly items: readonly Item[] } | Readable | ''> {
  if (preferredType(request, reply, [JSON_TYPE, CSV_TYPE]) === CSV_TYPE) return answerCsv(streams, request, reply, list);
  const { items } = await list.page(undefined, Infinity, abandoned(request));
  return { items };
}

async function* written<Item, Cursor>(
  { page, end }: PagedList<Item, Cursor>,
  { After: start, Limit: limit }: Wanted<Cursor>,
  opening: string,
  text: (item: Item) => string,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const until = await end?.();
  let left = limit ?? Infinity;
  let after = start;
  for (let isFirst = true; left > 0 && !signal.aborted; isFirst = false) {
    const { items, next_after } = await page(after, Math.min(left, STREAM_PAGE_ITEMS), signal, until);
    yield (isFirst ? opening : '') + items.map(text).join('');
    if (next_after === null) return;
    left -= items.length;
    after = next_after;
  }
}

/** A list has many figures; a number is written ten times as fast as a bigint, with the same digits. */
export function exactNumber(amount: bigint): number | bigint {
  return amount >= Number.MIN_SAFE_INTEGER && amount <= Number.MAX_SAFE_INTEGER ? Number(amount) : amount;
}

/** The list has no record with this cursor. @param record kind of the list's records */
export function noSuchCursor(record: string): Problem {
  return invalid('query', [{ at: 'After', code: 'unknown-value', detail: `There is no such ${record}.` }]);
}

/** Finds at most `limit` records after a cursor; undefined when no record has that cursor. */
type Find<Found> = (after: string | undefined, limit: number, until?: number) => Promise<readonly Found[] | undefined>;

/** Returns the pages of a list whose cursors are the ids of its items. @param record kind of the items, for the refusal of an unknown cursor */
export function pagesById<Found, Item extends { readonly id: string }>(record: string, find: Find<Found>, toItem: (found: Found) => Item) {
  return pagesBy(record, find, toItem, ({ id }) => id);
}

/** Returns the pages of a list with other cursors. Reads one item more than a page has, to know whether a next page exists. */
export function pagesBy<Found, Item>(
  record: string,
  find: Find<Found>,
  toItem: (found: Found) => Item,
  cursorOf: (item: Item) => string,
): PagedList<Item>['page'] {
  return async (after, limit, _signal, until) => {
    const found = await find(after, limit + 1, until);
    if (found === undefined) throw noSuchCursor(record);
    const items = found.slice(0, limit).map(toItem);
    return { items, next_after: found.length > limit ? cursorOf(items.at(-1)!) : null };
  };
}
