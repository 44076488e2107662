import type { Logger } from 'pino';
import { PROJECTIONS } from '../projections/all.js';
import type { Running } from './api.js';
import { ChainKeys } from './audit/chain-keys.js';
import type { Config } from './config.js';
import { CustomerKeys } from './customers/customer-keys.js';
import { loadEncryptionKey } from './encryption-key.js';
import { KeyWrapping } from './ledger/customer-seal.js';
import { SUCCEEDED_SOON } from './platform/postgres/connection-options.js';
import { passedOverBy } from './ledger/set-aside.js';
import { createPool } from './platform/postgres/pool.js';
import { Projector } from './platform/projector/projector.js';
import { CustomerErasureProcess } from './processes/customer-erasure.process.js';
import { ExpiryProcess } from './processes/expiry.process.js';
import { startMoneyProcesses } from './processes/money.processes.js';
import { startSealing } from './processes/sealing.process.js';
import { startWebHooks } from './processes/webhooks.process.js';
import { loadServiceSecret } from './service-secret.js';
import type { Stores } from './stores.js';

/** What goes on without requests: projections and processes, each elected among all processes that offer to do it. */
export async function startBackground(config: Config, stores: Stores, logger: Logger): Promise<Running> {
  const running: Running[] = [];
  if (config.roles.has('projector')) {
    const projector = new Projector({
      url: stores.databaseUrl,
      store: stores.eventStore,
      projections: PROJECTIONS,
      passedOver: passedOverBy(stores.eventStore),
      report: (level, message, fields) => logger[level](fields, message),
    });
    projector.start();
    running.push(projector);
  }
  if (config.roles.has('worker')) running.push(await startWorker(config, stores, logger));
  return {
    async stop() {
      await Promise.all(running.map((part) => part.stop()));
    },
  };
}

async function startWorker(config: Config, stores: Stores, logger: Logger): Promise<Running> {
  const pool = createPool({ url: stores.databaseUrl, applicationName: 'chargebook-worker', maxConnections: 4, settings: SUCCEEDED_SOON });
  const secret = await loadServiceSecret(stores.databaseUrl, await loadEncryptionKey(config));
  const expiry = new ExpiryProcess({
    databaseUrl: stores.databaseUrl,
    store: stores.eventStore,
    pool,
    clock: Date.now,
    onError: (err, fields) => logger.error({ err, ...fields }, 'expiry failed'),
  });
  expiry.start();
  const money = startMoneyProcesses({
    databaseUrl: stores.databaseUrl,
    store: stores.eventStore,
    pool,
    secret,
    clock: Date.now,
    settlementIntervalSeconds: config.settlementIntervalSeconds,
    onError: (message, fields) => logger.error(fields, message),
  });
  const erasure = new CustomerErasureProcess({
    databaseUrl: stores.databaseUrl,
    pool,
    keys: new CustomerKeys(pool, new KeyWrapping(secret), Date.now),
    clock: Date.now,
    onError: (err) => logger.error({ err }, 'the erasure of customers was interrupted'),
  });
  erasure.start();
  const webHooks = startWebHooks({
    databaseUrl: stores.databaseUrl,
    store: stores.eventStore,
    secret,
    clock: Date.now,
    allowPrivate: config.webhookAllowPrivate,
    retrySeconds: config.webhookRetrySeconds,
    onError: (err) => logger.error({ err }, 'web-hooks were interrupted'),
  });
  const sealing = startSealing({
    databaseUrl: stores.databaseUrl,
    store: stores.eventStore,
    keys: new ChainKeys(secret),
    clock: Date.now,
    onError: (err) => logger.error({ err }, 'the sealing of the log was interrupted'),
  });
  return {
    async stop() {
      await Promise.all([expiry.stop(), erasure.stop(), money.stop(), webHooks.stop(), sealing.stop()]);
      await pool.end();
    },
  };
}
