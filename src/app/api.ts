import cluster from 'node:cluster';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { PROJECTIONS } from './projections.js';
import { openAccounts } from '../domain/accounts/open-accounts.js';
import { AppModule, type AppComponents } from './app.module.js';
import { TransparencyLogWatch } from '../transparency-log/transparency-log-watch.js';
import { BankingCalendar } from '../domain/calendar/banking-calendar.js';
import { metricsOfAllWorkers } from './metrics/cluster-metrics.js';
import type { Config } from './config.js';
import { toldApart } from './address.js';
import { PRIMARY_CONNECTIONS, readConnections, slowReadConnections } from './connections.js';
import { loadEncryptionKey } from './encryption-key.js';
import { INTERFACE } from './interface.js';
import { servePast } from './past-applications.js';
import { MerchantDirectory } from '../domain/merchants/merchant-directory.js';
import { observe } from './metrics/observability.js';
import { DiskWatch } from '../platform/postgres/disk-watch.js';
import { Guard } from '../platform/auth/guard.js';
import { tokenBuckets } from '../platform/auth/token-bucket.js';
import { createHttpApp, listen } from '../platform/http/http-app.js';
import type { HttpOptions } from '../platform/http/http-options.js';
import { Reads } from '../platform/http/reads.js';
import { stepBackBehind } from '../platform/postgres/background-work.js';
import { isEmbeddedIn } from '../platform/embedded-postgres/embedded-name.js';
import { createPool } from '../platform/postgres/pool.js';
import { unlessAborted } from '../platform/async/waiting.js';
import { ProjectionWatch } from '../platform/projector/projection-watch.js';
import type { StopSignal } from '../platform/http/edge/shutdown.js';
import { stopServing } from '../platform/http/edge/stop-serving.js';
import type { RailRoutes } from '../rails/settings/rail-routes.js';
import { findRailPayouts } from '../../projections/payouts/payouts-at-bank.js';
import { countUnconfirmed } from '../rails/registry/rail-health.js';
import { openMoments } from '../point-in-time/open-moments.js';
import { measureRails } from './metrics/rail-metrics.js';
import type { OnError, ServiceDeps } from '../ledger/ports/injection-tokens.js';
import { openRails } from './rails.js';
import { RailStates } from '../rails/registry/rail-view.js';
import { MetricsRegistry } from '../platform/http/metrics.js';
import { loadServiceSecret } from './service-secret.js';
import type { Stores } from './stores.js';

/** Time for which readiness returns 503 before connections are refused, ms. A load balancer queries it every second; a terminal has none. */
const READINESS_NOTICE_MS = { SIGTERM: 1_000, SIGINT: 0 } as const;

export interface Running {
  stop(signal?: StopSignal): Promise<void>;
}

/**
 * Serves requests until stopped. Loads all state that it needs before it listens, however long the event store is unavailable.
 * @param routes replaces the configured rails in tests
 * @param stopping ends a start that waits for the event store; the process ends then. @throws its reason
 */
export async function startApi(
  config: Config,
  stores: Stores,
  logger: Logger,
  routes?: RailRoutes,
  stopping: AbortSignal = new AbortController().signal,
): Promise<Running & { readonly url: string }> {
  const { clockGuard } = stores;
  await unlessAborted(() => clockGuard.start((level, fields, message) => logger[level](fields, message)), stopping);
  const secret = await loadServiceSecret(stores.databaseUrl, await loadEncryptionKey(config, stores.databaseUrl));
  const { readPool, slowPool, primaryPool } = openPools(config, stores.databaseUrl);
  const projections = PROJECTIONS.map(({ name }) => name);
  const startingWatches = (): Promise<Watches> => startWatches(config, stores, { readPool, primaryPool }, projections, logger);
  const { stop: stopWatches, ...watches } = await unlessAborted(startingWatches, stopping);
  const publicAddress = { url: config.publicUrl ?? '' };
  const onError: OnError = (message, fields) => logger.error(fields, message);
  const deps: ServiceDeps = { store: stores.eventStore, pool: primaryPool, readPool, secret, clock: clockGuard.clock, onError };
  const rails = openRails({ ...deps, publicAddress, logger, merchants: watches.directory.merchants });
  await unlessAborted(() => rails.registry.start(), stopping);
  const { watch, directory, transparencyLog } = watches;
  const { databases, moments } = openMoments(primaryPool, stores.databaseUrl, config);
  const components: AppComponents = {
    ...{ ...deps, config, watch, transparencyLog, moments, publicAddress },
    ...{ keys: directory, operators: directory.actingOperators(clockGuard.common), merchants: directory.merchants },
    ...{ todaysMerchants: directory.merchants, todaysClock: clockGuard.common },
    sessionRates: tokenBuckets(config.rateLimitPerSecond),
    chainPool: null,
    accounts: openAccounts(primaryPool, deps.store, deps.clock),
    reads: new Reads(readPool, slowPool),
    rails: routes ?? rails.registry,
    railRegistry: rails.registry,
    calendar: new BankingCalendar(deps.store),
    commonClock: clockGuard.common,
  };
  const http = httpOptions(config, stores, watches, publicAddress, logger);
  const app = await createHttpApp(AppModule.of(components), http);
  const past = servePast(app, { present: components, databases, databaseUrl: stores.databaseUrl, http });
  observe(app, { ...components, ...watches, clockGuard }, projections);
  rails.metrics.registerOn(app.get(MetricsRegistry));
  measureRails([app.get(MetricsRegistry)], {
    states: () => app.get(RailStates, { strict: false }).read(),
    payouts: () => findRailPayouts(readPool),
    unconfirmed: () => countUnconfirmed(primaryPool),
    now: clockGuard.common,
  });
  const url = await toldApart(config, () => listen(app, config.host, config.port, publicAddress));
  return {
    url,
    async stop(signal = 'SIGINT') {
      await stopServing(app, READINESS_NOTICE_MS[signal]);
      await Promise.all([rails.registry.stop(), stopWatches(), past.stop()]);
      await Promise.all([readPool.end(), slowPool.end(), primaryPool.end()]);
    },
  };
}

