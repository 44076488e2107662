import { Command } from 'commander';
import type { EventSetAside } from '../../ledger/events/set-aside.events.js';
import { quarantineEvent } from '../../ledger/streams/quarantine.js';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { CommandFailed } from '../failures.js';
import { withProjections } from '../projection-tables.js';
import { proposedForHouse, type Proposing } from '../propose.js';
import { withProposalOptions } from '../service-client.js';
import { systemUser } from '../system-user.js';

interface Options extends Proposing {
  readonly event: string;
}

export const projectionsSetAside = (cli: Cli): Command =>
  withProposalOptions(
    new Command('set-aside')
      .description('let a stopped projection skip the event that it cannot apply; an event in the log records this, and every replay skips it too')
      .argument('<name>', 'as "projections status" shows it')
      .requiredOption('--event <id>', 'id of the event at which it is stopped', argument.recordId)
      .requiredOption('--reason <text>', 'reason, stored in the audit log', argument.name),
  ).action(async (name: string, { event, reason, ...service }: Options) => {
    const aside = await withProjections(cli, [name], async ({ pool, store }): Promise<EventSetAside | undefined> => {
      const content = { projection: name, event_id: event };
      if (await proposedForHouse(cli, store, 'SET_ASIDE', content, { reason, ...service })) return undefined;
      const { askForRetry, readFailures } = await import('../../platform/projector/failures.js');
      const parked = (await readFailures(pool)).find(({ projection }) => projection === name)?.event;
      if (parked?.id !== event) {
        throw new CommandFailed(`projection ${name} is not stopped at event ${event}: only the event that stops a projection can be set aside`);
      }
      const recorded = await quarantineEvent(store, Date.now, {
        projection: name,
        event_id: parked.id,
        event_type: parked.type,
        event_stream: parked.stream,
        event_revision: parked.revision,
        event_position: parked.ordinal,
        reason,
        set_aside_by: systemUser(),
      });
      await askForRetry(pool, name);
      return recorded;
    });
    if (!aside) return;
    await cli.answer(aside, () =>
      [
        `${name} skips event ${aside.event_position}, ${aside.event_type} ${aside.event_id}, from now on and in every replay.`,
        `Its changes are missing in the tables of ${name}; later events of ${aside.event_stream} may not be applicable either.`,
      ].join('\n'),
    );
  });
