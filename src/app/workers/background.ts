import type { Logger } from 'pino';
import { PROJECTIONS, projectionThatShows } from '../projections.js';
import type { Running } from '../api.js';
import type { ServedInBackground } from './background-port.js';
import { ChainSigner } from '../../transparency-log/chain-keys.js';
import type { Config } from '../config.js';
import { WORKER_CONNECTIONS } from '../connections.js';
import { loadEncryptionKey } from '../encryption-key.js';
import { SUCCEEDED_SOON } from '../../platform/postgres/connection-options.js';
import { skippedBy } from '../../ledger/streams/quarantine.js';
import { isMissingTable } from '../../platform/postgres/missing-table.js';
import { createPool } from '../../platform/postgres/pool.js';
import { Projector } from '../../platform/projector/projector.js';
import { SharedLog } from '../../platform/projector/shared-log.js';
import { traceProjections } from '../../platform/tracing/trace-events.js';
import { openAccounts } from '../../domain/accounts/open-accounts.js';
import { BankingCalendar } from '../../domain/calendar/banking-calendar.js';
import { chargeServices } from '../../domain/charges/charge-services.js';
import { ExpiryWorker } from '../../domain/charges/expiry.worker.js';
import { MerchantDirectory } from '../../domain/merchants/merchant-directory.js';
import { openRails, type OpenRails } from '../rails.js';
import { startApprovalsWorker } from './approvals-worker.js';
import { startErasures } from './erasures.js';
import { startMoneyWorkers } from './money-workers.js';
import { startRailWorkers } from './rail-workers.js';
import type { RailRoutes } from '../../rails/settings/rail-routes.js';
import type { WorkerDeps } from './worker-deps.js';
import { startTransparencyLog } from '../../transparency-log/transparency-log.worker.js';
import { startMoments } from '../../point-in-time/moments.worker.js';
import { openMoments } from '../../point-in-time/open-moments.js';
import { isEmbeddedIn } from '../../platform/embedded-postgres/embedded-name.js';
import { startWebhooks } from '../../domain/webhooks/webhooks.worker.js';
import { loadServiceSecret } from '../service-secret.js';
import type { Stores } from '../stores.js';

/** A missing read model is no error until then, ms. */
const BUILT_WITHIN_MS = 60_000;

/**
 * Starts the work without requests: projections and workers. Each is elected among all processes with its role, which its log lines contain.
 * @param routes replaces the configured rails in tests
 */
export async function startBackground(
  config: Config,
  stores: Stores,
  lines: Logger,
  routes?: RailRoutes,
): Promise<Running & { readonly metricsUrl?: string }> {
  await stores.clockGuard.start((level, fields, message) => lines[level](fields, message));
  const running: Running[] = [];
  const log = new SharedLog(stores.eventStore);
  let projector: Projector | undefined;
  let worker: Worker | undefined;
  if (config.roles.has('projector')) {
    const logger = lines.child({ role: 'projector' });
    projector = new Projector({
      url: stores.databaseUrl,
      store: stores.eventStore,
      log,
      projections: PROJECTIONS,
      skipped: skippedBy(stores.eventStore),
      report: (level, message, fields) => logger[level](fields, message),
      projected: stores.tracing && traceProjections(stores.tracing, projectionThatShows),
    });
    projector.start();
    running.push(projector);
  }
  if (config.roles.has('worker')) {
    worker = await startWorker(config, { ...stores, log }, lines.child({ role: 'worker' }), routes);
    running.push(worker);
  }
  const port = running.length > 0 ? await openPort(config, { stores, projector, rails: worker?.rails, logger: lines }) : undefined;
  return {
    ...(port && { metricsUrl: port.url }),
    async stop() {
      await port?.stop();
      await Promise.all(running.map((part) => part.stop()));
      log.close();
    },
  };
}

/** `log`: the store's events, read once for the whole process. */
type WorkerStores = Stores & { readonly log: SharedLog };

interface Worker extends Running {
  readonly rails: OpenRails;
}

async function openPort({ host, metricsPort }: Config, served: Omit<ServedInBackground, 'host' | 'port'>) {
  if (metricsPort === undefined) return undefined;
  // Imported on demand.
  const { openBackgroundPort } = await import('./background-port.js');
  return openBackgroundPort({ host, port: metricsPort, ...served });
}

