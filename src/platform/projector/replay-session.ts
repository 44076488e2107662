import { setTimeout as delay } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import type { EventStore, Position, RecordedEvent } from '../event-store/event-store.js';
import { advisoryLockKey, AdvisoryLock } from '../postgres/advisory-lock.js';
import { createPool, inTransaction } from '../postgres/pool.js';
import { bridgeFrom, recordBridged } from './bridge.js';
import { BuildWriter } from './build-writer.js';
import {
  createBuild,
  createReaderIndexes,
  dropUnlessRead,
  formerSchema,
  isLockTimeout,
  rebuildSchema,
  replaySchema,
  requireNotNewer,
  swapIn,
  type Swap,
  holdStill,
} from './build.js';
import { readCheckpoint, versionOf, type Checkpoint } from './checkpoint.js';
import { compareBuilds, type Bridging, type TableComparison } from './comparison.js';
import type { PassedOver, Projection } from './projection.js';
import { BATCH_SETTINGS, createPipeliningPool } from './projector.js';
import { readingAhead } from './reading-ahead.js';
import { requireSameStore } from './same-store.js';
import { askForRetry } from './stops.js';
import { BackOff } from '../back-off.js';

/** Whoever holds this lock replays. */
const REPLAY_LOCK = advisoryLockKey('chargebook replay');
const APPLICATION = 'chargebook-replay';
const BATCH_EVENTS = 5_000;
const BATCH_TIMEOUT_MS = 60_000;
/** A build that lacks no more than this is levelled with the live one while that one waits. */
const NEAR_EVENTS = 500;
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 5_000;

/** Who is told how far a replay has come. */
export interface ReplayWatch {
  /** A step begins. `total`: the events it goes through, where it goes through any. */
  step(words: string, total?: number): void;
  /** So many more events were written. */
  advance(events: number): void;
}

export interface ReplayOptions {
  readonly url: string;
  readonly store: Pick<EventStore, 'read' | 'subscribe'>;
  /** Breaks off; what was half built is removed. */
  readonly signal: AbortSignal;
  readonly watch: ReplayWatch;
  readonly passedOver: PassedOver;
  /** Told of each pool of connections that replays go through, before it is used. */
  readonly onPool?: (pool: Pool) => void;
}

export interface Replayed {
  readonly name: string;
  readonly version: string;
  /** Ordinal of the last event that was replayed. */
  readonly events: number;
  /** null when the live tables are of another version that no bridge leads to: there is nothing to compare with. */
  readonly tables: readonly TableComparison[] | null;
}

export interface Rebuilt extends Replayed {
  /** Rows. */
  readonly differences: number;
  readonly switched: boolean;
}

export interface RebuildOptions {
  /** Keeps the build that was live, for a rollback. An earlier one goes in any case. */
  readonly keepsOld: boolean;
  readonly acceptsDifferences: boolean;
  /** Of these the new build is compared and dropped. */
  readonly verifiedOnly: ReadonlySet<string>;
}

/** A build beside the live one. */
interface Replay {
  readonly projection: Projection;
  readonly schema: string;
  readonly writer: BuildWriter;
  /** Of the live build, when the replay began. */
  readonly liveVersion: string;
}

const isSameVersion = ({ liveVersion, projection }: Replay): boolean => liveVersion === versionOf(projection);

/** Another process rebuilds, verifies or rolls back. */
export class ReplayUnderWay extends Error {
  override readonly name = 'ReplayUnderWay';
}

/**
 * Replays beside the live builds, by a process that does not project: the service goes on meanwhile, writes the live tables
 * and answers from them. One at a time in a database. What an ended process left behind is removed by the next one.
 */
export class ReplaySession {
  readonly #signal: AbortSignal;

  private constructor(
    private readonly options: ReplayOptions,
    private readonly batches: Pool,
    private readonly pool: Pool,
    lost: AbortSignal,
  ) {
    this.#signal = AbortSignal.any([options.signal, lost]);
    this.#signal.addEventListener('abort', () => void this.#cancelStatements(), { once: true });
  }

  /** Runs `work` with the only session there is. @throws ReplayUnderWay */
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
   * Builds each of `projections` anew and puts it in the place of the live one, unless it differs from that: of another version,
   * in more than what is meant.
   * All of them come from one reading of the log.
   */
  async rebuild(projections: readonly Projection[], options: RebuildOptions): Promise<Rebuilt[]> {
    return this.#replaying(projections, 'kept', async (replays) => {
      const rebuilt: Rebuilt[] = [];
      for (const replay of replays) {
        const { name } = replay.projection;
        const bridging = isSameVersion(replay) ? undefined : bridgeFrom(replay.projection, replay.liveVersion, replay.schema);
        const compared = bridging === null ? null : await this.#compare(replay, bridging);
        const differences = sum(compared);
        const switches = !options.verifiedOnly.has(name) && (differences === 0 || options.acceptsDifferences);
        if (switches) await this.#switch(replay, options.keepsOld);
        rebuilt.push({ ...this.#replayed(replay, compared), differences, switched: switches });
      }
      return rebuilt;
    });
  }

