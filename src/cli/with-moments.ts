import type { Pool } from 'pg';
import type { Config } from '../app/config.js';
import type { Stores } from '../app/stores.js';
import type { Moments } from '../point-in-time/moments.js';
import type { Cli } from './cli.js';
import { table } from './output.js';

export interface MomentsContext extends Stores {
  readonly config: Config;
  readonly pool: Pool;
  readonly moments: Moments;
}

/** Runs `work` with the open moments of the ledger. */
export async function withMoments<T>(cli: Cli, work: (context: MomentsContext) => Promise<T>): Promise<T> {
  const [{ openMoments }, { createPool }] = await Promise.all([import('../point-in-time/open-moments.js'), import('../platform/postgres/pool.js')]);
  return cli.withStores(async (stores) => {
    const { config, databaseUrl } = stores;
    // A moment is dropped under a lock that one connection holds.
    const pool = createPool({ url: databaseUrl, applicationName: 'chargebook-cli', maxConnections: 2 });
    try {
      return await work({ ...stores, pool, moments: openMoments(pool, databaseUrl, config).moments });
    } finally {
      await pool.end();
    }
  });
}

/** Returns moments as a table. */
export const momentWords = (moments: Awaited<ReturnType<Moments['list']>>): string =>
  table(
    ['position', 'time', 'state', 'events', 'MB', 'opened by', 'closes on', 'reason'],
    moments.map(({ position, time, state, events_done, size_bytes, opened_by, closes_on, reason }) => [
      ...[position, time, state, events_done, size_bytes === null ? null : String(Math.ceil(size_bytes / 1e6))],
      ...[opened_by, closes_on, reason],
    ]),
  );
