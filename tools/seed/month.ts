import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Pool } from 'pg';
import type { Config } from '../../src/app/config.js';
import type { Stores } from '../../src/app/stores.js';
import type { AccountId } from '../../src/domain/accounts/account-queue.js';
import { setHolidays } from '../../src/domain/calendar/calendar.commands.js';
import { readHolidaysFile } from '../../src/domain/calendar/holidays-file.js';
import { customerServices } from '../../src/domain/customers/customer-services.js';
import {
  CreateCustomer,
  CreateCustomerHandler,
  DeleteCustomer,
  DeleteCustomerHandler,
  UpdateCustomer,
  UpdateCustomerHandler,
} from '../../src/domain/customers/customer.handlers.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import { SetWebhook, SetWebhookHandler } from '../../src/domain/webhooks/webhook.handlers.js';
import type { PayoutRegistered } from '../../src/ledger/events/payout.events.js';
import { appendInOrder } from '../../src/platform/event-store/log-copy.js';
import { fillApprovals, SeedApprovals, setPolicy, TIERS } from './approvals.js';
import { Draft } from './draft.js';
import { SeedDisputes, type PlannedDispute } from './disputes.js';
import { SeedPayouts, type PlannedPayout } from './payouts.js';
import { addRail } from './rails.js';
import { SeedRefunds, type PlannedRefund } from './refunds.js';
import { byDay, DAYS, planCharges, withFewWaiting } from './plan.js';
import { addPeople, type SeedPeople } from './people.js';
import { plantMerchants, registeredBefore, type PlantedMerchant } from './plant.js';
import { Random } from './random.js';
import { because, type Seeder, type SeedServices } from './seeder.js';
import { SHOPS_COUNT } from './shops.js';
import { SeedStatements } from './statements.js';

/** The same month each time, so that its contents can be found again. */
const SEED = 20_260_131;
const CHARGES = 1_200;
const WAITING_KEPT = 6;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const PAYOUTS_EVERY_DAYS = 3;
/**
 * Ends of a merchant's payouts, one after the other, by its place among the merchants, so that one merchant shows every state. All others succeed.
 */
const ENDINGS: Readonly<Record<number, readonly PlannedPayout['ending'][]>> = {
  0: ['SUCCEEDED', 'FAILED', 'SUCCEEDED', 'REVERSED', 'SUCCEEDED', 'CANCELLED'],
  1: [...Array<'SUCCEEDED'>(7).fill('SUCCEEDED'), 'PROCESSING'],
};
/** The same for refunds. */
const REFUNDS: Readonly<Record<number, readonly PlannedRefund[]>> = {
  0: [
    { of: 'settled', share: 1, reason: 'REQUESTED_BY_CUSTOMER', ending: 'SUCCEEDED' },
    { of: 'settled', share: 0.5, reason: 'REQUESTED_BY_CUSTOMER', ending: 'REJECTED' },
    { of: 'waiting', share: 1, reason: 'CANCELLATION', ending: 'SUCCEEDED' },
    { of: 'settled', share: 0.25, reason: 'OTHER', ending: 'BOUNCED' },
    { of: 'settled', share: 0.5, reason: 'DUPLICATE', ending: 'CANCELLED' },
    { of: 'waiting', share: 0.5, reason: 'REQUESTED_BY_CUSTOMER', ending: 'CANCELLED' },
    { of: 'settled', share: 0.3, reason: 'REQUESTED_BY_CUSTOMER', ending: 'PROCESSING' },
    { of: 'settled', share: 1, reason: 'FRAUDULENT', ending: 'SUCCEEDED' },
  ],
  3: Array<PlannedRefund>(8).fill({ of: 'waiting', share: 0.4, reason: 'REQUESTED_BY_CUSTOMER', ending: 'SUCCEEDED' }),
};
/** The same for disputes: those of the last week wait for the merchant, who has seven days, or for the processor. */
const DISPUTES: Readonly<Record<number, readonly (PlannedDispute | null)[]>> = {
  0: [
    null,
    { of: 'settled', stage: 'CHARGEBACK', reason: 'not_received', ending: 'WON' },
    { of: 'settled', stage: 'CHARGEBACK', reason: 'unknown_payment', ending: 'LOST' },
    null,
    { of: 'settled', stage: 'CHARGEBACK', reason: 'not_as_described', ending: 'ACCEPTED' },
    null,
    null,
    { of: 'settled', stage: 'CHARGEBACK', reason: 'not_received', ending: 'OPEN' },
    { of: 'settled', stage: 'CHARGEBACK', reason: 'unknown_payment', ending: 'CHALLENGED' },
  ],
  3: [...Array<null>(8).fill(null), { of: 'waiting', stage: 'INQUIRY', reason: 'not_as_described', ending: 'OPEN' }],
};
/** Time between the policy and the end of the month. */
const POLICY_FOR = 4 * DAY;
/** Time from the midnight that ends a day to the import of its files. */
const FILES_AFTER = 10 * HOUR;
/** Places of the merchants whose payouts of the last hour need approvals, and the amount in minor units that needs none. */
const WAITING = [1, 2, 3];
const FREE_OF_APPROVAL = TIERS.one;
/** Places of the merchants whose receiver of webhooks is unreachable, and whose balance is below zero at the end. */
const WITH_WEBHOOK = 2;
const OVERDRAWN = 7;
const CUSTOMERS = ['Sari Dewi', 'Budi Santoso', 'Aisyah binti Rahman', 'Lim Wei Ming', 'Putu Wijaya', 'Nurul Huda', 'Tan Mei Ling', 'Agus Pratama'];

