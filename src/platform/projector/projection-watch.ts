import type { Pool } from 'pg';
import type { EventStore, Position } from '../event-store/event-store.js';
import { inTime } from '../event-store/in-time.js';
import { Listener } from '../postgres/listener.js';
import { rebuildSchema } from './build.js';
import { PROJECTION_CHANNEL, WANTED_CHANNEL } from './checkpoint.js';
import { PositionWaiters } from './position-waiters.js';
import { firstBehindMs, ProjectionLag } from './projection-lag.js';
import { readFailures, type Stop } from './failures.js';

/** Without a notification for this long, ms, waiting requests are served by reading: they learn of new rows within 100 ms. */
const WAITED_LOOK_MS = 50;
/** Interval of reads while no request waits, ms: often enough to detect a lag of a second. */
const IDLE_LOOK_MS = 250;
/** Interval of reads of a replica while requests wait, ms: a replica sends no notifications. */
const REPLICA_LOOK_MS = 5;

export interface ProjectionWatchOptions {
  /** Database that sends the notifications. */
  readonly url: string;
  /** Database of the rows, and therefore of the checkpoints. */
  readonly pool: Pool;
  /** `pool` reads a replica of `url`: a notification announces rows that have yet to arrive there, and only a read shows that they have. */
  readonly isReplica?: boolean;
  readonly store: EventStore;
  /** Names of the projections. */
  readonly projections: readonly string[];
}

interface Followed {
  readonly name: string;
  position: Position | null;
  ordinal: number;
  /** When it was last seen to move, `performance.now()`. */
  movedMs: number;
  /** The newest position that a request waits for and that the projector was notified of. */
  wanted: Position;
  readonly waiters: PositionWaiters;
  readonly lag: ProjectionLag;
  /** False until its distance from the store was read once. */
  lagKnown: boolean;
}

/**
 * Progress of the projections as known to a process that does not project itself: from notifications, and from reads when none arrive. One read
 * serves all waiting requests.
 */
export class ProjectionWatch {
  readonly #followed: ReadonlyMap<string, Followed>;
  readonly #listener: Listener;
  readonly #closing = new AbortController();
  #ticking: NodeJS.Timeout | undefined;
  #looking = false;
  /** Counts notifications, which shows a read that it was overtaken. */
  #notified = 0;
  #lastNewsMs = 0;
  #lastLookMs = 0;
  #stops: readonly Stop[] = [];
  /** The newest position that the store is known to have; null: none yet. */
  #head: Position | null = null;
  /** The last request for the store's head. */
  #headLook: Promise<Position | null> = Promise.resolve(null);
  /** A read has given up waiting for it, and it is not answered yet. */
  #headIsSilent = false;
  /** The next request, for all callers that arrived since. */
  #nextHeadLook: Promise<Position | null> | undefined;
  /** Projections whose checkpoint table is known to exist. */
  #built: readonly string[] = [];

