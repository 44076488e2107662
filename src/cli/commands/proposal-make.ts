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
      .description('propose something that another person has to approve; exit 3, for it waits then')
      .requiredOption('--kind <kind>', 'such as roles', argument.upperCase)
      .requiredOption('--content <file>', 'a JSON file with what the kind takes')
      .requiredOption('--reason <text>', 'why, for whoever reads the audit log', argument.reason)
      .option('--evidence <file>', 'a file that it rests on, by its SHA-256; as often as there are files', oneMore),
  ).action(async ({ kind, content, ...options }: Options) => propose(cli, kind, await jsonOf(content), options));
