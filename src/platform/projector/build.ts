import { setTimeout as delay } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { inTransaction } from '../postgres/pool.js';
import { checkpointDdl, isNewer, readCheckpoint, versionOf, type Checkpoint } from './checkpoint.js';
import { spread } from '../async/spread.js';
import type { Projection, ReadModel } from './projection.js';

/** Longest wait for the current batch of the live build, ms: on a busy machine it takes a good part of a second. */
const BATCH_WAIT_MS = 5_000;
/** Longest wait for a table while readers hold it, ms: all other statements queue behind the waiting one. */
const SWAP_LOCK_TIMEOUT_MS = 200;
/** Longest wait for readers whose snapshot is older than the new build, ms: the projection does not move meanwhile. */
const SNAPSHOT_WAIT_MS = 200;
const SNAPSHOT_LOOK_MS = 5;

/** The schema in which a projection is rebuilt while its live schema is read. */
export const rebuildSchema = (projection: string): string => `${projection}_rebuild`;
/** The schema of the build that was live before, when it was kept for a rollback. */
export const previousSchema = (projection: Projection): string => `${projection.name}_former`;
/** The schema of a build that an engineer requested: the service leaves it alone, so the two never meet. */
export const replaySchema = (projection: Projection): string => `${projection.name}_replay`;
const replacedSchema = (projection: Projection): string => `${projection.name}_retired`;

/** Target of a projection's writes. */
export interface Build {
  readonly schema: string;
  readonly version: string;
  readonly live: boolean;
  readonly checkpoint: Checkpoint;
  /** The live build of another version that this one is to replace. It does not move, because its code has ended. */
  readonly previous?: Checkpoint;
}

/**
 * Returns the build to continue with: the live one when its version is ours; else the one beside it, new or continued; the live schema itself when
 * there is none yet.
 * @throws when the live one is newer than the code: two versions of the service would rebuild each other's rows for ever.
 */
export async function openBuild(pool: Pool, projection: Projection): Promise<Build> {
  const version = versionOf(projection);
  const live = await readCheckpoint(pool, projection.name);
  if (live === null) return createBuild(pool, projection, projection.name);
  if (live.version === version) {
    // Left behind by a swap that ended before its last step.
    await dropUnlessRead(pool, replacedSchema(projection));
    return { schema: projection.name, version, live: true, checkpoint: live };
  }
  requireNotNewer(projection, live.version);
  const begun = await readCheckpoint(pool, rebuildSchema(projection.name));
  if (begun?.version === version && begun.ordinal <= live.ordinal) {
    return { schema: rebuildSchema(projection.name), version, live: false, checkpoint: begun, previous: live };
  }
  return { ...(await createBuild(pool, projection, rebuildSchema(projection.name))), previous: live };
}

/** @throws when the rows are newer than the code. */
export function requireNotNewer(projection: Projection, rows: string): void {
  const version = versionOf(projection);
  if (!isNewer(rows, version)) return;
  throw new Error(
    `the read models of projection ${projection.name} were written by a newer version of the service (${rows}; this one has ${version}): ` +
      `start that version, or run "drop schema ${projection.name} cascade" and let this version rebuild them`,
  );
}

/** Creates an empty build in `schema`, which replaces an existing one. */
export async function createBuild(pool: Pool, projection: Projection, schema: string): Promise<Build> {
  const version = versionOf(projection);
  await inTransaction(pool, async (tx) => {
    await tx.query(`drop schema if exists ${schema} cascade`);
    await tx.query(`create schema ${schema}`);
    await tx.query(checkpointDdl(schema));
    await tx.query(`insert into ${schema}.checkpoint (ordinal, version, indexed, updated_on) values (0, $1, false, $2)`, [version, new Date()]);
    for (const readModel of projection.readModels) await tx.query(readModel.ddl(schema));
  });
  const checkpoint = await readCheckpoint(pool, schema);
  return { schema, version, live: schema === projection.name, checkpoint: checkpoint! };
}

/** Creates the indexes that only readers need. Called after the load, because a load with them takes several times as long. */
export async function createReaderIndexes(pool: Pool, projection: Projection, schema: string): Promise<void> {
  await inTransaction(pool, async (tx) => {
    for (const readModel of projection.readModels) {
      for (const index of readModel.indexes(schema)) await tx.query(index);
    }
    await tx.query(`update ${schema}.checkpoint set indexed = true`);
  });
}

/**
 * Does the same for `hands` read models at a time. Used for a build that is dropped when this fails, because a part of the indexes may exist then.
 */
export async function createReaderIndexesBeside(pool: Pool, projection: Projection, schema: string, hands: number): Promise<void> {
  const create = (readModel: ReadModel) => (): Promise<void> =>
    inTransaction(pool, async (tx) => {
      for (const index of readModel.indexes(schema)) await tx.query(index);
    });
  await spread(Array.from({ length: hands }), projection.readModels.map(create));
  await pool.query(`update ${schema}.checkpoint set indexed = true`);
}

