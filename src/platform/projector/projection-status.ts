import type { Pool } from 'pg';
import { StoreRestored, type EventStore, type Position } from '../event-store/event-store.js';
import { readBridged, type Bridged } from './bridge.js';
import { rebuildSchema } from './build.js';
import { readCheckpoint, versionOf } from './checkpoint.js';
import type { Projection } from './projection.js';
import { ageOf, firstBehind } from './projection-lag.js';
import { PROJECTOR_LOCK } from './projector.js';
import { readFailures, type Stop } from './failures.js';

/** Maximum events after the furthest projection that are counted. */
const UNREAD_EVENTS_MAX = 1_000_000;
const CAUGHT_UP_SECONDS = 1;

export interface ProjectionStatus {
  readonly name: string;
  /** Sum of its read models' versions: rises with each of them. */
  readonly version: number;
  /** False when its schema holds no tables, or no record of their progress. */
  readonly built: boolean;
  /** Ordinal of the last applied event. */
  readonly position: number;
  readonly lag_events: number;
  /** Age of the first event that is not applied; 0 when there is none. */
  readonly lag_seconds: number;
  /** `idle`: no process projects. */
  readonly state: 'live' | 'catching-up' | 'rebuilding' | 'stopped' | 'idle';
  /** Set while stopped: the event, and the reason. */
  readonly stop: Stop | null;
  /** Set for tables that replaced those of a previous version: the differences that were found, and were meant. */
  readonly bridged: Bridged | null;
}

/**
 * Returns the status for the operator, from any process. `head` is the ordinal of the newest event (a lower bound when a million or more are unread).
 */
export async function projectionStatus(
  pool: Pool,
  store: EventStore,
  projections: readonly Projection[],
): Promise<{ head: number; projections: ProjectionStatus[] }> {
  const [stops, led] = [await readFailures(pool), await isLed(pool)];
  const found = await Promise.all(
    projections.map(async (projection) => ({
      projection,
      live: await readCheckpoint(pool, projection.name),
      rebuilding: (await readCheckpoint(pool, rebuildSchema(projection.name))) !== null,
      bridged: await readBridged(pool, projection.name),
    })),
  );
  const furthest = found.reduce<{ position: Position | null; ordinal: number }>(
    (best, { live }) => (live && live.ordinal > best.ordinal ? live : best),
    { position: null, ordinal: 0 },
  );
  const head = furthest.ordinal + (await ifSameStore(countBehind(store, furthest.position)));

  const statuses = found.map(async ({ projection, live, rebuilding, bridged }): Promise<ProjectionStatus> => {
    const position = live?.ordinal ?? 0;
    const lag_events = head - position;
    const lag_seconds = lag_events === 0 ? 0 : await ifSameStore(ageOfNext(store, live?.position ?? null));
    const stop = stops.find((each) => each.projection === projection.name) ?? null;
    const state = stop ? 'stopped' : !led ? 'idle' : rebuilding ? 'rebuilding' : lag_seconds > CAUGHT_UP_SECONDS ? 'catching-up' : 'live';
    return {
      name: projection.name,
      version: sumOfVersions(live?.version ?? versionOf(projection)),
      built: live !== null,
      position,
      lag_events,
      lag_seconds,
      state,
      stop,
      bridged,
    };
  });
  return { head, projections: await Promise.all(statuses) };
}

function sumOfVersions(version: string): number {
  return version.split(' ').reduce((sum, part) => sum + Number(part.split('=')[1]), 0);
}

async function isLed(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ led: boolean }>(
    `select exists (select 1 from pg_locks
      where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())
        and (classid::int8 << 32 | objid::int8) = $1) as led`,
    [PROJECTOR_LOCK],
  );
  return rows[0]!.led;
}

async function countBehind(store: EventStore, position: Position | null): Promise<number> {
  let count = 0;
  for await (const { events, caughtUp } of store.subscribe(position, { signal: new AbortController().signal })) {
    count += events.length;
    if (caughtUp || count >= UNREAD_EVENTS_MAX) break;
  }
  return count;
}

/** In seconds. */
async function ageOfNext(store: EventStore, position: Position | null): Promise<number> {
  const next = await firstBehind(store, new AbortController().signal, position);
  return next ? ageOf(next) / 1_000 : 0;
}

/** Rows of another store than the present one have no distance from it: their projection stops, and its status states the reason. */
async function ifSameStore(distance: Promise<number>): Promise<number> {
  return distance.catch((error: unknown) => {
    if (error instanceof StoreRestored) return 0;
    throw error;
  });
}
