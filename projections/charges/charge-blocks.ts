import type { PoolClient } from 'pg';
import { channelByCode } from '../../src/ledger/channels.js';
import type { ChargeStatus } from '../../src/ledger/events/charge.events.js';
import { milliseconds, type Timestamp } from '../../src/ledger/time.js';
import { Columns } from '../../src/platform/postgres/binary/columns.js';
import { Table, type RowOf } from '../../src/platform/postgres/binary/table.js';

/**
 * The cell of a charge in the indexes of lists: its channel and its status in one small integer. A list shows some of a merchant's cells. The
 * currency follows from the channel.
 */

/** Stored in rows: a channel keeps its number for ever, and a new one gets the next. */
const CHANNEL_NUMBERS: Readonly<Record<string, number>> = {
  QR_QRIS: 0,
  BANK_REDIRECT_FPX: 1,
  QR_PAYNOW: 2,
  WALLET_OVO: 3,
  WALLET_DANA: 4,
  WALLET_SHOPEEPAY: 5,
  WALLET_TNG: 6,
  WALLET_GRABPAY: 7,
  WALLET_GRABPAY_SG: 8,
};

/** In alphabetical order, which is the order of lists by status. */
export const STATUSES = ['CANCELLED', 'EXPIRED', 'FAILED', 'PENDING', 'SUCCEEDED'] as const satisfies readonly ChargeStatus[];
/** More than the number of statuses, so that a status can be added without moving the others. */
const CELLS_PER_CHANNEL = 8;

/** @throws when the channel has no number, or its charges may have several currencies, because lists would not find them */
export function channelNumber(channel_code: string, currency: string): number {
  const number = CHANNEL_NUMBERS[channel_code];
  if (number === undefined || channelByCode(channel_code)?.currency !== currency) {
    throw new Error(`channel ${channel_code} with ${currency} has no place in the lists of charges`);
  }
  return number;
}

/** Returns the numbers of channels with this code and this currency, if given. */
export function channelNumbers(channel_code?: string, currency?: string): number[] {
  return Object.keys(CHANNEL_NUMBERS)
    .filter((code) => (channel_code === undefined || code === channel_code) && (currency === undefined || channelByCode(code)?.currency === currency))
    .map((code) => CHANNEL_NUMBERS[code]!);
}

/** Returns the code for a channel's number. */
export function channelCode(number: number): string {
  return Object.keys(CHANNEL_NUMBERS).find((code) => CHANNEL_NUMBERS[code] === number)!;
}

export function cellOf(channel: number, status: ChargeStatus): number {
  return channel * CELLS_PER_CHANNEL + STATUSES.indexOf(status);
}

export function channelOf(cell: number): number {
  return Math.floor(cell / CELLS_PER_CHANNEL);
}

/** SQL for the index of a cell's status in STATUSES. */
export const statusRank = (cell: string): string => `${cell} % ${CELLS_PER_CHANNEL}`;

/**
 * Counts of charges, so that totals need no count of rows. A merchant's time is divided into ranges of some thousand charges, the blocks. The table
 * has the number of charges in each status per block and channel, per day (of the blocks that begin in it), and for all blocks together. The total of
 * a date range adds up whole days and blocks, and counts rows only in the two blocks that the range cuts. A deep page starts in the block of its
 * first row.
 *
 * A charge is in the block that contains its created_on, whatever the order in which charges arrive. The sums are therefore exact when clocks
 * disagree and rows arrive late. Charges arrive nearly in the order of time, which only keeps the blocks equally large.
 */

/** Levels of a row of counts. `starts_on` is the start of the block; midnight (UTC) of the day; or -infinity for all. */
export const LEVEL = { all: 0, day: 1, block: 2 } as const;
/** The start of a merchant's first block, and the day of that block. */
const BEGINNING = '-infinity';
/**
 * After a pause a new block begins, even if the previous one is not full. Otherwise a clock that runs ahead would move the end of a block far into
 * the future, and the merchant's other charges would all be in that block until then.
 */
const PAUSE_MS = 60 * 60 * 1000;

export type StatusColumn = Lowercase<ChargeStatus>;
export const STATUS_COLUMNS = STATUSES.map((status) => status.toLowerCase() as StatusColumn);

/** Column definitions of the numbers of charges by status, in the order of STATUS_COLUMNS. */
export const STATUS_DDL = Object.fromEntries(STATUS_COLUMNS.map((column) => [column, 'integer not null'])) as Record<
  StatusColumn,
  'integer not null'
>;
export const NO_CHARGES: Readonly<Record<StatusColumn, number>> = { cancelled: 0, expired: 0, failed: 0, pending: 0, succeeded: 0 };

export const countsTable = new Table(
  'charge_counts',
  {
    merchant_id: 'uuid not null',
    level: 'smallint not null',
    /** A block ends where the merchant's next one begins. */
    starts_on: 'timestamptz not null',
    channel: 'smallint not null',
    newest_on: 'timestamptz not null',
    ...STATUS_DDL,
  },
  ['primary key (merchant_id, level, starts_on, channel)'],
  // Nearly every batch updates the rows of the newest blocks. Free space on their pages spares the index an update.
  'with (fillfactor = 70)',
);
type CountRow = { -readonly [Column in keyof (typeof countsTable)['definitions']]: RowOf<(typeof countsTable)['definitions']>[Column] };

interface Block {
  readonly merchant_id: string;
  readonly starts_on: string;
  newest_on: Timestamp;
  charges: number;
}

/** The blocks that may contain the new charges of a batch. Timestamps as on the wire sort as text, and -infinity sorts before them. */
export class Blocks {
  readonly #ofMerchant = new Map<string, Block[]>();

