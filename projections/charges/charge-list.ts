import type { Pool, PoolClient } from 'pg';
import type { ActionFlow, ChargeStatus, SettlementStatus } from '../../src/ledger/events/charge.events.js';
import { inSnapshot } from '../../src/platform/postgres/snapshot.js';
import { milliseconds } from '../../src/ledger/time.js';
import { LEVEL, STATUS_COLUMNS } from './charge-blocks.js';
import { cellOf, channelNumbers, STATUSES, statusRank } from './status-counts.js';
import { moment, CountedRanges, type CountedGroup, type Span } from './charge-ranges.js';
import { chargeColumns, CHARGES, findCharge, withNumbers } from './charge-reads.js';
import type { ChargeRow } from './charges-table.js';
import { findCandidates, holdsText, matchingTexts, rowsOfMatches, searchedPart } from './search.js';

/** Shape C: an item of the list, ready to be answered. */
export interface ChargeListRow {
  readonly id: string;
  readonly code: string;
  readonly reference_id: string;
  readonly merchant_id: string;
  readonly amount: number;
  readonly currency: string;
  readonly channel_code: string;
  readonly action_flow: ActionFlow;
  readonly status: ChargeStatus;
  readonly fee_amount: number;
  readonly net_amount: number;
  readonly settlement_status: SettlementStatus;
  readonly description: string | null;
  readonly meta_data: Readonly<Record<string, string>>;
  readonly created_by: string;
  readonly created_on: string;
  readonly updated_by: string;
  readonly updated_on: string;
  readonly settlement_on: string | null;
  readonly refunded_amount: number;
  readonly disputed_amount: number;
  /** Only when SUCCEEDED, as `settlement_date`. */
  readonly paid_on?: string;
  readonly settlement_date?: string;
  /** Only when FAILED. */
  readonly failed_on?: string;
  /** Only where the charge was created with one. */
  readonly return_url?: string;
}

export type ChargeOrderBy = 'created_on' | 'amount' | 'status';

/** What a list is asked for: checked and normalised (codes in upper case, times as on the wire). */
export interface ChargeListQuery {
  /** From 1. */
  readonly page_number: number;
  /** 1–100. */
  readonly page_size: number;
  readonly order_by: ChargeOrderBy;
  readonly is_descending: boolean;
  readonly id?: string | undefined;
  readonly currency?: string | undefined;
  readonly channel_code?: string | undefined;
  readonly status?: ChargeStatus | undefined;
  /** Inclusive, on created_on. */
  readonly date_from?: string | undefined;
  /** Inclusive, on created_on. */
  readonly date_to?: string | undefined;
  /** Part of code, reference_id or description in any case; 1–200 characters, none of them special. */
  readonly search_text?: string | undefined;
}

export interface ChargeList {
  /** Of all pages; exact. */
  readonly total: number;
  readonly items: ChargeListRow[];
}

const COUNTS = 'ledger.charge_counts';

/** From here on a page by created_on begins in the block where its first row is. */
const DEEP_OFFSET = 1_000;
/** In a date range with up to so many charges, a page by amount or status is found by sorting them. */
const SORTED_MAX = 50_000;
/** Above this many first rows of a range, all of them are sorted. */
const KEPT_MAX = 1_000;
/** For what the promise of speed leaves out, ms: a page in the middle of ten million by amount. */
const LONGEST_MS = 30_000;
/** The client, too, waits for as long. */
const PATIENT = { query_timeout: LONGEST_MS + 500 };
/** The indexes are the fast way even where the planner, not knowing what is cached, would read the whole table. */
const SETTINGS = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  max_parallel_workers_per_gather: '0',
  work_mem: "'16MB'",
  statement_timeout: String(LONGEST_MS),
};

/** For a search that no index helps: most rows are read, and put together in memory. */
const MANY_ROWS = "set local enable_seqscan = on; set local work_mem = '64MB'";

