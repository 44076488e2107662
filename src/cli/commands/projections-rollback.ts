import { Command } from 'commander';
import type { Cli } from '../cli.js';
import { CommandFailed } from '../failures.js';
import { replaying } from '../replaying.js';

export const projectionsRollback = (cli: Cli): Command =>
  new Command('rollback')
    .description('restore the tables that a rebuild kept (--keep-old) and bring them up to date; the replaced tables are kept in turn')
    .argument('[names...]', 'projections (default: all that have such tables)')
    .action(async (names: string[]) => {
      const rolledBack = await replaying(cli, names, 'urgent', async (session, projections) => {
        const wanted = names.length === 0 ? await session.withPrevious(projections) : projections;
        if (wanted.length === 0) throw new CommandFailed('no previous tables are kept: a rebuild with --keep-old keeps them');
        return session.rollback(wanted);
      });
      const answer = rolledBack.map(({ name, version, events }) => ({ name, version, position: events }));
      await cli.answer({ projections: answer }, () =>
        answer.map(({ name, position }) => `${name}: the previous tables are restored, up to event ${position}`).join('\n'),
      );
    });
