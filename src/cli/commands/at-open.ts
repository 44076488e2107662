import { Command, Option } from 'commander';
import type { Mode } from '../../ledger/mode.js';
import type { MomentName } from '../../point-in-time/last-event.js';
import type { Moment } from '../../point-in-time/moments.js';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { systemUser } from '../system-user.js';
import { addressesOf, built, momentWords, requireBuildable, withMoments, type MomentsContext } from '../with-moments.js';

interface OpenOptions {
  readonly position?: number;
  readonly time?: string;
  readonly month?: string;
  readonly mode?: Mode;
  readonly wait?: true;
}

export const atOpen = (cli: Cli): Command =>
  new Command('open')
    .description('build the read models as of a past event, so that /at/<position> answers as the service did then')
    .addOption(new Option('--position <n>', 'the last event').argParser(argument.countUpTo(999_999_999_999)).conflicts(['time', 'month']))
    .addOption(new Option('--time <time>', 'the event before the first one that occurred later').argParser(argument.moment).conflicts('month'))
    .addOption(new Option('--month <month>', 'the event that closed the month, such as 2026-01').argParser(argument.month))
    .addOption(argument.oneOf(new Option('--mode <mode>', 'mode of the books of the month; default: live, if they are closed'), ['live', 'test']))
    .option('--wait', 'wait until it can be read, and print its addresses')
    .action(async ({ wait, ...options }: OpenOptions, command: Command) => {
      const name = nameOf(options) ?? command.error('error: --time, --position or --month is required');
      await withMoments(cli, async (context) => {
        const moment = await open(context, name);
        const opened = requireBuildable(wait ? await built(cli, context, moment) : moment);
        await cli.answer(opened, () => momentWords([opened]) + (opened.state === 'READY' ? `\n\n${addressesOf(context, opened)}` : ''));
      });
    });

const nameOf = ({ position, time, month, mode }: OpenOptions): MomentName | undefined =>
  position !== undefined ? { position } : time !== undefined ? { time } : month !== undefined ? { month, mode } : undefined;

async function open({ pool, eventStore: store, clockGuard, moments }: MomentsContext, name: MomentName): Promise<Moment> {
  const { findLastEvent } = await import('../../point-in-time/last-event.js');
  return moments.open(await findLastEvent({ pool, store }, name, clockGuard.clock()), `cli:${systemUser()}`);
}
