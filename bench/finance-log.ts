import { randomUUID } from 'node:crypto';
import type { AccountId } from '../src/accounts/account-queue.js';
import { planCharges, type PlannedCharge } from '../src/cli/seed/plan.js';
import { plantMerchants } from '../src/cli/seed/plant.js';
import { Random } from '../src/cli/seed/random.js';
import type { Config } from '../src/app/config.js';
import { PayoutOutcomes } from '../src/payouts/payout-outcomes.js';
import { PayoutRegistry } from '../src/payouts/payout-registry.js';
import { RequestPayout, RequestPayoutHandler } from '../src/payouts/payout.handlers.js';
import { createPool } from '../src/platform/postgres/pool.js';
import { concurrently } from '../src/platform/worker/concurrently.js';
import type { Stores } from '../src/app/stores.js';
import { LogWriter } from './log-writer.js';

/** Eighteen months. */
const DAYS = 548;
const DAY_MS = 86_400_000;
/** When a day is settled, as the seed has it: midnight in Jakarta, UTC. */
const SETTLING_MS = 17 * 3_600_000;
const PAYOUTS_EVERY_DAYS = 7;
const ACCOUNTS_AT_ONCE = 16;
/** Minor units below which no merchant asks for a payout. */
const PAYOUT_MIN: Readonly<Record<string, number>> = { IDR: 10_000_000, MYR: 10_000, SGD: 5_000 };
/** A plan's newest charges still wait for their customers, one of 25: so many would expire while something is measured. */
const WAITING_SHARE = 0.04;
const WAITING_KEPT = 20;

/**
 * A log of `charges` charges of `merchants` merchants over eighteen months, each settled when it is due, with a payout of most of
 * what is available every week: decided by the service's own handlers, written past the engine's front door. Nobody else may append.
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
  const { planted, seeder, services } = await plantMerchants(config, { eventStore: store, databaseUrl }, merchants, now, signal, DAYS);
  const keys = new Map(planted.map(({ merchant_id, key_id }) => [merchant_id, key_id]));
  const accounts = planted.flatMap(({ merchant_id }) => services.terms.currencies(merchant_id).map((currency) => ({ merchant_id, currency })));

  let clock = 0;
  const registry = new PayoutRegistry(store, seeder.accounts, () => clock);
  const handler = new RequestPayoutHandler(seeder.accounts, registry, services.terms, services.secret);
  const rail = new PayoutOutcomes(
    store,
    seeder.accounts,
    registry,
    { find: () => Promise.resolve(undefined) },
    () => clock,
    () => undefined,
  );
  const atOnce = <Item, Result>(at: number, items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> => {
    clock = at;
    return seeder.at(at, () => concurrently(items, ACCOUNTS_AT_ONCE, work));
  };

  const request = async (account: AccountId) => {
    const outcome = await seeder.accounts.submit(account, { context: because('System') });
    const available = outcome.kind === 'decided' ? Number(outcome.state.available) : 0;
    const amount = Math.floor(available * random.between(0.6, 0.95));
    if (amount < PAYOUT_MIN[account.currency]!) return [];
    const body = {
      amount,
      currency: account.currency,
      bank_account_name: 'Treasury',
      bank_account_number: '1234567890',
      bank_name: 'BCA',
      reference_id: `weekly-${new Date(clock).toISOString().slice(0, 10)}`,
      description: null,
      metadata: {},
    };
    const { registered } = await handler.execute(
      new RequestPayout(body, `bench-${randomUUID()}`, account.merchant_id, because(keys.get(account.merchant_id)!)),
    );
    const dice = random.next();
    return [{ account, id: registered.payout_id, isRejected: dice < 0.02, isReturned: dice > 0.995 }];
  };
  const payOut = async (at: number): Promise<void> => {
    const payouts = (await atOnce(at, accounts, request)).flat();
    await atOnce(at + 60_000, payouts, ({ account, id }) => rail.submit(account, id, because('System')));
    await atOnce(at + 120_000, payouts, ({ id, isRejected }) =>
      rail.record(id, isRejected ? { kind: 'rejected', reason: 'The account is closed.' } : { kind: 'paid' }, because('System')),
    );
    const returned = payouts.filter(({ isReturned }) => isReturned);
    await atOnce(at + 3_600_000, returned, ({ id }) =>
      rail.record(id, { kind: 'returned', reason: 'The account does not take transfers.' }, because('System')),
    );
  };

  try {
    let number = 0;
    const plan = planCharges(Math.round(charges / (1 - WAITING_SHARE + WAITING_SHARE / WAITING_KEPT)), merchants, now, random, DAYS);
    for (const { planned, until } of byDay(plan, now)) {
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

/** The charges between two settlings, up to `now`. */
function* byDay(charges: Iterable<PlannedCharge>, now: number): Generator<{ readonly planned: readonly PlannedCharge[]; readonly until: number }> {
  let planned: PlannedCharge[] = [];
  let until: number | undefined;
  let waiting = 0;
  for (const charge of charges) {
    if (charge.changes.length === 0 && (waiting += 1) % WAITING_KEPT !== 0) continue;
    until ??= Math.floor((charge.at - SETTLING_MS) / DAY_MS) * DAY_MS + SETTLING_MS + DAY_MS;
    for (; charge.at >= until; until += DAY_MS) {
      yield { planned, until };
      planned = [];
    }
    planned.push(charge);
  }
  yield { planned, until: now };
}

function because(actor: string): { readonly actor: string; readonly correlation_id: string; readonly causation_id: string } {
  const id = randomUUID();
  return { actor, correlation_id: id, causation_id: id };
}
