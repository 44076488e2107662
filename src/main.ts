import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { Running } from './api.js';
import { startBackground } from './background.js';
import { ConfigError, readConfig, type Config } from './config.js';
import { ensureDemoMerchant } from './merchants/demo-merchant.js';
import { createLogger } from './platform/logging.js';
import { stopOnSignal } from './platform/shutdown.js';
import { openStores, type Stores } from './stores.js';

const CHILD_RESTART_MS = 1_000;
/** Errors whose message is one line that a person can act on. */
const FOR_PEOPLE: ReadonlySet<string> = new Set([ConfigError.name, 'SchemaMismatch', 'EmbeddedPostgresUnavailable']);

async function main(): Promise<void> {
  endWithParent();
  // Whoever read what is printed may go; the service stays.
  process.stdout.on('error', () => undefined);
  const config = readConfig(process.env);
  const logger = createLogger(config.logLevel);
  const stores = await openStores(config, (message) => logger.warn(message));
  const running: Running[] = [];

  // On one core a second process only costs; with more, requests and projections do not wait for each other.
  const inChild = !config.rolesGiven && config.cores > 1;
  running.push(inChild ? superviseBackground(config, stores.databaseUrl, logger) : await startBackground(config, stores, logger));
  if (config.roles.has('api')) {
    // Loaded only where requests are served: the framework is most of a process's memory.
    const { startApi } = await import('./api.js');
    const api = await startApi(config, stores, logger);
    running.unshift(api);
    if (!config.production) await welcome(stores, api.url);
    process.stdout.write(`listening on ${api.url}\n`);
  } else {
    process.stdout.write(`running ${[...config.roles].join(', ')}\n`);
  }

  const stop = async (signal: 'SIGTERM' | 'SIGINT'): Promise<void> => {
    // Requests first: what they wait for must still run.
    for (const part of running) await part.stop(signal);
    await stores.close();
  };
  stopOnSignal(stop, logger);
}

/** A background process whose parent has gone, however it went and however early, has nobody to work for. */
function endWithParent(): void {
  const end = (): void => void process.kill(process.pid, 'SIGTERM');
  // False, as opposed to undefined: there was a parent, and it went while the modules were loaded.
  if (process.connected === false) end();
  else process.once('disconnect', end);
}

/** On the first start of a ledger of one's own: a merchant to try it with. */
async function welcome(stores: Stores, url: string): Promise<void> {
  const demo = await ensureDemoMerchant({ store: stores.eventStore, clock: Date.now });
  if (!demo) return;
  process.stdout.write(`
A demo merchant was made for you. Its key is shown this once:

  export CHARGEBOOK_KEY=${demo.api_key}

Create a charge:

  curl -s ${url}/v1/charges -H "Authorization: Bearer ${demo.api_key}" \\
    -H "Content-Type: application/json" -H "Idempotency-Key: order-1001" \\
    -d '{"amount":10000,"currency":"IDR","channel_code":"qr_qris","action_flow":"payload","reference_id":"order-1001"}'

The interface is described at ${url}/docs

`);
}

/** Projector and worker in a process of their own, started again when it dies. */
function superviseBackground(config: Config, databaseUrl: string, logger: Logger): Running {
  const env = { ...process.env, ROLES: 'projector,worker', DATABASE_URL: databaseUrl, DATA_DIR: config.dataDir };
  let stopping = false;
  let child: ChildProcess;
  const start = (): void => {
    // A group of its own: Ctrl-C reaches this process alone, which lets requests finish before it stops the other.
    child = fork(fileURLToPath(import.meta.url), { env, detached: true, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    child.once('exit', (code, signal) => {
      if (stopping) return;
      logger.error({ code, signal }, 'the background process ended; starting it again');
      setTimeout(() => !stopping && start(), CHILD_RESTART_MS);
    });
  };
  start();
  return {
    async stop() {
      stopping = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

main().catch((error: unknown) => {
  // What a person can mend is one line; anything else is a fault of ours and shows where.
  const forPeople = error instanceof Error && FOR_PEOPLE.has(error.name);
  process.stderr.write(`${forPeople ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
