import { ConfigError } from '../../src/platform/process/config-error.js';
import type { Config } from '../../src/app/config.js';
import type { Stores } from '../../src/app/stores.js';
import { merchantStream } from '../../src/ledger/events/merchant.events.js';
import { ensureDemoMerchant } from '../../src/domain/merchants/demo-merchant.js';
import { fillMonth, demoShopId } from './month.js';
import type { SeedPeople } from './people.js';
import { registeredBefore } from './plant.js';
import { holdMoneyWorkers } from './money-workers-held.js';

export interface StartedDemo {
  /** API key of the first merchant. */
  readonly key: string;
  readonly people: SeedPeople;
}

/**
 * Creates a month of data if there is none, before this process settles or pays out anything: for the demo merchant, when the log is empty, and for
 * seven others.
 * @returns the data to show once; undefined when the month exists already. @throws ConfigError
 */
export async function startDemo(config: Config, stores: Stores, say: (line: string) => void): Promise<StartedDemo | undefined> {
  const held = await holdMoneyWorkers(stores.databaseUrl);
  try {
    if (!held.isHeld) throw new ConfigError('--demo: a service is running on this ledger and would settle the month during the seed; stop it first');
    const [planted] = await stores.eventStore.read(merchantStream(demoShopId(1)), { limit: 1 });
    if (planted) return undefined;
    const now = stores.clockGuard.clock();
    const demo = await ensureDemoMerchant({ store: stores.eventStore, clock: () => registeredBefore(now) });
    say('making up a month of eight merchants …');
    const { charges, merchants, people } = await fillMonth(config, stores, now, demo && { ...demo, name: 'Demo Store', key: demo.api_key });
    say(`${charges} charges of ${merchants.map(({ name }) => name).join(', ')}`);
    return { key: merchants[0]!.key, people };
  } finally {
    await held.release();
  }
}
