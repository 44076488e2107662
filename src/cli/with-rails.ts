import type { Pool } from 'pg';
import type { Config } from '../app/config.js';
import type { RailView } from '../rails/registry/rail-view.js';
import type { RailDeps } from '../rails/settings/rail.commands.js';
import type { Cli } from './cli.js';
import { withSecret } from './with-secret.js';
import { systemUser } from './system-user.js';

export interface RailContext {
  readonly deps: RailDeps;
  readonly pool: Pool;
  /** The service's secret. */
  readonly secret: Buffer;
  readonly config: Config;
}

/** Runs `work` with the dependencies of a command about rails, including credentials. */
export async function withRails<T>(cli: Cli, work: (context: RailContext) => Promise<T>): Promise<T> {
  const { RailCredentials } = await import('../rails/settings/rail-credentials.js');
  return withSecret(cli, ({ deps, pool, secret, config }) =>
    work({ deps: { ...deps, credentials: new RailCredentials(pool, secret), by: systemUser() }, pool, secret, config }),
  );
}

/** Returns the rails with the state that running processes have reported, or by their settings when no process runs. */
export async function listedRails({ deps, pool }: RailContext): Promise<readonly RailView[]> {
  const [{ loadRails }, { RailStates }] = await Promise.all([import('../rails/settings/rail.commands.js'), import('../rails/registry/rail-view.js')]);
  const { state } = await loadRails(deps.store);
  return new RailStates(() => state, pool, deps.clock).view();
}
