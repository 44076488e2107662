import { afterAll, beforeAll } from '@jest/globals';
import type { Pool } from 'pg';
import type { Migration } from '../../src/platform/postgres/migrations.js';
import { createPool, type PoolOptions } from '../../src/platform/postgres/pool.js';
import { createTestDatabase, type TestDatabase } from './postgres.js';

type SuiteDatabaseOptions = Partial<PoolOptions> & { readonly migrations?: readonly Migration[] };

/**
 * Opens a fresh database and a pool before the tests of the enclosing suite, and ends both after them.
 * @param receive called before the hooks that follow
 */
export function suiteDatabase(receive: (pool: Pool) => void, { migrations, ...options }: SuiteDatabaseOptions = {}): void {
  let database: TestDatabase;
  let pool: Pool;
  beforeAll(async () => {
    database = await createTestDatabase(migrations);
    pool = createPool({ url: database.url, applicationName: 'test', ...options });
    receive(pool);
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });
}
