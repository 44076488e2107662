import { Command } from 'commander';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { withActingOptions, withActingOperator, type ActingOptions } from '../with-acting-operator.js';

interface Options extends ActingOptions {
  readonly reason: string;
}

export const reconRun = (cli: Cli): Command =>
  withActingOptions(
    new Command('run')
      .description('match all open lines of a source against the books, as each import does; needs the role preparer')
      .argument('<source>', 'as "recon status" shows it, such as live-bca')
      .requiredOption('--reason <text>', 'reason, stored in the audit log', argument.reason),
  ).action(async (id: string, { reason, ...options }: Options) => {
    const { runSource } = await import('../../domain/reconciliation/sources.js');
    const { ran } = await withActingOperator(cli, options, 'preparer', ({ deps }, act) => runSource(deps, id, reason, act));
    const { source, day, ran_on } = ran;
    await cli.answer({ source, day, ran_on }, () => `The service will match the lines of ${source} against the books of ${day}.`);
  });
