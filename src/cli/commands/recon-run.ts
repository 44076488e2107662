import { Command } from 'commander';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { withActingOptions, withActingPerson, type ActingOptions } from '../with-acting-person.js';

interface Options extends ActingOptions {
  readonly reason: string;
}

export const reconRun = (cli: Cli): Command =>
  withActingOptions(
    new Command('run')
      .description('hold all open lines of a source against the books, as each of its files does; needs the role preparer')
      .argument('<source>', 'as "recon status" shows it, such as live-bca')
      .requiredOption('--reason <text>', 'why, for whoever reads the audit log', argument.reason),
  ).action(async (id: string, { reason, ...options }: Options) => {
    const { runSource } = await import('../../domain/reconciliation/sources.js');
    const { ran } = await withActingPerson(cli, options, 'preparer', ({ shell }, act) => runSource(shell, id, reason, act));
    const { source, day, ran_on } = ran;
    await cli.answer(
      { source, day, ran_on },
      () => `The lines of ${source} are held against the books of ${day}, as soon as the service comes to it.`,
    );
  });