  constructor(private readonly options: ProjectionWatchOptions) {
    this.#followed = new Map(
      options.projections.map((name) => [
        name,
        {
          name,
          position: null,
          ordinal: 0,
          movedMs: performance.now(),
          wanted: -1n,
          waiters: new PositionWaiters(),
          lag: new ProjectionLag(),
          lagKnown: false,
        },
      ]),
    );
    this.#listener = new Listener({
      url: options.url,
      channels: { [PROJECTION_CHANNEL]: (payload) => this.#receive(payload) },
      onReconnect: () => void this.#look(),
    });
  }

  get #waitedLookMs(): number {
    return this.options.isReplica ? REPLICA_LOOK_MS : WAITED_LOOK_MS;
  }

  /** Resolves after the first read; when the database is unavailable, it reads again later and does not throw. */
  async start(): Promise<void> {
    void this.#listener.start();
    this.#ticking = setInterval(() => this.#tick(), this.#waitedLookMs);
    this.#ticking.unref();
    await this.#look();
  }

  /** Answers requests that still wait with false. */
  async close(): Promise<void> {
    this.#closing.abort();
    clearInterval(this.#ticking);
    for (const { waiters } of this.#followed.values()) waiters.giveUp();
    await this.#listener.close();
  }

  /**
   * Resolves to true as soon as `projection` has reached `position`; to false when it has not after `timeoutMs`.
   * @param position of an event in the store: it counts as lag until it is reached. A client's position is checked by `isInLog` first.
   */
  async waitFor(projection: string, position: Position, timeoutMs: number): Promise<boolean> {
    const followed = this.#of(projection);
    if (followed.position !== null && followed.position >= position) return true;
    if (this.#closing.signal.aborted) return false;
    this.#sawHead(position);
    followed.lag.saw(position, performance.now());
    this.#want(followed, position);
    return followed.waiters.add(position, timeoutMs);
  }

  /**
   * Resolves to true as soon as `projection` has reached everything that was in the store at the time of the call, also from other processes; to
   * false when it has not after `timeoutMs`, or the store does not return its head: at once, while a request for the head is unanswered that another
   * read has given up on.
   */
  async waitForHead(projection: string, timeoutMs: number): Promise<boolean> {
    if (this.#headIsSilent) return false;
    const deadline = performance.now() + timeoutMs;
    const looking = this.#askHead();
    try {
      const head = await inTime(deadline, looking);
      return head === null || (await this.waitFor(projection, head, Math.max(0, deadline - performance.now())));
    } catch {
      this.#headIsSilent = true;
      const answered = (): boolean => (this.#headIsSilent = false);
      looking.then(answered, answered);
      return false;
    }
  }

  /** Records a write of this process: projections that have not reached it are behind. */
  wrote(position: Position): void {
    this.#sawHead(position);
    const now = performance.now();
    for (const { position: at, lag } of this.#followed.values()) if (at === null || at < position) lag.saw(position, now);
  }

  /**
   * Returns true when the log reaches as far as `position`, which may be any number. Before it returns false it asks the store: another process may
   * have written there a moment ago. @throws StoreUnavailable
   */
  async isInLog(position: Position): Promise<boolean> {
    if (!this.#reachesTo(position)) await this.#askHead();
    return this.#reachesTo(position);
  }

  /** Returns the progress of `projection`; null when nothing was projected yet, or nothing is known yet. */
  current(projection: string): { readonly position: Position; readonly ordinal: number } | null {
    const { position, ordinal } = this.#of(projection);
    return position === null ? null : { position, ordinal };
  }

  /** Returns how long `projection` has been behind the store, in seconds; 0 when it is not. Exact to a quarter of a second. */
  lagSeconds(projection: string): number {
    return this.#of(projection).lag.seconds(performance.now());
  }

  /** Returns for how long `projection` has been behind the store without moving at all, in seconds; 0 when it moves, or has nothing to do. */
  standstillSeconds(projection: string): number {
    const now = performance.now();
    const { lag, movedMs } = this.#of(projection);
    return Math.min(lag.seconds(now), (now - movedMs) / 1_000);
  }

  /** Returns true when a new build of `projection` exists beside the live one, which may wait for it. */
  async isRebuilding(projection: string): Promise<boolean> {
    const { rows } = await this.options.pool.query<{ found: boolean }>('select to_regclass($1) is not null as found', [
      `${rebuildSchema(projection)}.checkpoint`,
    ]);
    return rows[0]!.found;
  }

  /** Returns why `projection` is stopped; null when nothing is known to hold it. */
  stop(projection: string): Stop | null {
    return this.#stops.find((stop) => stop.projection === projection) ?? null;
  }

  #reachesTo(position: Position): boolean {
    return this.#head !== null && this.#head >= position;
  }

  #sawHead(position: Position): void {
    if (!this.#reachesTo(position)) this.#head = position;
  }

  /**
   * Requests the store's head after the call: an earlier request might not include later writes. Calls that arrive while a request is in progress
   * share the next one. @throws StoreUnavailable
   */
  #askHead(): Promise<Position | null> {
    this.#nextHeadLook ??= this.#headLook
      .catch(() => undefined)
      .then(() => {
        this.#nextHeadLook = undefined;
        return (this.#headLook = this.#readHead());
      });
    return this.#nextHeadLook;
  }

  async #readHead(): Promise<Position | null> {
    const known = this.#head;
    const head = await this.options.store.head();
    // The store was restored: positions after its end are no longer waited for.
    if (known !== null && (head === null || head < known)) this.#lostBehind(head);
    else if (head !== null) this.#sawHead(head);
    return head;
  }

  #lostBehind(head: Position | null): void {
    this.#head = head;
    for (const { lag } of this.#followed.values()) lag.lostBehind(head);
  }

  /** A projector that gathers events for a larger batch stops as soon as a request waits for one of them. */
  #want(followed: Followed, position: Position): void {
    if (followed.wanted >= position) return;
    followed.wanted = position;
    this.#listener.notify(WANTED_CHANNEL, `${followed.name} ${position}`);
  }

  #of(projection: string): Followed {
    const followed = this.#followed.get(projection);
    if (!followed) throw new Error(`projection ${projection} is not followed by this process`);
    return followed;
  }

  #receive(payload: string): void {
    const [name = '', position, ordinal] = payload.split(' ');
    const followed = this.#followed.get(name);
    if (!followed || position === undefined) return;
    if (this.options.isReplica) return void this.#look();
    this.#notified++;
    this.#lastNewsMs = performance.now();
    this.#moved(followed, BigInt(position), Number(ordinal));
  }

  #moved(followed: Followed, position: Position, ordinal: number): void {
    if (followed.position !== position) {
      this.#sawHead(position);
      followed.movedMs = performance.now();
    }
    followed.position = position;
    followed.ordinal = ordinal;
    followed.lag.reached(position);
    followed.waiters.reached(position);
  }

  #tick(): void {
    const now = performance.now();
    const waited = [...this.#followed.values()].some(({ waiters }) => waiters.size > 0);
    if (now - this.#lastLookMs >= IDLE_LOOK_MS || (waited && now - this.#lastNewsMs >= this.#waitedLookMs)) void this.#look();
  }

  async #look(): Promise<void> {
    if (this.#looking || this.#closing.signal.aborted) return;
    this.#looking = true;
    try {
      await this.#lookAtCheckpoints();
      // The store's head and the stops matter to no waiting request.
      if (performance.now() - this.#lastLookMs >= IDLE_LOOK_MS || this.#lastLookMs === 0) {
        this.#lastLookMs = performance.now();
        await this.#lookAtHead();
        this.#stops = await readFailures(this.options.pool);
      }
    } catch {
      // Unavailable: the known state stays, the lag grows by itself, and the next tick reads again.
    } finally {
      this.#looking = false;
    }
  }

  async #lookAtCheckpoints(): Promise<void> {
    const notified = this.#notified;
    for (const { name, position, ordinal } of await this.#readCheckpoints()) {
      const followed = this.#of(name);
      // A read that was overtaken by a notification shows the past; one that was not shows the present, even if that is less: the database was
      // restored.
      const overtaken = this.#notified !== notified && followed.position !== null && position < followed.position;
      if (!overtaken) this.#moved(followed, position, Number(ordinal));
    }
  }

  async #readCheckpoints(): Promise<{ name: string; position: Position; ordinal: bigint }[]> {
    const { pool } = this.options;
    if (this.#built.length < this.#followed.size) this.#built = await this.#findBuilt();
    if (this.#built.length === 0) return [];
    const each = this.#built.map((name) => `select '${name}' as name, position, ordinal from ${name}.checkpoint where position is not null`);
    try {
      const { rows } = await pool.query<{ name: string; position: Position; ordinal: bigint }>(each.join(' union all '));
      return rows;
    } catch (error) {
      // One of them may have been dropped.
      this.#built = [];
      throw error;
    }
  }

  /** A projection that was not built yet has no checkpoint; naming its table would fail the read of all others. */
  async #findBuilt(): Promise<string[]> {
    const { rows } = await this.options.pool.query<{ name: string }>(
      `select name from unnest($1::text[]) name where to_regclass(name || '.checkpoint') is not null`,
      [[...this.#followed.keys()]],
    );
    return rows.map(({ name }) => name);
  }

  async #lookAtHead(): Promise<void> {
    const head = await this.#readHead();
    for (const followed of this.#followed.values()) {
      const behind = head !== null && (followed.position === null || followed.position < head);
      if (behind)
        followed.lag.saw(
          head,
          followed.lagKnown ? performance.now() : await firstBehindMs(this.options.store, this.#closing.signal, followed.position),
        );
      followed.lagKnown = true;
    }
  }
}
