import { setTimeout as delay } from 'node:timers/promises';
import { openAccounts } from '../../src/domain/accounts/open-accounts.js';
import { PayoutOutcomes } from '../../src/domain/payouts/payout-outcomes.js';
import { payoutReader } from '../../src/domain/payouts/payout-reader.js';
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

/** Longer than the looks at a charge go on behind its end, and than what waits for the next morning takes. */
const BOUND_MS = 160 * HOUR_MS;
/** By day, too: a bank is closed at night. */
const STEP_MS = 16 * HOUR_MS;
/** Nothing is written for so long, by the run's clock: a bank is asked twice what it does not know, a minute apart. */
const QUIET_MS = 65_000;
const LOOKS_MAX = 40;
/** Of transfers that never end by themselves, every so manieth fails. */
const FAILS = 3;

/**
 * Nothing goes wrong any more: what can end by itself ends, in as many days as the rules may take. Then people end what is held, by what
 * the bank has done. @returns what could not be ended
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

/** Until nothing is written for a while. */
async function untilQuiet({ stores }: Pick<House, 'stores'>): Promise<void> {
  let last = '';
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    await delay(QUIET_MS);
    const now = String(await stores.eventStore.head());
    if (now === last) return;
    last = now;
  }
}

/** The bank says at last what became of transfers of which it had said nothing. Some it never does. */
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

/** As an operator does with the bank's final statement; a name that differs is accepted for every second payout. */
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
    // No statement says how that ends.
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
