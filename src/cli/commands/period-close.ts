import { Command, Option } from 'commander';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { oneMore, propose, type Proposing } from '../propose.js';
import { withOperatorOptions } from '../service-client.js';

export const periodClose = (cli: Cli): Command =>
  withOperatorOptions(
    new Command('close')
      .description('propose to close a month, which a controller has to approve; exit 3, for it waits then')
      .argument('<month>', 'such as 2026-01; the next one in order')
      .addOption(argument.oneOf(new Option('--mode <mode>', 'of which books'), ['live', 'test']).makeOptionMandatory())
      .requiredOption('--reason <text>', 'why, for whoever reads the audit log', argument.reason)
      .option('--evidence <file>', 'a file that it rests on, by its SHA-256; as often as there are files', oneMore),
  ).action(async (month: string, { mode, ...options }: Proposing & { readonly mode: string }) =>
    propose(cli, 'MONTH_CLOSE', { mode, month }, options),
  );
