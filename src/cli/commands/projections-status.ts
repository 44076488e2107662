import { Command } from 'commander';
import type { Bridged } from '../../platform/projector/bridge.js';
import type { Stop } from '../../platform/projector/failures.js';
import { quarantinedEvents } from '../../ledger/streams/quarantine.js';
import type { Cli } from '../cli.js';
import { table } from '../output.js';
import { storesInWords } from '../../app/stores-in-words.js';
import { withProjections } from '../projection-tables.js';
import { meantWords, setAsideWords } from '../replaying.js';

export const projectionsStatus = (cli: Cli): Command =>
  new Command('status').description('show the progress of the read models, and why a stopped one has stopped').action(async () => {
    const status = await withProjections(cli, [], async ({ projections, pool, store }) => {
      const { projectionStatus } = await import('../../platform/projector/projection-status.js');
      const { head, projections: each } = await projectionStatus(pool, store, projections);
      return {
        head,
        projections: await Promise.all(each.map(async (one) => ({ ...one, set_aside: await quarantinedEvents(store, one.name) }))),
      };
    });
    const ledger = storesInWords(await cli.config());
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
        `Ledger ${ledger}`,
        `The log has ${status.head} events.`,
        '',
        table(['projection', 'version', 'position', 'lag events', 'lag seconds', 'state'], rows),
        ...status.projections.flatMap(({ name, built }) => (built || status.head === 0 ? [] : ['', notBuiltWords(name)])),
        ...stops,
        ...status.projections.flatMap(({ name, bridged }) => (bridged ? ['', ...bridgedWords(name, bridged)] : [])),
        ...setAsideWords(status.projections.flatMap(({ set_aside }) => set_aside)),
      ].join('\n');
    });
  });

const notBuiltWords = (name: string): string =>
  `${name} has no tables, or they have lost their checkpoint: "projections rebuild ${name}" rebuilds them, and so does the service when it starts.`;

/** Describes the result of the comparison when the tables of a raised version became live. */
function bridgedWords(name: string, { former_version, position, compared_on, meant }: Bridged): string[] {
  const words = meantWords(meant.map(({ table: each, ...sum }) => ({ name: `${name}.${each}`, meant: sum })));
  return [
    `${name} was compared with ${former_version} at event ${position} on ${compared_on}, and replaced it.`,
    ...(words.length > 0 ? words : ['Every row was the same.']),
  ];
}

/** Describes the event at which a projection is stopped, the reason, and the next attempt. */
function stopWords({ projection, since, attempts, retry_on, error, event }: Stop): string[] {
  return [
    event === null
      ? `${projection} is stopped.`
      : `${projection} is stopped at event ${event.ordinal}, ${event.type} ${event.id} (${event.stream} at ${event.revision}).`,
    `    since ${since}, ${attempts} attempts, ${retry_on === null ? 'no automatic retry' : `next attempt ${retry_on}`}`,
    `    ${error}`,
  ];
}
