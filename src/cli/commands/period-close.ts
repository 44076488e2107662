import { Command, Option } from 'commander';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { oneMore, propose, type Proposing } from '../propose.js';
import { withOperatorOptions } from '../service-client.js';

export const periodClose = (cli: Cli): Command =>
  withOperatorOptions(
    new Command('close')
      .description('propose to close a month; a controller must approve it; exit 3, because it then waits')
      .argument('<month>', 'such as 2026-01; the next one in order', argument.month)
      .addOption(argument.oneOf(new Option('--mode <mode>', 'mode of the books'), ['live', 'test']).makeOptionMandatory())
      .requiredOption('--reason <text>', 'reason, stored in the audit log', argument.reason)
      .option('--evidence <file>', 'SHA-256 of a supporting file; may be given several times', oneMore),
  ).action(async (month: string, { mode, ...options }: Proposing & { readonly mode: string }) =>
    propose(cli, 'MONTH_CLOSE', { mode, month }, options),
  );
