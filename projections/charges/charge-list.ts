import type { Pool, PoolClient } from 'pg';
import type { ChargeStatus } from '../../src/ledger/events/charge.events.js';
import { inSnapshot } from '../../src/platform/postgres/snapshot.js';
import type { PageQuery } from '../../src/platform/postgres/list-page.js';
import type { MerchantQuery } from '../merchants/list-queries.js';
import { sumByCurrency, type Sum } from '../merchants/sums.js';
import { milliseconds } from '../../src/ledger/time.js';
import { cellOf, channelNumbers, LEVEL, STATUS_COLUMNS, STATUSES, statusRank } from './charge-blocks.js';
import { moment, CountedRanges, type CountedGroup, type Span } from './charge-ranges.js';
import { listItem, type ChargeListRow } from './charge-list-row.js';
import { alongTime, chargeColumns, CHARGES, chargesOf, eachOf, findCharge, ORDERED_BY_INDEX, withNumbers } from './charge-reads.js';
import { ORDER_KEYS, selectRows, type Guess } from './charge-selection.js';
import type { ChargeRow } from './charges-table.js';
import { findCandidates, holdsText, matchingTexts, rowsOfMatches, searchedPart } from './search.js';

export type ChargeOrderBy = 'created_on' | 'amount' | 'status';

/** A checked and normalised query of a list: codes in upper case, timestamps as on the wire. */
export interface ChargeListQuery extends MerchantQuery {
  readonly order_by: ChargeOrderBy;
  readonly id?: string | undefined;
  readonly channel_code?: string | undefined;
  readonly status?: ChargeStatus | undefined;
  /** Part of code, reference_id or description, case-insensitive; 1–200 characters without wildcards. */
  readonly search_text?: string | undefined;
}

export interface ChargeList {
  /** Exact number of charges on all pages. */
  readonly total: number;
  readonly items: ChargeListRow[];
}

const COUNTS = 'ledger.charge_counts';

/** Thresholds between the ways to find a page; tests use small ones. */
export interface ListLimits {
  /** From this offset on, a page by created_on starts in the block of its first row. */
  readonly deepOffset: number;
  /** In a date range with up to this many charges, a page by amount or status is found by sorting them. */
  readonly sortedMax: number;
  /** Above this many first rows of a range, all rows are sorted. */
  readonly keptMax: number;
  /** Parameters of the guess that finds a page of a larger range. */
  readonly guess: Guess;
}

const LIMITS: ListLimits = { deepOffset: 1_000, sortedMax: 50_000, keptMax: 1_000, guess: { sampled: 8_000, deviations: 3.5 } };
/** Cost of a step along the index of an order, in steps along the index by time: it reads the row to get its date. */
const STEP_COST = 25;
/** Statement timeout, ms, for queries outside the promised response times: a page in the middle of ten million charges by amount. */
const LONGEST_MS = 30_000;
/** The client waits as long as the statement timeout, plus a margin. */
const PATIENT = { query_timeout: LONGEST_MS + 500 };
/** Forces index scans. They are fast even where the planner, which does not know which pages are cached, would read the whole table. */
const SETTINGS = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  max_parallel_workers_per_gather: '0',
  work_mem: "'16MB'",
  statement_timeout: String(LONGEST_MS),
};
/** Settings of a list without a text. For a merchant or a day that the statistics lack, the planner expects one charge and would sort up to a million. */
const SETTINGS_OF_LISTS = { ...SETTINGS, ...ORDERED_BY_INDEX };

/** Settings of a search that no index helps: it reads most rows and collects them in memory. */
const MANY_ROWS = "set local enable_seqscan = on; set local work_mem = '64MB'";

/** Returns one page of the merchant's charges and the exact total, from one snapshot. */
export async function findCharges(pool: Pool, merchantId: string, query: ChargeListQuery, limits = LIMITS): Promise<ChargeList> {
  const part = query.search_text === undefined ? undefined : searchedPart(query.search_text);
  if (query.search_text !== undefined && part === undefined) return NOTHING;
  if (query.id !== undefined) {
    const charge = await findCharge(pool, merchantId, query.id);
    return charge && matches(query, charge) && (part === undefined || holdsText(charge, part)) ? theOne(query, charge) : NOTHING;
  }
  return inSnapshot(
    pool,
    async (db) => {
      const listing = new Listing(db, merchantId, query, limits);
      return part === undefined ? listing.find() : listing.findText(part);
    },
    part === undefined ? SETTINGS_OF_LISTS : SETTINGS,
  );
}

