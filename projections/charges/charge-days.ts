import type { ClientBase, PoolClient } from 'pg';
import { channelByCode } from '../../src/ledger/channels.js';
import type { ChargeStatus } from '../../src/ledger/events/charge.events.js';
import type { Mode } from '../../src/ledger/mode.js';
import type { Timestamp } from '../../src/ledger/time.js';
import { Conditions } from '../../src/platform/postgres/conditions.js';
import { Table, type RowOf } from '../../src/platform/postgres/binary/table.js';
import { joinOwners } from '../merchants/owners.js';
import { channelCode, channelNumbers, columnOf, NO_CHARGES, STATUS_COLUMNS, STATUS_DDL, type StatusColumn } from './charge-blocks.js';

/** Charges by merchant, channel and the day (UTC) on which they were created. The blocks of charge-blocks.ts are not cut at midnight. */
export const chargeDaysTable = new Table(
  'charge_days',
  {
    day: 'text collate "C" not null',
    merchant_id: 'uuid not null',
    channel: 'smallint not null',
    ...STATUS_DDL,
    /** Sum of the amounts of those that succeeded; it may exceed 2^63. */
    amount: 'numeric not null',
  },
  ['primary key (day, merchant_id, channel)'],
  'with (fillfactor = 70)',
);
type StoredDay = RowOf<(typeof chargeDaysTable)['definitions'], { readonly amount: bigint }>;
type DayRow = { -readonly [Column in keyof StoredDay]: StoredDay[Column] };

const columns = chargeDaysTable.parameters(chargeDaysTable.names, 'rows');
const COUNTED = [...STATUS_COLUMNS, 'amount'] as const;

interface CountedCharge {
  readonly merchant_id: string;
  readonly created_on: Timestamp;
  /** Minor units. */
  readonly amount: number;
}

/** Changes of the days by a batch. */
export class DayChanges {
  readonly #rows = new Map<string, DayRow>();

  /** Counts a new charge. */
  add(charge: CountedCharge, channel: number, status: ChargeStatus): void {
    this.#count(charge, channel, status, 1);
  }

  /** Moves a charge that was counted before to another status. */
  move(charge: CountedCharge, channel: number, from: ChargeStatus, to: ChargeStatus): void {
    this.#count(charge, channel, from, -1);
    this.#count(charge, channel, to, 1);
  }

  #count({ merchant_id, created_on, amount }: CountedCharge, channel: number, status: ChargeStatus, count: 1 | -1): void {
    const day = created_on.slice(0, 10);
    const key = `${day} ${merchant_id} ${channel}`;
    let row = this.#rows.get(key);
    if (row === undefined) {
      row = { day, merchant_id, channel, ...NO_CHARGES, amount: 0n };
      this.#rows.set(key, row);
    }
    row[columnOf(status)] += count;
    if (status === 'SUCCEEDED') row.amount += BigInt(count * amount);
  }

  async save(tx: PoolClient, schema: string): Promise<void> {
    if (this.#rows.size === 0) return;
    await tx.query({
      name: `${schema} charge days: save`,
      text: `insert into ${schema}.charge_days as d (${columns.list}) select ${columns.list} from ${columns.rows}
             on conflict (day, merchant_id, channel) do update
             set ${COUNTED.map((column) => `${column} = d.${column} + excluded.${column}`).join(', ')}`,
      values: columns.values([...this.#rows.values()]),
    });
  }
}

// --- reading ----------------------------------------------------------------------------------------------------------

/** Numbers of charges by status. */
export type ChargeCounts = Readonly<Record<`${StatusColumn}_count`, number>>;

/**
 * Returns the part of the charges with an end that were paid, of 1; null when none has ended. A cancelled charge is left out: its merchant took it
 * back.
 */
export function successRate(of: Pick<ChargeCounts, 'succeeded_count' | 'failed_count' | 'expired_count'>): number | null {
  const ended = of.succeeded_count + of.failed_count + of.expired_count;
  return ended === 0 ? null : Math.round((of.succeeded_count / ended) * 10_000) / 10_000;
}

/** Charges of one channel that were created on one day (UTC), by their status now. */
export interface ChargeDay extends ChargeCounts {
  /** `2026-01-31`. */
  readonly day: string;
  readonly channel_code: string;
  readonly currency: string;
  /** Sum of the amounts of those that succeeded, minor units. */
  readonly succeeded_amount: bigint;
  readonly success_rate: number | null;
}

export interface ChargeDaysQuery {
  readonly mode?: Mode | undefined;
  readonly merchant_id?: string | undefined;
  readonly currency?: string | undefined;
  readonly channel_code?: string | undefined;
  /** The days, in their order. */
  readonly days: readonly string[];
}

/** Returns the days and channels with charges: days in their order, channels in that of their codes. It reads one row per day, merchant and channel. */
export async function findChargeDays(db: Pick<ClientBase, 'query'>, query: ChargeDaysQuery): Promise<ChargeDay[]> {
  const { mode, merchant_id, currency, channel_code, days } = query;
  // Days as a list and not as a range: the index then finds those of one merchant without reading those of the others.
  const conditions = new Conditions(days, channelNumbers(channel_code, currency))
    .always('d.day = any($1) and d.channel = any($2)')
    .equal({ 'o.mode': mode })
    .where(merchant_id, (p) => `d.merchant_id = ${p}::uuid`);
  const sums = COUNTED.map((column) => `sum(d.${column})::text as ${column}`).join(', ');
  const { rows } = await db.query<Record<(typeof COUNTED)[number], string> & { readonly day: string; readonly channel: number }>(
    `select d.day, d.channel, ${sums} from ledger.charge_days d ${joinOwners('d')} where ${conditions.sql()} group by d.day, d.channel`,
    conditions.values,
  );
  return rows
    .map(({ day, channel, cancelled, expired, failed, pending, succeeded, amount }) => {
      const code = channelCode(channel);
      const counts = {
        cancelled_count: Number(cancelled),
        expired_count: Number(expired),
        failed_count: Number(failed),
        pending_count: Number(pending),
        succeeded_count: Number(succeeded),
      };
      const of = { day, channel_code: code, currency: channelByCode(code)!.currency };
      return { ...of, ...counts, succeeded_amount: BigInt(amount), success_rate: successRate(counts) };
    })
    .sort((a, b) => (`${a.day} ${a.channel_code}` < `${b.day} ${b.channel_code}` ? -1 : 1));
}
