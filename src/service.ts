import cluster from 'node:cluster';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { PROJECTIONS } from './app/projections.js';
import type { Running } from './app/api.js';
import { requireFreeAddress } from './app/address.js';
import { beginCalendarFromFile } from './app/begin-calendar.js';
import { startApiWorkers, WorkerFailed, type WorkerOrder, type WorkerReport } from './app/workers/api-workers.js';
import type { Config } from './app/config.js';
import { readEnvironment } from './app/environment.js';
import { ConfigError } from './platform/process/config-error.js';
import { momentConnections, serviceConnections } from './app/connections.js';
import { loadEncryptionKey } from './app/encryption-key.js';
import { boundHeapGrowth } from './app/workers/heap-growth.js';
import { atMost, unlessAborted } from './platform/async/waiting.js';
import { superviseBackground } from './app/workers/background-process.js';
import { beat } from './app/workers/heartbeat.js';
import { UnreadableText } from './platform/text/text-file.js';
import { createLogger, linesForPeople } from './platform/process/logging.js';
import { connectionRoom } from './platform/postgres/connection-room.js';
import { untilBuilt } from './platform/projector/until-built.js';
import { stopOnSignal, type StopSignal } from './platform/http/edge/shutdown.js';
import { loadServiceSecret } from './app/service-secret.js';
import { readArguments, USAGE } from './app/start-arguments.js';
import { openStores, requireBooksTimeZone, type Stores } from './app/stores.js';
import { welcome } from './app/welcome.js';
import type { StartedDemo } from '../tools/seed/demo.js';

const SCRIPT = fileURLToPath(new URL('main.js', import.meta.url));
/** Maximum wait for the read models, ms; a first start takes a second or two. */
const BUILT_WITHIN_MS = 15_000;
/** Maximum wait for the parts of a failed start to stop, ms. */
const STOPPED_WITHIN_MS = 5_000;
const PROJECTION_NAMES = PROJECTIONS.map(({ name }) => name);
/** Errors whose message is one line that an operator can act on. */
const FOR_PEOPLE: ReadonlySet<string> = new Set([
  ConfigError.name,
  WorkerFailed.name,
  UnreadableText.name,
  'SchemaMismatch',
  'UpcastersIncomplete',
  'EmbeddedPostgresUnavailable',
  'EmbeddedDataDamaged',
]);

async function main(): Promise<void> {
  const { workers, demo, help } = readArguments(process.argv.slice(2));
  if (help) return void process.stdout.write(USAGE);
  endWithParent();
  // The reader of the output may end; the service keeps running.
  process.stdout.on('error', () => undefined);
  const config = readEnvironment();
  if (demo && config.production) throw new ConfigError('--demo creates fictitious merchants and is not allowed in production');
  if (workers !== undefined && !config.roles.has('api')) throw new ConfigError('--workers needs the role api in ROLES');
  const others = [...config.roles].filter((role) => role !== 'api').join(',');
  // On one core a second process only adds cost. With more cores, requests and projections do not wait for each other.
  const inChild = workers !== undefined ? others !== '' : !config.rolesGiven && config.cores > 1;
  const lines = await loggerOf(config);
  const logger = lines.child({ role: workers !== undefined ? 'main' : inChild ? 'api' : [...config.roles].join(',') });
  if (config.roles.has('api')) await requireFreeAddress(config);

  const running: Running[] = [];
  const stopping = new AbortController();
  const stopAll = async (signal: StopSignal): Promise<void> => {
    for (const part of running) await part.stop(signal);
  };
  let started = Promise.resolve();
  // Stops the started parts in their order, also during a start and after a failed one: another order would look like faults.
  stopOnSignal(async (signal) => {
    stopping.abort();
    await started.catch(() => undefined);
    await stopAll(signal);
  }, logger);
  started = startRoles({ config, workers, demo, others: inChild ? others : undefined, lines, logger }, running, stopping.signal);
  await started.catch(async (error: unknown) => {
    if (stopping.signal.aborted) return;
    await atMost(
      STOPPED_WITHIN_MS,
      stopAll('SIGINT').catch(() => undefined),
    );
    throw error;
  });
  beat();
}