  /** Compares the live tables of each of `projections` with a build made anew, and drops that. */
  async verify(projections: readonly Projection[]): Promise<(Replayed & { readonly tables: readonly TableComparison[] })[]> {
    return this.#replaying(projections, 'dropped', async (replays) => {
      const other = replays.find((replay) => !isSameVersion(replay));
      if (other) {
        throw new Error(`the tables of projection ${other.projection.name} are of another version than this command: nothing can be said about them`);
      }
      const verified = [];
      for (const replay of replays) {
        const tables = await this.#compare(replay);
        verified.push({ ...this.#replayed(replay, tables), tables });
      }
      return verified;
    });
  }

  /** Puts the former build of each of `projections` back, having brought it to where the live one is; that one is kept in its place. */
  async rollback(projections: readonly Projection[]): Promise<Replayed[]> {
    const rolledBack: Replayed[] = [];
    for (const projection of projections) {
      const schema = formerSchema(projection);
      const former = await readCheckpoint(this.pool, schema);
      if (!former) throw new Error(`projection ${projection.name} has no former build: a rebuild with --keep-old keeps one`);
      const version = versionOf(projection);
      if (former.version !== version) {
        throw new Error(
          `the former build of projection ${projection.name} is of version ${former.version}, and this command of ${version}: ` +
            `the command line of that version can bring it up to date and put it back`,
        );
      }
      await requireSameStore(this.options.store, projection.name, former);
      const writer = new BuildWriter(
        projection,
        { schema, version, live: false, checkpoint: former },
        this.batches,
        await this.options.passedOver(projection.name),
      );
      try {
        await this.#switch({ projection, schema, writer, liveVersion: version }, true);
        rolledBack.push({ name: projection.name, version, events: writer.ordinal, tables: null });
      } finally {
        writer.close();
      }
    }
    return rolledBack;
  }

  /** Which of `projections` have a former build. */
  async withFormer(projections: readonly Projection[]): Promise<Projection[]> {
    const found = await Promise.all(projections.map((projection) => readCheckpoint(this.pool, formerSchema(projection))));
    return projections.filter((_, index) => found[index] !== null);
  }

