import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import { StoreUnavailable, type EventStore, type Position, type RecordedEvent } from '../event-store/event-store.js';
import { nowMs } from '../tracing/tracing.js';
import { pause } from '../async/waiting.js';
import { bridgeFrom, compareWithPrevious, DiffersFromPrevious, recordBridged } from './bridge.js';
import { createReaderIndexes, openBuild, swapIn, type Build } from './build.js';
import { BuildWriter, isPassing } from './build-writer.js';
import { FenceLost, type Checkpoint } from './checkpoint.js';
import { BATCH_EVENTS_MAX, type Pace } from './pace.js';
import type { SkippedEvents, Projection } from './projection.js';
import { readingAhead } from './reading-ahead.js';
import { requireSameStore } from './same-store.js';
import { clearFailure, EventNotApplied, isRetryAsked, messageOf, recordFailure, type Stop } from './failures.js';

const FIRST_RETRY_MS = 100;
/** Longest pause while a database or the store is unavailable. */
const LONGEST_RECONNECT_MS = 1_000;
/** Longest pause while an event cannot be applied: only new code, or a repaired store, changes that. */
const LONGEST_STOP_MS = 60_000;
const SWAP_RETRY_MS = 250;
/** How often a stopped projection checks whether an operator requested a retry. */
const ASKED_LOOK_MS = 500;

export type ProjectionPhase = 'starting' | 'catching-up' | 'rebuilding' | 'live' | 'waiting' | 'stopped';

/** `report` logs information for an operator; it must not throw. */
export type Report = (level: 'info' | 'warn' | 'error', message: string, fields: Readonly<Record<string, unknown>>) => void;

export interface RunnerResources {
  readonly store: Pick<EventStore, 'read'>;
  /** The log that is followed. */
  readonly log: Pick<EventStore, 'subscribe'>;
  /** Pipelining connections for batches. */
  readonly batches: Pool;
  /** Connections for work that may take minutes: schemas, indexes, swaps. */
  readonly ddl: Pool;
  readonly report: Report;
  readonly skipped: SkippedEvents;
  /** All runners of this projection in this process share it, one after another. */
  readonly pace: Pace;
  /** Called with the events that a live projection has projected, when that is traced. */
  readonly projected?: Projected | undefined;
}

/** @param beganMs milliseconds since the epoch. */
export type Projected = (projection: string, events: readonly RecordedEvent[], beganMs: number) => void;

/** Follows the log with one projection. Only the elected process runs it; the fence protects the rows when the election cannot. */
export class ProjectionRunner {
  #phase: ProjectionPhase = 'starting';
  #writer: BuildWriter | undefined;
  #failures = 0;
  #stop: Stop | null = null;
  /** The table may hold a stop of this or an earlier process until the next batch is committed. */
  #stopRecorded = true;
  /** The newest position that a request waits for. */
  #wanted: Position = -1n;
  #endGathering: (() => void) | undefined;

  constructor(
    readonly projection: Projection,
    private readonly resources: RunnerResources,
  ) {}