/** The id of the `index`th merchant of the demo: the same in every ledger, so that the month is created only once. */
export const demoShopId = (index: number): string => `00000000-0000-4000-8000-00000000de${(0x50 + index).toString(16)}`;

/**
 * Creates a month of eight merchants up to `now`, with the holidays of docs/holidays.json: charges in every state, late and double payments, settlements day by day, payouts and refunds that
 * succeed, fail, are returned, are cancelled or never end, disputes that are won, lost or open, customers of whom one is erased, a webhook whose
 * receiver never answers, and a balance below zero. The service's own handlers decide; the events are written in the order of time. Call it while no
 * worker settles or pays out.
 * @param first replaces the first merchant: registered before the month began
 */
export async function fillMonth(
  config: Config,
  stores: Pick<Stores, 'eventStore' | 'databaseUrl'>,
  now: number,
  first: PlantedMerchant | null,
  charges = CHARGES,
): Promise<{ readonly charges: number; readonly merchants: readonly PlantedMerchant[]; readonly people: SeedPeople }> {
  const pool = createPool({ url: stores.databaseUrl, applicationName: 'chargebook-demo', maxConnections: 2 });
  // Handlers decide a day's charges before the settlements of its morning: written at once, a position in the log would not be a point in time.
  const draft = new Draft(stores.eventStore);
  const { signal } = new AbortController();
  try {
    const { planted, seeder, services } = await plantMerchants(config, { ...stores, eventStore: draft }, SHOPS_COUNT, now, signal, {
      pool,
      first,
      idOf: demoShopId,
    });
    // First of all: they show the next start that there is a month.
    await appendInOrder(stores.eventStore, draft.take(), signal);
    await setShippedHolidays(services.store, now);
    await setWebhook(services, planted[WITH_WEBHOOK]!, now - DAYS * DAY);
    await keepCustomers(services, pool, planted, now);
    const people = await addPeople({ ...services, pool }, registeredBefore(now));
    await addRail({ ...services, pool }, now);
    const written = await playMonth({ services, pool, seeder, planted, people, now, planned: charges });
    await appendInOrder(stores.eventStore, draft.take(), signal);
    return { charges: written, merchants: planted, people };
  } finally {
    await pool.end();
  }
}

/** Sets the holidays that the package ships. */
async function setShippedHolidays(store: Stores['eventStore'], now: number): Promise<void> {
  const root = dirname(createRequire(import.meta.url).resolve('#package.json'));
  const deps = { store, clock: () => registeredBefore(now) };
  for (const year of await readHolidaysFile(join(root, 'docs/holidays.json'))) await setHolidays(deps, year, 'demo');
}

