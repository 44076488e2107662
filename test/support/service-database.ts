import { MIGRATIONS } from '../../src/app/migrations.js';
import { PROJECTIONS } from '../../src/app/projections.js';
import { migrate } from '../../src/platform/postgres/migrations.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import { createBuild, createReaderIndexes } from '../../src/platform/projector/build.js';
import { copyOf, type TestDatabase } from './postgres.js';

const schema = PROJECTIONS.flatMap(({ name, readModels }) =>
  readModels.map((readModel) => [name, readModel.name, readModel.version, readModel.ddl(name), readModel.indexes(name)]),
);

/**
 * Creates a fresh database with the result of a service's first start: today's schema, and read models of an empty log. A first start takes
 * longer to create them than most tests run.
 */
export const createServiceDatabase = (): Promise<TestDatabase> => copyOf({ of: [MIGRATIONS, schema], fill: firstStart });

async function firstStart(url: string): Promise<void> {
  await migrate(url, MIGRATIONS);
  const pool = createPool({ url, applicationName: 'test', maxConnections: 1 });
  for (const projection of PROJECTIONS) {
    await createBuild(pool, projection, projection.name);
    await createReaderIndexes(pool, projection, projection.name);
  }
  await pool.end();
}
