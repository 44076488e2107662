import { setImmediate } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { StoreUnavailable, type Position, type RecordedEvent } from '../event-store/event-store.js';
import { isConnectionFailure } from '../postgres/connection-failure.js';
import { lengthenLimits, waitLonger } from '../postgres/time-limits.js';
import { handledLater } from '../async/waiting.js';
import type { Build } from './build.js';
import { FenceLost, moveCheckpoint } from './checkpoint.js';
import type { Pace } from './pace.js';
import { placeOf, type OrdinalEvent, type Projection } from './projection.js';
import { EventNotApplied } from './failures.js';

/** Up to this size, a read model handles its part of a batch in less time than a turn of the event loop takes. */
const SMALL_BATCH_EVENTS = 500;

/**
 * Writes batches of the log into one build, each in one transaction behind the fence. It works the same for a live build, a catch-up and a replay.
 */
export class BuildWriter {
  #position: Position | null;
  #ordinal: number;
  #client: PoolClient | undefined;

  /**
   * @param batches pipelining connections; the first batch takes one of them.
   * @param skipped places of events that are counted and not applied.
   * @param pace outlives this writer: its failures make the batches of the next one smaller.
   */
  constructor(
    private readonly projection: Projection,
    private readonly build: Build,
    private readonly batches: Pool,
    private readonly skipped: ReadonlySet<string>,
    private readonly pace: Pace,
  ) {
    this.#position = build.checkpoint.position;
    this.#ordinal = build.checkpoint.ordinal;
  }

  /** Position of the last event written. */
  get position(): Position | null {
    return this.#position;
  }

  /** Ordinal of the last event written; 0: none. */
  get ordinal(): number {
    return this.#ordinal;
  }

  /**
   * Writes all of `events`, the next ones of the log, in transactions of the size that the pace allows. When an event cannot be applied, it halves the
   * size of transactions, down to one event, to find it. `committed` is called after each transaction.
   * @throws EventNotApplied, everything before it written; FenceLost when another process writes; errors of the database.
   */
  async write(events: readonly RecordedEvent[], committed?: () => Promise<void>): Promise<void> {
    let size = events.length;
    for (let done = 0; done < events.length;) {
      const batch = this.#numbered(events.slice(done, done + Math.min(size, this.pace.eventsMax)));
      try {
        await this.#commit(batch);
        done += batch.length;
        this.pace.speedUp();
      } catch (error) {
        this.close();
        if (error instanceof FenceLost) throw error;
        if (isPassing(error)) {
          // The retry must not end like this attempt: only a smaller batch can, if the machine stays as slow.
          this.pace.slowDown(batch.length);
          throw error;
        }
        if (batch.length === 1) throw new EventNotApplied(batch[0]!, error);
        size = Math.ceil(batch.length / 2);
        continue;
      }
      await committed?.();
    }
  }

  /** Gives the connection up, together with the state that a failed batch leaves on it (an open transaction, half-prepared statements). */
  close(): void {
    this.#client?.release(true);
    this.#client = undefined;
  }

  /** Numbers events in place: every projection gives an event the same number, and a replay would spend much of its time on copies. */
  #numbered(events: readonly RecordedEvent[]): OrdinalEvent[] {
    return events.map((event, index) => Object.assign(event, { ordinal: this.#ordinal + 1 + index }));
  }

  /**
   * One transaction. Its statements are pipelined: `begin`, the fence and the first statement of each read model are sent together, and nothing is
   * committed before the fence has succeeded.
   *
   * A live build commits synchronously. With asynchronous commits, a crash of Postgres could take back rows that a response had already promised
   * ("once a write is answered, every read sees it"), until they are projected again; one flush per batch is the price.
   * A build that is not read yet has promised nothing.
   */
  async #commit(batch: readonly OrdinalEvent[]): Promise<void> {
    const client = (this.#client ??= await this.#connect());
    await waitLonger(client, this.pace.patience, () => this.#apply(client, batch));
  }

  /** A session that ends between two batches is replaced, so that the next batch does not fail on it. */
  async #connect(): Promise<PoolClient> {
    const client = await this.batches.connect();
    client.once('error', () => {
      if (this.#client === client) this.close();
    });
    return client;
  }

  async #apply(client: PoolClient, batch: readonly OrdinalEvent[]): Promise<void> {
    const { schema, version, live } = this.build;
    const { patience } = this.pace;
    const last = batch.at(-1)!;
    const applicable = (this.skipped.size === 0 ? batch : batch.filter((event) => !this.skipped.has(placeOf(event)))).map(this.projection.decode);
    const settings = [
      ...(live ? [] : ['set local synchronous_commit = off']),
      ...(patience === 1 ? [] : [lengthenLimits({ statement: patience, idleInTransaction: patience })]),
    ];
    const begun = handledLater(client.query(['begin', ...settings].join('; ')));
    const build = { schema, version, announceAs: live ? this.projection.name : null };
    const fenced = handledLater(moveCheckpoint(client, build, this.#position, last, new Date()));
    const applied: Promise<void>[] = [];
    for (const readModel of applicable.length === 0 ? [] : this.projection.readModels) {
      applied.push(handledLater(readModel.apply(client, schema, applicable)));
      // Queued statements are sent between two turns of the event loop: Postgres begins while the next read model folds.
      if (batch.length > SMALL_BATCH_EVENTS) await setImmediate();
    }

    const [fence, ...others] = await Promise.allSettled([fenced, begun, ...applied]);
    // Checked first: without the fence, it means nothing that later statements failed on another process's rows.
    const lost = fence.status === 'fulfilled' && !fence.value;
    const failure = lost ? new FenceLost(`the checkpoint of ${schema} is no longer at ${this.#ordinal}`) : firstCause([fence, ...others]);
    if (failure !== undefined) {
      await client.query('rollback').catch(() => undefined);
      throw failure;
    }
    const { command } = await client.query('commit');
    if (command !== 'COMMIT') throw new Error(`a batch of ${schema} was rolled back although no statement failed`);
    this.#position = last.position;
    this.#ordinal = last.ordinal;
  }
}

/**
 * Returns true when the event is not at fault: the store or Postgres is unavailable or overloaded, or two transactions met. The same batch is worth a
 * retry.
 */
export function isPassing(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  // A damaged page does not repair itself.
  if (code === 'XX001' || code === 'XX002') return false;
  if (error instanceof StoreUnavailable || isConnectionFailure(error)) return true;
  return code === '40001' || code === '40P01';
}

/** Returns why the transaction failed, if it did: statements after the failed one only report that it is aborted (25P02). */
function firstCause(outcomes: readonly PromiseSettledResult<unknown>[]): (Error & { code?: unknown }) | undefined {
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as Error & { code?: unknown }] : []));
  return failures.find(({ code }) => code !== '25P02') ?? failures[0];
}
