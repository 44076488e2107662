import { setTimeout as delay } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { BackOff } from '../async/back-off.js';
import type { EventStore, Position, RecordedEvent } from '../event-store/event-store.js';
import { inTransaction } from '../postgres/pool.js';
import { spread } from '../async/spread.js';
import { recordBridged } from './bridge.js';
import type { BuildWriter } from './build-writer.js';
import {
  createReaderIndexes,
  createReaderIndexesBeside,
  dropUnlessRead,
  previousSchema,
  holdStill,
  isLockTimeout,
  putInEmptyPlace,
  swapIn,
  type Swap,
} from './build.js';
import { readCheckpoint, versionOf, type Checkpoint } from './checkpoint.js';
import { compareBuilds, type Bridging, type TableComparison } from './comparison.js';
import type { Projection } from './projection.js';
import { readingAhead } from './reading-ahead.js';
import { requireSameStore } from './same-store.js';
import { askForRetry } from './failures.js';

const BATCH_EVENTS = 5_000;
/** A build that lacks at most this many events is levelled with the live one while that one waits. */
const NEAR_EVENTS = 500;
/** Begins a transaction that sees one moment of the database. */
const READING = 'begin isolation level repeatable read, read only';
/** Connections that make a build readable. */
const HANDS = 2;
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 5_000;

/** Receives the progress of a replay. */
export interface ReplayWatch {
  /** A step begins. `total`: number of the events that it reads, if it reads any. */
  step(words: string, total?: number): void;
  /** This many more events were written. */
  advance(events: number): void;
}

export interface Replayed {
  readonly name: string;
  readonly version: string;
  /** Ordinal of the last event that was replayed. */
  readonly events: number;
  /** null when there is nothing to compare with: no live tables, or those of another version without a bridge. */
  readonly tables: readonly TableComparison[] | null;
}

/** Shared by all replays of a session. */
export interface ReplayContext {
  readonly store: Pick<EventStore, 'read' | 'subscribe' | 'head'>;
  readonly pool: Pool;
  readonly signal: AbortSignal;
  readonly watch: ReplayWatch;
}

/** A build of one projection beside the live one. */
export class Replay {
  #isReadable = false;

  /** @param liveVersion version of the live build when the replay began; null: there was none. */
  constructor(
    private readonly context: ReplayContext,
    readonly projection: Projection,
    readonly schema: string,
    private readonly writer: BuildWriter,
    readonly liveVersion: string | null,
  ) {}

  get isOfLiveVersion(): boolean {
    return this.liveVersion === versionOf(this.projection);
  }

  /** Writes the next events of the log. */
  write(events: readonly RecordedEvent[]): Promise<void> {
    return this.writer.write(events);
  }

  close(): void {
    this.writer.close();
  }

  result(tables: readonly TableComparison[] | null): Replayed {
    return { name: this.projection.name, version: versionOf(this.projection), events: this.writer.ordinal, tables };
  }

  /** Replays until the rest is small enough for the live build to wait for it. */
  async catchUp(): Promise<void> {
    for (;;) {
      const live = await liveCheckpoint(this.context, this.projection);
      if (live.ordinal - this.writer.ordinal <= NEAR_EVENTS) return;
      await this.#level(live);
    }
  }

