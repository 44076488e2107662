import type { Pool } from 'pg';
import type { EventStore } from '../platform/event-store/event-store.js';
import type { Projection } from '../platform/projector/projection.js';
import type { Cli } from './cli.js';
import { CommandFailed } from './failures.js';

/** The projections of these names; all without any. @throws CommandFailed */
export async function projectionsOf(names: readonly string[]): Promise<readonly Projection[]> {
  const { PROJECTIONS } = await import('../app/projections.js');
  const known = PROJECTIONS.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new CommandFailed(`there is no projection ${unknown}; there are ${known.join(', ')}`);
  return names.length === 0 ? PROJECTIONS : PROJECTIONS.filter(({ name }) => names.includes(name));
}

/** Runs `work` with these projections, their tables and the log. */
export async function withProjections<T>(
  cli: Cli,
  names: readonly string[],
  work: (context: { readonly projections: readonly Projection[]; readonly pool: Pool; readonly store: EventStore }) => Promise<T>,
): Promise<T> {
  const projections = await projectionsOf(names);
  const { createPool } = await import('../platform/postgres/pool.js');
  return cli.withStores(async ({ databaseUrl, eventStore }) => {
    const pool = createPool({ url: databaseUrl, applicationName: 'chargebook-cli', maxConnections: 2 });
    try {
      return await work({ projections, pool, store: eventStore });
    } finally {
      await pool.end();
    }
  });
}
