import type { Pool } from 'pg';
import { isMissingTable } from '../postgres/missing-table.js';
import type { Differing } from './bridge.js';
import type { OrdinalEvent } from './projection.js';

/** Why a projection is stopped, and since when. Stored where every process and the operator can read it. */
export interface Stop {
  readonly projection: string;
  /** RFC 3339. */
  readonly since: string;
  /** Failed attempts so far. */
  readonly attempts: number;
  /** null: not tried again before an operator acts. */
  readonly retry_on: string | null;
  readonly error: string;
  /** The event that cannot be applied; null when it stopped for another reason. */
  readonly event: { readonly ordinal: number; readonly id: string; readonly type: string; readonly stream: string; readonly revision: number } | null;
  /** Set when a raised version did not replace the previous one: the differences that are not meant. */
  readonly differing: readonly Differing[] | null;
}

/** An event on which `apply` threw, alone in its batch. Nothing after it was applied. */
export class EventNotApplied extends Error {
  override readonly name = 'EventNotApplied';

  constructor(
    readonly event: OrdinalEvent,
    cause: unknown,
  ) {
    super(
      `event ${event.ordinal} (${event.type} ${event.id}, ${event.stream} at ${event.revision}) cannot be applied: ${messageOf(cause)}` +
        (isMissingTable(cause) ? '; if a table or column was lost, "projections rebuild" creates it again' : ''),
      { cause },
    );
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export async function recordFailure(pool: Pool, stop: Stop): Promise<void> {
  const { event } = stop;
  await pool.query(
    `insert into projector.stops (projection, since, attempts, retry_on, error, ordinal, event_id, event_type, stream, revision, differing)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     on conflict (projection) do update set (since, attempts, retry_on, error, ordinal, event_id, event_type, stream, revision, differing)
       = (excluded.since, excluded.attempts, excluded.retry_on, excluded.error,
          excluded.ordinal, excluded.event_id, excluded.event_type, excluded.stream, excluded.revision, excluded.differing)`,
    [
      stop.projection,
      stop.since,
      stop.attempts,
      stop.retry_on,
      stop.error,
      event?.ordinal ?? null,
      event?.id ?? null,
      event?.type ?? null,
      event?.stream ?? null,
      event?.revision ?? null,
      stop.differing && JSON.stringify(stop.differing),
    ],
  );
}

/** Returns the stops of all projections that are stopped now. */
export async function readFailures(pool: Pool): Promise<Stop[]> {
  const { rows } = await pool.query<{
    projection: string;
    since: string;
    attempts: number;
    retry_on: string | null;
    error: string;
    ordinal: bigint | null;
    event_id: string;
    event_type: string;
    stream: string;
    revision: number;
    differing: readonly Differing[] | null;
  }>(
    'select projection, since, attempts, retry_on, error, ordinal, event_id, event_type, stream, revision, differing from projector.stops order by since, projection',
  );
  return rows.map(({ projection, since, attempts, retry_on, error, ordinal, event_id, event_type, stream, revision, differing }) => ({
    projection,
    since,
    attempts,
    retry_on,
    error,
    event: ordinal === null ? null : { ordinal: Number(ordinal), id: event_id, type: event_type, stream, revision },
    differing,
  }));
}

/** Asks the process that projects to try again now. Returns false when the projection is not stopped. */
export async function askForRetry(pool: Pool, projection: string): Promise<boolean> {
  const { rowCount } = await pool.query('update projector.stops set retry_on = now() where projection = $1', [projection]);
  return rowCount === 1;
}

/** Returns true when a retry was requested since `stop` was recorded. */
export async function isRetryAsked(pool: Pool, { projection, retry_on }: Stop): Promise<boolean> {
  const { rows } = await pool.query<{ retry_on: string | null }>('select retry_on from projector.stops where projection = $1', [projection]);
  const moment = (text: string | null): number | null => (text === null ? null : Date.parse(text));
  return rows[0] !== undefined && moment(rows[0].retry_on) !== moment(retry_on);
}

export async function clearFailure(pool: Pool, projection: string): Promise<void> {
  await pool.query('delete from projector.stops where projection = $1', [projection]);
}
