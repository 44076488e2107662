import type { Pool } from 'pg';
import type { EventStore } from '../platform/event-store/event-store.js';
import type { Projection } from '../platform/projector/projection.js';
import type { Cli } from './cli.js';
import { CommandFailed } from './failures.js';

/** Returns the projections with these names; all without any name. @throws CommandFailed */
export async function projectionsOf(names: readonly string[]): Promise<readonly Projection[]> {
  const { PROJECTIONS } = await import('../app/projections.js');
  const known = PROJECTIONS.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new CommandFailed(`there is no projection ${unknown}; the projections are ${known.join(', ')}`);
  return names.length === 0 ? PROJECTIONS : PROJECTIONS.filter(({ name }) => names.includes(name));
}

export interface ProjectionContext {
  readonly projections: readonly Projection[];
  readonly databaseUrl: string;
  readonly pool: Pool;
  readonly store: EventStore;
}

/** Runs `work` with these projections, their tables and the log. */
export async function withProjections<T>(cli: Cli, names: readonly string[], work: (context: ProjectionContext) => Promise<T>): Promise<T> {
  const projections = await projectionsOf(names);
  const { createPool } = await import('../platform/postgres/pool.js');
  return cli.withStores(async ({ databaseUrl, eventStore }) => {
    const pool = createPool({ url: databaseUrl, applicationName: 'chargebook-cli', maxConnections: 2 });
    try {
      return await work({ projections, databaseUrl, pool, store: eventStore });
    } finally {
      await pool.end();
    }
  });
}

/** A running projector shows an event within a second. */
const SHOWN_WITHIN_MS = 5_000;

/**
 * Runs `work` once the tables of `projection` contain all events from before the command, like the reads of a request. When they do not in time,
 * because no service runs or it is far behind, prints a remark.
 */
export async function withShown<T>(cli: Cli, projection: string, work: (context: ProjectionContext) => Promise<T>): Promise<T> {
  const { ProjectionWatch } = await import('../platform/projector/projection-watch.js');
  return withProjections(cli, [projection], async (context) => {
    const { databaseUrl, pool, store } = context;
    const watch = new ProjectionWatch({ url: databaseUrl, pool, store, projections: [projection] });
    try {
      await watch.start();
      if (!(await watch.waitForHead(projection, SHOWN_WITHIN_MS)))
        await cli.note(`The read model ${projection} is behind the log: the output may be incomplete.`);
    } finally {
      await watch.close();
    }
    return work(context);
  });
}
