import { SeedPayouts } from '../tools/seed/payouts.js';
import { byDay, planCharges, withFewWaiting } from '../tools/seed/plan.js';
import { plantMerchants } from '../tools/seed/plant.js';
import { Random } from '../tools/seed/random.js';
import type { Config } from '../src/app/config.js';
import { createPool } from '../src/platform/postgres/pool.js';
import type { Stores } from '../src/app/stores.js';
import { LogWriter } from './log-writer.js';

/** Eighteen months. */
const DAYS = 548;
const PAYOUTS_EVERY_DAYS = 7;
/** Share of a plan's charges, its newest, that still wait for a payment. So many would expire during a measurement. */
const WAITING_SHARE = 0.04;
const WAITING_KEPT = 20;

/**
 * Writes a log of `charges` charges of `merchants` merchants over eighteen months. Each charge is settled when it is due, and each account
 * pays out most of its available balance every week. The service's own handlers decide, and LogWriter writes the events directly into the
 * engine's table, so no other process may append.
 */
export async function loadFinanceLog(
  config: Config,
  { eventStore, databaseUrl }: Pick<Stores, 'eventStore' | 'databaseUrl'>,
  { charges, merchants }: { readonly charges: number; readonly merchants: number },
  onProgress: (charges: number) => void,
): Promise<void> {
  const pool = createPool({ url: databaseUrl, applicationName: 'bench', statementTimeoutMs: 0, settings: { synchronous_commit: 'off' } });
  const store = new LogWriter(pool, eventStore);
  const now = Date.now();
  const random = new Random(charges);
  const signal = new AbortController().signal;
  const { planted, seeder, services } = await plantMerchants(config, { eventStore: store, databaseUrl }, merchants, now, signal, {
    pool: null,
    days: DAYS,
  });
  const accounts = planted.flatMap(({ merchant_id }) => services.terms.currencies(merchant_id).map((currency) => ({ merchant_id, currency })));

  const payouts = new SeedPayouts(services, seeder, planted);
  const payOut = (at: number): Promise<unknown> =>
    payouts.payOut(at, accounts, (_, available) => {
      const dice = random.next();
      return { amount: Math.floor(available * random.between(0.6, 0.95)), ending: dice < 0.02 ? 'FAILED' : dice > 0.995 ? 'REVERSED' : 'SUCCEEDED' };
    });

  try {
    let number = 0;
    const plan = planCharges(Math.round(charges / (1 - WAITING_SHARE + WAITING_SHARE / WAITING_KEPT)), merchants, now, random, DAYS);
    for (const { planned, until } of byDay(withFewWaiting(plan, WAITING_KEPT), now)) {
      await seeder.play(planned, until, onProgress);
      number += 1;
      if (number % PAYOUTS_EVERY_DAYS === 0) await payOut(until + 600_000);
    }
    await store.close();
    await pool.query('vacuum analyze event_store.events');
  } finally {
    await pool.end();
  }
}
