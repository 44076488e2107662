import { Command } from 'commander';
import type { Cli } from '../cli.js';
import { table } from '../output.js';

export const projectionsStatus = (cli: Cli): Command =>
  new Command('status').description('how far the read models have come, and what stopped one that stands still').action(async () => {
    const status = await cli.withStores(async ({ databaseUrl, eventStore }) => {
      const [{ PROJECTIONS }, { projectionStatus }, { createPool }] = await Promise.all([
        import('../../../projections/all.js'),
        import('../../platform/projector/projection-status.js'),
        import('../../platform/postgres/pool.js'),
      ]);
      const pool = createPool({ url: databaseUrl, applicationName: 'chargebook-cli', maxConnections: 2 });
      try {
        return await projectionStatus(pool, eventStore, PROJECTIONS);
      } finally {
        await pool.end();
      }
    });
    await cli.answer(status, () => {
      const rows = status.projections.map(({ name, version, position, lag_events, lag_seconds, state }) => [
        name,
        version,
        position,
        lag_events,
        lag_seconds,
        state,
      ]);
      const stops = status.projections.flatMap(({ name, stop }) => (stop ? [`${name} is stopped: ${JSON.stringify(stop)}`] : []));
      return [
        `The log has ${status.head} events.`,
        '',
        table(['projection', 'version', 'position', 'lag events', 'lag seconds', 'state'], rows),
        ...stops,
      ].join('\n');
    });
  });