interface Played {
  readonly services: SeedServices;
  readonly pool: Pool;
  readonly seeder: Seeder;
  readonly planted: readonly PlantedMerchant[];
  readonly people: SeedPeople;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Number of charges to plan. */
  readonly planned: number;
}

/** @returns the number of charges */
async function playMonth({ services, pool, seeder, planted, people, now, planned: count }: Played): Promise<number> {
  const random = new Random(SEED);
  const approvals = new SeedApprovals({ ...services, pool, timeZone: services.config.booksTimeZone }, 'demo');
  const refunds = new SeedRefunds(services, pool, seeder, planted);
  const disputes = new SeedDisputes(services, pool, seeder, planted);
  const statements = new SeedStatements({ ...services, pool }, people, now);
  const accounts = planted.flatMap(({ merchant_id }) => services.terms.currencies(merchant_id).map((currency) => ({ merchant_id, currency })));
  const of = { planted, people, accounts, approvals, refunds, disputes };
  let payouts = new SeedPayouts(services, seeder, planted);
  // Before the newest charges, which still wait for their customers.
  const end = now - 20 * MINUTE;
  let day = 0;
  let charges = 0;
  let importing = Promise.resolve();
  for (const { planned, until } of byDay(withFewWaiting(planCharges(count, planted.length, now, random), WAITING_KEPT), end)) {
    await seeder.play(planned, until, (written) => (charges += written));
    day += 1;
    if (until >= end) continue;
    if (until >= now - POLICY_FOR && until < now - POLICY_FOR + DAY) {
      await setPolicy(approvals, people, until - 2 * HOUR, planted[WAITING[0]!]!.merchant_id);
      payouts = new SeedPayouts({ ...services, terms: await approvals.operators.merchants() }, seeder, planted);
    }
    if (day % PAYOUTS_EVERY_DAYS === 0 && until + DAY <= end)
      await moneyOut({ ...of, payouts }, day / PAYOUTS_EVERY_DAYS - 1, until, random.between(0.5, 0.85));
    // Runs in the morning, while the day's charges are made.
    await importing;
    importing = statements.import(until, Math.min(until + FILES_AFTER, end));
    // The error is thrown to the code that awaits it.
    importing.catch(() => undefined);
  }
  await importing;
  await decideAboutSome(end + 5 * MINUTE, { ...of, payouts }, await lastHour(end, payouts, planted, accounts));
  const [first, second, third] = planted.map(({ merchant_id }) => merchant_id) as [string, string, string];
  await fillApprovals(approvals, people, { first, second, third }, now);
  await seeder.chargeBack(accountOf({ planted, accounts }, OVERDRAWN, 'SGD'), now);
  return charges;
}

interface MoneyOut {
  readonly planted: readonly PlantedMerchant[];
  readonly people: SeedPeople;
  readonly accounts: readonly AccountId[];
  readonly approvals: SeedApprovals;
  readonly payouts: SeedPayouts;
  readonly refunds: SeedRefunds;
  readonly disputes: SeedDisputes;
}

function accountOf({ planted, accounts }: Pick<MoneyOut, 'planted' | 'accounts'>, place: number, currency?: string): AccountId {
  const { merchant_id } = planted[place]!;
  return accounts.find((account) => account.merchant_id === merchant_id && (currency === undefined || account.currency === currency))!;
}

/** The night after a day: payouts of a share of the available balances, refunds and disputes. @param turn 0, 1, 2 … of such nights */
async function moneyOut(of: MoneyOut, turn: number, midnight: number, share: number): Promise<void> {
  const { planted, accounts, payouts, refunds, disputes } = of;
  const places = new Map(planted.map(({ merchant_id }, place) => [merchant_id, place]));
  const waiting = await payouts.payOut(midnight + 10 * MINUTE, accounts, ({ merchant_id }, available) => ({
    amount: rounded(available * share),
    ending: ENDINGS[places.get(merchant_id)!]?.[turn] ?? 'SUCCEEDED',
  }));
  await decideAboutSome(midnight + 80 * MINUTE, of, waiting);
  for (const place of [0, 3]) {
    const account = accountOf(of, place);
    const [refund, dispute] = [REFUNDS[place]?.[turn], DISPUTES[place]?.[turn]];
    if (refund) await refunds.giveBack(midnight + 90 * MINUTE, account, refund);
    if (dispute) await disputes.dispute(midnight + 180 * MINUTE, account, dispute);
  }
}

