import type { ClientBase } from 'pg';
import type { HeldReason } from '../../src/ledger/events/transfer.events.js';
import type { Mode } from '../../src/ledger/mode.js';
import type { Timestamp } from '../../src/ledger/time.js';
import { Conditions } from '../../src/platform/postgres/conditions.js';
import { isOfMode } from '../merchants/owners.js';
import type { Payout } from './payouts.js';

type Db = Pick<ClientBase, 'query'>;

export type ProcessingPayout = Pick<Payout, 'id' | 'merchant_id' | 'amount' | 'currency' | 'updated_on'>;

/** Returns payouts of a mode that have been at the bank since `since` or longer, longest first. */
export async function findLongProcessing(db: Db, mode: Mode, since: Timestamp, limit: number): Promise<ProcessingPayout[]> {
  const { rows } = await db.query<Omit<ProcessingPayout, 'amount'> & { amount: bigint }>(
    `select id, merchant_id, amount, currency, updated_on from ledger.payouts
      where payout_status = 'PROCESSING' and updated_on <= $1 and ${isOfMode('$3')} order by updated_on, id limit $2`,
    [since, limit, mode],
  );
  return rows.map((row) => ({ ...row, amount: Number(row.amount) }));
}

export type HeldPayout = ProcessingPayout & { readonly rail: string; readonly held_reason: HeldReason; readonly held_on: Timestamp };

const IS_HELD = `held_reason is not null and payout_status = 'PROCESSING'`;

/** Returns the number of held payouts: no rule decides them. */
export async function countHeldPayouts(db: Db): Promise<number> {
  const { rows } = await db.query<{ held: number }>(`select count(*)::int4 as held from ledger.payouts where ${IS_HELD}`);
  return rows[0]!.held;
}

/** Returns held payouts (of a mode) that no operator has resolved yet, longest first. */
export async function findHeldPayouts(db: Db, limit: number, mode?: Mode): Promise<HeldPayout[]> {
  const conditions = new Conditions(limit).always(IS_HELD).where(mode, isOfMode);
  const { rows } = await db.query<Omit<HeldPayout, 'amount'> & { amount: bigint }>(
    `select id, merchant_id, amount, currency, updated_on, rail, held_reason, held_on from ledger.payouts
      where ${conditions.sql()} order by held_on, id limit $1`,
    conditions.values,
  );
  return rows.map((row) => ({ ...row, amount: Number(row.amount) }));
}

/** Payouts of a rail that are at the bank: the number of held ones, and the time since which the oldest has been there. */
export interface RailPayouts {
  readonly rail: string;
  readonly held: number;
  readonly oldest_on: Timestamp;
}

export async function findRailPayouts(db: Db): Promise<RailPayouts[]> {
  const { rows } = await db.query<Omit<RailPayouts, 'held'> & { held: bigint }>(
    `select rail, count(held_reason) as held, min(updated_on) as oldest_on from ledger.payouts
      where payout_status = 'PROCESSING' and rail is not null group by rail`,
  );
  return rows.map((row) => ({ ...row, held: Number(row.held) }));
}

/** Number of the newest payouts of all rails that are looked at. */
const LOOKED_AT = 1_000;
/** Minimum number of a rail's payouts among them for a statement about the rail. */
const ENOUGH = 20;

/**
 * Returns the time, in whole seconds, within which nine of ten payouts of a rail were paid after they had been submitted, by its payouts among the
 * newest thousand. null: fewer than twenty of them are paid. @param rail null for the simulated bank
 */
export async function findUsualSeconds(db: Db, rail: string | null): Promise<number | null> {
  const { rows } = await db.query<{ paid: number; seconds: number | null }>({
    name: 'payouts: usual time',
    text: `select count(*)::int4 as paid,
                  ceil(percentile_disc(0.9) within group (order by greatest(0, extract(epoch from paid_on - submitted_on))))::int4 as seconds
             from (select rail, submitted_on, paid_on from ledger.payouts order by ordinal desc limit $2) newest
            where rail is not distinct from $1 and paid_on is not null`,
    values: [rail, LOOKED_AT],
  });
  const { paid, seconds } = rows[0]!;
  return paid < ENOUGH ? null : seconds;
}
