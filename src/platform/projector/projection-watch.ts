import type { Pool } from 'pg';
import type { EventStore, Position } from '../event-store/event-store.js';
import { inTime } from '../event-store/in-time.js';
import { Listener } from '../postgres/listener.js';
import { rebuildSchema } from './build.js';
import { PROJECTION_CHANNEL, WANTED_CHANNEL } from './checkpoint.js';
import { PositionWaiters } from './position-waiters.js';
import { firstBehindMs, ProjectionLag } from './projection-lag.js';
import { readFailures, type Stop } from './failures.js';

/** Without a notification for this long, waiting requests are served by reading: they learn of it within 100 ms. */
const WAITED_LOOK_MS = 50;
/** While no request waits: often enough to know a lag of a second. */
const IDLE_LOOK_MS = 250;
/** A replica sends no notifications: for those who wait it is read this often, ms. */
const REPLICA_LOOK_MS = 5;

export interface ProjectionWatchOptions {
  /** Where notifications come from. */
  readonly url: string;
  /** Where the rows are read, and therefore the checkpoints. */
  readonly pool: Pool;
  /** `pool` reads a replica of `url`: a notification announces rows that are yet to arrive there, and only a read shows that they have. */
  readonly isReplica?: boolean;
  readonly store: EventStore;
  /** Names. */
  readonly projections: readonly string[];
}

interface Followed {
  readonly name: string;
  position: Position | null;
  ordinal: number;
  /** When it was last seen to move, `performance.now()`. */
  movedMs: number;
  /** The newest position that the projector was notified that a request waits for. */
  wanted: Position;
  readonly waiters: PositionWaiters;
  readonly lag: ProjectionLag;
  /** False until its distance from the store was looked at once. */
  lagKnown: boolean;
}

/**
 * What a process that does not project itself knows of the projections: how far they are, by notification, and by looking where
 * none comes. One look serves everybody who waits.
 */
export class ProjectionWatch {
  readonly #followed: ReadonlyMap<string, Followed>;
  readonly #listener: Listener;
  readonly #closing = new AbortController();
  #ticking: NodeJS.Timeout | undefined;
  #looking = false;
  /** Counts notifications: shows a read that it was overtaken. */
  #notified = 0;
  #lastNewsMs = 0;
  #lastLookMs = 0;
  #stops: readonly Stop[] = [];
  /** The newest position that the store is known to have; null: none yet. */
  #head: Position | null = null;
  /** The look-up of the store's head that was sent last. */
  #headLook: Promise<Position | null> = Promise.resolve(null);
  /** A read has given up waiting for it, and it is not answered yet. */
  #headIsSilent = false;
  /** The one that is sent next, for all who came since. */
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

  /** Resolves after the first look; a database that is away is looked for later, and does not throw. */
  async start(): Promise<void> {
    void this.#listener.start();
    this.#ticking = setInterval(() => this.#tick(), this.#waitedLookMs);
    this.#ticking.unref();
    await this.#look();
  }

  /** Requests that still wait are answered with false. */
  async close(): Promise<void> {
    this.#closing.abort();
    clearInterval(this.#ticking);
    for (const { waiters } of this.#followed.values()) waiters.giveUp();
    await this.#listener.close();
  }

  /**
   * True as soon as `projection` has come to `position`; false when it has not after `timeoutMs`.
   * @param position of an event in the store: it counts as lag until it is reached. One that a client names goes through `isInLog` first.
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
   * True as soon as `projection` has come to all that was in the store when this was called, also by other processes; false when it
   * has not after `timeoutMs`, or the store does not say how far it is: at once, when it owes another request that answer already.
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

  /** This process has written there: what has not come to it is behind. */
  wrote(position: Position): void {
    this.#sawHead(position);
    const now = performance.now();
    for (const { position: at, lag } of this.#followed.values()) if (at === null || at < position) lag.saw(position, now);
  }

  /**
   * Whether the log reaches as far as `position`, which may be any number. The store is asked before the answer is no: another
   * process may have written there a moment ago. @throws StoreUnavailable
   */
  async isInLog(position: Position): Promise<boolean> {
    if (!this.#reachesTo(position)) await this.#askHead();
    return this.#reachesTo(position);
  }

  /** Where `projection` is; null when nothing was projected yet, or nothing is known yet. */
  current(projection: string): { readonly position: Position; readonly ordinal: number } | null {
    const { position, ordinal } = this.#of(projection);
    return position === null ? null : { position, ordinal };
  }

  /** How long `projection` has been behind the store, in seconds; 0 when it is not. Exact to a quarter of a second. */
  lagSeconds(projection: string): number {
    return this.#of(projection).lag.seconds(performance.now());
  }

  /** For how long `projection` has been behind the store without moving at all, in seconds; 0 when it moves, or has nothing to do. */
  standstillSeconds(projection: string): number {
    const now = performance.now();
    const { lag, movedMs } = this.#of(projection);
    return Math.min(lag.seconds(now), (now - movedMs) / 1_000);
  }

  /** Whether a new build of `projection` stands beside the live one, which may wait for it. */
  async isRebuilding(projection: string): Promise<boolean> {
    const { rows } = await this.options.pool.query<{ found: boolean }>('select to_regclass($1) is not null as found', [
      `${rebuildSchema(projection)}.checkpoint`,
    ]);
    return rows[0]!.found;
  }

  /** Why `projection` does not go on; null when nothing is known to hold it. */
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
   * The store's head, asked for after the call: a look-up that was sent before it might not know of what was written since. Who comes
   * while one is under way shares the next one. @throws StoreUnavailable
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
    // The store was put back: what was seen behind its end is waited for no longer.
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
    if (!followed) throw new Error(`projection ${projection} is not followed here`);
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
      // Away: what was known stands, the lag grows by itself, and the next tick looks again.
    } finally {
      this.#looking = false;
    }
  }

  async #lookAtCheckpoints(): Promise<void> {
    const notified = this.#notified;
    for (const { name, position, ordinal } of await this.#readCheckpoints()) {
      const followed = this.#of(name);
      // A read that was overtaken by a notification shows the past; one that was not shows the present, even if that is less:
      // the database was put back.
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

  /** A projection that was not built yet has no checkpoint; naming its table would fail the look at all others. */
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
