import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { StoreUnavailable, type EventStore, type Position, type RecordedEvent, type SubscriptionBatch } from '../event-store/event-store.js';
import { isConnectionFailure } from '../postgres/connection-failure.js';
import { createReaderIndexes, openBuild, swapIn, type Build } from './build.js';
import { FenceLost, moveCheckpoint, type Checkpoint } from './checkpoint.js';
import type { OrdinalEvent, Projection } from './projection.js';
import { clearStop, EventNotApplied, messageOf, recordStop, type Stop } from './stops.js';

/** Most events in one transaction. Enough to make its fixed cost vanish, few enough to keep in memory. */
export const BATCH_EVENTS_MAX = 5_000;
/** Up to here a read model's part in a batch is done in less time than a turn of the event loop takes. */
const SMALL_BATCH_EVENTS = 500;
const FIRST_RETRY_MS = 100;
/** While a database or the store is away. */
const LONGEST_RECONNECT_MS = 1_000;
/** While an event cannot be applied: only new code, or a repaired store, changes that. */
const LONGEST_STOP_MS = 60_000;
const SWAP_RETRY_MS = 250;

export type ProjectionPhase = 'starting' | 'catching-up' | 'rebuilding' | 'live' | 'waiting' | 'stopped';

/** `report` is told what an operator wants to know; it must not throw. */
export type Report = (level: 'info' | 'warn' | 'error', message: string, fields: Readonly<Record<string, unknown>>) => void;

export interface RunnerResources {
  readonly store: Pick<EventStore, 'read'>;
  /** Where the log is followed. */
  readonly log: Pick<EventStore, 'subscribe'>;
  /** Pipelining connections for batches. */
  readonly batches: Pool;
  /** For what may take minutes: schemas, indexes, swaps. */
  readonly ddl: Pool;
  readonly report: Report;
}

/** Follows the log with one projection. Only ever run by the elected process; the fence makes sure where election cannot. */
export class ProjectionRunner {
  #phase: ProjectionPhase = 'starting';
  #build: Build | undefined;
  #position: Position | null = null;
  #ordinal = 0;
  #failures = 0;
  #stop: Stop | null = null;
  /** A stop of this or an earlier process may stand in its table until the next batch goes through. */
  #stopRecorded = true;
  #client: PoolClient | undefined;

  constructor(
    readonly projection: Projection,
    private readonly resources: RunnerResources,
  ) {}

  get progress(): { phase: ProjectionPhase; position: Position | null; ordinal: number; stop: Stop | null } {
    return { phase: this.#phase, position: this.#position, ordinal: this.#ordinal, stop: this.#stop };
  }

  /** Follows until `signal` aborts; outlives every failure but one. @throws FenceLost when another process leads. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#follow(signal);
      } catch (error) {
        if (error instanceof FenceLost) throw error;
        if (!signal.aborted) await this.#rest(error, signal);
      } finally {
        this.#discardConnection();
      }
    }
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { log, ddl, report } = this.resources;
    const build = await openBuild(ddl, this.projection);
    await this.#requireSameStore(build.checkpoint);
    this.#build = build;
    this.#position = build.checkpoint.position;
    this.#ordinal = build.checkpoint.ordinal;
    this.#phase = build.live ? 'catching-up' : 'rebuilding';
    report('info', `projection ${this.projection.name} goes on in schema ${build.schema} after event ${this.#ordinal}`, {
      projection: this.projection.name,
      schema: build.schema,
      version: build.version,
      ordinal: this.#ordinal,
    });

    let indexed = build.checkpoint.indexed;
    for await (const { events, caughtUp } of readingAhead(log, this.#position, signal)) {
      await this.#project(events);
      if (build.live) this.#phase = caughtUp ? 'live' : 'catching-up';
      if (!caughtUp) continue;
      if (!indexed) {
        await createReaderIndexes(ddl, this.projection, build.schema);
        indexed = true;
      }
      if (!build.live && (await this.#switch(signal))) return;
      if (this.projection.gatherMs) await delay(this.projection.gatherMs, undefined, { signal });
    }
    if (!signal.aborted) throw new StoreUnavailable('the event store is closed');
  }

  /** A store that was put back to an older state would be projected on top of rows that it knows nothing of. */
  async #requireSameStore({ event, position, ordinal }: Checkpoint): Promise<void> {
    if (event === null) return;
    const [stored] = await this.resources.store.read(event.stream, { from: event.revision, limit: 1 });
    if (stored?.id === event.id && stored.position === position) return;
    const { name } = this.projection;
    throw new Error(
      `the event store is not the one that projection ${name} comes from: its last event ${ordinal} (${event.id}, ${event.stream} at ` +
        `${event.revision}) is not there. An older backup was restored, or another store is connected. Connect the right one; ` +
        `or, if this store is the truth now, build the read models from it: stop the service, ` +
        `"drop schema ${name} cascade" in its database, start it again.`,
    );
  }

