import type { KeyOwner } from '../domain/merchants/merchant.commands.js';
import type { DirectoryDeps } from '../domain/operators/directory.js';
import type { OperatorKeys } from '../domain/operators/operator-keys.js';
import type { Cli } from './cli.js';
import { withSecret } from './with-secret.js';
import { systemUser } from './system-user.js';

/** The recorded author of a command about operators: `cli:` and the operating system's user. */
export const commandLineUser = (): string => `cli:${systemUser()}`;

/** Adds the author for a key of an operator. Events about other keys have no author. */
export const asNamed = (deps: DirectoryDeps, { kind }: KeyOwner): DirectoryDeps => (kind === 'operator' ? { ...deps, by: commandLineUser() } : deps);

/** Runs `work` with the keys that open and seal operators' e-mail addresses. */
export async function withOperatorKeys<T>(cli: Cli, work: (deps: DirectoryDeps, keys: OperatorKeys) => Promise<T>): Promise<T> {
  const { OperatorKeys } = await import('../domain/operators/operator-keys.js');
  return withSecret(cli, ({ deps, pool, secret }) => work({ ...deps, by: commandLineUser() }, new OperatorKeys(pool, secret, deps.clock)));
}