/**
 * One payout that the bank never answers, some that wait for people; and one merchant pays out everything, a few minutes before a customer's money is
 * charged back.
 */
function lastHour(
  end: number,
  payouts: SeedPayouts,
  planted: readonly PlantedMerchant[],
  accounts: readonly AccountId[],
): Promise<readonly PayoutRegistered[]> {
  return payouts.payOut(end + MINUTE, accounts, ({ merchant_id }, available) => {
    if (merchant_id === planted[OVERDRAWN]!.merchant_id) return { amount: available, ending: 'SUCCEEDED' };
    if (merchant_id === planted[0]!.merchant_id) return { amount: Math.min(rounded(available / 4), FREE_OF_APPROVAL), ending: 'PROCESSING' };
    return WAITING.some((place) => planted[place]!.merchant_id === merchant_id)
      ? { amount: rounded(available * 0.7), ending: 'SUCCEEDED' }
      : undefined;
  });
}

/** One of two people approves the largest that needs both; the smallest of several is declined. */
async function decideAboutSome(
  at: number,
  { payouts, approvals: { operators }, people: { preparer, controller } }: Pick<MoneyOut, 'payouts' | 'approvals' | 'people'>,
  waiting: readonly PayoutRegistered[],
): Promise<void> {
  const ordered = [...waiting].sort((a, b) => b.amount - a.amount);
  const largest = ordered.find(({ approvals_required }) => approvals_required > 1);
  const smallest = ordered.length > 1 ? ordered.findLast((each) => each !== largest) : undefined;
  if (largest) await payouts.decide(at, { by: controller, operators, kind: 'approve', reason: 'as in the payroll' }, largest);
  if (smallest) await payouts.decide(at, { by: preparer, operators, kind: 'decline', reason: 'the merchant has asked for it twice' }, smallest);
}

/** Rounds down to tens of the currency: a payout of odd cents would be unrealistic. */
const rounded = (minorUnits: number): number => Math.floor(minorUnits / 1_000) * 1_000;

async function setWebhook({ store, secret, config }: SeedServices, { merchant_id, key_id }: PlantedMerchant, at: number): Promise<void> {
  // Names under .example (RFC 2606) never resolve: no DNS query is made, and nothing leaves this machine.
  const handler = new SetWebhookHandler(store, () => at, secret, { ...config, webhookAllowPrivate: true });
  const wanted = {
    web_hook_uri: 'https://warung-bu-tini.example/chargebook',
    signature_key: 'warung bu tini signs with this',
    events: ['payout.succeeded', 'payout.failed', 'payout.reversed'],
  };
  await handler.execute(new SetWebhook(merchant_id, wanted, because(key_id)));
}

/** Creates customers of three merchants; one has moved, one is erased. */
async function keepCustomers({ store, secret }: SeedServices, pool: Pool, planted: readonly PlantedMerchant[], now: number): Promise<void> {
  for (const [index, name] of CUSTOMERS.entries()) {
    const { merchant_id, key_id } = planted[index % 3]!;
    const context = because(key_id);
    const at = now - (DAYS - 3 * index) * DAY;
    const { keys } = customerServices({ pool, secret, clock: () => at });
    const address = { line1: 'Jl. Malioboro 52', line2: null, city: 'Yogyakarta', state: null, postal_code: '55271', country: 'ID' };
    const email = `${name.toLowerCase().replaceAll(' ', '.')}@example.com`;
    const details = { name, description: null, email, phone: null, address: null, shipping: null, tax: null, metadata: {} };
    const { customer_id } = await new CreateCustomerHandler(store, keys, () => at).execute(
      new CreateCustomer(details, `demo-${index}`, merchant_id, context),
    );
    if (index === 0)
      await new UpdateCustomerHandler(store, keys, () => at + DAY).execute(new UpdateCustomer(customer_id, { address }, null, merchant_id, context));
    if (index === 3)
      await new DeleteCustomerHandler(store, keys, () => at + DAY).execute(new DeleteCustomer(customer_id, null, merchant_id, context));
  }
}