async function startWorker(config: Config, stores: WorkerStores, logger: Logger, routes: RailRoutes | undefined): Promise<Worker> {
  const { databaseUrl, eventStore: store, clockGuard } = stores;
  const { clock, common } = clockGuard;
  const failed = reportFailures(logger);
  const pool = createPool({ url: databaseUrl, applicationName: 'chargebook-worker', maxConnections: WORKER_CONNECTIONS, settings: SUCCEEDED_SOON });
  const mayDecide = (): Promise<boolean> => clockGuard.mayDecide();
  const secret = await loadServiceSecret(databaseUrl, await loadEncryptionKey(config, databaseUrl));
  const deps: WorkerDeps = { databaseUrl, store, pool, readPool: pool, secret, clock, mayDecide, onError: failed };
  const expiry = new ExpiryWorker({
    ...deps,
    onError: (err, fields) => failed('a charge expiry failed', { err, ...fields }),
  });
  expiry.start();
  const directory = new MerchantDirectory(store, (err) => failed('cannot apply an event of a merchant; no payout is sent to a bank', { err }));
  directory.start();
  const terms = directory.merchants;
  const rails = openRails({ ...deps, logger, merchants: terms, publicAddress: { url: config.publicUrl ?? '' } });
  const used = routes ?? rails.registry;
  const accounts = openAccounts(pool, store, clock);
  const charges = chargeServices({ ...deps, accounts, routes: used.processors, calendar: new BankingCalendar(store), terms });
  const money = startMoneyWorkers({
    ...{ ...deps, directory, accounts, charges, rails: used },
    isKnown: known(directory, rails.registry),
    settlementIntervalSeconds: config.settlementIntervalSeconds,
    disputeReminderSeconds: config.disputeReminderSeconds,
  });
  const approvals = startApprovalsWorker({ ...deps, timeZone: config.booksTimeZone, directory });
  const railWork = startRailWorkers({ ...deps, rails: used, charges, transfers: money.transfers });
  const erasures = startErasures({ ...deps, dataDir: config.dataDir });
  const webhooks = startWebhooks({
    ...{ ...deps, commonClock: common },
    allowPrivate: config.webhookAllowPrivate,
    retrySeconds: config.webhookRetrySeconds,
    tracing: stores.tracing,
    onError: (err) => failed('webhook delivery failed', { err }),
  });
  const moments = startMoments({
    ...openMoments(pool, databaseUrl, config),
    ...{ databaseUrl, pool, store, projections: PROJECTIONS, skipped: skippedBy(store) },
    timeZone: config.booksTimeZone,
    directory: config.pointInTimeUrl === undefined && (await isEmbeddedIn(config.dataDir, pool)) ? config.dataDir : undefined,
    onError: (err) => failed('cannot build the read models of a past moment', { err }),
  });
  const transparencyLog = startTransparencyLog({
    ...{ databaseUrl, store, log: stores.log },
    signer: new ChainSigner(secret),
    clock: common,
    onError: (err) => failed('cannot seal the log', { err }),
  });
  return {
    rails,
    async stop() {
      await Promise.all([expiry.stop(), erasures.stop(), money.stop(), approvals.stop()]);
      await Promise.all([railWork.stop(), webhooks.stop(), transparencyLog.stop(), moments.stop()]);
      await Promise.all([directory.stop(), rails.registry.stop()]);
      await pool.end();
    },
  };
}

/** Returns true once merchants and rails are loaded; until then no record is handed over. */
function known(directory: MerchantDirectory, registry: ReturnType<typeof openRails>['registry']): () => boolean {
  let isKnown = false;
  void Promise.all([directory.ready(), registry.start()]).then(
    () => (isKnown = true),
    // The directory has logged the reason, or this process ends.
    () => undefined,
  );
  return () => isKnown;
}

/** Logs failures as errors, except for a read model that is still being built on a first start. */
function reportFailures(logger: Logger): (message: string, fields: { readonly err?: unknown }) => void {
  const startedMs = performance.now();
  return (message, { err, ...fields }) => {
    const isEarly = isMissingTable(err) && performance.now() - startedMs < BUILT_WITHIN_MS;
    logger[isEarly ? 'debug' : 'error']({ err, ...fields }, message);
  };
}
