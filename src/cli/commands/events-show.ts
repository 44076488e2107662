import { Command } from 'commander';
import { shownEvent, type ShownEvent } from '../../ledger/shown-event.js';
import type { Cli } from '../cli.js';
import { CommandFailed } from '../failures.js';

export const eventsShow = (cli: Cli): Command =>
  new Command('show')
    .description('the facts of one stream, oldest first; keys’ hashes and personal data are sealed')
    .argument('<stream>', 'such as charge-<id>, merchant-<id>, account-<merchant>-<currency>')
    .action(async (stream: string) => {
      const recorded = await cli.withStores(({ eventStore }) => eventStore.read(stream));
      if (recorded.length === 0) throw new CommandFailed(`there is no stream ${stream}`);
      const events = recorded.map((event) => shownEvent(event, null));
      await cli.answer(events, () => events.map(inWords).join('\n\n'));
    });

function inWords({ revision, type, occurred_on, actor, id, causation_id, data }: ShownEvent): string {
  const fields = Object.entries(data).map(([name, value]) => `    ${name}: ${JSON.stringify(value)}`);
  return [`${revision}  ${type}  ${occurred_on}  by ${actor}`, `    event ${id}, caused by ${causation_id}`, ...fields].join('\n');
}
