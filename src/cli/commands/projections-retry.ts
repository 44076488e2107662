import { Command } from 'commander';
import type { Cli } from '../cli.js';
import { CommandFailed } from '../failures.js';
import { withProjections } from '../projection-tables.js';

export const projectionsRetry = (cli: Cli): Command =>
  new Command('retry')
    .description('retry a stopped projection now, instead of after its pause')
    .argument('<name>', 'as "projections status" shows it')
    .action(async (name: string) => {
      const { askForRetry } = await import('../../platform/projector/failures.js');
      const asked = await withProjections(cli, [name], ({ pool }) => askForRetry(pool, name));
      if (!asked) throw new CommandFailed(`projection ${name} is not stopped`);
      await cli.answer({ name, retry: true }, () => `${name} retries within a second.`);
    });
