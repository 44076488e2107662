import type { Pool } from 'pg';
import type { DayPlan } from './day.js';

type Db = Pick<Pool, 'query'>;

/** Reads the planted defects in files of the mode, by day: balances and later files include them. */
export async function readPlans(db: Db, mode: 'live' | 'test'): Promise<Map<string, DayPlan>> {
  const { rows } = await db.query<{ day: string; defects: number[]; seed: bigint }>(
    'select day, defects, seed from simulator_defects where mode = $1',
    [mode],
  );
  return new Map(rows.map(({ day, defects, seed }) => [day, { defects, seed: Number(seed) }]));
}

/** Replaces the defects of the day's files. */
export async function keepPlan(db: Db, mode: 'live' | 'test', day: string, { defects, seed }: DayPlan): Promise<void> {
  await db.query(
    `insert into simulator_defects (mode, day, defects, seed) values ($1, $2, $3, $4)
     on conflict (mode, day) do update set defects = excluded.defects, seed = excluded.seed`,
    [mode, day, defects, seed],
  );
}
