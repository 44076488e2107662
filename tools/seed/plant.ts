import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { BankingCalendar } from '../../src/domain/calendar/banking-calendar.js';
import type { Config } from '../../src/app/config.js';
import { loadEncryptionKey } from '../../src/app/encryption-key.js';
import { loadMerchants } from '../../src/domain/merchants/load-merchants.js';
import { registerMerchant } from '../../src/domain/merchants/merchant.commands.js';
import { concurrently } from '../../src/platform/worker/concurrently.js';
import { simulatorServices } from '../../src/rails/simulator/simulator-services.js';
import { loadServiceSecret } from '../../src/app/service-secret.js';
import type { Stores } from '../../src/app/stores.js';
import { DAYS } from './plan.js';
import { Seeder, type SeedMerchant, type SeedServices } from './seeder.js';
import { shop } from './shops.js';

export type PlantedMerchant = SeedMerchant & { readonly name: string; readonly key: string };

const MERCHANTS_AT_ONCE = 32;

interface PlantOptions {
  /** Pool for the journal of the simulated processor and bank; null: nothing is journaled. */
  readonly pool: Pool | null;
  /** Age of the oldest charge, days. */
  readonly days?: number;
  /** Replaces the first merchant; already registered. */
  readonly first?: PlantedMerchant | null;
  readonly idOf?: (index: number) => string;
}

/** Registers `count` merchants before their oldest charge, and returns the seeder that makes charges for them. */
export async function plantMerchants(
  config: Config,
  { eventStore: store, databaseUrl }: Pick<Stores, 'eventStore' | 'databaseUrl'>,
  count: number,
  now: number,
  signal: AbortSignal,
  { pool, days = DAYS, first = null, idOf = () => randomUUID() }: PlantOptions,
): Promise<{ readonly planted: readonly PlantedMerchant[]; readonly seeder: Seeder; readonly services: SeedServices }> {
  const secret = await loadServiceSecret(databaseUrl, await loadEncryptionKey(config, databaseUrl));
  const registeredAt = registeredBefore(now, days);
  const planted = await concurrently([...Array(count).keys()], MERCHANTS_AT_ONCE, async (index) => {
    if (index === 0 && first) return first;
    const details = shop(index);
    return { name: details.name, ...(await registerMerchant({ store, clock: () => registeredAt }, details, idOf(index))) };
  });
  const services = {
    store,
    terms: await loadMerchants(store),
    ...simulatorServices({ store, pool, secret, clock: () => now }),
    secret,
    address: { url: config.publicUrl ?? `http://${config.host}:${config.port}` },
    calendar: new BankingCalendar(store),
    config,
  };
  return { planted, seeder: new Seeder(services, planted, signal), services };
}

/** Milliseconds since the epoch: a day before the oldest charge of a seed that is made at `now`. */
export function registeredBefore(now: number, days = DAYS): number {
  return now - (days + 1) * 86_400_000;
}
