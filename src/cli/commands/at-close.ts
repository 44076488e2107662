import { Command } from 'commander';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { CommandFailed } from '../failures.js';
import { withMoments } from '../with-moments.js';

export const atClose = (cli: Cli): Command =>
  new Command('close')
    .description('drop the read models of a moment; responses that are being read from it end')
    .argument('<position>', 'the moment, as "at list" shows it', argument.countUpTo(999_999_999_999))
    .action(async (position: number) => {
      if (!(await withMoments(cli, ({ moments }) => moments.close(position)))) throw new CommandFailed(`moment ${position} is not open`);
      await cli.answer({ closed: position }, () => `Moment ${position} is closed.`);
    });