/** The build that replaces the live one, and the handling of the live one. */
export interface Swap {
  /** Schema of the finished build. */
  readonly built: string;
  /** Keeps the build that was live as the previous one, which replaces an earlier one. Default: it is dropped. */
  readonly keepsOld?: boolean;
  /** Brings the finished build to the position of `live`, which does not move meanwhile. Default: the build is there, or the result is `behind`. */
  readonly level?: (live: Checkpoint) => Promise<unknown>;
}

/**
 * Replaces the live build with the finished one, in one transaction.
 * No batch can be between its fence and its rows then, because the live checkpoint is locked: a batch that began before the swap has ended, one that
 * begins after it finds the new tables and their checkpoint. A reader with a snapshot from before the new build was finished would find that build
 * half made instead of the rows that it had begun to read: the swap waits for such readers.
 * `behind`: the live build has moved further in the meantime. `busy`: the tables were not released in time.
 */
export async function swapIn(pool: Pool, projection: Projection, { built, keepsOld = false, level }: Swap): Promise<'swapped' | 'behind' | 'busy'> {
  const [live, previous, replaced] = [projection.name, previousSchema(projection), replacedSchema(projection)];
  try {
    const swapped = await inTransaction(pool, async (tx) => {
      await holdStill(tx, live);
      await tx.query(`set local lock_timeout = ${SWAP_LOCK_TIMEOUT_MS}`);
      await tx.query(`lock table ${live}.checkpoint in access exclusive mode`);
      const was = await readCheckpoint(tx, live);
      await level?.(was!);
      await tx.query(`lock table ${built}.checkpoint in access exclusive mode`);
      const is = await readCheckpoint(tx, built);
      if (is!.ordinal < was!.ordinal) return 'behind' as const;
      if (!(await olderReadersEnd(tx))) return 'busy' as const;
      await tx.query(`drop schema if exists ${replaced} cascade`);
      await tx.query(`alter schema ${live} rename to ${replaced}`);
      await tx.query(`alter schema ${built} rename to ${live}`);
      if (keepsOld) {
        await tx.query(`drop schema if exists ${previous} cascade`);
        await tx.query(`alter schema ${replaced} rename to ${previous}`);
      }
      return 'swapped' as const;
    });
    if (swapped === 'swapped') await dropUnlessRead(pool, replaced);
    return swapped;
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    return 'busy';
  }
}

/**
 * Makes the finished build the live one when there is no live one; remains of an earlier one are dropped.
 * @returns false when its tables were not released in time
 * @throws when there is a live one by now
 */
export async function putInEmptyPlace(pool: Pool, { name }: Projection, built: string): Promise<boolean> {
  try {
    await inTransaction(pool, async (tx) => {
      await tx.query(`set local lock_timeout = ${SWAP_LOCK_TIMEOUT_MS}`);
      if ((await readCheckpoint(tx, name)) !== null)
        throw new Error(`the service is already building projection ${name}: "projections status" shows the progress`);
      await tx.query(`drop schema if exists ${name} cascade`);
      await tx.query(`alter schema ${built} rename to ${name}`);
    });
    return true;
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    return false;
  }
}

/**
 * Keeps the build in `schema` from moving until the transaction ends: waits for the current batch, and the next one waits for the transaction.
 * Readers continue. @throws a lock timeout
 */
export async function holdStill(tx: PoolClient, schema: string): Promise<void> {
  await tx.query(`set local lock_timeout = ${BATCH_WAIT_MS}`);
  await tx.query(`lock table ${schema}.checkpoint in exclusive mode`);
}

/**
 * Returns true once every transaction that began before now has released its snapshot; false after SNAPSHOT_WAIT_MS.
 * Ignores statements that wait for the checkpoint behind this transaction, as the projector's next batch does under steady writes: they would wait
 * for ever. Such a statement takes a new snapshot after the wait, and no reader reads a checkpoint in a snapshot that it keeps for several
 * statements.
 */
async function olderReadersEnd(tx: PoolClient): Promise<boolean> {
  // As text, to keep the microseconds.
  const { rows } = await tx.query<{ now: string }>('select clock_timestamp()::text as now');
  const deadline = performance.now() + SNAPSHOT_WAIT_MS;
  for (;;) {
    // Without this, a transaction keeps its first view of the other sessions.
    await tx.query('select pg_stat_clear_snapshot()');
    const { rowCount } = await tx.query(
      `select from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
          and backend_xmin is not null and xact_start < $1
          and not pg_backend_pid() = any(pg_blocking_pids(pid))`,
      [rows[0]!.now],
    );
    if (rowCount === 0) return true;
    if (performance.now() > deadline) return false;
    await delay(SNAPSHOT_LOOK_MS);
  }
}

/** Leaves tables that a reader still holds, because they were retired a moment ago; the next opening of the build removes them. */
export async function dropUnlessRead(pool: Pool, schema: string): Promise<void> {
  try {
    await inTransaction(pool, async (tx) => {
      await tx.query(`set local lock_timeout = ${SWAP_LOCK_TIMEOUT_MS}`);
      await tx.query(`drop schema if exists ${schema} cascade`);
    });
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
  }
}

export function isLockTimeout(error: unknown): boolean {
  return (error as { code?: unknown }).code === '55P03';
}
