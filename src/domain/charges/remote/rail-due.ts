import type { Pool } from 'pg';
import { timestamp, type Timestamp } from '../../../ledger/time.js';

/** A charge of a remote processor. */
export interface RailCharge {
  readonly charge_id: string;
  readonly merchant_id: string;
  readonly rail: string;
}

/** A scheduled query or cancellation at a processor. */
export interface DueRow extends RailCharge {
  /** Reference of the instruction that is to be cancelled; '' for a query about the charge. */
  readonly cancels: string;
  readonly step: number;
  readonly unanswered: number;
  readonly begun_on: Timestamp;
}

/** Used where no charge has a remote processor. */
export const NOTHING_DUE: Pick<RailDue, 'lookBy'> = { lookBy: () => Promise.resolve() };

/** Time from the creation of a charge to its first query, ms. */
export const FIRST_LOOK_MS = 60_000;

/** Injection token of the `RailDue` in force. */
export const RAIL_DUE = Symbol('RailDue');

/**
 * The schedule of queries to processors. A row may exist too early or without its charge, so its reader reads the charge's own
 * stream first. All times are of the caller's clock, in milliseconds since the epoch.
 */
export interface RailDue {
  /** @returns true when the row is new: the first attempt is counted, and belongs to the caller */
  begin(charge: RailCharge, now: number): Promise<boolean>;
  /** Counts another attempt. @returns its number, from 1; undefined when there have been `max` */
  attempt(charge: RailCharge, max: number, now: number): Promise<number | undefined>;
  /** Stores the newest instruction of the charge: a notification may contain only this reference. */
  made(chargeId: string, reference: string): Promise<void>;
  /** Returns the charge of an instruction of this rail. */
  chargeOf(rail: string, reference: string): Promise<string | undefined>;
  /** Schedules the cancellation of an instruction that was never shown. */
  cancel(charge: RailCharge, reference: string, now: number): Promise<void>;
  /** Moves the next query of the charge forward to `dueMs`, if it is later. */
  lookBy(chargeId: string, dueMs: number): Promise<void>;
  /** Returns the rows due at `now`, at most `perRail` per rail: one row of each merchant in turn, each merchant's oldest first. */
  find(now: number, perRail: number): Promise<DueRow[]>;
  /** After an answer: moves to the next step of the schedule. No effect when the row has moved on since. */
  next(row: DueRow, nextStep: number, dueMs: number): Promise<void>;
  /** Without an answer: schedules the same step again. */
  again(row: DueRow, dueMs: number): Promise<void>;
  done(row: Pick<DueRow, 'charge_id' | 'cancels'>): Promise<void>;
}

/** Stores the schedule in the primary database, which all processes share. */
export class PostgresRailDue implements RailDue {
  constructor(private readonly pool: Pool) {}

  async begin({ charge_id, merchant_id, rail }: RailCharge, now: number): Promise<boolean> {
    const { rowCount } = await this.pool.query({
      name: 'rail due: begin',
      text: `insert into rail_due (charge_id, cancels, merchant_id, rail, due_on, step, unanswered, attempts, begun_on)
             values ($1, '', $2, $3, $4, 0, 0, 1, $5) on conflict do nothing`,
      values: [charge_id, merchant_id, rail, timestamp(now + FIRST_LOOK_MS), timestamp(now)],
    });
    return rowCount === 1;
  }

  async attempt({ charge_id, merchant_id, rail }: RailCharge, max: number, now: number): Promise<number | undefined> {
    const { rows } = await this.pool.query<{ attempts: number }>({
      name: 'rail due: attempt',
      text: `insert into rail_due as known (charge_id, cancels, merchant_id, rail, due_on, step, unanswered, attempts, begun_on)
             values ($1, '', $2, $3, $4, 0, 0, 1, $5)
             on conflict (charge_id, cancels) do update set attempts = known.attempts + 1 where known.attempts < $6
             returning attempts`,
      values: [charge_id, merchant_id, rail, timestamp(now + FIRST_LOOK_MS), timestamp(now), max],
    });
    return rows[0]?.attempts;
  }

  async made(chargeId: string, reference: string): Promise<void> {
    await this.pool.query({
      name: 'rail due: made',
      text: `update rail_due set reference = $2 where charge_id = $1 and cancels = ''`,
      values: [chargeId, reference],
    });
  }

  async chargeOf(rail: string, reference: string): Promise<string | undefined> {
    const { rows } = await this.pool.query<{ charge_id: string }>({
      name: 'rail due: charge of',
      text: `select charge_id from rail_due where rail = $1 and (reference = $2 or cancels = $2) limit 1`,
      values: [rail, reference],
    });
    return rows[0]?.charge_id;
  }

  async cancel({ charge_id, merchant_id, rail }: RailCharge, reference: string, now: number): Promise<void> {
    await this.pool.query(
      `insert into rail_due (charge_id, cancels, merchant_id, rail, due_on, step, unanswered, attempts, begun_on)
       values ($1, $2, $3, $4, $5, 0, 0, 0, $5) on conflict do nothing`,
      [charge_id, reference, merchant_id, rail, timestamp(now)],
    );
  }

  async lookBy(chargeId: string, dueMs: number): Promise<void> {
    await this.pool.query(`update rail_due set due_on = least(due_on, $2) where charge_id = $1 and cancels = ''`, [chargeId, timestamp(dueMs)]);
  }

  async find(now: number, perRail: number): Promise<DueRow[]> {
    const { rows } = await this.pool.query<Omit<DueRow, 'begun_on'> & { readonly begun_on: Timestamp }>(
      `select charge_id, cancels, merchant_id, rail, step, unanswered, begun_on from (
         select *, row_number() over (partition by rail order by turn, due_on) as place from (
           select *, row_number() over (partition by rail, merchant_id order by due_on) as turn from rail_due where due_on <= $1) due) placed
        where place <= $2 order by place`,
      [timestamp(now), perRail],
    );
    return rows;
  }

  async next({ charge_id, cancels, step }: DueRow, nextStep: number, dueMs: number): Promise<void> {
    await this.pool.query(`update rail_due set step = $4, due_on = $5, unanswered = 0 where charge_id = $1 and cancels = $2 and step = $3`, [
      charge_id,
      cancels,
      step,
      nextStep,
      timestamp(dueMs),
    ]);
  }

  async again({ charge_id, cancels, step }: DueRow, dueMs: number): Promise<void> {
    await this.pool.query(
      `update rail_due set unanswered = least(unanswered + 1, 1000), due_on = $4 where charge_id = $1 and cancels = $2 and step = $3`,
      [charge_id, cancels, step, timestamp(dueMs)],
    );
  }

  async done({ charge_id, cancels }: Pick<DueRow, 'charge_id' | 'cancels'>): Promise<void> {
    await this.pool.query(`delete from rail_due where charge_id = $1 and cancels = $2`, [charge_id, cancels]);
  }
}