  /** Replays to exactly the position of a live build. */
  async #level({ position }: Checkpoint): Promise<void> {
    for await (const events of eventsUpTo(this.context, this.writer.position, position)) await this.write(events);
  }

  /**
   * Compares both builds in a snapshot in which they are at the same event; the live one waits until it is taken, and continues.
   * @param isTakingOver also creates the indexes for readers and the statistics, meanwhile: nothing is written to the build while it is compared.
   * When this fails, the build must be dropped.
   */
  async compare(bridging?: Bridging, isTakingOver = false): Promise<TableComparison[]> {
    const { pool, watch } = this.context;
    const { name } = this.projection;
    await this.catchUp();
    watch.step(`${name}: comparing`);
    const reader = await pool.connect();
    const beside = await pool.connect();
    try {
      await this.#retried(async () => {
        try {
          await inTransaction(pool, (tx) => this.#viewAtSameEvent(tx, reader));
          return true;
        } catch (error) {
          if (!isLockTimeout(error)) throw error;
          return false;
        }
      });
      // One connection hashes for as long as the load of a build takes: a second one shares its snapshot.
      const { rows: views } = await reader.query<{ view: string }>('select pg_export_snapshot() as view');
      await beside.query(`${READING}; set transaction snapshot '${views[0]!.view}'`);
      const comparing = compareBuilds([reader, beside], name, this.schema, bridging);
      const [compared] = await Promise.all([comparing, isTakingOver && this.#makeReadable(createReaderIndexesBeside)]);
      const { rows } = await reader.query<{ version: string; ordinal: bigint }>(`select version, ordinal from ${name}.checkpoint`);
      await reader.query('commit');
      if (bridging) await recordBridged(pool, this.schema, { version: rows[0]!.version, ordinal: Number(rows[0]!.ordinal) }, compared);
      return compared;
    } finally {
      for (const each of [reader, beside]) each.release(true);
    }
  }

  async #viewAtSameEvent(tx: PoolClient, reader: PoolClient): Promise<void> {
    const { name } = this.projection;
    await holdStill(tx, name);
    await this.#level((await readCheckpoint(tx, name))!);
    await reader.query(READING);
    // The first statement takes the snapshot.
    await reader.query(`select ordinal from ${name}.checkpoint`);
  }

  /** Creates the indexes, unless they exist, and the statistics for the plans of readers; lists ask which pages are visible to all. */
  async #makeReadable(createIndexes: typeof createReaderIndexesBeside): Promise<void> {
    const { pool } = this.context;
    if ((await readCheckpoint(pool, this.schema))?.indexed === false) await createIndexes(pool, this.projection, this.schema, HANDS);
    await forEachTable(pool, this.schema, (table) => `vacuum (analyze) ${table}`, HANDS);
    this.#isReadable = true;
  }

  /** Replaces the live build with this one. */
  async switch(keepsOld: boolean): Promise<void> {
    const { pool, watch } = this.context;
    const { name } = this.projection;
    watch.step(`${name}: making indexes`);
    if (!this.#isReadable) await this.#makeReadable(createReaderIndexes);
    watch.step(`${name}: catching up`);
    await this.catchUp();
    watch.step(`${name}: switching`);
    const swap: Swap = { built: this.schema, keepsOld, level: (live) => this.#level(live) };
    await this.#retried(async () => {
      await this.catchUp();
      return (await swapIn(pool, this.projection, swap)) === 'swapped';
    });
    if (!keepsOld) await dropUnlessRead(pool, previousSchema(this.projection));
    // A service that had stopped because it must not switch continues with the build that is live now.
    await askForRetry(pool, name);
  }

  /**
   * Makes this build the live one when there is none, after it was brought to the end of the log. Remains of an earlier one are dropped.
   * @throws when the service has begun to build one meanwhile
   */
  async takePlace(): Promise<void> {
    const { pool, store, watch } = this.context;
    const { name } = this.projection;
    watch.step(`${name}: making indexes`);
    await this.#makeReadable(createReaderIndexes);
    for await (const events of eventsUpTo(this.context, this.writer.position, await store.head())) await this.write(events);
    watch.step(`${name}: switching`);
    await this.#retried(() => putInEmptyPlace(pool, this.projection, this.schema));
    await askForRetry(pool, name);
  }

  /** Repeats `attempt` with growing pauses until it succeeds. */
  async #retried(attempt: () => Promise<boolean>): Promise<void> {
    const { signal } = this.context;
    for (const backOff = new BackOff(FIRST_RETRY_MS, LONGEST_RETRY_MS); ;) {
      signal.throwIfAborted();
      if (await attempt()) return;
      await delay(backOff.take(), undefined, { signal });
    }
  }
}

/** A projection has no tables, or no record of their progress. */
export class NotBuilt extends Error {
  override readonly name = 'NotBuilt';

  constructor(projection: string) {
    super(
      `projection ${projection} has no tables or no checkpoint: "projections rebuild ${projection}" builds them, and ` +
        `so does the service when it starts`,
    );
  }
}

/** @throws NotBuilt; an Error when the live build comes from another store. */
export async function liveCheckpoint({ pool, store }: ReplayContext, projection: Projection): Promise<Checkpoint> {
  const live = await readCheckpoint(pool, projection.name);
  if (live === null) throw new NotBuilt(projection.name);
  await requireSameStore(store, projection.name, live);
  return live;
}

/** Yields events after `after`, up to the one at `last` (nothing when null). */
export async function* eventsUpTo(
  { store, signal }: Pick<ReplayContext, 'signal'> & { readonly store: Pick<EventStore, 'subscribe'> },
  after: Position | null,
  last: Position | null,
): AsyncGenerator<readonly RecordedEvent[]> {
  if (last === null || (after !== null && after >= last)) return;
  for await (const { events } of readingAhead(store, after, { signal, batchSize: BATCH_EVENTS })) {
    const within: readonly RecordedEvent[] = (events.at(-1)?.position ?? last) > last ? events.filter(({ position }) => position <= last) : events;
    if (within.length > 0) yield within;
    if (within.length < events.length || within.at(-1)?.position === last) return;
  }
  signal.throwIfAborted();
  throw new Error('the event store was closed');
}

/** Runs the statement for `hands` tables at a time, the largest first. */
export async function forEachTable(pool: Pool, schema: string, statement: (table: string) => string, hands = 1): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class where relnamespace = $1::regnamespace and relkind = 'r' order by pg_relation_size(oid) desc`,
    [schema],
  );
  await spread(
    Array.from({ length: hands }),
    rows.map(
      ({ name }) =>
        () =>
          pool.query(statement(`${schema}.${name}`)),
    ),
  );
}