/** Returns the sums of the charges that `findCharges` lists, on all pages; undefined for a text, which no index sums up. */
export async function sumCharges(
  pool: Pool,
  merchantId: string,
  query: Omit<ChargeListQuery, keyof PageQuery | 'order_by'>,
): Promise<Sum[] | undefined> {
  if (query.search_text !== undefined) return undefined;
  const whole: ChargeListQuery = { ...query, order_by: 'created_on', page_number: 1, page_size: 1, is_descending: true };
  if (query.id !== undefined)
    return (await findCharges(pool, merchantId, whole)).items.map(({ currency, amount }) => ({ currency, amount: BigInt(amount) }));
  return inSnapshot(pool, (db) => new Listing(db, merchantId, whole, LIMITS).sums(), SETTINGS_OF_LISTS);
}

const NOTHING: ChargeList = { total: 0, items: [] };

function theOne(query: ChargeListQuery, charge: ChargeRow): ChargeList {
  return { total: 1, items: query.page_number === 1 ? [listItem(charge)] : [] };
}

function matches(query: ChargeListQuery, charge: ChargeRow): boolean {
  const { currency, channel_code, status, date_from, date_to } = query;
  return (
    (currency === undefined || charge.currency === currency) &&
    (channel_code === undefined || charge.channel_code === channel_code) &&
    (status === undefined || charge.status === status) &&
    (date_from === undefined || charge.created_on >= date_from) &&
    (date_to === undefined || charge.created_on <= date_to)
  );
}

/** Charges that are adjacent in the order of the list: all of them, or those of one status in a list by status. */
interface Group extends CountedGroup {
  /** Number of charges of these cells in all date ranges. */
  readonly charges: number;
}

class Listing {
  readonly #span: Span;

