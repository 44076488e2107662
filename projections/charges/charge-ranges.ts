import type { PoolClient } from 'pg';
import type { ChargeStatus } from '../../src/ledger/events/charge.events.js';
import { DAY_MS, milliseconds, timestamp } from '../../src/ledger/time.js';
import { LEVEL } from './charge-blocks.js';
import { alongTime } from './charge-reads.js';

/**
 * A date range of a merchant's charges, divided into consecutive ranges of known sizes: the parts of its first and last block, whole blocks up to
 * midnight, whole days.
 */

const COUNTS = 'ledger.charge_counts';

/** The last millisecond of the timestamp range. */
const LATEST_MS = Date.UTC(10_000, 0, 1) - 1;
/** The first millisecond of the timestamp range. */
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00.000Z');

/** From `start` (inclusive) to `end` (exclusive), ms; -Infinity and Infinity leave it open. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Returns a parameter of type timestamptz. */
export function moment(ms: number): string {
  if (ms > LATEST_MS) return 'infinity';
  return ms < EARLIEST_MS ? '-infinity' : timestamp(ms);
}

function msOf(moment: string | null): number {
  if (moment === null) return Infinity;
  return moment === '-infinity' ? -Infinity : milliseconds(moment);
}

/** Charges that share one count. */
export interface CountedGroup {
  readonly statuses: readonly ChargeStatus[];
  readonly cells: readonly number[];
}

interface CountedRange {
  readonly level: (typeof LEVEL)['day' | 'block'];
  /** Start of the block; midnight of the day, which is before the first block that begins in it; or -Infinity. */
  readonly start: number;
  /** Number of charges in each group. */
  readonly charges: readonly number[];
}

export class CountedRanges {
  private constructor(
    private readonly db: PoolClient,
    private readonly merchantId: string,
    private readonly groups: readonly CountedGroup[],
    private readonly channels: readonly number[],
    private readonly span: Span,
    private readonly ranges: readonly CountedRange[],
  ) {}