  private constructor(
    known: readonly Block[],
    private readonly size: number,
  ) {
    for (const block of known) this.#blocksOf(block.merchant_id).push(block);
  }

  /** `size`: charges in a block before the next one may begin. `charges`: all charges that will be placed. */
  static async load(
    tx: PoolClient,
    schema: string,
    size: number,
    charges: readonly { readonly merchant_id: string; readonly created_on: Timestamp }[],
  ): Promise<Blocks> {
    const oldest = new Map<string, Timestamp>();
    for (const { merchant_id, created_on } of charges) {
      const known = oldest.get(merchant_id);
      if (known === undefined || created_on < known) oldest.set(merchant_id, created_on);
    }
    const { rows } = await tx.query<Block>({
      name: `${schema} charge blocks: load`,
      text: `select b.merchant_id, b.starts_on, max(b.newest_on) as newest_on, sum(${STATUS_COLUMNS.join(' + ')})::integer as charges
               from ${oldestColumns.rows}
               cross join lateral (select max(starts_on) as starts_on from ${schema}.charge_counts
                 where merchant_id = rows.merchant_id and level = ${LEVEL.block} and starts_on <= rows.created_on) first
               join ${schema}.charge_counts b on b.merchant_id = rows.merchant_id and b.level = ${LEVEL.block} and b.starts_on >= first.starts_on
              group by 1, 2 order by 1, 2`,
      values: oldestColumns.values([...oldest].map(([merchant_id, created_on]) => ({ merchant_id, created_on }))),
    });
    return new Blocks(rows, size);
  }

  /** Returns the start of the block of a new charge. Must be called in log order. */
  place(merchant_id: string, created_on: Timestamp): string {
    const blocks = this.#blocksOf(merchant_id);
    let at = blocks.length - 1;
    while (at >= 0 && blocks[at]!.starts_on > created_on) at--;
    const block = blocks[at];
    if (block === undefined || this.#isOver(block, created_on)) {
      const starts_on = block === undefined ? BEGINNING : created_on;
      blocks.splice(at + 1, 0, { merchant_id, starts_on, newest_on: created_on, charges: 1 });
      return starts_on;
    }
    block.charges++;
    if (created_on > block.newest_on) block.newest_on = created_on;
    return block.starts_on;
  }

  /** A block can end only after its newest charge, because none of its charges may be in the time of the next block. */
  #isOver({ newest_on, charges }: Block, created_on: Timestamp): boolean {
    if (created_on <= newest_on) return false;
    return charges >= this.size || milliseconds(created_on) - milliseconds(newest_on) > PAUSE_MS;
  }

  #blocksOf(merchant_id: string): Block[] {
    let blocks = this.#ofMerchant.get(merchant_id);
    if (blocks === undefined) this.#ofMerchant.set(merchant_id, (blocks = []));
    return blocks;
  }
}

const oldestColumns = new Columns<{ merchant_id: string; created_on: Timestamp }>({ merchant_id: 'uuid', created_on: 'timestamptz' });

/** Returns midnight (UTC) of the day in which a block begins. */
const dayOf = (block: string): string => (block === BEGINNING ? BEGINNING : `${block.slice(0, 10)}T00:00:00.000+00:00`);

/** Changes of the counts by a batch. */
export class CountChanges {
  readonly #rows = new Map<string, CountRow>();

  /** Counts a new charge. */
  add(merchant_id: string, block: string, channel: number, status: ChargeStatus, created_on: Timestamp): void {
    for (const row of this.#rowsOf(merchant_id, block, channel)) {
      row[columnOf(status)]++;
      if (created_on > row.newest_on) row.newest_on = created_on;
    }
  }

  /** Moves a charge that was counted before to another status. */
  move(merchant_id: string, block: string, channel: number, from: ChargeStatus, to: ChargeStatus): void {
    for (const row of this.#rowsOf(merchant_id, block, channel)) {
      row[columnOf(from)]--;
      row[columnOf(to)]++;
    }
  }

  #rowsOf(merchant_id: string, block: string, channel: number): CountRow[] {
    return [
      this.#row(merchant_id, LEVEL.block, block, channel),
      this.#row(merchant_id, LEVEL.day, dayOf(block), channel),
      this.#row(merchant_id, LEVEL.all, BEGINNING, channel),
    ];
  }

  #row(merchant_id: string, level: number, starts_on: string, channel: number): CountRow {
    const key = `${merchant_id} ${level} ${starts_on} ${channel}`;
    let row = this.#rows.get(key);
    if (row === undefined) {
      row = { merchant_id, level, starts_on, channel, newest_on: BEGINNING, ...NO_CHARGES };
      this.#rows.set(key, row);
    }
    return row;
  }

  async save(tx: PoolClient, schema: string): Promise<void> {
    if (this.#rows.size === 0) return;
    await tx.query({
      name: `${schema} charge counts: save`,
      text: `insert into ${schema}.charge_counts as c (${countColumns.list}) select ${countColumns.list} from ${countColumns.rows}
             on conflict (merchant_id, level, starts_on, channel) do update
             set newest_on = greatest(c.newest_on, excluded.newest_on), ${STATUS_COLUMNS.map((column) => `${column} = c.${column} + excluded.${column}`).join(', ')}`,
      values: countColumns.values([...this.#rows.values()]),
    });
  }
}

export const columnOf = (status: ChargeStatus): StatusColumn => status.toLowerCase() as StatusColumn;

const countColumns = countsTable.parameters(countsTable.names, 'rows');