  constructor(
    private readonly db: PoolClient,
    private readonly merchantId: string,
    private readonly query: ChargeListQuery,
    private readonly limits: ListLimits,
  ) {
    const { date_from, date_to } = query;
    this.#span = {
      start: date_from === undefined ? -Infinity : milliseconds(date_from),
      end: date_to === undefined ? Infinity : milliseconds(date_to) + 1,
    };
  }

  async find(): Promise<ChargeList> {
    const channels = await this.#channels();
    const groups = this.#groups(channels);
    if (channels.length === 0 || this.#span.start >= this.#span.end) return NOTHING;
    const ranges = this.#needsBlocks()
      ? await CountedRanges.load(
          this.db,
          this.merchantId,
          groups,
          channels.map(({ channel }) => channel),
          this.#span,
        )
      : undefined;
    const sizes = ranges?.sizes ?? groups.map((group) => group.charges);
    const total = sumOf(sizes);
    const offset = (this.query.page_number - 1) * this.query.page_size;
    const limit = Math.min(this.query.page_size, total - offset);
    if (limit <= 0) return { total, items: [] };
    const rows = await (ranges && this.query.order_by === 'created_on'
      ? this.#pageFrom(ranges, groups[0]!, offset, limit)
      : this.#pageOf(groups, sizes, offset, limit));
    return { total, items: rows.map((row) => listItem(withNumbers(row))) };
  }

  /** Returns only charges whose text contains `part`: finds all of them, then filters and sorts. */
  async findText(part: string): Promise<ChargeList> {
    const channels = await this.#channels();
    if (channels.length === 0) return NOTHING;
    const candidates = await findCandidates(this.db, this.merchantId, part);
    if (candidates.from === 0) await this.db.query(MANY_ROWS);
    const { status, order_by, is_descending, page_number, page_size } = this.query;
    const order = `order by ${order_by} ${is_descending ? 'desc' : 'asc'}, id ${is_descending ? 'desc' : 'asc'}`;
    const values: unknown[] = [
      this.merchantId,
      `{${candidates.numbers.join(',')}}`,
      candidates.from,
      part,
      channels.map(({ channel }) => channel),
      moment(this.#span.start),
      moment(this.#span.end),
    ];
    // Columns that can change are only in the row of the charge.
    const needsRow = status !== undefined || order_by === 'status';
    const cells = (): number[] => this.#groups(channels).flatMap((group) => group.cells);
    const row = needsRow ? rowsOfMatches(candidates, `$${values.push(cells())}`) : '';
    const { rows } = await this.db.query<ChargeRow & { total: bigint; position: bigint | null }>({
      text: `
        with found as materialized (
          select m.charge_id as id, m.created_on, m.amount ${needsRow ? `, ${statusRank('c.cell')} as status` : ''}
            from ${matchingTexts({ numbers: '$2', from: '$3', part: '$4' })} m ${row}
           where m.channel = any($5) and m.created_on >= $6 and m.created_on < $7),
        page as (select id, row_number() over (${order}) as position from found ${order} limit ${page_size} offset ${(page_number - 1) * page_size})
        select (select count(*) from found) as total, page.position, ${chargeColumns('c')}
          from (select) one left join (page ${chargesOf('page')}) on true order by page.position`,
      values,
      ...PATIENT,
    });
    return { total: Number(rows[0]!.total), items: rows.filter(({ position }) => position !== null).map((found) => listItem(withNumbers(found))) };
  }

  /** Returns the sums of all charges of the query. */
  async sums(): Promise<Sum[]> {
    const groups = this.#groups(await this.#channels());
    const cells = groups.flatMap((group) => group.cells);
    if (cells.length === 0 || this.#span.start >= this.#span.end) return [];
    const from = `${eachOf(cells)} cross join lateral ${alongTime('currency, amount', 'cells.cell')} r`;
    return sumByCurrency(this.db, 'amount', from, [this.merchantId, moment(this.#span.start), moment(this.#span.end)]);
  }

  get #hasRange(): boolean {
    return this.query.date_from !== undefined || this.query.date_to !== undefined;
  }

  #needsBlocks(): boolean {
    const { order_by, page_number, page_size } = this.query;
    return this.#hasRange || (order_by === 'created_on' && (page_number - 1) * page_size >= this.limits.deepOffset);
  }

  /** Returns the channels of the query in which the merchant has charges. */
  async #channels(): Promise<ChannelCounts[]> {
    const { channel_code, currency } = this.query;
    const { rows } = await this.db.query<ChannelCounts>({
      name: 'charges: counts',
      text: `select channel, ${STATUS_COLUMNS.join(', ')} from ${COUNTS} where merchant_id = $1 and level = ${LEVEL.all} and channel = any($2) order by channel`,
      values: [this.merchantId, channelNumbers(channel_code, currency)],
    });
    return rows;
  }

  #groups(channels: readonly ChannelCounts[]): Group[] {
    const { status, order_by } = this.query;
    const statuses = status === undefined ? STATUSES : [status];
    const together = order_by === 'status' ? statuses.map((each) => [each]) : [statuses];
    return together.map((group) => {
      const cells = group.flatMap((each) =>
        channels.map((counts) => ({ cell: cellOf(counts.channel, each), charges: counts[each.toLowerCase() as Lowercase<ChargeStatus>] })),
      );
      const filled = cells.filter(({ charges }) => charges > 0);
      return { statuses: group, cells: filled.map(({ cell }) => cell), charges: sumOf(filled.map(({ charges }) => charges)) };
    });
  }

  /** Reads a page by created_on, starting with the block of its first row. */
  async #pageFrom(ranges: CountedRanges, group: Group, offset: number, limit: number): Promise<ChargeRow[]> {
    const { is_descending } = this.query;
    const { span, before } = await ranges.from(offset, is_descending);
    return this.#rows(group, span, 'merge', offset - before, limit, is_descending);
  }

  async #pageOf(groups: readonly Group[], sizes: readonly number[], offset: number, limit: number): Promise<ChargeRow[]> {
    const { is_descending } = this.query;
    const rows: ChargeRow[] = [];
    let skip = offset;
    const indexes = [...groups.keys()];
    for (const index of is_descending ? indexes.toReversed() : indexes) {
      const group = groups[index]!;
      const size = sizes[index]!;
      const take = Math.min(limit - rows.length, size - skip);
      if (take > 0) {
        rows.push(...(await this.#pageOfGroup(group, size, skip, take)));
        skip = 0;
      } else {
        skip -= size;
      }
      if (rows.length === limit) break;
    }
    return rows;
  }

  /** Returns `limit` rows after the first `offset` of a group that has `size` rows in the date range. */
  async #pageOfGroup(group: Group, size: number, offset: number, limit: number): Promise<ChargeRow[]> {
    const { is_descending } = this.query;
    const behind = size - offset - limit;
    const fromTheEnd = behind < offset;
    const skipped = fromTheEnd ? behind : offset;
    const rows = await this.#firstOfGroup(group, size, skipped, limit, is_descending !== fromTheEnd);
    return fromTheEnd ? rows.reverse() : rows;
  }

  async #firstOfGroup(group: Group, size: number, offset: number, limit: number, descending: boolean): Promise<ChargeRow[]> {
    const { sortedMax, guess } = this.limits;
    const rows = (way: 'merge' | 'sort', span = this.#span): Promise<ChargeRow[]> => this.#rows(group, span, way, offset, limit, descending);
    // The range excludes nothing, so the index of the order alone is enough: no rows are read for their dates.
    if (size === group.charges) return rows('merge', ALWAYS);
    if (size <= sortedMax) return rows('sort');
    const walked = ((offset + limit) * group.charges) / size;
    const { order_by } = this.query;
    if (walked * STEP_COST < size || order_by === 'created_on') return rows('merge');
    const place = { ...group, merchantId: this.merchantId, span: this.#span, size, order_by, descending, offset, limit };
    return (await selectRows(this.db, place, guess, PATIENT)) ?? rows('sort');
  }

  /** `merge`: reads cell by cell along the index of the order, as far as needed. `sort`: reads all rows of the span and sorts them. */
  async #rows(group: Group, { start, end }: Span, way: 'merge' | 'sort', offset: number, limit: number, descending: boolean): Promise<ChargeRow[]> {
    const keys = ORDER_KEYS[this.query.order_by];
    const order = (table = ''): string => `order by ${keys.map((key) => `${table}${key} ${descending ? 'desc' : 'asc'}`).join(', ')}`;
    const range = start === -Infinity && end === Infinity ? '' : 'and created_on >= $2 and created_on < $3';
    const values = range === '' ? [this.merchantId] : [this.merchantId, moment(start), moment(end)];
    const ofCell = (cell: number): string => `select ${keys.join(', ')} from ${CHARGES} where merchant_id = $1 and cell = ${cell} ${range}`;
    const merged = (): string => group.cells.map((cell) => `(${ofCell(cell)} ${order()} limit ${offset + limit})`).join(' union all ');
    const slice = `${order()} limit ${limit} offset ${offset}`;
    const sorted = (): string => {
      const all = `(select r.* from ${eachOf(group.cells)} cross join lateral ${alongTime(keys.join(', '), 'cells.cell')} r) m`;
      // A top-N sort is fast for few rows, and slower than a full sort for thousands.
      if (offset + limit < this.limits.keptMax) return `select * from ${all} ${slice}`;
      return `select * from (select *, row_number() over (${order()}) as position from ${all}) n where position > ${offset} and position <= ${offset + limit}`;
    };
    // Merges or sorts only the keys of the order; only the rows of the page are read.
    const text = `
      select ${chargeColumns('c')} from (${way === 'sort' ? sorted() : `select * from (${merged()}) m ${slice}`}) page
        ${chargesOf('page')} ${order('c.')}`;
    const { rows } = await this.db.query<ChargeRow>({ text, values, ...PATIENT });
    return rows;
  }
}

interface ChannelCounts extends Readonly<Record<Lowercase<ChargeStatus>, number>> {
  readonly channel: number;
}

const ALWAYS: Span = { start: -Infinity, end: Infinity };

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
