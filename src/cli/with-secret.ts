import type { Pool } from 'pg';
import type { Config } from '../app/config.js';
import type { Stores } from '../app/stores.js';
import type { DirectoryDeps } from '../domain/operators/directory.js';
import type { Cli } from './cli.js';

export interface SecretContext extends Stores {
  readonly deps: DirectoryDeps;
  readonly pool: Pool;
  /** The service's secret. */
  readonly secret: Buffer;
  readonly config: Config;
}

/** Runs `work` with the secret for a command that opens or seals the service's encrypted data. */
export async function withSecret<T>(cli: Cli, work: (context: SecretContext) => Promise<T>): Promise<T> {
  const [{ loadEncryptionKey }, { loadServiceSecret }, { createPool }] = await Promise.all([
    import('../app/encryption-key.js'),
    import('../app/service-secret.js'),
    import('../platform/postgres/pool.js'),
  ]);
  return cli.withStores(async (stores) => {
    const { config, databaseUrl } = stores;
    const secret = await loadServiceSecret(databaseUrl, await loadEncryptionKey(config, databaseUrl));
    const pool = createPool({ url: databaseUrl, applicationName: 'chargebook-cli', maxConnections: 1 });
    try {
      return await work({ ...stores, pool, secret });
    } finally {
      await pool.end();
    }
  });
}
