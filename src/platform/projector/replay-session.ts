import type { Pool } from 'pg';
import type { EventStore, Position } from '../event-store/event-store.js';
import { advisoryLockKey, AdvisoryLock } from '../postgres/advisory-lock.js';
import { createPool } from '../postgres/pool.js';
import { bridgeFrom } from './bridge.js';
import { BuildWriter } from './build-writer.js';
import { createBuild, previousSchema, rebuildSchema, replaySchema, requireNotNewer, type Build } from './build.js';
import { readCheckpoint, versionOf, type Checkpoint } from './checkpoint.js';
import { differencesDigest, type TableComparison } from './comparison.js';
import { Pace } from './pace.js';
import type { SkippedEvents, Projection } from './projection.js';
import { BATCH_SETTINGS, createPipeliningPool } from './projector.js';
import { eventsUpTo, forEachTable, liveCheckpoint, NotBuilt, Replay, type ReplayContext, type Replayed, type ReplayWatch } from './replay.js';
import { requireSameStore } from './same-store.js';

/** The process that holds this lock replays. */
const REPLAY_LOCK = advisoryLockKey('chargebook replay');
const APPLICATION = 'chargebook-replay';
const BATCH_TIMEOUT_MS = 60_000;

export interface ReplayOptions {
  readonly url: string;
  readonly store: Pick<EventStore, 'read' | 'subscribe' | 'head'>;
  /** Cancels the work; half-built tables are removed. */
  readonly signal: AbortSignal;
  readonly watch: ReplayWatch;
  readonly skipped: SkippedEvents;
  /** Called with each pool of connections that replays use, before it is used. */
  readonly onPool?: (pool: Pool) => void;
}

export interface Rebuilt extends Replayed {
  /** Number of rows that differ. */
  readonly differences: number;
  /** Digest of the differences; null without any. */
  readonly differences_digest: string | null;
  readonly switched: boolean;
}

export interface RebuildOptions {
  /** Keeps the build that was live, for a rollback. An earlier one is dropped in any case. */
  readonly keepsOld: boolean;
  /** Returns true when the new build replaces the live one although it differs. @param digest of the differences */
  readonly accepts: (projection: string, digest: string) => boolean;
  /** Projections whose new build is compared and dropped. */
  readonly verifiedOnly: ReadonlySet<string>;
}

/** Target of a replay: the live build, or without one the end of the log, whose ordinal is not known. */
type Target = Pick<Checkpoint, 'position' | 'ordinal'>;

/** Another process rebuilds, verifies or rolls back. */
export class ReplayUnderWay extends Error {
  override readonly name = 'ReplayUnderWay';
}

/**
 * Replays beside the live builds, in a process that does not project: meanwhile the service writes the live tables and reads them. One at a time in a
 * database. The next replay removes the remains of one that was interrupted.
 */
export class ReplaySession {
  readonly #context: ReplayContext;