async function loggerOf({ logLevel, logFormat }: Config): Promise<Logger> {
  const forPeople = logFormat === undefined ? process.stdout.isTTY : logFormat === 'text';
  return createLogger(logLevel, forPeople ? await linesForPeople() : undefined);
}

interface Start {
  readonly config: Config;
  /** Number of API processes behind one port; undefined: this process serves requests itself. */
  readonly workers: number | undefined;
  readonly demo: boolean;
  /** Roles of the separate background process; undefined: this process has all roles. */
  readonly others: string | undefined;
  readonly lines: Logger;
  readonly logger: Logger;
}

/**
 * Starts this process's parts and its children. Adds each part to `running` as soon as it runs, in the order of stopping: requests first, because the
 * parts that they wait for must still run; the stores last. @throws once `stopping` aborts
 */
async function startRoles({ config, workers, demo, others, lines, logger }: Start, running: Running[], stopping: AbortSignal): Promise<void> {
  const connections = connectionsOf(config, workers);
  const stores = await openStores(config, (message) => logger.warn(message), connections);
  running.push({ stop: () => stores.close() });
  stopping.throwIfAborted();
  await requireBooksTimeZone(stores, config);
  if (!process.connected) await warnOfTooLittleRoom(stores, connections, logger);
  // Done before other processes of this service start, which would report the same error.
  if (config.roles.has('api') || config.roles.has('worker')) {
    await loadServiceSecret(stores.databaseUrl, await loadEncryptionKey(config, stores.databaseUrl));
    if (!process.connected) await beginCalendarFromFile(config, stores, logger, stopping);
  }
  const madeUp = demo ? await makeUpMonth(config, stores) : undefined;
  stopping.throwIfAborted();
  if (others !== undefined) running.unshift(superviseBackground(SCRIPT, { ...childEnvironment(config, stores), ROLES: others }, logger));
  else running.unshift(await project(config, stores, lines, stopping));
  stopping.throwIfAborted();
  if (config.roles.has('api')) {
    const api =
      workers === undefined
        ? await serve(config, stores, lines.child({ role: 'api' }), stopping)
        : await startWorkers(workers, config, stores, logger, stopping);
    running.unshift(api);
    stopping.throwIfAborted();
    // On a first start, this process or a child builds the read models. If another process projects, the time is unknown.
    if (config.roles.has('projector') && !(await untilBuilt(stores.databaseUrl, PROJECTION_NAMES, BUILT_WITHIN_MS).catch(() => false))) {
      logger.warn('the read models do not exist yet: reads return 503');
    }
    stopping.throwIfAborted();
    if (!config.production) process.stdout.write(await welcome(stores, api.url, stopping, madeUp));
    process.stdout.write(`listening on ${api.url}\n`);
    if (madeUp) running.unshift(closeBooksOf(madeUp, config, stores, logger));
  } else if (!process.connected) {
    // A child process leaves the output for people to its parent.
    process.stdout.write(`running ${[...config.roles].join(', ')}\n`);
  }
}

/** Runs one of several processes behind one port: serves requests, and leaves all other work to the process that started it. */
async function work(): Promise<void> {
  // Ctrl-C reaches every process of a terminal at once; the parent process decides when this one stops.
  process.on('SIGINT', () => undefined);
  const config = readEnvironment();
  const logger = (await loggerOf(config)).child({ role: 'api', worker: cluster.worker!.id });
  const stores = await openStores(config, (message) => logger.warn(message), connectionsOf(config, config.apiProcesses));
  const api = await serve(config, stores, logger);
  const stop = stopOnSignal(
    async (signal) => {
      await api.stop(signal);
      await stores.close();
    },
    logger,
    ['SIGTERM'],
  );
  process.on('message', (order: Partial<WorkerOrder>) => order.stop && stop(order.stop));
  process.send!({ listening: api.url } satisfies WorkerReport);
  beat();
}

