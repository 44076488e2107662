import type { AdapterSurroundings } from '../rails/registry/rail-adapters.js';
import type { Credentials } from '../rails/settings/rail-credentials.js';
import type { Rail } from '../rails/settings/rails.decider.js';
import type { Outbound } from '../rails/calls/outbound.js';
import type { Cli } from './cli.js';
import { CommandFailed } from './failures.js';
import { withRails } from './with-rails.js';

export interface Provider {
  readonly rail: Rail;
  readonly credentials: Credentials;
  readonly around: AdapterSurroundings;
  /** Makes calls to the provider. */
  readonly calls: Outbound;
}

/** Runs `work` with the dependencies of a command that calls a rail's provider itself. `refuse`: throws for an unsuitable rail. */
export async function withProvider<T>(cli: Cli, name: string, refuse: (rail: Rail) => void, work: (provider: Provider) => Promise<T>): Promise<T> {
  const [{ openOutbound }, { findRail }, { resolveName }, { createLogger }, { railReferences }] = await Promise.all([
    import('../rails/registry/rail-adapters.js'),
    import('../rails/settings/rail.commands.js'),
    import('../platform/http/edge/address-guard.js'),
    import('../platform/process/logging.js'),
    import('../domain/payouts/transfer/rail-references.js'),
  ]);
  return withRails(cli, async ({ deps, pool }) => {
    const { clock } = deps;
    const rail = await findRail(deps, name);
    refuse(rail);
    const credentials = await deps.credentials.read(name, rail.credentials.version);
    if (!credentials)
      throw new CommandFailed(`version ${rail.credentials.version} of the credentials of rail ${name} is missing: run rail rotate ${name}`);
    const around: AdapterSurroundings = {
      clock,
      resolve: resolveName,
      log: createLogger('silent'),
      newExternalId: railReferences(pool, clock).newExternalId,
      returnUrl: () => 'https://example.com/',
      observe: () => ({ called: () => undefined, circuit: () => undefined, clockSkew: () => undefined }),
      report: () => undefined,
    };
    const calls = openOutbound(rail, around);
    try {
      return await work({ rail, credentials, around, calls });
    } finally {
      await calls.close();
    }
  });
}
