import { Command } from 'commander';
import type { DayStatement } from '../../rails/snap/day-statement.js';
import { snapProfile } from '../../rails/snap/profiles.js';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { CommandFailed } from '../failures.js';
import { withProvider } from '../with-provider.js';

interface Options {
  readonly day: string;
  readonly to?: string;
}

export const railStatement = (cli: Cli): Command =>
  new Command('statement')
    .description(
      'print the statement of the house account at a bank of SNAP as MT940 for "recon import"; prints nothing, and exits 1, if its own balances do not prove it',
    )
    .argument('<name>', 'as "rail list" shows it', argument.railName)
    .requiredOption('--day <date>', 'a day that has ended in Jakarta, YYYY-MM-DD', argument.day)
    .option('--to <date>', 'the last of several days; each day is one statement', argument.day)
    .action(async (name: string, { day, to = day }: Options) => {
      const { account, statements } = await read(cli, name, day, to);
      const { snapMt940 } = await import('../../rails/snap/mt940.js');
      const mt940 = snapMt940(account, statements);
      if (!cli.json) return cli.out.write(mt940);
      const days = statements.map(({ lines, ...of }) => ({ ...of, lines: lines.length }));
      return cli.answer({ rail: name, days, mt940 }, () => mt940);
    });

async function read(cli: Cli, name: string, from: string, to: string): Promise<{ account: string; statements: readonly DayStatement[] }> {
  const [{ adaptersOf }, { dayStatements, NoStatement }] = await Promise.all([
    import('../../rails/registry/rail-adapters.js'),
    import('../../rails/snap/day-statement.js'),
  ]);
  const refuse = (rail: { readonly profile: string | null }): void => {
    if (rail.profile === null) throw new CommandFailed(`rail ${name} is not a bank of SNAP, and has no account statement`);
  };
  return withProvider(cli, name, refuse, async ({ rail, credentials, around, calls }) => {
    const { bank } = adaptersOf(rail, { current: credentials, previous: undefined }, calls, around);
    const limits = snapProfile(rail.profile ?? '')?.statement;
    const account = credentials['source_account'];
    if (!bank || !limits || account === undefined) throw new CommandFailed(`rail ${name} pays no payouts, and has no account statement`);
    try {
      return { account, statements: await dayStatements(bank, limits, { from, to, now: around.clock() }) };
    } catch (error) {
      throw error instanceof NoStatement ? new CommandFailed(error.message) : error;
    }
  });
}
