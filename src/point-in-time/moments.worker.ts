import { statfs } from 'node:fs/promises';
import type { Pool } from 'pg';
import { refusalOfDatabase } from '../platform/postgres/database-refusal.js';
import { isConnectionFailure } from '../platform/postgres/connection-failure.js';
import { DISK_FULL_BYTES, saysFull } from '../platform/postgres/disk-watch.js';
import { stepBackBehind } from '../platform/postgres/background-work.js';
import { EndedEventStore } from '../platform/event-store/ended-event-store.js';
import { StoreUnavailable, type EventStore } from '../platform/event-store/event-store.js';
import { buildUpTo } from '../platform/projector/build-up-to.js';
import type { Projection, SkippedEvents } from '../platform/projector/projection.js';
import { ElectedWorker } from '../platform/worker/elected-worker.js';
import { migrate } from '../platform/postgres/migrations.js';
import { MOMENT_MIGRATIONS } from './todays-keys.js';
import { CannotCreate, NO_SUCH_DATABASE, type MomentDatabases } from './moment-databases.js';
import { buildPriced, whatIfMigrations } from './what-if/priced-log.js';
import { momentVersion, type Moments, type StoredMoment } from './moments.js';

const LOOK_MS = 1_000;
/** Interval at which the progress of a build is recorded, ms. */
const RECORDED_EVERY_MS = 500;

export interface MomentsWorkerOptions {
  readonly databaseUrl: string;
  readonly pool: Pool;
  readonly moments: Moments;
  readonly databases: MomentDatabases;
  readonly store: EventStore;
  readonly projections: readonly Projection[];
  /** Events that are skipped today. */
  readonly skipped: SkippedEvents;
  /** IANA name of the time zone of the books. */
  readonly timeZone: string;
  /** Directory on the disk that the databases of moments are on; undefined: its free space cannot be read. */
  readonly directory: string | undefined;
  readonly onError: (error: unknown) => void;
}

/** A moment that cannot be built; the message is one line for people. */
class CannotBuild extends Error {
  override readonly name = 'CannotBuild';
}

/** Builds moments, one at a time, and closes those that are no longer used. One process does this. */
export function startMoments(options: MomentsWorkerOptions): ElectedWorker {
  const worker = new ElectedWorker({
    name: 'moments',
    databaseUrl: options.databaseUrl,
    intervalMs: LOOK_MS,
    pass: (signal) => pass(options, signal),
    onError: options.onError,
  });
  worker.start();
  return worker;
}

async function pass(options: MomentsWorkerOptions, signal: AbortSignal): Promise<void> {
  const { moments, databases } = options;
  for (const { id } of await moments.overdue()) await moments.close(id);
  for (const id of await databases.orphans()) await databases.drop(id);
  for (const moment of await moments.unbuilt()) {
    signal.throwIfAborted();
    await build(options, moment, signal);
  }
}

async function build(options: MomentsWorkerOptions, moment: StoredMoment, signal: AbortSignal): Promise<void> {
  const { moments, databases } = options;
  try {
    await buildDatabase(options, moment, signal);
    await moments.progressed(moment, { state: 'READY', events_done: moment.position, size_bytes: await databases.sizeOf(moment.id) });
  } catch (error) {
    signal.throwIfAborted();
    // Closed meanwhile: its database was dropped.
    if ((await moments.find(moment.id))?.event_id !== moment.event_id) return;
    if (isPassing(error)) throw error;
    await moments.fail(moment, reasonOf(error));
    if (!(error instanceof CannotBuild || error instanceof CannotCreate)) options.onError(error);
  }
}

async function buildDatabase(options: MomentsWorkerOptions, moment: StoredMoment, signal: AbortSignal): Promise<void> {
  const { moments, databases, store, projections, skipped } = options;
  const { id, position, stream, revision, event_id, stored_scenario: scenario } = moment;
  const [last] = await store.read(stream, { from: revision, limit: 1 });
  if (last?.id !== event_id) throw new CannotBuild(`event ${position} is not in the log: the event store was restored to an older state`);
  const version = momentVersion(projections);
  // Prices follow from all events before: they are computed by one read from the start.
  const continues = moment.version === version && scenario === null;
  if (!continues) await requireRoom(options);
  const source = scenario === null ? await moments.nearestBefore(position, version) : undefined;
  const isMade = await databases.make(id, {
    continues,
    from: source?.id,
    isWanted: () => moments.progressed(moment, { state: 'BUILDING', version }),
  });
  if (!isMade) return;
  let recordedMs = 0;
  const url = await databases.urlOf(id);
  await migrate(url, [...MOMENT_MIGRATIONS, ...(scenario === null ? [] : whatIfMigrations)]);
  const ended = new EndedEventStore(store, last.position);
  const build = (log: EventStore): Promise<void> =>
    buildUpTo({
      url,
      head: last.position,
      store: log,
      projections,
      skipped,
      signal,
      onPool: stepBackBehind,
      onProgress: async (events_done) => {
        const now = performance.now();
        if (now - recordedMs < RECORDED_EVERY_MS) return;
        recordedMs = now;
        if (!(await moments.progressed(moment, { state: 'BUILDING', events_done }))) throw new CannotBuild('it was closed');
      },
    });
  await (scenario === null ? build(ended) : buildPriced({ url, scenario, timeZone: options.timeZone, store: ended, build }));
}

/** Requires free space for the read models and for their way through the database's own log. @throws CannotBuild */
async function requireRoom({ directory, pool, projections }: MomentsWorkerOptions): Promise<void> {
  if (directory === undefined) return;
  const { rows } = await pool.query<{ size: bigint }>(
    `select coalesce(sum(pg_total_relation_size(oid)), 0)::int8 as size from pg_class
      where relkind = 'r' and relnamespace in (select oid from pg_namespace where nspname = any($1))`,
    [projections.map(({ name }) => name)],
  );
  const needed = 2 * Number(rows[0]!.size) + DISK_FULL_BYTES;
  const { bavail, bsize } = await statfs(directory);
  const free = bavail * bsize;
  if (free < needed) throw new CannotBuild(`the disk has ${megabytes(free)} free, and the build needs ${megabytes(needed)}`);
}

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6).toLocaleString('en')} MB`;

/** True for errors that the next pass may not meet again. A full disk is not waited for: the half-built tables take room that the service needs. */
function isPassing(error: unknown): boolean {
  if (error instanceof StoreUnavailable) return true;
  // Dropped while it was built: opened again, it is made again.
  const isGone = (error as { readonly code?: unknown }).code === NO_SUCH_DATABASE;
  return isGone || (isConnectionFailure(error) && !saysFull(error));
}

function reasonOf(error: unknown): string {
  if (saysFull(error)) return 'the disk of the database is full';
  return refusalOfDatabase(error) ?? (error instanceof Error ? error.message : String(error));
}
