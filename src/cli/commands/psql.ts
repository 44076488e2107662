import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Command } from 'commander';
import type { Cli } from '../cli.js';
import { CommandFailed } from '../failures.js';

export const psql = (cli: Cli): Command =>
  new Command('psql')
    .description('open the database of the ledger with psql, also the embedded one; its exit code is that of psql')
    .argument('[arguments...]', 'for psql, behind --, such as -- -c "select 1"')
    .action(async (given: string[]) => {
      await cli.withStores(async ({ databaseUrl }) => {
        const { address, password } = withoutPassword(databaseUrl);
        // psql cancels a statement on Ctrl-C and stays; the embedded server must outlive it.
        const ignore = (): void => undefined;
        process.on('SIGINT', ignore);
        try {
          const env = { ...process.env, ...(password !== '' && { PGPASSWORD: password }) };
          const child = spawn('psql', [address, ...given], { stdio: 'inherit', env });
          const [code, signal] = (await once(child, 'close').catch((error: unknown) => {
            throw notFound(error) ? new CommandFailed('psql is not installed; it is in the package postgresql-client') : error;
          })) as [number | null, NodeJS.Signals | null];
          if (signal !== null) throw new CommandFailed(`psql was ended by ${signal}`);
          cli.exitCode = code!;
        } finally {
          process.off('SIGINT', ignore);
        }
      });
    });

const notFound = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/**
 * Returns the address for psql without its password: arguments are visible to every user of the machine, the environment is not. libpq does not know
 * two of the driver's options.
 */
export function withoutPassword(url: string): { readonly address: string; readonly password: string } {
  const known = url
    .replace(/([?&])uselibpqcompat=[^&]*&?/, '$1')
    .replace('sslmode=no-verify', 'sslmode=require')
    .replace(/[?&]$/, '');
  const [, begin, password, rest] = /^(\w+:\/\/[^/?#@:]*):([^/?#@]*)(@.*)$/s.exec(known) ?? [];
  return begin === undefined ? { address: known, password: '' } : { address: begin + rest!, password: decodeURIComponent(password!) };
}
