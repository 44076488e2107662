import { Command } from 'commander';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { jsonOf } from '../json-file.js';
import { oneMore, propose, type Proposing } from '../propose.js';
import { withOperatorOptions } from '../service-client.js';

export const policyPropose = (cli: Cli): Command =>
  withOperatorOptions(
    new Command('propose')
      .description('propose the complete policy of a mode; a controller must approve it; exit 3, because it then waits')
      .argument('<file>', 'the policy as JSON, with its mode')
      .requiredOption('--reason <text>', 'reason, stored in the audit log', argument.reason)
      .option('--evidence <file>', 'SHA-256 of a supporting file; may be given several times', oneMore),
  ).action(async (file: string, options: Proposing) => propose(cli, 'POLICY', await jsonOf(file), options));