  #replayed({ projection, writer }: Replay, tables: readonly TableComparison[] | null): Replayed {
    return { name: projection.name, version: versionOf(projection), events: writer.ordinal, tables };
  }

  /** What is left of the new builds afterwards is removed, however `work` ends. */
  async #replaying<T>(projections: readonly Projection[], end: 'kept' | 'dropped', work: (replays: readonly Replay[]) => Promise<T>): Promise<T> {
    const replays: Replay[] = [];
    try {
      const live: Checkpoint[] = [];
      for (const projection of projections) {
        const checkpoint = await this.#live(projection);
        requireNotNewer(projection, checkpoint.version);
        live.push(checkpoint);
        const version = versionOf(projection);
        if (checkpoint.version !== version && (await readCheckpoint(this.pool, rebuildSchema(projection.name)))?.version === version) {
          throw new Error(`the service rebuilds projection ${projection.name} by itself: its tables are of an older version than its code`);
        }
        const build = await createBuild(this.pool, projection, replaySchema(projection));
        // What is dropped in any case needs no log to be recovered from: that is a good part of what its rows cost.
        if (end === 'dropped') await this.#forEachTable(build.schema, (table) => `alter table ${table} set unlogged`);
        replays.push({
          projection,
          schema: build.schema,
          writer: new BuildWriter(projection, build, this.batches, await this.options.passedOver(projection.name)),
          liveVersion: checkpoint.version,
        });
      }
      await this.#load(replays, live);
      return await work(replays);
    } finally {
      for (const { projection, writer } of replays) {
        writer.close();
        await this.#drop(replaySchema(projection));
      }
    }
  }

  /** Once more when the statement that breaks the others off has met it. What cannot be removed now is by the next session. */
  async #drop(schema: string): Promise<void> {
    const drop = (): Promise<unknown> => this.pool.query(`drop schema if exists ${schema} cascade`);
    await drop()
      .catch(drop)
      .catch(() => undefined);
  }

  /** @throws when there is no live build, or it comes from another store. */
  async #live(projection: Projection): Promise<Checkpoint> {
    const live = await readCheckpoint(this.pool, projection.name);
    if (live === null) throw new Error(`projection ${projection.name} has no tables yet: the service builds them when it starts`);
    await requireSameStore(this.options.store, projection.name, live);
    return live;
  }

  /** Up to where the live builds are by now: together as far as they all have come, then each for itself. */
  async #load(replays: readonly Replay[], live: readonly Checkpoint[]): Promise<void> {
    const { watch } = this.options;
    const furthest = Math.max(0, ...live.map(({ ordinal }) => ordinal));
    watch.step('events', furthest);
    const together = live.reduce<Position | null>(
      (least, { position }) => (position === null || least === null || position < least ? position : least),
      live[0]?.position ?? null,
    );
    for await (const events of this.#eventsUpTo(null, together)) {
      await Promise.all(replays.map(({ writer }) => writer.write(events, BATCH_EVENTS)));
      watch.advance(events.length);
    }
    for (const replay of replays) await this.#catchUp(replay);
  }

  /** Events behind `after`, up to the one at `last` (nothing when null). */
  async *#eventsUpTo(after: Position | null, last: Position | null): AsyncGenerator<readonly RecordedEvent[]> {
    if (last === null || (after !== null && after >= last)) return;
    for await (const { events } of readingAhead(this.options.store, after, { signal: this.#signal, batchSize: BATCH_EVENTS })) {
      const within: readonly RecordedEvent[] = (events.at(-1)?.position ?? last) > last ? events.filter(({ position }) => position <= last) : events;
      if (within.length > 0) yield within;
      if (within.length < events.length || within.at(-1)?.position === last) return;
    }
    this.#signal.throwIfAborted();
    throw new Error('the event store was closed');
  }

  /** To exactly where a live build stands. */
  async #level({ writer }: Replay, { position }: Checkpoint): Promise<void> {
    for await (const events of this.#eventsUpTo(writer.position, position)) await writer.write(events, BATCH_EVENTS);
  }

  /** Until what is missing is little enough for the live build to wait for it. */
  async #catchUp(replay: Replay): Promise<void> {
    for (;;) {
      const live = await this.#live(replay.projection);
      if (live.ordinal - replay.writer.ordinal <= NEAR_EVENTS) return;
      await this.#level(replay, live);
    }
  }

  /** In a view of the database in which both builds stand at the same event; the live one waited for that moment, and goes on. */
  async #compare(replay: Replay, bridging?: Bridging): Promise<TableComparison[]> {
    const { projection, schema } = replay;
    const { name } = projection;
    await this.#catchUp(replay);
    this.options.watch.step(`${name}: comparing`);
    const reader = await this.pool.connect();
    try {
      await this.#retried(async () => {
        try {
          await inTransaction(this.pool, (tx) => this.#viewAtSameEvent(tx, reader, replay));
          return true;
        } catch (error) {
          if (!isLockTimeout(error)) throw error;
          return false;
        }
      });
      const compared = await compareBuilds(reader, name, schema, bridging);
      const { rows } = await reader.query<{ version: string; ordinal: bigint }>(`select version, ordinal from ${name}.checkpoint`);
      await reader.query('commit');
      if (bridging) await recordBridged(this.pool, schema, { version: rows[0]!.version, ordinal: Number(rows[0]!.ordinal) }, compared);
      return compared;
    } finally {
      reader.release(true);
    }
  }

  async #viewAtSameEvent(tx: PoolClient, reader: PoolClient, replay: Replay): Promise<void> {
    const { name } = replay.projection;
    await holdStill(tx, name);
    await this.#level(replay, (await readCheckpoint(tx, name))!);
    await reader.query('begin isolation level repeatable read, read only');
    // The view is taken by the first statement.
    await reader.query(`select ordinal from ${name}.checkpoint`);
  }

  async #switch(replay: Replay, keepsOld: boolean): Promise<void> {
    const { projection, schema } = replay;
    const { watch } = this.options;
    if ((await readCheckpoint(this.pool, schema))?.indexed === false) {
      watch.step(`${projection.name}: making indexes`);
      await createReaderIndexes(this.pool, projection, schema);
    }
    watch.step(`${projection.name}: statistics`);
    // Readers' plans need to know the tables, and lists that they need their indexes only.
    await this.#forEachTable(schema, (table) => `vacuum (analyze) ${table}`);
    watch.step(`${projection.name}: catching up`);
    await this.#catchUp(replay);
    watch.step(`${projection.name}: switching`);
    const swap: Swap = { built: schema, keepsOld, level: (live) => this.#level(replay, live) };
    await this.#retried(async () => {
      await this.#catchUp(replay);
      return (await swapIn(this.pool, projection, swap)) === 'swapped';
    });
    if (!keepsOld) await dropUnlessRead(this.pool, formerSchema(projection));
    // A service that had stopped because it was not to switch goes on with what is live now.
    await askForRetry(this.pool, projection.name);
  }

  async #forEachTable(schema: string, statement: (table: string) => string): Promise<void> {
    const { rows } = await this.pool.query<{ name: string }>('select quote_ident(tablename) as name from pg_tables where schemaname = $1', [schema]);
    for (const { name } of rows) await this.pool.query(statement(`${schema}.${name}`));
  }

  /** With growing pauses, until `attempt` succeeds. */
  async #retried(attempt: () => Promise<boolean>): Promise<void> {
    for (const backOff = new BackOff(FIRST_RETRY_MS, LONGEST_RETRY_MS); ;) {
      this.#signal.throwIfAborted();
      if (await attempt()) return;
      await delay(backOff.take(), undefined, { signal: this.#signal });
    }
  }

  /** So that breaking off does not wait for an index of minutes. */
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
