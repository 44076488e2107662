import { Command } from 'commander';
import type { Timestamp } from '../../ledger/time.js';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { withRails } from '../with-rails.js';

interface Options {
  readonly until?: Timestamp;
  readonly evidence: string;
}

export const railAllow = (cli: Cli): Command =>
  new Command('allow')
    .description("allow something that needs the provider's written consent; an event records the operator and the evidence")
    .argument('<name>', 'as "rail list" shows it', argument.railName)
    .argument('<what>', 'pay-again, or channel:<code>', argument.allowance)
    .option('--until <day>', 'a day (UTC) or an RFC 3339 time; required for pay-again', argument.dayOrMoment)
    .requiredOption('--evidence <text>', 'the letter, contract or recording that is the evidence', argument.evidence)
    .action(async (name: string, what: string, { until = undefined, evidence }: Options) => {
      const { allowOnRail } = await import('../../rails/settings/rail.commands.js');
      const allowance = { what, until: until ?? null, evidence };
      await withRails(cli, ({ deps }) => allowOnRail(deps, name, allowance));
      await cli.answer(
        { rail: name, ...allowance },
        () => `On rail ${name}, ${what} is allowed ${until === undefined ? 'until it is withdrawn' : `until ${until}`}.`,
      );
    });
