import { Command } from 'commander';
import { shownEvent, type ShownEvent } from '../../ledger/published/shown-event.js';
import type { RecordedEvent } from '../../platform/event-store/event-store.js';
import { pagesOf } from '../../platform/event-store/pages-of.js';
import type { Cli } from '../cli.js';
import { CommandFailed } from '../failures.js';

export const eventsShow = (cli: Cli): Command =>
  new Command('show')
    .description('show the events of one stream, oldest first; hashes of keys and personal data are sealed')
    .argument('<stream>', 'such as charge-<id>, merchant-<id>, account-<merchant>-<currency>')
    .action(async (stream: string) => {
      await cli.withStores(async ({ databaseUrl, eventStore }) => {
        let isFirst = true;
        for await (const page of pagesOf(eventStore, stream)) {
          const ordinals = await ordinalsOf(databaseUrl, page);
          for (const event of page) {
            const shown = shownEvent(event, ordinals.get(event.position) ?? null);
            await cli.out.write(cli.json ? `${isFirst ? '[' : ','}${JSON.stringify(shown)}` : `${isFirst ? '' : '\n'}${inWords(shown)}\n`);
            isFirst = false;
          }
        }
        if (isFirst) throw new CommandFailed(`there is no stream ${stream}`);
        if (cli.json) await cli.out.write(']\n');
      });
    });

/** Returns the ordinals of those events that the index contains; none before the service has run once. */
async function ordinalsOf(databaseUrl: string, events: readonly RecordedEvent[]): Promise<ReadonlyMap<bigint, number>> {
  const [{ findOrdinals, hasEventIndex }, { createPool }] = await Promise.all([
    import('../../../projections/audit/event-index.js'),
    import('../../platform/postgres/pool.js'),
  ]);
  const pool = createPool({ url: databaseUrl, applicationName: 'chargebook-cli', maxConnections: 1 });
  try {
    if (!(await hasEventIndex(pool))) return new Map();
    return await findOrdinals(
      pool,
      events.map(({ position }) => position),
    );
  } finally {
    await pool.end();
  }
}

function inWords({ position, revision, type, occurred_on, actor, id, causation_id, data }: ShownEvent): string {
  const fields = Object.entries(data).map(([name, value]) => `    ${name}: ${JSON.stringify(value)}`);
  const place = position === null ? '' : `, position ${position}`;
  return [`${revision}  ${type}  ${occurred_on}  by ${actor}`, `    event ${id}${place}, caused by ${causation_id}`, ...fields].join('\n');
}
