import type { Pool } from 'pg';
import { timestamp, type Timestamp } from '../../../ledger/time.js';

/** A charge of a remote processor. */
export interface RailCharge {
  readonly charge_id: string;
  readonly merchant_id: string;
  readonly rail: string;
}

/** Something is to be asked of a processor. */
export interface DueRow extends RailCharge {
  /** The instruction that is to be cancelled; '' where the charge is to be looked after. */
  readonly cancels: string;
  readonly step: number;
  readonly unanswered: number;
  readonly begun_on: Timestamp;
}

/** Where every charge is the pure processor's. */
export const NOTHING_DUE: Pick<RailDue, 'lookBy'> = { lookBy: () => Promise.resolve() };

/** From the beginning of a charge to the first look, ms. */
export const FIRST_LOOK_MS = 60_000;

/** Injection token of the `RailDue` in force. */
export const RAIL_DUE = Symbol('RailDue');

/**
 * When processors are asked about charges. Rows may be there too early, or without their charge: whoever looks reads the charge's own
 * stream first. All moments are of the caller's clock, milliseconds since the epoch.
 */
export interface RailDue {
  /** @returns true when nobody began it before: the first attempt is counted, and the caller's */
  begin(charge: RailCharge, now: number): Promise<boolean>;
  /** Counts another attempt. @returns its number, from 1; undefined when there have been `max` */
  attempt(charge: RailCharge, max: number, now: number): Promise<number | undefined>;
  /** A notification may name this instruction alone. */
  made(chargeId: string, reference: string): Promise<void>;
  /** The charge that an instruction of this rail belongs to. */
  chargeOf(rail: string, reference: string): Promise<string | undefined>;
  /** An instruction that nobody was shown is to be cancelled. */
  cancel(charge: RailCharge, reference: string, now: number): Promise<void>;
  /** The charge is looked after then at the latest. */
  lookBy(chargeId: string, dueMs: number): Promise<void>;
  /** What is due at `now`, at most `perRail` of a rail: one of each merchant in turn, the oldest of each first. */
  find(now: number, perRail: number): Promise<DueRow[]>;
  /** Answered: the next step of the schedule. Nothing happens where somebody has moved it on since. */
  next(row: DueRow, nextStep: number, dueMs: number): Promise<void>;
  /** Not answered: the same step again. */
  again(row: DueRow, dueMs: number): Promise<void>;
  done(row: Pick<DueRow, 'charge_id' | 'cancels'>): Promise<void>;
}

/** On the database that is written to, which all processes share. */
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