  private constructor(
    private readonly options: ReplayOptions,
    private readonly batches: Pool,
    private readonly pool: Pool,
    lost: AbortSignal,
  ) {
    const signal = AbortSignal.any([options.signal, lost]);
    signal.addEventListener('abort', () => void this.#cancelStatements(), { once: true });
    this.#context = { store: options.store, pool, signal, watch: options.watch };
  }

  /** Runs `work` with the only session. @throws ReplayUnderWay */
  static async run<T>(options: ReplayOptions, work: (session: ReplaySession) => Promise<T>): Promise<T> {
    const { url } = options;
    const lost = new AbortController();
    const onLost = (error: Error): void => lost.abort(error);
    const lock = new AdvisoryLock({ url, key: REPLAY_LOCK, onLost });
    const batches = createPipeliningPool({ url, applicationName: APPLICATION, statementTimeoutMs: BATCH_TIMEOUT_MS, settings: BATCH_SETTINGS }, 8);
    const pool = createPool({ url, applicationName: APPLICATION, statementTimeoutMs: 0, maxConnections: 8 });
    for (const each of [batches, pool]) options.onPool?.(each);
    try {
      if (!(await lock.tryAcquire())) throw new ReplayUnderWay('another rebuild, verification or rollback is under way; there is one at a time');
      return await work(new ReplaySession(options, batches, pool, lost.signal));
    } finally {
      await Promise.all([batches.end(), pool.end()]);
      await lock.release();
    }
  }

  /**
   * Rebuilds each of `projections` and replaces the live build, unless the new one differs from it; between two versions, differences that are meant
   * do not count. Without a live build, the new one becomes live in any case.
   * One read of the log serves all of them.
   */
  async rebuild(projections: readonly Projection[], options: RebuildOptions): Promise<Rebuilt[]> {
    return this.#replaying(projections, 'kept', async (replays) => {
      const rebuilt: Rebuilt[] = [];
      for (const replay of replays) {
        if (replay.liveVersion === null) {
          await replay.takePlace();
          rebuilt.push({ ...replay.result(null), differences: 0, differences_digest: null, switched: true });
          continue;
        }
        const { name } = replay.projection;
        const bridging = replay.isOfLiveVersion ? undefined : bridgeFrom(replay.projection, replay.liveVersion, replay.schema);
        const mayTakeOver = !options.verifiedOnly.has(name);
        const compared = bridging === null ? null : await replay.compare(bridging, mayTakeOver);
        const differences = sum(compared);
        const digest = differences === 0 ? null : differencesDigest(compared ?? []);
        const switches = mayTakeOver && (digest === null || options.accepts(name, digest));
        if (switches) await replay.switch(options.keepsOld);
        rebuilt.push({ ...replay.result(compared), differences, differences_digest: digest, switched: switches });
      }
      return rebuilt;
    });
  }

  /** Compares the live tables of each of `projections` with a new build, and drops the new build. */
  async verify(projections: readonly Projection[]): Promise<(Replayed & { readonly tables: readonly TableComparison[] })[]> {
    return this.#replaying(projections, 'dropped', async (replays) => {
      const other = replays.find((replay) => !replay.isOfLiveVersion);
      if (other) {
        throw new Error(`the tables of projection ${other.projection.name} are of another version than this command, so they cannot be compared`);
      }
      const verified = [];
      for (const replay of replays) {
        const tables = await replay.compare();
        verified.push({ ...replay.result(tables), tables });
      }
      return verified;
    });
  }

  /** Restores the previous build of each of `projections`, brought to the position of the live one; that one is kept in its place. */
  async rollback(projections: readonly Projection[]): Promise<Replayed[]> {
    const rolledBack: Replayed[] = [];
    for (const projection of projections) {
      const schema = previousSchema(projection);
      const previous = await readCheckpoint(this.pool, schema);
      if (!previous) throw new Error(`projection ${projection.name} has no previous build: a rebuild with --keep-old keeps one`);
      const version = versionOf(projection);
      if (previous.version !== version) {
        throw new Error(
          `the previous build of projection ${projection.name} is of version ${previous.version}; this command is of version ${version}: ` +
            `use the command line of that version for the rollback`,
        );
      }
      await requireSameStore(this.options.store, projection.name, previous);
      const replay = await this.#replay(projection, { schema, version, live: false, checkpoint: previous }, version);
      try {
        await replay.switch(true);
        rolledBack.push(replay.result(null));
      } finally {
        replay.close();
      }
    }
    return rolledBack;
  }

  /** Returns those of `projections` that have a previous build. */
  async withPrevious(projections: readonly Projection[]): Promise<Projection[]> {
    const found = await Promise.all(projections.map((projection) => readCheckpoint(this.pool, previousSchema(projection))));
    return projections.filter((_, index) => found[index] !== null);
  }

  /** Removes the remains of the new builds afterwards, however `work` ends. */
  async #replaying<T>(projections: readonly Projection[], end: 'kept' | 'dropped', work: (replays: readonly Replay[]) => Promise<T>): Promise<T> {
    const replays: Replay[] = [];
    try {
      const targets: Target[] = [];
      for (const projection of projections) {
        const checkpoint = await this.#liveCheckpoint(projection, end);
        if (checkpoint) requireNotNewer(projection, checkpoint.version);
        targets.push(checkpoint ?? { position: await this.options.store.head(), ordinal: 0 });
        const version = versionOf(projection);
        if (checkpoint && checkpoint.version !== version && (await readCheckpoint(this.pool, rebuildSchema(projection.name)))?.version === version) {
          throw new Error(`the service is already rebuilding projection ${projection.name}: its tables are of an older version than its code`);
        }
        const build = await createBuild(this.pool, projection, replaySchema(projection));
        // A build that is dropped in any case needs no write-ahead log, which is a good part of the cost of its rows.
        if (end === 'dropped') await forEachTable(this.pool, build.schema, (table) => `alter table ${table} set unlogged`);
        replays.push(await this.#replay(projection, build, checkpoint?.version ?? null));
      }
      await this.#load(replays, targets);
      return await work(replays);
    } finally {
      for (const replay of replays) {
        replay.close();
        await this.#drop(replay.schema);
      }
    }
  }

  async #replay(projection: Projection, build: Build, liveVersion: string | null): Promise<Replay> {
    const writer = new BuildWriter(projection, build, this.batches, await this.options.skipped(projection.name), new Pace());
    return new Replay(this.#context, projection, build.schema, writer, liveVersion);
  }

  /** Returns null without a live build: a rebuild can do without it, a comparison cannot. @throws NotBuilt */
  async #liveCheckpoint(projection: Projection, end: 'kept' | 'dropped'): Promise<Checkpoint | null> {
    try {
      return await liveCheckpoint(this.#context, projection);
    } catch (error) {
      if (error instanceof NotBuilt && end === 'kept') return null;
      throw error;
    }
  }

  /** Tries twice, because the statement that cancels the others may have hit it. The next session removes a schema that cannot be removed now. */
  async #drop(schema: string): Promise<void> {
    const drop = (): Promise<unknown> => this.pool.query(`drop schema if exists ${schema} cascade`);
    await drop()
      .catch(drop)
      .catch(() => undefined);
  }

  /** Loads up to the present positions of the live builds: together as far as all of them have come, then each separately. */
  async #load(replays: readonly Replay[], targets: readonly Target[]): Promise<void> {
    const { watch } = this.options;
    const furthest = Math.max(0, ...targets.map(({ ordinal }) => ordinal));
    watch.step('events', furthest === 0 ? undefined : furthest);
    const together = targets.reduce<Position | null>(
      (least, { position }) => (position === null || least === null || position < least ? position : least),
      targets[0]?.position ?? null,
    );
    for await (const events of eventsUpTo(this.#context, null, together)) {
      await Promise.all(replays.map((replay) => replay.write(events)));
      watch.advance(events.length);
    }
    for (const replay of replays) if (replay.liveVersion !== null) await replay.catchUp();
  }

  /** Cancels running statements, so that a cancelled replay does not wait minutes for an index. */
  async #cancelStatements(): Promise<void> {
    await this.pool
      .query(
        `select pg_cancel_backend(pid) from pg_stat_activity where application_name = $1 and datname = current_database() and pid <> pg_backend_pid()`,
        [APPLICATION],
      )
      .catch(() => undefined);
  }
}

const sum = (tables: readonly TableComparison[] | null): number => (tables ?? []).reduce((total, { differences }) => total + differences, 0);