function httpOptions(
  { rateLimitPerSecond, trustedProxies }: Config,
  { clockGuard, tracing }: Stores,
  { directory, disk }: Pick<Watches, 'directory' | 'disk'>,
  publicAddress: HttpOptions['publicAddress'],
  logger: Logger,
): HttpOptions {
  return {
    publicAddress,
    rateLimitPerSecond,
    trustedProxies,
    onFailure: (error) => disk.failed(error),
    logger,
    clockGuard,
    interface: INTERFACE,
    tracing,
    ...(cluster.isWorker && { metrics: metricsOfAllWorkers }),
    guard: new Guard(directory, rateLimitPerSecond, clockGuard.common),
  };
}

/** Opens pools for read models, for slow reads of them (which give way to all other work), and for reads that must use the primary database. */
function openPools(config: Config, databaseUrl: string): Record<'readPool' | 'slowPool' | 'primaryPool', Pool> {
  const readUrl = config.readDatabaseUrl ?? databaseUrl;
  const slowReads = slowReadConnections(config.apiProcesses);
  const maxConnections = readConnections(config.apiProcesses) - slowReads;
  const readPool = createPool({ url: readUrl, applicationName: 'chargebook-api', maxConnections });
  const slowPool = createPool({ url: readUrl, applicationName: 'chargebook-api-slow', maxConnections: slowReads });
  stepBackBehind(slowPool);
  const primaryPool = createPool({ url: databaseUrl, applicationName: 'chargebook-api-primary', maxConnections: PRIMARY_CONNECTIONS });
  return { readPool, slowPool, primaryPool };
}

interface Watches {
  readonly watch: ProjectionWatch;
  readonly directory: MerchantDirectory;
  readonly transparencyLog: TransparencyLogWatch;
  readonly disk: DiskWatch;
  readonly stop: () => Promise<void>;
}

/** Starts watching projections, merchants, the transparency log and the disk. Their states stay current until `stop`. */
async function startWatches(
  config: Config,
  stores: Stores,
  { readPool, primaryPool }: { readonly readPool: Pool; readonly primaryPool: Pool },
  projections: readonly string[],
  logger: Logger,
): Promise<Watches> {
  const watch = new ProjectionWatch({
    url: stores.databaseUrl,
    pool: readPool,
    isReplica: config.readDatabaseUrl !== undefined,
    store: stores.eventStore,
    projections,
  });
  const directory = new MerchantDirectory(
    stores.eventStore,
    (err) => logger.fatal({ err }, 'cannot apply an event of a merchant; every request is refused'),
    (err) => logger.error({ err }, 'the event store was restored to an older state; requests are refused until all events are read again'),
  );
  directory.start();
  await Promise.all([watch.start(), directory.ready()]);
  const transparencyLog = new TransparencyLogWatch({
    pool: primaryPool,
    store: stores.eventStore,
    newestOrdinal: () => Math.max(...projections.map((name) => watch.current(name)?.ordinal ?? 0)),
  });
  await transparencyLog.start();
  const disk = new DiskWatch({
    directory: (await isEmbeddedIn(config.dataDir, primaryPool)) ? config.dataDir : undefined,
    pool: primaryPool,
    logger,
  });
  await disk.start();
  return {
    ...{ watch, directory, transparencyLog, disk },
    async stop() {
      await Promise.all([watch.close(), transparencyLog.close(), disk.close(), directory.stop()]);
    },
  };
}