/** One page of the merchant's charges and the exact total, as of one moment. */
export async function findCharges(pool: Pool, merchantId: string, query: ChargeListQuery): Promise<ChargeList> {
  const part = query.search_text === undefined ? undefined : searchedPart(query.search_text);
  if (query.search_text !== undefined && part === undefined) return NOTHING;
  if (query.id !== undefined) {
    const charge = await findCharge(pool, merchantId, query.id);
    return charge && matches(query, charge) && (part === undefined || holdsText(charge, part)) ? theOne(query, charge) : NOTHING;
  }
  return inSnapshot(
    pool,
    async (db) => {
      const listing = new Listing(db, merchantId, query);
      return part === undefined ? listing.find() : listing.findText(part);
    },
    SETTINGS,
  );
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

/** Charges that stand side by side in the order asked for: all of them, or those of one status when status orders. */
interface Group extends CountedGroup {
  /** Charges of these cells, whatever the date range. */
  readonly charges: number;
}

class Listing {
  readonly #span: Span;

  constructor(
    private readonly db: PoolClient,
    private readonly merchantId: string,
    private readonly query: ChargeListQuery,
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

  /** Only charges whose text holds `part`: all of them are found, then filtered and sorted. */
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
    // What can change of a charge is in its row only.
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
          from (select) one left join (page join ${CHARGES} c on c.id = page.id) on true order by page.position`,
      values,
      ...PATIENT,
    });
    return { total: Number(rows[0]!.total), items: rows.filter(({ position }) => position !== null).map((found) => listItem(withNumbers(found))) };
  }

  get #hasRange(): boolean {
    return this.query.date_from !== undefined || this.query.date_to !== undefined;
  }

  #needsBlocks(): boolean {
    const { order_by, page_number, page_size } = this.query;
    return this.#hasRange || (order_by === 'created_on' && (page_number - 1) * page_size >= DEEP_OFFSET);
  }

  /** The channels asked for that the merchant has charges in. */
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

  /** A page by created_on: begins with the block where its first row is. */
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

  /** `limit` rows behind the first `offset` of a group that has `size` of them in the date range. */
  async #pageOfGroup(group: Group, size: number, offset: number, limit: number): Promise<ChargeRow[]> {
    const { is_descending } = this.query;
    const behind = size - offset - limit;
    const fromTheEnd = behind < offset;
    const skipped = fromTheEnd ? behind : offset;
    // A walk along the index meets this many rows before the page is full; sorting meets all rows of the date range once.
    const walked = ((skipped + limit) * group.charges) / size;
    const way = this.#hasRange && (size <= SORTED_MAX || size < walked) ? 'sort' : 'merge';
    const rows = await this.#rows(group, this.#span, way, skipped, limit, is_descending !== fromTheEnd);
    return fromTheEnd ? rows.reverse() : rows;
  }

  /** `merge`: cell by cell along the index of the order, as far as needed. `sort`: all rows of the span, then the first of them. */
  async #rows(group: Group, { start, end }: Span, way: 'merge' | 'sort', offset: number, limit: number, descending: boolean): Promise<ChargeRow[]> {
    const keys = ORDER_KEYS[this.query.order_by];
    const order = (table = ''): string => `order by ${keys.map((key) => `${table}${key} ${descending ? 'desc' : 'asc'}`).join(', ')}`;
    const range = start === -Infinity && end === Infinity ? '' : 'and created_on >= $2 and created_on < $3';
    const values = range === '' ? [this.merchantId] : [this.merchantId, moment(start), moment(end)];
    const ofCells = (condition: string): string => `select ${keys.join(', ')} from ${CHARGES} where merchant_id = $1 and cell ${condition} ${range}`;
    const merged = (): string => group.cells.map((cell) => `(${ofCells(`= ${cell}`)} ${order()} limit ${offset + limit})`).join(' union all ');
    const slice = `${order()} limit ${limit} offset ${offset}`;
    const sorted = (): string => {
      const all = `(${ofCells(`in (${group.cells.join(', ')})`)} offset 0) m`;
      // Keeping the first few of many is fast, keeping the first thousands slower than sorting all.
      if (offset + limit < KEPT_MAX) return `select * from ${all} ${slice}`;
      return `select * from (select *, row_number() over (${order()}) as position from ${all}) n where position > ${offset} and position <= ${offset + limit}`;
    };
    // Only the keys of the order are merged or sorted; the rows are read for the page alone.
    const text = `
      select ${chargeColumns('c')} from (${way === 'sort' ? sorted() : `select * from (${merged()}) m ${slice}`}) page
        join ${CHARGES} c on c.id = page.id ${order('c.')}`;
    const { rows } = await this.db.query<ChargeRow>({ text, values, ...PATIENT });
    return rows;
  }
}

interface ChannelCounts extends Readonly<Record<Lowercase<ChargeStatus>, number>> {
  readonly channel: number;
}

/** Within a group: status orders groups, so that among the charges of one status only the id is left. */
const ORDER_KEYS: Readonly<Record<ChargeOrderBy, readonly string[]>> = {
  created_on: ['created_on', 'id'],
  amount: ['amount', 'id'],
  status: ['id'],
};

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

function listItem(row: ChargeRow): ChargeListRow {
  return {
    id: row.id,
    code: row.code,
    reference_id: row.reference_id,
    merchant_id: row.merchant_id,
    amount: row.amount,
    currency: row.currency,
    channel_code: row.channel_code,
    action_flow: row.action_flow,
    status: row.status,
    fee_amount: row.fee_amount,
    net_amount: row.net_amount,
    settlement_status: row.settlement_status,
    description: row.description,
    meta_data: row.meta_data,
    created_by: row.created_by,
    created_on: row.created_on,
    updated_by: row.updated_by,
    updated_on: row.updated_on,
    settlement_on: row.settlement_on,
    refunded_amount: row.refunded_amount,
    disputed_amount: row.disputed_amount,
    ...(row.status === 'SUCCEEDED' && row.paid_on !== null ? { paid_on: row.paid_on } : {}),
    ...(row.status === 'SUCCEEDED' && row.settlement_date !== null ? { settlement_date: row.settlement_date } : {}),
    ...(row.status === 'FAILED' && row.failed_on !== null ? { failed_on: row.failed_on } : {}),
    ...(row.return_url === null ? {} : { return_url: row.return_url }),
  };
}
