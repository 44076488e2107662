import { setTimeout as delay } from 'node:timers/promises';
import { openAccounts } from '../../src/domain/accounts/open-accounts.js';
import { PayoutOutcomes } from '../../src/domain/payouts/payout-outcomes.js';
import { payoutReader } from '../../src/domain/payouts/payout-services.js';
import { PayoutRegistry } from '../../src/domain/payouts/payout-registry.js';
import { acceptName, resolvePayout } from '../../src/domain/payouts/transfer/resolve-payout.js';
import type { FastClock } from './fast-clock.js';
import type { House } from './house.js';
import type { MortalService } from './mortal-service.js';
import type { PatientClient } from './patient-client.js';
import { readBooks, readTruth } from './books.js';
import { NOBODY } from '../support/approvals.js';
import { HOUR_MS } from '../../src/ledger/time.js';

export interface Settling {
  readonly clock: FastClock;
  readonly house: House;
  readonly service: MortalService;
  readonly client: PatientClient;
  readonly tell: (line: string) => void;
}

/** Longer than the service polls a charge after its expiry, and than a transfer that settles the next morning needs. */
const BOUND_MS = 160 * HOUR_MS;
/** Such steps also end in the daytime: a bank is closed at night. */
const STEP_MS = 16 * HOUR_MS;
/** Without an event for this time of the run's clock the log is quiet. The service repeats a query after a "not found" one minute later. */
const QUIET_MS = 65_000;
const LOOKS_MAX = 40;
/** Of each three transfers that never end by themselves, the first fails, the second is paid, and the third stays open. */
const FAILS = 3;

/**
 * Runs without faults until every charge and payout that can end by itself has ended, for the longest time that the rules allow. Then an
 * operator resolves the held payouts by the bank's records. @returns the records that could not be ended
 */
export async function settle({ clock, house, service, client, tell }: Settling): Promise<string[]> {
  const isDue = async (): Promise<number> => {
    const { rows } = await house.pool.query<{ n: number }>('select count(*)::int4 as n from rail_due');
    return rows[0]!.n;
  };
  const wrong: string[] = [];
  await untilQuiet(house);
  endTransfers(house);
  for (let passed = 0; passed < BOUND_MS; passed += STEP_MS) {
    await service.jump(STEP_MS);
    await untilQuiet(house);
  }
  const due = await isDue();
  if (due > 0) wrong.push(`${due} charges are still looked after`);
  tell(`${clock.minutes.toFixed(1)} min: what ends by itself has ended`);
  wrong.push(...(await resolveHeld(house, client)));
  await service.jump(STEP_MS);
  await untilQuiet(house);
  return wrong;
}

/** Waits until the log has no new event within QUIET_MS, for at most LOOKS_MAX times. */
async function untilQuiet({ stores }: Pick<House, 'stores'>): Promise<void> {
  let last = '';
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    await delay(QUIET_MS);
    const now = String(await stores.eventStore.head());
    if (now === last) return;
    last = now;
  }
}

/** Gives two of three transfers that never end by themselves a final state at the bank. The others stay open. */
function endTransfers({ shops }: House): void {
  for (const { bank } of shops) {
    const { transfers } = bank.control['truth']!({}) as { transfers: { partner_reference: string; status: string; account: string }[] };
    transfers
      .filter(({ status, account }) => status === 'paying' && account.endsWith('0003'))
      .forEach(({ partner_reference }, n) => {
        if (n % FAILS < 2) bank.control['settle']!({ reference: partner_reference, status: n % FAILS === 0 ? 'failed' : 'paid' });
      });
  }
}

/** Resolves held payouts as an operator does with the bank's final statement, and accepts the different name of every second payout. */
async function resolveHeld(house: House, client: PatientClient): Promise<string[]> {
  const { stores, pool } = house;
  const store = stores.eventStore;
  const clock = Date.now;
  const accounts = openAccounts(pool, store, clock);
  const wrong: string[] = [];
  const contradicted = (): void => void wrong.push('what a person says contradicts the books');
  const payouts = new PayoutOutcomes(store, accounts, new PayoutRegistry(store, accounts, clock), payoutReader(pool), clock, contradicted, NOBODY);
  const truth = readTruth(house);
  const books = await readBooks(client, house);
  const held = books.payouts.filter(({ pending_reason }) => pending_reason === 'held');
  for (const { id, bank_account_number } of held) {
    const sent = truth.transfers.filter(({ account }) => account === bank_account_number);
    // The bank has no final state for it.
    if (sent.some(({ status }) => status === 'paying')) continue;
    const isPaid = sent.some(({ status }) => status !== 'failed');
    const verdict = isPaid ? ('paid' as const) : ('failed' as const);
    const word = { verdict, decided_by: 'judge', evidence: 'the final statement', is_final: true };
    const outcome = await resolvePayout({ store, payouts, clock, inquiryWindowDays: async () => undefined }, id, word);
    if ('refusal' in outcome) wrong.push(`payout ${id} is held, and a person cannot end it: ${outcome.detail}`);
  }
  const differ = books.payouts.filter(({ pending_reason }) => pending_reason === 'beneficiary-differs');
  for (const [n, { id }] of differ.entries()) if (n % 2 === 0) await acceptName({ store, clock }, id, 'judge');
  return wrong;
}
