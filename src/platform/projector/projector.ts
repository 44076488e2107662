import pg from 'pg';
import { BackOff } from '../async/back-off.js';
import type { EventStore } from '../event-store/event-store.js';
import { advisoryLockKey, AdvisoryLock } from '../postgres/advisory-lock.js';
import { clientConfig, SUCCEEDED_SOON, type ConnectionOptions } from '../postgres/connection-options.js';
import { createPool, settling } from '../postgres/pool.js';
import { pause } from '../async/waiting.js';
import { Listener } from '../postgres/listener.js';
import { FenceLost, WANTED_CHANNEL } from './checkpoint.js';
import type { SkippedEvents, Projection } from './projection.js';
import { ProjectionRunner, type Projected, type Report } from './projection-runner.js';
import { SharedLog } from './shared-log.js';
import { messageOf } from './failures.js';
import { Pace } from './pace.js';

/** The process that holds this lock projects. */
export const PROJECTOR_LOCK = advisoryLockKey('chargebook projector');
const ELECTION_INTERVAL_MS = 500;
/** The lock of a session that has ended is free within milliseconds, and reads wait until it is held again. */
const FIRST_ELECTION_MS = 10;
const BATCH_TIMEOUT_MS = 10_000;

/**
 * Statements of `apply` are prepared once and run with batches of any size: one plan serves all of them, and it uses indexes, because the statistics
 * of new tables would favour scans.
 */
export const BATCH_SETTINGS = { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off' };

const nothing: SkippedEvents = () => Promise.resolve(new Set());

export interface ProjectorOptions {
  readonly url: string;
  readonly store: EventStore;
  /** The store's events as other readers of this process share them; its creator closes it. Default: the projector's own. */
  readonly log?: SharedLog;
  readonly projections: readonly Projection[];
  readonly report?: Report;
  /** Default: no event is skipped. */
  readonly skipped?: SkippedEvents;
  readonly projected?: Projected | undefined;
}

/**
 * Keeps all projections up with the log. Any number of processes may run one; the advisory lock elects the one that works, the others try to acquire
 * it every half second. Each projection runs at its own pace and stops alone.
 */
export class Projector {
  readonly #stopping = new AbortController();
  readonly #report: Report;
  readonly #batches: pg.Pool;
  readonly #ddl: pg.Pool;
  readonly #lock: AdvisoryLock;
  readonly #listener: Listener;
  /** A runner serves one term, and a slow process may lose the lock with each batch. */
  readonly #paces: ReadonlyMap<string, Pace>;
  #term: AbortController | undefined;
  #runners: readonly ProjectionRunner[] = [];
  #running: Promise<void> | undefined;
  #stopped: Promise<void> | undefined;

  constructor(private readonly options: ProjectorOptions) {
    const { url, projections } = options;
    this.#paces = new Map(projections.map(({ name }) => [name, new Pace()]));
    this.#report = options.report ?? (() => undefined);
    this.#batches = createPipeliningPool(
      { url, applicationName: 'chargebook-projector', statementTimeoutMs: BATCH_TIMEOUT_MS, settings: { ...SUCCEEDED_SOON, ...BATCH_SETTINGS } },
      projections.length,
    );
    this.#ddl = createPool({
      url,
      applicationName: 'chargebook-projector-ddl',
      statementTimeoutMs: 0,
      maxConnections: projections.length,
      settings: SUCCEEDED_SOON,
    });
    this.#lock = new AdvisoryLock({
      url,
      key: PROJECTOR_LOCK,
      onLost: (error) => this.#term?.abort(error),
    });
    this.#listener = new Listener({ url, channels: { [WANTED_CHANNEL]: (payload) => this.#want(payload) } });
  }

  /** True while this process is the elected one. */
  get leads(): boolean {
    return this.#lock.held;
  }

  /** Progress of each projection in this process; empty while another process leads. */
  get progress(): readonly ({ readonly name: string } & ProjectionRunner['progress'])[] {
    return this.#runners.map((runner) => ({ name: runner.projection.name, ...runner.progress }));
  }

  /** Starts to take part in the election, and returns. */
  start(): void {
    this.#running ??= Promise.all([this.#serve(), this.#listener.start()]).then(() => undefined);
  }

  /** Ends after the current batches, releases the lock and closes every connection. */
  stop(): Promise<void> {
    return (this.#stopped ??= this.#stop());
  }

  async #stop(): Promise<void> {
    this.#stopping.abort();
    this.#term?.abort();
    await this.#listener.close();
    await this.#running;
    await this.#lock.release();
    await Promise.all([this.#batches.end(), this.#ddl.end()]);
  }

  #want(payload: string): void {
    const [name, position] = payload.split(' ');
    this.#runners.find(({ projection }) => projection.name === name)?.want(BigInt(position!));
  }

  async #serve(): Promise<void> {
    const { signal } = this.#stopping;
    const backOff = new BackOff(FIRST_ELECTION_MS, ELECTION_INTERVAL_MS);
    while (!signal.aborted) {
      try {
        if (await this.#lock.tryAcquire()) {
          await this.#lead();
          // While another process writes as well, each term would end like this one.
          if (!(this.#term?.signal.reason instanceof FenceLost)) backOff.reset();
        }
      } catch (error) {
        this.#report('warn', `the election of the projector failed: ${messageOf(error)}`, {});
      }
      if (!signal.aborted) await pause(backOff.take(), signal);
    }
  }

  /** One term of office: until the lock or a fence is lost, or the service stops. */
  async #lead(): Promise<void> {
    const term = new AbortController();
    this.#term = term;
    if (this.#stopping.signal.aborted || !this.#lock.held) term.abort();
    const { store, projections, skipped = nothing, projected } = this.options;
    const log = this.options.log ?? new SharedLog(store);
    this.#runners = projections.map(
      (projection) =>
        new ProjectionRunner(projection, {
          ...{ store, log, batches: this.#batches, ddl: this.#ddl, report: this.#report, skipped, projected },
          pace: this.#paces.get(projection.name)!,
        }),
    );
    await Promise.all(
      this.#runners.map((runner) =>
        runner.run(term.signal).catch((error: unknown) => {
          if (!(error instanceof FenceLost)) throw error;
          this.#report('warn', `another process is the projector: ${error.message}`, { projection: runner.projection.name });
          term.abort(error);
        }),
      ),
    ).finally(() => {
      term.abort();
      if (log !== this.options.log) log.close();
    });
    this.#runners = [];
    await this.#lock.release();
  }
}

/** Creates connections that send a statement without waiting for the responses to those before it. */
export function createPipeliningPool(options: ConnectionOptions, maxConnections: number): pg.Pool {
  const pool = new pg.Pool({ ...clientConfig(options), max: maxConnections, pipeline: true, onConnect: settling(options) });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