  /** True when the new build is the live one now. */
  async #switch(signal: AbortSignal): Promise<boolean> {
    for (;;) {
      const outcome = await swapIn(this.resources.ddl, this.projection);
      if (outcome === 'swapped') {
        this.resources.report('info', `projection ${this.projection.name} was rebuilt and is live`, {
          projection: this.projection.name,
          version: this.#build!.version,
          ordinal: this.#ordinal,
        });
        return true;
      }
      if (outcome === 'behind') return false;
      await delay(SWAP_RETRY_MS, undefined, { signal });
    }
  }

  /** All of `events`, in as few transactions as it takes to find an event that cannot be applied: halves, down to one. */
  async #project(events: readonly RecordedEvent[]): Promise<void> {
    let size = Math.min(events.length, BATCH_EVENTS_MAX);
    for (let done = 0; done < events.length;) {
      const batch = this.#numbered(events.slice(done, done + size));
      try {
        await this.#commit(batch);
        done += batch.length;
        if (this.#failures > 0 || this.#stopRecorded) await this.#recovered();
      } catch (error) {
        this.#discardConnection();
        if (error instanceof FenceLost || isPassing(error)) throw error;
        if (batch.length === 1) throw new EventNotApplied(batch[0]!, error);
        size = Math.ceil(batch.length / 2);
      }
    }
  }

  /** In place: every projection gives an event the same number, and copies are what a replay would spend much of its time on. */
  #numbered(events: readonly RecordedEvent[]): OrdinalEvent[] {
    return events.map((event, index) => Object.assign(event, { ordinal: this.#ordinal + 1 + index }));
  }

  /**
   * One transaction. Its statements are pipelined: `begin`, the fence and the first statement of each read model leave together,
   * and nothing is committed before the fence has answered.
   *
   * A live build commits synchronously. Asynchronously a crash of Postgres could take back rows that an answer had already
   * promised ("once a write is answered, every read sees it"), until they are projected again; one flush per batch is the price.
   * A build that nobody reads yet has promised nothing.
   */
  async #commit(batch: readonly OrdinalEvent[]): Promise<void> {
    const { schema, version, live } = this.#build!;
    const last = batch.at(-1)!;
    const client = (this.#client ??= await this.resources.batches.connect());
    const begun = heardLater(client.query(live ? 'begin' : 'begin; set local synchronous_commit = off'));
    const build = { schema, version, announceAs: live ? this.projection.name : null };
    const fenced = heardLater(moveCheckpoint(client, build, this.#position, last, new Date()));
    const applied: Promise<void>[] = [];
    for (const readModel of this.projection.readModels) {
      applied.push(heardLater(readModel.apply(client, schema, batch)));
      // What has been queued leaves between two turns of the event loop: Postgres begins while the next read model folds.
      if (batch.length > SMALL_BATCH_EVENTS) await setImmediate();
    }

    const [fence, ...others] = await Promise.allSettled([fenced, begun, ...applied]);
    // First, because without the fence it means nothing that the statements behind it failed on somebody else's rows.
    const lost = fence.status === 'fulfilled' && !fence.value;
    const failure = lost ? new FenceLost(`the checkpoint of ${schema} is not at ${this.#ordinal} any more`) : firstCause([fence, ...others]);
    if (failure !== undefined) {
      await client.query('rollback').catch(() => undefined);
      throw failure;
    }
    const { command } = await client.query('commit');
    if (command !== 'COMMIT') throw new Error(`a batch of ${schema} was rolled back although no statement failed`);
    this.#position = last.position;
    this.#ordinal = last.ordinal;
  }

  async #recovered(): Promise<void> {
    if (this.#stop) this.resources.report('info', `projection ${this.projection.name} goes on`, { projection: this.projection.name });
    this.#failures = 0;
    this.#stop = null;
    // The batch is committed, whatever becomes of this: the next one tries again.
    await clearStop(this.resources.ddl, this.projection.name).then(
      () => (this.#stopRecorded = false),
      () => undefined,
    );
  }

  /** After a failure: says so, and waits before the next attempt. */
  async #rest(error: unknown, signal: AbortSignal): Promise<void> {
    this.#failures++;
    const { name } = this.projection;
    const passing = isPassing(error);
    const pauseMs = Math.min(FIRST_RETRY_MS * 2 ** Math.min(this.#failures - 1, 20), passing ? LONGEST_RECONNECT_MS : LONGEST_STOP_MS);
    if (passing) {
      this.#phase = 'waiting';
      this.resources.report('warn', `projection ${name} waits: ${messageOf(error)}`, { projection: name, attempts: this.#failures });
    } else {
      await this.#halt(error, new Date(Date.now() + pauseMs).toISOString());
    }
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }

  async #halt(error: unknown, retryOn: string): Promise<void> {
    const { name } = this.projection;
    const event = error instanceof EventNotApplied ? error.event : null;
    this.#phase = 'stopped';
    this.#stop = {
      projection: name,
      since: this.#stop?.since ?? new Date().toISOString(),
      attempts: this.#failures,
      retry_on: retryOn,
      error: messageOf(error),
      event: event && { ordinal: event.ordinal, id: event.id, type: event.type, stream: event.stream, revision: event.revision },
    };
    this.resources.report('error', `projection ${name} is stopped: ${messageOf(error)}`, { ...this.#stop, err: error });
    this.#stopRecorded = true;
    // Memory knows; the table follows with the next attempt.
    await recordStop(this.resources.ddl, this.#stop).catch(() => undefined);
  }

  /** What a failed batch leaves on a connection (an open transaction, half-prepared statements) goes with it. */
  #discardConnection(): void {
    this.#client?.release(true);
    this.#client = undefined;
  }
}

/** Not the event's fault: the store or Postgres is away or overloaded, or two transactions met. Worth the same batch again. */
function isPassing(error: unknown): boolean {
  if (error instanceof StoreUnavailable || isConnectionFailure(error)) return true;
  const { code } = error as { code?: unknown };
  return code === '40001' || code === '40P01';
}

/** Until somebody looks, its failure must not count as one that nobody looks at. */
function heardLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** Why the transaction failed, if it did: statements behind the failed one only say that it is aborted (25P02). */
function firstCause(outcomes: readonly PromiseSettledResult<unknown>[]): (Error & { code?: unknown }) | undefined {
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as Error & { code?: unknown }] : []));
  return failures.find(({ code }) => code !== '25P02') ?? failures[0];
}

/**
 * The log behind `after`. While it catches up, the next batch is read during the work on this one; once it has caught up it is
 * not, so that a batch takes everything that arrived while its predecessor was written.
 */
async function* readingAhead(log: Pick<EventStore, 'subscribe'>, after: Position | null, signal: AbortSignal): AsyncGenerator<SubscriptionBatch> {
  const ended = new AbortController();
  const batches = log.subscribe(after, { signal: AbortSignal.any([signal, ended.signal]), batchSize: BATCH_EVENTS_MAX })[Symbol.asyncIterator]();
  try {
    let next = batches.next();
    for (;;) {
      const result = await next;
      if (result.done === true) return;
      const batch = result.value;
      if (batch.caughtUp) {
        yield batch;
        next = batches.next();
      } else {
        next = heardLater(batches.next());
        yield batch;
      }
    }
  } finally {
    ended.abort();
    await batches.return?.()?.catch(() => undefined);
  }
}
