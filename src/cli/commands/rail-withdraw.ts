import { Command } from 'commander';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { withRails } from '../with-rails.js';

export const railWithdraw = (cli: Cli): Command =>
  new Command('withdraw')
    .description('withdraw a permission of "rail allow"')
    .argument('<name>', 'as "rail list" shows it', argument.railName)
    .argument('<what>', 'pay-again, or channel:<code>', argument.allowance)
    .requiredOption('--evidence <text>', 'why', argument.evidence)
    .action(async (name: string, what: string, { evidence }: { readonly evidence: string }) => {
      const { withdrawAllowance } = await import('../../rails/settings/rail.commands.js');
      await withRails(cli, ({ deps }) => withdrawAllowance(deps, name, { what, evidence }));
      await cli.answer({ rail: name, what, evidence }, () => `On rail ${name}, ${what} is not allowed.`);
    });