// The framework takes most of a process's memory and start time, so a process imports only the parts that it runs.
async function project(config: Config, stores: Stores, logger: Logger, stopping: AbortSignal): Promise<Running> {
  const { startBackground } = await unlessAborted(() => import('./app/workers/background.js'), stopping);
  return startBackground(config, stores, logger);
}

/** @returns undefined when there is already a month */
async function makeUpMonth(config: Config, stores: Stores): Promise<StartedDemo | undefined> {
  const { startDemo } = await import('../tools/seed/demo.js');
  return startDemo(config, stores, (line) => process.stdout.write(`${line}\n`));
}

/**
 * Closes the demo's books. This needs the parts that run now, and the start does not wait for it. When it is stopped, the remaining steps are left to
 * the user of the demo.
 */
function closeBooksOf({ people }: StartedDemo, config: Config, stores: Stores, logger: Logger): Running {
  const stopping = new AbortController();
  const closed = import('../tools/seed/closing.js')
    .then(({ closeBooks }) => closeBooks(config, stores, people, stopping.signal))
    .catch((err: unknown) => {
      if (!stopping.signal.aborted) logger.warn({ err }, 'cannot close the books of the demo');
    });
  return {
    async stop() {
      stopping.abort();
      await closed;
    },
  };
}

async function serve(
  config: Config,
  stores: Stores,
  logger: Logger,
  stopping = new AbortController().signal,
): Promise<Running & { readonly url: string }> {
  // Loading the modules takes seconds of a core: with little of one, longer than a stop may take.
  const { startApi } = await unlessAborted(() => import('./app/api.js'), stopping);
  return startApi(config, stores, logger, undefined, stopping);
}

function startWorkers(
  count: number,
  config: Config,
  stores: Stores,
  logger: Logger,
  stopping: AbortSignal,
): Promise<Running & { readonly url: string }> {
  const env = { ...childEnvironment(config, stores), ROLES: 'api', API_PROCESSES: String(count) };
  return startApiWorkers({ count, script: SCRIPT, env, logger, stopping });
}

const connectionsOf = ({ moments }: Config, workers: number | undefined): number =>
  serviceConnections(workers) + momentConnections(moments.max, workers);

/** Postgres rejects the last connection when there is no room, and any client may be the last one. */
async function warnOfTooLittleRoom({ databaseUrl }: Stores, connections: number, logger: Logger): Promise<void> {
  const room = await connectionRoom(databaseUrl);
  if (room >= connections) return;
  logger.warn({ room, needed: connections }, 'Postgres allows fewer connections than this service may need: raise max_connections');
}

/** Passes the stores that this process has found or started to its children. */
function childEnvironment(config: Config, stores: Stores): NodeJS.ProcessEnv {
  return { ...process.env, DATABASE_URL: stores.databaseUrl, DATA_DIR: config.dataDir };
}

/** Ends a background process when its parent has ended, in any way and at any time: its work has no use then. */
function endWithParent(): void {
  const end = (): void => void process.kill(process.pid, 'SIGTERM');
  // False, unlike undefined, means that the parent ended while the modules were loaded.
  if (process.connected === false) end();
  else process.once('disconnect', end);
}

/** Returns one line for an error that an operator can fix. Any other error is a defect, so its stack is returned. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return FOR_PEOPLE.has(error.name) ? error.message : (error.stack ?? error.message);
}

boundHeapGrowth();
(cluster.isWorker ? work() : main()).catch((error: unknown) => {
  if (cluster.isWorker && process.connected) process.send!({ failed: describe(error) } satisfies WorkerReport, () => process.exit(1));
  else {
    process.stderr.write(`${describe(error)}\n`);
    process.exit(1);
  }
});
