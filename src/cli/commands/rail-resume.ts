import { Command } from 'commander';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { withRails } from '../with-rails.js';

export const railResume = (cli: Cli): Command =>
  new Command('resume')
    .description('send new charges and payouts to a rail again')
    .argument('<name>', 'as "rail list" shows it', argument.railName)
    .action(async (name: string) => {
      const { switchRail } = await import('../../rails/settings/rail.commands.js');
      const { paused } = await withRails(cli, ({ deps }) => switchRail(deps, name, 'resume'));
      await cli.answer({ rail: name, paused }, () => `Rail ${name} is in use.`);
    });
