import { Command } from 'commander';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { jsonOf } from '../json-file.js';
import { oneMore, propose, type Proposing } from '../propose.js';
import { withOperatorOptions } from '../service-client.js';

interface Options extends Proposing {
  readonly kind: string;
  readonly content: string;
}

export const proposalMake = (cli: Cli): Command =>
  withOperatorOptions(
    new Command('make')
      .description('make a proposal that another operator must approve; exit 3, because it then waits')
      .requiredOption('--kind <kind>', 'such as roles', argument.upperCase)
      .requiredOption('--content <file>', 'a JSON file with the content of this kind')
      .requiredOption('--reason <text>', 'reason, stored in the audit log', argument.reason)
      .option('--evidence <file>', 'SHA-256 of a supporting file; may be given several times', oneMore),
  ).action(async ({ kind, content, ...options }: Options) => propose(cli, kind, await jsonOf(content), options));
