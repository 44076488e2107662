import { Command } from 'commander';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { withRails } from '../with-rails.js';

export const railRetireOld = (cli: Cli): Command =>
  new Command('retire-old')
    .description('reject everything signed with the previous credentials, and destroy them')
    .argument('<name>', 'as "rail list" shows it', argument.railName)
    .action(async (name: string) => {
      const { retireOldCredentials } = await import('../../rails/settings/rail.commands.js');
      const { credentials } = await withRails(cli, ({ deps }) => retireOldCredentials(deps, name));
      await cli.answer({ rail: name, credentials }, () => `Rail ${name} has only version ${credentials.version} of its credentials.`);
    });
