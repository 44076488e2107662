import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import type { EventStore } from '../../src/platform/event-store/event-store.js';
import { RailCredentials } from '../../src/rails/settings/rail-credentials.js';
import { setRail, switchRail } from '../../src/rails/settings/rail.commands.js';

const RAIL = 'xendit-sandbox';
/** Address of `rails simulate xendit`. */
const SIMULATED_AT = 'http://127.0.0.1:4010';
const DAY = 86_400_000;

interface RailServices {
  readonly store: EventStore;
  readonly pool: Pool;
  readonly secret: Buffer;
}

/**
 * Adds a rail to the simulated provider, which does not run: the rail is paused, so that no call is made, and no merchant uses it.
 * @param now milliseconds since the epoch
 */
export async function addRail({ store, pool, secret }: RailServices, now: number): Promise<void> {
  const deps = (ago: number) => ({ store, clock: () => now - ago * DAY, by: 'demo', credentials: new RailCredentials(pool, secret) });
  const random = (): string => randomBytes(24).toString('hex');
  const credentials = { secret_key: `xnd_development_${random()}`, callback_token: random() };
  const change = { kind: 'xendit', mode: 'sandbox', base_url: SIMULATED_AT, allow_private: true } as const;
  await setRail(deps(10), RAIL, change, () => Promise.resolve(credentials));
  await switchRail(deps(9), RAIL, 'pause');
}
