import { Command } from 'commander';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { jsonOf } from '../json-file.js';
import { oneMore, propose, type Proposing } from '../propose.js';
import { withOperatorOptions } from '../service-client.js';

export const policyPropose = (cli: Cli): Command =>
  withOperatorOptions(
    new Command('propose')
      .description('propose all of a mode’s policy, which a controller has to approve; exit 3, for it waits then')
      .argument('<file>', 'the policy as JSON, with its mode')
      .requiredOption('--reason <text>', 'why, for whoever reads the audit log', argument.reason)
      .option('--evidence <file>', 'a file that it rests on, by its SHA-256; as often as there are files', oneMore),
  ).action(async (file: string, options: Proposing) => propose(cli, 'POLICY', await jsonOf(file), options));
