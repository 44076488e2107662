import { open } from 'node:fs/promises';
import { Command } from 'commander';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { CommandFailed } from '../failures.js';
import { withActingOptions, withActingOperator, type ActingOptions } from '../with-acting-operator.js';

interface Options extends ActingOptions {
  readonly source: string;
  readonly batch?: string;
  readonly replaces?: string;
  readonly reason?: string;
}

/** Maximum bytes of a file that is already on this machine. */
const FILE_BYTES_MAX = 4 * 1_073_741_824;

export const reconImport = (cli: Cli): Command =>
  withActingOptions(
    new Command('import')
      .description(
        'import a file of statements as a whole or not at all; importing the same file again resumes an interrupted import; needs the role preparer',
      )
      .argument('<file>', 'the file as received from the bank or the processor')
      .requiredOption('--source <source>', 'as "recon status" shows it, such as live-bca')
      .option('--batch <batch>', 'batch of all of its lines, if the profile of the source has the batch given', argument.batch)
      .option('--replaces <statement>', 'the accepted file that this file replaces', argument.recordId)
      .option('--reason <text>', 'reason for the replacement', argument.reason),
  ).action(async (file: string, { source, batch, replaces, reason, ...options }: Options, command: Command) => {
    if ((replaces === undefined) !== (reason === undefined))
      command.error("error: options '--replaces <statement>' and '--reason <text>' must be used together");
    const { importStatement } = await import('../../domain/reconciliation/import-statement.js');
    const { importServices } = await import('../../domain/reconciliation/reconciliation-services.js');
    const { Spool } = await import('../../platform/spool/spool.js');
    const { isMissingTable } = await import('../../platform/postgres/missing-table.js');
    // Opened first: a stream emits its error while the stores are opened, before it has a reader, and would end the process.
    const input = await open(file);
    try {
      if ((await input.stat()).isDirectory()) throw new CommandFailed(`${file}: it is a directory`);
      const imported = await withActingOperator(cli, options, 'preparer', async ({ deps, pool, secret }, act) => {
        const services = importServices({ ...deps, pool, readPool: pool, secret });
        const spool = await Spool.of(input.createReadStream(), FILE_BYTES_MAX);
        try {
          const replacement = replaces === undefined ? null : { statement_id: replaces, reason: reason! };
          const order = { source, spool, batch, replaces: replacement, signal: cli.signal };
          return await importStatement(services, order, act);
        } catch (error) {
          if (isMissingTable(error))
            throw new CommandFailed('the paid amounts are not known yet: start the service, which builds its read models first');
          throw error;
        } finally {
          await spool.close();
        }
      });
      const { statement_id, replayed } = imported;
      await cli.answer({ statement_id, source, replayed }, () =>
        replayed ? `${file} was imported before: statement ${statement_id}.` : `Statement ${statement_id} of ${source} counts from now on.`,
      );
    } finally {
      await input.close();
    }
  });
