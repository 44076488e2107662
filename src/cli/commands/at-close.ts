import { Command, InvalidArgumentError } from 'commander';
import { parseMomentId } from '../../point-in-time/moment-id.js';
import type { Cli } from '../cli.js';
import { CommandFailed } from '../failures.js';
import { withMoments } from '../with-moments.js';

export const atClose = (cli: Cli): Command =>
  new Command('close')
    .description('drop the read models of a moment; responses that are being read from it end')
    .argument('<moment>', 'as "at list" shows it', momentArgument)
    .action(async (id: string) => {
      if (!(await withMoments(cli, ({ moments }) => moments.close(id)))) throw new CommandFailed(`moment ${id} is not open`);
      await cli.answer({ closed: /^\d+$/.test(id) ? Number(id) : id }, () => `Moment ${id} is closed.`);
    });

function momentArgument(text: string): string {
  const id = parseMomentId(text);
  if (id === undefined) throw new InvalidArgumentError('Must be a moment such as 48211 or 48211~qris-at-0-6.');
  return id;
}