  /** `span` must not be empty, and the merchant must have charges. */
  static async load(
    db: PoolClient,
    merchantId: string,
    groups: readonly CountedGroup[],
    channels: readonly number[],
    span: Span,
  ): Promise<CountedRanges> {
    const { rows } = await db.query<{ first: string; first_end: string | null; last: string }>({
      name: 'charges: edges of a range',
      text: `with blocks as not materialized (select starts_on from ${COUNTS} where merchant_id = $1 and level = ${LEVEL.block}),
                  first as (select max(starts_on) as starts_on from blocks where starts_on <= $2)
             select first.starts_on as first, (select min(starts_on) from blocks where starts_on > first.starts_on) as first_end,
                    (select max(starts_on) from blocks where starts_on < $3) as last from first`,
      values: [merchantId, moment(span.start), moment(span.end)],
    });
    const [first, firstEnd, last] = [msOf(rows[0]!.first), msOf(rows[0]!.first_end), msOf(rows[0]!.last)];
    const empty = new CountedRanges(db, merchantId, groups, channels, span, []);

    const ranges = await empty.#read([
      { level: LEVEL.block, start: first, end: Math.min(nextDay(first), behind(last)) },
      { level: LEVEL.day, start: nextDay(first), end: dayOf(last) },
      { level: LEVEL.block, start: Math.max(dayOf(last), nextDay(first)), end: behind(last) },
    ]);
    const isWhole = ({ level, start }: CountedRange): boolean =>
      level === LEVEL.day || ((start !== first || span.start === -Infinity) && (start !== last || span.end === Infinity));
    const cut: CountedRange[] = [];
    for (const range of ranges) {
      const end = range.start === first ? Math.min(firstEnd, span.end) : span.end;
      const counted = (): Promise<number[]> => empty.#count({ start: Math.max(range.start, span.start), end });
      cut.push(isWhole(range) ? range : { ...range, charges: await counted() });
    }
    return new CountedRanges(db, merchantId, groups, channels, span, cut);
  }

  /** Number of charges of each group in the range. */
  get sizes(): number[] {
    return this.groups.map((_, index) => this.ranges.reduce((sum, { charges }) => sum + charges[index]!, 0));
  }

  /**
   * Returns the part of the range that starts with the block of the row after `offset` others, in ascending or descending order of time, and the
   * number of rows before that block. There must be only one group.
   */
  async from(offset: number, descending: boolean): Promise<{ span: Span; before: number }> {
    let { range, before } = find(this.ranges, offset, descending);
    if (range.level === LEVEL.day) {
      const blocks = await this.#read([{ level: LEVEL.block, start: range.start, end: nextDay(range.start) }]);
      const inDay = find(blocks, offset - before, descending);
      range = inDay.range;
      before += inDay.before;
    }
    const { start, end } = this.span;
    if (!descending) return { span: { start: Math.max(start, range.start), end }, before };
    return { span: { start, end: Math.min(end, await this.#endOf(range)) }, before };
  }

  /** Reads rows of counts in order. A span that starts at -Infinity covers only the first block and its day. */
  async #read(parts: readonly ({ level: CountedRange['level'] } & Span)[]): Promise<CountedRange[]> {
    const sums = this.groups.map(({ statuses }, i) => `sum(${statuses.map((status) => status.toLowerCase()).join(' + ')})::float8 as charges_${i}`);
    const values: unknown[] = [this.merchantId, this.channels];
    const selects = parts
      .filter(({ start, end }) => start < end)
      .map(
        ({ level, start, end }) =>
          `select level, starts_on, ${sums.join(', ')} from ${COUNTS} where merchant_id = $1 and channel = any($2) and level = ${level}
              and starts_on >= $${values.push(moment(start))} and starts_on < $${values.push(moment(end))} group by 1, 2`,
      );
    const { rows } = await this.db.query<{ level: CountedRange['level']; starts_on: string } & Record<`charges_${number}`, number>>(
      `${selects.join(' union all ')} order by starts_on`,
      values,
    );
    return rows.map((row) => ({ level: row.level, start: msOf(row.starts_on), charges: this.groups.map((_, i) => row[`charges_${i}`]!) }));
  }

  async #count(span: Span): Promise<number[]> {
    const { rows } = await this.db.query<{ cell: number; charges: bigint }>({
      name: 'charges: count',
      text: `select cell, charges from unnest($4::smallint[]) cells (cell) cross join lateral (select count(*) as charges from ${alongTime('1', 'cells.cell')} c) n`,
      values: [this.merchantId, moment(span.start), moment(span.end), this.groups.flatMap(({ cells }) => cells)],
    });
    return this.groups.map(({ cells }) => rows.reduce((sum, { cell, charges }) => (cells.includes(cell) ? sum + Number(charges) : sum), 0));
  }

  async #endOf({ start }: CountedRange): Promise<number> {
    const { rows } = await this.db.query<{ ends_on: string | null }>({
      name: 'charges: end of a block',
      text: `select min(starts_on) as ends_on from ${COUNTS} where merchant_id = $1 and level = ${LEVEL.block} and starts_on > $2`,
      values: [this.merchantId, moment(start)],
    });
    return msOf(rows[0]!.ends_on);
  }
}

/** Returns the range that contains the row after `offset` others, and the number of rows before the range. */
function find(ranges: readonly CountedRange[], offset: number, descending: boolean): { range: CountedRange; before: number } {
  let before = 0;
  for (const range of descending ? ranges.toReversed() : ranges) {
    if (before + range.charges[0]! > offset) return { range, before };
    before += range.charges[0]!;
  }
  throw new Error(`there is no row behind ${offset} others`);
}

const dayOf = (ms: number): number => (ms === -Infinity ? ms : Math.floor(ms / DAY_MS) * DAY_MS);
const behind = (ms: number): number => (ms === -Infinity ? EARLIEST_MS : ms + 1);
/** The first block starts at -Infinity, and so does its day, which contains no other block. */
const nextDay = (ms: number): number => (ms === -Infinity ? EARLIEST_MS : dayOf(ms) + DAY_MS);
