import { setTimeout as delay } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import { openAccounts } from '../domain/accounts/open-accounts.js';
import { BankingCalendar } from '../domain/calendar/banking-calendar.js';
import { KnownMerchants, MERCHANT_STREAMS } from '../domain/merchants/known-merchants.js';
import { LedgerProblem } from '../ledger/problems.js';
import { milliseconds } from '../ledger/time.js';
import { EndedEventStore } from '../platform/event-store/ended-event-store.js';
import { StoreUnavailable, type EventStore, type RecordedEvent } from '../platform/event-store/event-store.js';
import { timeLimit } from '../platform/async/waiting.js';
import { createHttpApp } from '../platform/http/http-app.js';
import type { HttpOptions } from '../platform/http/http-options.js';
import { handOverPast, type Elsewhere, type PastApplication } from '../platform/http/edge/past-requests.js';
import { Reads } from '../platform/http/reads.js';
import { stepBackBehind } from '../platform/postgres/background-work.js';
import { createPool } from '../platform/postgres/pool.js';
import { pathBelow } from '../platform/text/uri.js';
import { isNewer } from '../platform/projector/checkpoint.js';
import { StandingProjections } from '../platform/projector/standing-projections.js';
import type { MomentDatabases } from '../point-in-time/moment-databases.js';
import { parseMomentId, partsOf, type MomentId } from '../point-in-time/moment-id.js';
import { momentVersion, type StoredMoment } from '../point-in-time/moments.js';
import { pricedLog } from '../point-in-time/what-if/priced-log.js';
import { readWithTodaysKeys } from '../point-in-time/todays-keys.js';
import { findRoot } from '../transparency-log/chain.js';
import type { TransparencyLogWatch } from '../transparency-log/transparency-log-watch.js';
import { momentAddress } from '../web/console/shared/links.js';
import { AppModule, type AppComponents } from './app.module.js';
import { MOMENT_CONNECTIONS, MOMENT_PRIMARY_CONNECTIONS, MOMENT_SLOW_CONNECTIONS } from './connections.js';
import { PROJECTIONS } from './projections.js';
import { openRails } from './rails.js';

/** An application without a request for this long is closed, ms; the next request makes another one. */
const IDLE_MS = 600_000;
const LOOK_MS = 30_000;
/** Interval at which the state of a moment in use is read again, ms: a moment that another process has closed ends. */
const CHECK_MS = 1_000;
/** Shortest interval of these reads, ms: a moment that is being opened is found soon, and requests without a key cause no load. */
const NEWS_MS = 100;
/** The path and query of a page of the console, below the console. */
const CONSOLE = /^\/console(?:\/|(?=\?)|$)(.*)$/s;
/** Interval at which the use of a moment is recorded, ms. */
const USED_MS = 60_000;
/** Idle connections are closed soon: a moment whose database has connections cannot be copied for another one. */
const IDLE_CONNECTION_MS = 1_000;
/** Time for reading the merchants of a moment, ms. */
const READ_WITHIN_MS = 10_000;
/** Nothing is written for a request to the past. */
const READ_ONLY = { default_transaction_read_only: 'on' };

export interface PastServices {
  /** Components of the present. */
  readonly present: AppComponents;
  readonly databases: MomentDatabases;
  readonly databaseUrl: string;
  readonly http: HttpOptions;
}

/** An application; when it was asked for, and its moment was compared with the log and recorded as used (`performance.now()`). */
interface Open {
  readonly moment: StoredMoment;
  /** null at other fees. */
  readonly seal: Seal | null;
  readonly http: FastifyInstance;
  readonly close: () => Promise<void>;
  requests: number;
  askedMs: number;
  verifiedMs: number;
  usedMs: number;
}

/** The moments as they were read at a time (`performance.now()`). */
interface Known {
  readonly readMs: number;
  readonly moments: Promise<ReadonlyMap<MomentId, StoredMoment>>;
}

const NOTHING_KNOWN: Known = { readMs: -Infinity, moments: Promise.resolve(new Map<MomentId, StoredMoment>()) };

/** Serves past moments beside the present, below `/at/<id>`. */
export function servePast(app: NestFastifyApplication, services: PastServices): PastApplications {
  const past = new PastApplications(services);
  handOverPast(app.getHttpAdapter().getInstance(), (moment, address) => past.findFor(moment, address));
  return past;
}

/**
 * The applications that answer as of past moments: each is another instance of the service's modules, whose components are those of the moment. Made
 * by the first request, closed when none comes. Callers are admitted as in the present.
 */
class PastApplications {
  readonly #open = new Map<MomentId, Promise<Open>>();
  #known: Known = NOTHING_KNOWN;
  readonly #primary;
  readonly #closing: NodeJS.Timeout;

