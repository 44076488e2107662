import { userInfo } from 'node:os';
import type { KeyOwner, MerchantShell } from '../merchants/merchant.handlers.js';
import type { PersonKeys } from '../merchants/person-keys.js';
import type { Cli } from './cli.js';
import { withSecret } from './with-secret.js';

/** Who gives a command about operators: `cli:` and the operating system's user. */
export const commandLineUser = (): string => `cli:${userInfo().username}`;

/** For a command about a key of whomever: only what concerns operators says who gave it. */
export const asNamed = (shell: MerchantShell, { kind }: KeyOwner): MerchantShell =>
  kind === 'operator' ? { ...shell, by: commandLineUser() } : shell;

/** Runs `work` with what a command needs that reads or writes operators' e-mail addresses. */
export async function withPersonKeys<T>(cli: Cli, work: (shell: MerchantShell, keys: PersonKeys) => Promise<T>): Promise<T> {
  const { PersonKeys } = await import('../merchants/person-keys.js');
  return withSecret(cli, ({ shell, pool, secret }) => work({ ...shell, by: commandLineUser() }, new PersonKeys(pool, secret, shell.clock)));
}
