import type { Pool, PoolClient } from 'pg';
import { inTransaction } from '../postgres/pool.js';
import { checkpointDdl, isNewer, readCheckpoint, versionOf, type Checkpoint } from './checkpoint.js';
import type { Projection } from './projection.js';

/** Longest wait for a table while readers hold it, ms: everybody else queues behind whoever waits. */
const SWAP_LOCK_TIMEOUT_MS = 200;

/** The schema in which a projection is built anew while its live schema is read. */
export const rebuildSchema = (projection: Projection): string => `${projection.name}_rebuild`;
const retiredSchema = (projection: Projection): string => `${projection.name}_retired`;

/** Where to project to. */
export interface Build {
  readonly schema: string;
  readonly version: string;
  readonly live: boolean;
  readonly checkpoint: Checkpoint;
}

/**
 * The build to go on with: the live one when its version is ours; else the one beside it, begun now or continued;
 * the live schema itself when there is none yet.
 * @throws when the live one is newer than the code: two versions of the service would rebuild each other's rows for ever.
 */
export async function openBuild(pool: Pool, projection: Projection): Promise<Build> {
  const version = versionOf(projection);
  const live = await readCheckpoint(pool, projection.name);
  if (live === null) return createBuild(pool, projection, projection.name);
  if (live.version === version) {
    // Left behind by a swap that ended before its last step.
    await dropUnlessRead(pool, retiredSchema(projection));
    return { schema: projection.name, version, live: true, checkpoint: live };
  }
  if (isNewer(live.version, version)) {
    throw new Error(
      `the read models of projection ${projection.name} were written by a newer version of the service (${live.version}; this one has ${version}): ` +
        `start that one, or "drop schema ${projection.name} cascade" to have them built again by this one`,
    );
  }
  const begun = await readCheckpoint(pool, rebuildSchema(projection));
  if (begun?.version === version) return { schema: rebuildSchema(projection), version, live: false, checkpoint: begun };
  return createBuild(pool, projection, rebuildSchema(projection));
}

async function createBuild(pool: Pool, projection: Projection, schema: string): Promise<Build> {
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

/** The indexes that only readers need: made when the load is done, because a load with them takes several times as long. */
export async function createReaderIndexes(pool: Pool, projection: Projection, schema: string): Promise<void> {
  await inTransaction(pool, async (tx) => {
    for (const readModel of projection.readModels) {
      for (const index of readModel.indexes(schema)) await tx.query(index);
    }
    await tx.query(`update ${schema}.checkpoint set indexed = true`);
  });
}

/**
 * Puts the finished build in the place of the live one, in one transaction.
 * Nobody can be between his fence and his rows then, because the live checkpoint is locked: a batch that began before the swap
 * has ended, one that begins after it finds the new tables and their checkpoint.
 * `behind`: the live build has come further in the meantime. `busy`: somebody did not let go of the tables in time.
 */
export async function swapIn(pool: Pool, projection: Projection): Promise<'swapped' | 'behind' | 'busy'> {
  const [live, built, retired] = [projection.name, rebuildSchema(projection), retiredSchema(projection)];
  try {
    const swapped = await inTransaction(pool, async (tx) => {
      await tx.query(`set local lock_timeout = ${SWAP_LOCK_TIMEOUT_MS}`);
      await tx.query(`lock table ${live}.checkpoint, ${built}.checkpoint in access exclusive mode`);
      const [was, is] = await ordinals(tx, [live, built]);
      if (is! < was!) return 'behind' as const;
      await tx.query(`drop schema if exists ${retired} cascade`);
      await tx.query(`alter schema ${live} rename to ${retired}`);
      await tx.query(`alter schema ${built} rename to ${live}`);
      return 'swapped' as const;
    });
    if (swapped === 'swapped') await dropUnlessRead(pool, retired);
    return swapped;
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    return 'busy';
  }
}

async function ordinals(tx: PoolClient, schemas: readonly string[]): Promise<bigint[]> {
  const found: bigint[] = [];
  for (const schema of schemas) {
    const { rows } = await tx.query<{ ordinal: bigint }>(`select ordinal from ${schema}.checkpoint`);
    found.push(rows[0]!.ordinal);
  }
  return found;
}

/** A reader may still be in tables that were retired a moment ago; whoever opens the build next removes them. */
async function dropUnlessRead(pool: Pool, schema: string): Promise<void> {
  try {
    await inTransaction(pool, async (tx) => {
      await tx.query(`set local lock_timeout = ${SWAP_LOCK_TIMEOUT_MS}`);
      await tx.query(`drop schema if exists ${schema} cascade`);
    });
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
  }
}

function isLockTimeout(error: unknown): boolean {
  return (error as { code?: unknown }).code === '55P03';
}