  constructor(private readonly services: PastServices) {
    this.#primary = createPool({
      ...{ url: services.databaseUrl, applicationName: 'chargebook-api-past', settings: READ_ONLY },
      maxConnections: MOMENT_PRIMARY_CONNECTIONS,
    });
    services.present.moments.onClose(() => (this.#known = NOTHING_KNOWN));
    this.#closing = setInterval(() => void this.#closeIdle(), LOOK_MS).unref();
  }

  /** For a person at a page, the console's page of the moment explains why it cannot be read now, and opens it. @throws Problem, as `find` does */
  async findFor(id: string, address: string): Promise<PastApplication | Elsewhere> {
    const page = CONSOLE.exec(address)?.[1];
    if (page === undefined || parseMomentId(id) === undefined) return this.find(id);
    try {
      // That page leads back as soon as the moment is ready, and the state known here may be older.
      return await this.find(id).catch(() => delay(NEWS_MS).then(() => this.find(id)));
    } catch (error) {
      if (!(error instanceof MomentUnreadable)) throw error;
      return { location: pathBelow(this.services.present.publicAddress.url, momentAddress(id, page)) };
    }
  }

  /** Returns the application as of an event. @throws MomentUnreadable, a Problem moment-not-open or unavailable */
  async find(id: string): Promise<PastApplication> {
    const moment = await this.#readable(id);
    const open = await this.#opened(moment);
    const now = performance.now();
    open.askedMs = now;
    if (now - open.verifiedMs > CHECK_MS) {
      await Promise.all([this.#lastOf(moment), open.seal?.look()]);
      open.verifiedMs = now;
    }
    if (now - open.usedMs > USED_MS) {
      open.usedMs = now;
      await this.services.present.moments.used(id);
    }
    open.requests += 1;
    return { http: open.http, whenDone: () => (open.requests -= 1) };
  }

  async stop(): Promise<void> {
    clearInterval(this.#closing);
    await Promise.all([...this.#open.keys()].map((id) => this.#close(id)));
    await this.#primary.end();
  }

  /** Returns the moment while it can be read. @throws MomentUnreadable */
  async #readable(id: MomentId): Promise<StoredMoment> {
    const moment = (await this.#moments(id)).get(id);
    if (moment?.state !== 'READY') await this.#close(id);
    if (!moment) throw notOpen(id);
    if (moment.state === 'FAILED') throw notOpen(id, moment.reason!);
    if (moment.state === 'BUILDING') throw beingBuilt(moment);
    return moment;
  }

  /** Returns all moments by id. They are read once a second, and ten times while one is asked for that is not among them. */
  async #moments(id: MomentId): Promise<ReadonlyMap<MomentId, StoredMoment>> {
    const { readMs, moments } = this.#known;
    const ageMs = performance.now() - readMs;
    if (ageMs < NEWS_MS || (ageMs < CHECK_MS && (await moments).get(id)?.state === 'READY')) return moments;
    const read = this.services.present.moments.all().then((all) => new Map(all.map((moment) => [moment.id, moment])));
    this.#known = { readMs: performance.now(), moments: read };
    read.catch(() => (this.#known = NOTHING_KNOWN));
    return read;
  }

  /**
   * Returns the last event of a moment that can be served.
   * @throws MomentUnreadable when the log does not have it, or another version of the service has built the moment
   */
  async #lastOf(moment: StoredMoment): Promise<RecordedEvent> {
    const { moments, store } = this.services.present;
    const version = momentVersion(PROJECTIONS);
    if (moment.version !== version) {
      if (isNewer(moment.version!, version)) throw new LedgerProblem('unavailable', 'The moment was built by a newer version of the service.');
      await moments.rebuild(moment);
      throw beingBuilt(moment, 'it was built by another version of the service, and is built again');
    }
    const [last] = await store.read(moment.stream, { from: moment.revision, limit: 1 });
    if (last?.id === moment.event_id) return last;
    const reason = 'the event store was restored to an older state, which does not have this event';
    await moments.fail(moment, reason);
    throw notOpen(moment.id, reason);
  }

  async #opened(moment: StoredMoment): Promise<Open> {
    const { id, opened_on } = moment;
    const known = await this.#open.get(id);
    if (known && known.moment.opened_on === opened_on) return known;
    if (known) await this.#close(id);
    let opening = this.#open.get(id);
    if (!opening) {
      opening = this.#make(moment);
      this.#open.set(id, opening);
      opening.catch(() => this.#open.delete(id));
    }
    return opening;
  }

  async #make(moment: StoredMoment): Promise<Open> {
    const { present, databases, http } = this.services;
    const last = await this.#lastOf(moment);
    const { id, position, time, name, scenario } = moment;
    const url = await databases.urlOf(id);
    const [readPool, slowPool] = this.#poolsOn(url);
    const ended = new EndedEventStore(present.store, last.position);
    const store = scenario === null ? ended : pricedLog(ended, readPool);
    const clock = (): number => milliseconds(moment.time);
    const merchants = await merchantsOf(store);
    const deps = { store, pool: this.#primary, readPool, secret: present.secret, clock, onError: present.onError };
    const { registry } = openRails({ ...deps, publicAddress: present.publicAddress, logger: http.logger, merchants });
    await registry.load();
    const components: AppComponents = {
      ...present,
      ...deps,
      commonClock: clock,
      chainPool: this.#primary,
      accounts: openAccounts(null, store, clock),
      reads: new Reads(readPool, slowPool),
      watch: new StandingProjections({ position: last.position, ordinal: moment.position }),
      merchants,
      rails: registry,
      railRegistry: registry,
      calendar: new BankingCalendar(store),
    };
    const { interface: _, metrics: __, tracing: ___, ...shared } = http;
    // The log has no events at other fees, and no root over them.
    const seal = scenario === null ? new Seal(this.#primary, present.transparencyLog, position) : null;
    await seal?.look();
    const app = await createHttpApp(AppModule.of(components), {
      ...shared,
      past: {
        id,
        basePath: `/at/${id}`,
        position,
        time,
        scenario: scenario === null ? null : { name: scenario, address: name! },
        root: () => seal?.root,
      },
    });
    await app.init();
    const instance = app.getHttpAdapter().getInstance();
    await instance.ready();
    const now = performance.now();
    return {
      moment,
      seal,
      http: instance,
      requests: 0,
      askedMs: now,
      verifiedMs: now,
      usedMs: -Infinity,
      async close() {
        await app.close();
        await store.close();
        await Promise.all([registry.stop(), readPool.end(), slowPool.end()]);
      },
    };
  }

  /** Pools for quick and slow reads. */
  #poolsOn(url: string): readonly [Pool, Pool] {
    const of = { url, settings: READ_ONLY, idleMs: IDLE_CONNECTION_MS };
    const quick = createPool({ ...of, applicationName: 'chargebook-api-past', maxConnections: MOMENT_CONNECTIONS - MOMENT_SLOW_CONNECTIONS });
    const slow = createPool({ ...of, applicationName: 'chargebook-api-past-slow', maxConnections: MOMENT_SLOW_CONNECTIONS });
    stepBackBehind(slow);
    for (const pool of [quick, slow]) readWithTodaysKeys(pool, this.#primary);
    return [quick, slow];
  }

  async #close(id: MomentId): Promise<void> {
    const opening = this.#open.get(id);
    this.#open.delete(id);
    await opening?.then(
      (open) => open.close(),
      () => undefined,
    );
  }

  async #closeIdle(): Promise<void> {
    for (const [id, opening] of this.#open) {
      const open = await opening.catch(() => undefined);
      if (open && open.requests === 0 && performance.now() - open.askedMs > IDLE_MS) await this.#close(id);
    }
  }
}

/** Root of the transparency log up to a position, as soon as it is sealed. It never changes then. */
class Seal {
  #root: string | undefined;

  constructor(
    private readonly pool: Pool,
    private readonly log: Pick<TransparencyLogWatch, 'head'>,
    private readonly position: number,
  ) {}

  /** Hex; undefined before it is sealed. */
  get root(): string | undefined {
    return this.#root;
  }

  /** Reads it when it is sealed. A moment can also be read without it. */
  async look(): Promise<void> {
    if (this.#root !== undefined || (this.log.head()?.events ?? 0) < this.position) return;
    this.#root = (await findRoot(this.pool, this.position).catch(() => undefined))?.toString('hex');
  }
}

async function merchantsOf(store: EventStore): Promise<KnownMerchants> {
  const merchants = new KnownMerchants();
  for await (const { events, caughtUp } of store.subscribe(null, { signal: timeLimit(READ_WITHIN_MS), streamPrefix: MERCHANT_STREAMS })) {
    for (const event of events) merchants.add(event);
    if (caughtUp) return merchants;
  }
  throw new StoreUnavailable('the merchants of the moment could not be read in time');
}

/** The moment is not open, or not ready yet. */
class MomentUnreadable extends LedgerProblem {}

function notOpen(id: MomentId, reason?: string): MomentUnreadable {
  const because = reason === undefined ? '' : ` It cannot be read: ${reason}.`;
  const how = partsOf(id).name
    ? 'Open it with “chargebook what-if --open” and the file of its scenario.'
    : `Open it with POST /audit/moments {"position":${id}} and a key of finance or of an operator.`;
  return new MomentUnreadable('moment-not-open', `Moment ${id} is not open.${because} ${how}`);
}

function beingBuilt({ events_done, events_total }: StoredMoment, why = `${events_done} of ${events_total} events are read`): MomentUnreadable {
  return new MomentUnreadable('unavailable', `The moment is being built: ${why}. Ask again.`, { headers: { 'retry-after': '2' } });
}
