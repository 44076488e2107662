import { readHolidays } from '../../charges/holidays.js';
import type { Config } from '../../app/config.js';
import { loadEncryptionKey } from '../../app/encryption-key.js';
import { loadMerchants } from '../../merchants/load-merchants.js';
import { registerMerchant } from '../../merchants/merchant.handlers.js';
import { concurrently } from '../../platform/worker/concurrently.js';
import { Simulator } from '../../providers/simulator.js';
import { loadServiceSecret } from '../../app/service-secret.js';
import type { Stores } from '../../app/stores.js';
import { DAYS } from './plan.js';
import { Seeder, type SeedMerchant, type SeedServices } from './seeder.js';
import { shop } from './shops.js';

export type PlantedMerchant = SeedMerchant & { readonly name: string; readonly key: string };

const MERCHANTS_AT_ONCE = 32;

/** `count` new merchants, registered before their oldest charge, and who makes charges for them. */
export async function plantMerchants(
  config: Config,
  { eventStore: store, databaseUrl }: Pick<Stores, 'eventStore' | 'databaseUrl'>,
  count: number,
  now: number,
  signal: AbortSignal,
  days = DAYS,
): Promise<{ readonly planted: readonly PlantedMerchant[]; readonly seeder: Seeder; readonly services: SeedServices }> {
  const secret = await loadServiceSecret(databaseUrl, await loadEncryptionKey(config, databaseUrl));
  const registeredAt = now - (days + 1) * 86_400_000;
  const planted = await concurrently([...Array(count).keys()], MERCHANTS_AT_ONCE, async (index) => {
    const details = shop(index);
    return { name: details.name, ...(await registerMerchant({ store, clock: () => registeredAt }, details)) };
  });
  const services = {
    store,
    terms: await loadMerchants(store),
    processor: new Simulator(secret),
    secret,
    address: { url: config.publicUrl ?? `http://${config.host}:${config.port}` },
    holidays: await readHolidays(config.dataDir),
    config,
  };
  return { planted, seeder: new Seeder(services, planted, signal), services };
}
