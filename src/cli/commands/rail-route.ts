import { Command } from 'commander';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { withRails } from '../with-rails.js';

interface Options {
  readonly mode: 'test' | 'live';
  readonly use: string;
  readonly rail: string;
}

export const railRoute = (cli: Cli): Command =>
  new Command('route')
    .description('set the rail for new charges or payouts of all merchants of a mode that have no separate route ("merchant rail")')
    .requiredOption('--mode <test|live>', 'whose', argument.mode)
    .requiredOption('--use <use>', 'a channel such as qr_qris, or payout.<currency>', argument.railUse)
    .requiredOption('--rail <name>', 'name of the rail, or none: no rail, and test merchants are simulated', argument.railNameOrNone)
    .action(async ({ mode, use, rail: name }: Options) => {
      const rail = argument.railOrNull(name);
      const { setRoute } = await import('../../rails/settings/rail.commands.js');
      await withRails(cli, ({ deps }) => setRoute(deps, mode, use, rail));
      await cli.answer({ mode, use, rail }, () => `${use} of ${mode} merchants uses ${rail === null ? 'no rail' : `rail ${rail}`} from now on.`);
    });