  get progress(): { phase: ProjectionPhase; position: Position | null; ordinal: number; stop: Stop | null } {
    return { phase: this.#phase, position: this.#writer?.position ?? null, ordinal: this.#writer?.ordinal ?? 0, stop: this.#stop };
  }

  /** Follows until `signal` aborts; survives every failure but one. @throws FenceLost when another process leads. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#follow(signal);
      } catch (error) {
        if (error instanceof FenceLost) throw error;
        if (!signal.aborted) await this.#rest(error, signal);
      } finally {
        this.#writer?.close();
      }
    }
  }

  /** Announces that a request waits for `position`. */
  want(position: Position): void {
    if (position > this.#wanted) this.#wanted = position;
    this.#endGathering?.();
  }

  /** Lets events gather for the next batch, while no request waits for them. */
  async #gather(gatherMs: number, signal: AbortSignal): Promise<void> {
    if (this.#wanted > (this.#writer?.position ?? 0n)) return;
    const ended = new AbortController();
    this.#endGathering = () => ended.abort();
    await pause(gatherMs, AbortSignal.any([signal, ended.signal]));
    this.#endGathering = undefined;
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { log, ddl, report } = this.resources;
    const build = await openBuild(ddl, this.projection);
    const { previous } = build;
    for (const checkpoint of [build.checkpoint, previous]) {
      if (checkpoint) await requireSameStore(this.resources.store, this.projection.name, checkpoint);
    }
    const skipped = await this.resources.skipped(this.projection.name);
    const writer = (this.#writer = new BuildWriter(this.projection, build, this.resources.batches, skipped, this.resources.pace));
    this.#phase = build.live ? 'catching-up' : 'rebuilding';
    report('info', `projection ${this.projection.name} continues in schema ${build.schema} after event ${writer.ordinal}`, {
      projection: this.projection.name,
      schema: build.schema,
      version: build.version,
      ordinal: writer.ordinal,
    });

    if (previous?.ordinal === writer.ordinal) return this.#replace(build, previous, signal);
    let indexed = build.checkpoint.indexed;
    for await (const { events, caughtUp } of readingAhead(log, writer.position, { signal, batchSize: BATCH_EVENTS_MAX })) {
      const wanted = previous ? events.slice(0, previous.ordinal - writer.ordinal) : events;
      const beganMs = this.resources.projected && this.#phase === 'live' ? nowMs() : 0;
      await writer.write(wanted, () => this.#committed());
      if (beganMs > 0) this.resources.projected!(this.projection.name, wanted, beganMs);
      if (previous?.ordinal === writer.ordinal) return this.#replace(build, previous, signal);
      if (!caughtUp) {
        if (build.live) this.#phase = 'catching-up';
        continue;
      }
      if (build.live) this.#phase = 'live';
      await this.#committed();
      if (!indexed) {
        await createReaderIndexes(ddl, this.projection, build.schema);
        indexed = true;
      }
      if (this.projection.gatherMs) await this.#gather(this.projection.gatherMs, signal);
    }
    if (!signal.aborted) throw new StoreUnavailable('the event store is closed');
  }

  /**
   * Replaces the previous version's build, which is at the same event, with the finished one, which continues from there as the live one.
   * @throws DiffersFromPrevious
   */
  async #replace({ schema, version, checkpoint }: Build, previous: Checkpoint, signal: AbortSignal): Promise<void> {
    const { ddl, report } = this.resources;
    const { name } = this.projection;
    const bridging = bridgeFrom(this.projection, previous.version, schema);
    if (bridging) {
      const tables = await compareWithPrevious(ddl, this.projection, schema, bridging);
      if (tables.some(({ differences }) => differences > 0)) {
        // The build of corrected code must not continue from it.
        await ddl.query(`drop schema ${schema} cascade`);
        throw new DiffersFromPrevious(name, previous, tables);
      }
      await recordBridged(ddl, schema, previous, tables);
    }
    if (!checkpoint.indexed) await createReaderIndexes(ddl, this.projection, schema);
    for (;;) {
      const outcome = await swapIn(ddl, this.projection, { built: schema });
      if (outcome === 'swapped') break;
      // The previous version has moved after all: this build follows it, up to there.
      if (outcome === 'behind') return;
      await delay(SWAP_RETRY_MS, undefined, { signal });
    }
    report('info', `projection ${name} is rebuilt and live`, { projection: name, version, ordinal: previous.ordinal });
  }

  /** The first batch that is committed after a failure ends it, and so does having nothing more to do. */
  async #committed(): Promise<void> {
    if (this.#failures === 0 && !this.#stopRecorded) return;
    if (this.#stop) this.resources.report('info', `projection ${this.projection.name} continues`, { projection: this.projection.name });
    this.#failures = 0;
    this.#stop = null;
    // The batch is committed, even if this fails: the next batch tries again.
    await clearFailure(this.resources.ddl, this.projection.name).then(
      () => (this.#stopRecorded = false),
      () => undefined,
    );
  }

  /** Reports a failure, and waits before the next attempt. */
  async #rest(error: unknown, signal: AbortSignal): Promise<void> {
    this.#failures++;
    const { name } = this.projection;
    const passing = isPassing(error);
    // Reading the same rows again changes nothing: an operator has to act.
    const isFinal = error instanceof DiffersFromPrevious;
    const pauseMs = isFinal ? Infinity : pauseAfter(this.#failures, passing);
    if (passing) {
      this.#phase = 'waiting';
      this.resources.report('warn', `projection ${name} waits: ${messageOf(error)}`, { projection: name, attempts: this.#failures });
    } else {
      await this.#halt(error, isFinal ? null : new Date(Date.now() + pauseMs).toISOString());
    }
    const until = performance.now() + pauseMs;
    while (!signal.aborted && performance.now() < until) {
      await pause(Math.min(until - performance.now(), ASKED_LOOK_MS), signal);
      if (this.#stop && !passing && (await isRetryAsked(this.resources.ddl, this.#stop).catch(() => false))) return;
    }
  }

  async #halt(error: unknown, retryOn: string | null): Promise<void> {
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
      differing: error instanceof DiffersFromPrevious ? error.differing : null,
    };
    this.resources.report('error', `projection ${name} is stopped: ${messageOf(error)}`, { ...this.#stop, err: error });
    this.#stopRecorded = true;
    // The state in memory is current; the table follows with the next attempt.
    await recordFailure(this.resources.ddl, this.#stop).catch(() => undefined);
  }
}

/** A session may end at any moment, while reads wait for its batch: the first attempt after it follows at once. */
function pauseAfter(failures: number, passing: boolean): number {
  if (passing && failures === 1) return 0;
  return Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 20), passing ? LONGEST_RECONNECT_MS : LONGEST_STOP_MS);
}
