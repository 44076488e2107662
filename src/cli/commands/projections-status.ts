import { Command } from 'commander';
import type { Stop } from '../../platform/projector/stops.js';
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
      const stops = status.projections.flatMap(({ stop }) => (stop ? ['', ...stopWords(stop)] : []));
      return [
        `The log has ${status.head} events.`,
        '',
        table(['projection', 'version', 'position', 'lag events', 'lag seconds', 'state'], rows),
        ...stops,
      ].join('\n');
    });
  });

/** What is parked, why, and until when. */
function stopWords({ projection, since, attempts, retry_on, error, event }: Stop): string[] {
  return [
    event === null
      ? `${projection} is stopped.`
      : `${projection} is stopped in front of event ${event.ordinal}, ${event.type} ${event.id} (${event.stream} at ${event.revision}).`,
    `    since ${since}, ${attempts} attempts, ${retry_on === null ? 'not tried again by itself' : `next attempt ${retry_on}`}`,
    `    ${error}`,
  ];
}
