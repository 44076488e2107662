import { userInfo } from 'node:os';
import type { KeyOwner } from '../domain/merchants/merchant.commands.js';
import type { DirectoryDeps } from '../domain/operators/directory.js';
import type { PersonKeys } from '../domain/operators/person-keys.js';
import type { Cli } from './cli.js';
import { withSecret } from './with-secret.js';

/** Who gives a command about operators: `cli:` and the operating system's user. */
export const commandLineUser = (): string => `cli:${userInfo().username}`;

/** For a command about a key of whomever: only what concerns operators says who gave it. */
export const asNamed = (shell: DirectoryDeps, { kind }: KeyOwner): DirectoryDeps =>
  kind === 'operator' ? { ...shell, by: commandLineUser() } : shell;

/** Runs `work` with what a command needs that reads or writes operators' e-mail addresses. */
export async function withPersonKeys<T>(cli: Cli, work: (shell: DirectoryDeps, keys: PersonKeys) => Promise<T>): Promise<T> {
  const { PersonKeys } = await import('../domain/operators/person-keys.js');
  return withSecret(cli, ({ shell, pool, secret }) => work({ ...shell, by: commandLineUser() }, new PersonKeys(pool, secret, shell.clock)));
}
