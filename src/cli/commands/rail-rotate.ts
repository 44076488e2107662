import { Command } from 'commander';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { withRails } from '../with-rails.js';

export const railRotate = (cli: Cli): Command =>
  new Command('rotate')
    .description('call the provider with new credentials from now on; incoming requests may be signed with the previous ones until "rail retire-old"')
    .argument('<name>', 'as "rail list" shows it', argument.railName)
    .requiredOption('--credentials <file>', 'JSON that only its owner can read (chmod 600)')
    .action(async (name: string, { credentials: file }: { readonly credentials: string }) => {
      const { rotateRail } = await import('../../rails/settings/rail.commands.js');
      const { readCredentialsFile } = await import('../../rails/settings/credentials-file.js');
      const { credentials, previous_credentials } = await withRails(cli, ({ deps }) => rotateRail(deps, name, (of) => readCredentialsFile(file, of)));
      await cli.answer({ rail: name, credentials, previous_credentials }, () =>
        previous_credentials
          ? `Rail ${name} calls with version ${credentials.version}. Once the provider no longer uses older ones, run "rail retire-old ${name}".`
          : `Rail ${name} already has these credentials: version ${credentials.version}.`,
      );
    });
