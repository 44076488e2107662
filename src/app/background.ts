import type { Logger } from 'pino';
import { PROJECTIONS } from './projections.js';
import type { Running } from './api.js';
import { ChainSigner } from '../audit/chain-keys.js';
import type { Config } from './config.js';
import { WORKER_CONNECTIONS } from './connections.js';
import { CustomerKeys } from '../customers/customer-keys.js';
import { KeyTraces } from '../customers/key-traces.js';
import { loadEncryptionKey } from './encryption-key.js';
import { KeyWrapping } from '../ledger/customer-encryption.js';
import { SUCCEEDED_SOON } from '../platform/postgres/connection-options.js';
import { skippedBy } from '../ledger/quarantine.js';
import { isMissingTable } from '../platform/postgres/missing-table.js';
import { isEmbeddedIn } from '../platform/embedded-postgres/embedded-name.js';
import { createPool } from '../platform/postgres/pool.js';
import { Projector } from '../platform/projector/projector.js';
import { CustomerErasureWorker } from '../customers/customer-erasure.worker.js';
import { ExpiryWorker } from '../charges/expiry.worker.js';
import { startMoneyWorkers } from './money-workers.js';
import { startSealing } from '../audit/sealing.worker.js';
import { startWebhooks } from '../webhooks/webhooks.worker.js';
import { loadServiceSecret } from './service-secret.js';
import type { Stores } from './stores.js';

/** Until then it is no fault that a read model is not there. */
const BUILT_WITHIN_MS = 60_000;

/** What goes on without requests: projections and processes, each elected among all processes that offer to do it. Their lines carry the role. */
export async function startBackground(config: Config, stores: Stores, lines: Logger): Promise<Running> {
  await stores.clockGuard.start((level, fields, message) => lines[level](fields, message));
  const running: Running[] = [];
  if (config.roles.has('projector')) {
    const logger = lines.child({ role: 'projector' });
    const projector = new Projector({
      url: stores.databaseUrl,
      store: stores.eventStore,
      projections: PROJECTIONS,
      skipped: skippedBy(stores.eventStore),
      report: (level, message, fields) => logger[level](fields, message),
    });
    projector.start();
    running.push(projector);
  }
  if (config.roles.has('worker')) running.push(await startWorker(config, stores, lines.child({ role: 'worker' })));
  return {
    async stop() {
      await Promise.all(running.map((part) => part.stop()));
    },
  };
}

async function startWorker(config: Config, stores: Stores, logger: Logger): Promise<Running> {
  const startedMs = performance.now();
  // On a first start the read models are still being made. Everybody looks again; nobody has to look at the log.
  const failed = (message: string, { err, ...fields }: { readonly err?: unknown }): void => {
    const isEarly = isMissingTable(err) && performance.now() - startedMs < BUILT_WITHIN_MS;
    logger[isEarly ? 'debug' : 'error']({ err, ...fields }, message);
  };
  const pool = createPool({
    url: stores.databaseUrl,
    applicationName: 'chargebook-worker',
    maxConnections: WORKER_CONNECTIONS,
    settings: SUCCEEDED_SOON,
  });
  const { clockGuard } = stores;
  const { clock, common } = clockGuard;
  const mayDecide = (): Promise<boolean> => clockGuard.mayDecide();
  const secret = await loadServiceSecret(stores.databaseUrl, await loadEncryptionKey(config, stores.databaseUrl));
  const expiry = new ExpiryWorker({
    databaseUrl: stores.databaseUrl,
    store: stores.eventStore,
    pool,
    clock,
    mayDecide,
    onError: (err, fields) => failed('expiry failed', { err, ...fields }),
  });
  expiry.start();
  const money = startMoneyWorkers({
    databaseUrl: stores.databaseUrl,
    store: stores.eventStore,
    pool,
    secret,
    clock,
    mayDecide,
    settlementIntervalSeconds: config.settlementIntervalSeconds,
    onError: failed,
  });
  const erasure = new CustomerErasureWorker({
    databaseUrl: stores.databaseUrl,
    pool,
    keys: new CustomerKeys(pool, new KeyWrapping(secret), clock),
    traces: new KeyTraces({ pool, ownsLog: () => isEmbeddedIn(config.dataDir, pool), clock }),
    onError: (err) => failed('the erasure of customers was interrupted', { err }),
  });
  erasure.start();
  const webhooks = startWebhooks({
    databaseUrl: stores.databaseUrl,
    pool,
    store: stores.eventStore,
    secret,
    clock,
    commonClock: common,
    mayDecide,
    allowPrivate: config.webhookAllowPrivate,
    retrySeconds: config.webhookRetrySeconds,
    onError: (err) => failed('web-hooks were interrupted', { err }),
  });
  const sealing = startSealing({
    databaseUrl: stores.databaseUrl,
    store: stores.eventStore,
    signer: new ChainSigner(secret),
    clock: common,
    onError: (err) => failed('the sealing of the log was interrupted', { err }),
  });
  return {
    async stop() {
      await Promise.all([expiry.stop(), erasure.stop(), money.stop(), webhooks.stop(), sealing.stop()]);
      await pool.end();
    },
  };
}
