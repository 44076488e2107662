import { Command } from 'commander';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { withRails } from '../with-rails.js';

export const railPause = (cli: Cli): Command =>
  new Command('pause')
    .description('stop sending new charges and payouts to a rail; unfinished ones are still completed and polled')
    .argument('<name>', 'as "rail list" shows it', argument.railName)
    .action(async (name: string) => {
      const { switchRail } = await import('../../rails/settings/rail.commands.js');
      const { paused } = await withRails(cli, ({ deps }) => switchRail(deps, name, 'pause'));
      await cli.answer({ rail: name, paused }, () => `Rail ${name} is paused: new charges return 503, and payouts wait.`);
    });
