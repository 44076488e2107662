import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { PayoutOrder } from '../../../src/domain/accounts/account.decider.js';
import { accountStream, type SettlementLine, settlementTotals } from '../../../src/ledger/events/account.events.js';
import { AccountQueue, type AccountId } from '../../../src/domain/accounts/account-queue.js';
import { customer } from '../../../src/domain/customers/customer.decider.js';
import type { CustomerDetails } from '../../../src/ledger/events/customer.events.js';
import { KnownMerchants } from '../../../src/domain/merchants/known-merchants.js';
import { registerMerchant, setFee } from '../../../src/domain/merchants/merchant.commands.js';
import { merchantStream } from '../../../src/ledger/events/merchant.events.js';
import { payoutStream } from '../../../src/ledger/events/payout.events.js';
import { PayoutOutcomes } from '../../../src/domain/payouts/payout-outcomes.js';
import { PayoutRegistry } from '../../../src/domain/payouts/payout-registry.js';
import { toPayout } from '../../../src/domain/payouts/payout-answer.js';
import { PayoutWorker, type OpenPayoutRow } from '../../../src/domain/payouts/payout.worker.js';
import { NO_JOURNAL } from '../../../src/rails/simulator/deeds.js';
import { SimulatedReturns } from '../../../src/rails/simulator/simulated-returns.js';
import type { BankRail } from '../../../src/domain/payouts/bank-rail.js';
import { SimulatedBankRail } from '../../../src/rails/simulator/simulated-bank-rail.js';
import { hasPassed, timestamp } from '../../../src/ledger/time.js';
import { InMemoryEventStore } from '../../support/in-memory-event-store.js';
import { NO_TRANSFERS } from '../../support/no-transfers.js';
import { simulatedWaits } from '../../support/simulated-waits.js';
import { NOBODY } from '../../support/approvals.js';

const NOW = Date.parse('2026-02-03T08:00:00.000Z');
const MONTH_MS = 30 * 86_400_000;
const CONTEXT = { actor: 'key_1', correlation_id: 'c', causation_id: 'c' };
const deps = (store: InMemoryEventStore, now: number) => ({ store, clock: () => now });

/** An account with money, in a process whose clock may be moved. */
function newAccount() {
  const store = new InMemoryEventStore();
  const of: AccountId = { merchant_id: randomUUID(), currency: 'MYR' };
  const process = { now: NOW };
  const clock = (): number => process.now;
  const snapshots = { find: () => Promise.resolve(undefined), save: () => Promise.resolve(false) };
  const accounts = new AccountQueue(store, snapshots, clock, simulatedWaits());
  const lines: SettlementLine[] = [{ kind: 'charge', record_id: 'c1', net_amount: 1_000, fee_amount: 0 }];
  const closed = { ...of, settlement_id: 's', settlement_number: 1, lines, totals: settlementTotals(lines), closed_on: timestamp(NOW) };
  const settle = () => accounts.submit(of, { command: (now) => ({ kind: 'settle-funds', closed, now }), context: CONTEXT });
  const request = async (bank_account_number = '12345678'): Promise<string> => {
    const payout_id = randomUUID();
    const order: PayoutOrder = {
      ...of,
      payout_id,
      amount: 10,
      fee: { type: 'FIXED', value: 1 },
      bank_account_name: 'Siti',
      bank_account_number,
      bank_name: 'Maybank',
      reference_id: null,
      description: null,
      meta_data: {},
      fingerprint: 'print',
      created_by: 'key_1',
    };
    const outcome = await accounts.submit(of, { command: (now) => ({ kind: 'request-payout', order, now }), context: CONTEXT });
    expect(outcome.kind).toBe('decided');
    return payout_id;
  };
  const events = () => store.read(accountStream(of.merchant_id, of.currency));
  return { store, of, process, clock, accounts, settle, request, events };
}

describe('an event ahead of the clock', () => {
  it('later events on the stream keep their own time', async () => {
    const store = new InMemoryEventStore();
    const { merchant_id } = await registerMerchant(deps(store, NOW + MONTH_MS), { name: 'Early', email: null, country: 'ID', mode: 'test' });
    await setFee(deps(store, NOW), merchant_id, { kind: 'payout', currency: 'IDR' }, { type: 'FIXED', value: 7 });
    const newest = (await store.read(merchantStream(merchant_id))).at(-1)!;
    expect(newest).toMatchObject({ type: 'MerchantFeeSet', data: { set_on: timestamp(NOW) }, metadata: { occurred_on: timestamp(NOW) } });
  });

  it('later events on the account keep their own time', async () => {
    const { process, settle, request, events } = newAccount();
    await settle();
    process.now = NOW + MONTH_MS;
    await request();
    process.now = NOW + 1_000;
    await request();
    expect((await events()).map(({ metadata }) => metadata.occurred_on)).toEqual([NOW, NOW + MONTH_MS, NOW + 1_000].map(timestamp));
  });

  it('no record has an update before its creation', async () => {
    const details: CustomerDetails = {
      name: 'Sari',
      description: null,
      email: null,
      phone: null,
      address: null,
      shipping: null,
      tax: null,
      metadata: {},
    };
    const of = { customer_id: 'c1', merchant_id: 'm1', details };
    const events = [
      { type: 'CustomerCreated', data: { ...of, created_by: 'key_1', created_on: timestamp(NOW + MONTH_MS) } },
      { type: 'CustomerUpdated', data: { ...of, updated_by: 'key_1', updated_on: timestamp(NOW) } },
    ] as const;
    expect(events.reduce(customer.evolve, customer.initial)).toMatchObject({ updated_on: timestamp(NOW + MONTH_MS) });

    const { process, clock, store, accounts, of: account, settle, request } = newAccount();
    await settle();
    process.now = NOW + MONTH_MS;
    const payoutId = await request();
    const registered = (await new PayoutRegistry(store, accounts, clock).ensure(account, payoutId, CONTEXT))!.registered;
    expect(toPayout(registered, 'CANCELLED', timestamp(NOW)).updated_on).toBe(registered.created_on);

    const merchants = new InMemoryEventStore();
    const { merchant_id } = await registerMerchant(deps(merchants, NOW + MONTH_MS), { name: 'Early', email: null, country: 'ID', mode: 'test' });
    await setFee(deps(merchants, NOW), merchant_id, { kind: 'payout', currency: 'IDR' }, { type: 'FIXED', value: 7 });
    const known = new KnownMerchants();
    for (const event of await merchants.read(merchantStream(merchant_id))) known.add(event);
    expect(known.merchant(merchant_id)!.updated_on).toBe(timestamp(NOW + MONTH_MS));
  });
});

describe('payouts and a clock that jumped', () => {
  /** Runs a pass of the rail over the payouts that are open. */
  function railOf({ store, clock, accounts, of, events }: ReturnType<typeof newAccount>, bank: BankRail = new SimulatedBankRail(Buffer.alloc(32))) {
    const registry = new PayoutRegistry(store, accounts, clock);
    const rail = new PayoutOutcomes(store, accounts, registry, { find: async () => undefined }, clock, () => undefined, NOBODY);
    const errors: unknown[] = [];
    let elapsed = 0;
    const open = async (): Promise<OpenPayoutRow[]> => {
      const rows = new Map<string, OpenPayoutRow>();
      for (const { type, data } of await events()) {
        const { payout_id, created_on } = data as { payout_id: string; created_on: string };
        const row = { payout_id, ...of, created_on, updated_on: created_on, rail: null, ordinal: rows.size + 1 };
        if (type === 'PayoutRequested') rows.set(payout_id, { ...row, payout_status: 'PENDING' });
        else if (type === 'PayoutSubmitted') rows.set(payout_id, { ...rows.get(payout_id)!, payout_status: 'PROCESSING' });
        else rows.delete(payout_id);
      }
      return [...rows.values()];
    };
    const process = new PayoutWorker({
      payouts: rail,
      reader: {
        findOpen: async (after) => {
          const rows = (await open()).filter(({ ordinal }) => ordinal > after);
          return { rows, reached: Math.max(after, ...rows.map(({ ordinal }) => ordinal)) };
        },
        isOpen: async (payoutId) => (await open()).some(({ payout_id }) => payout_id === payoutId),
        findApproved: async () => [],
      },
      railOf: () => ({ simulated: bank }),
      transfers: NO_TRANSFERS,
      clock,
      elapsedMs: () => elapsed,
      restoreCount: () => 0,
      untilNextPoll: (idle) => idle,
      onError: (_, err) => errors.push(err),
    });
    /** Runs a pass after `ms` of the process's monotonic time, whatever its clock shows. */
    const pass = (ms = 400): Promise<void> => {
      elapsed += ms;
      return process.pass(new AbortController().signal);
    };
    return { rail, errors, open, pass };
  }

  it('hands over and ends a payout that was requested in the future', async () => {
    const account = newAccount();
    const { open, pass, errors } = railOf(account);
    await account.settle();
    account.process.now = NOW + MONTH_MS;
    const payoutId = await account.request();
    account.process.now = NOW + 2_000;
    await pass();
    expect(errors).toEqual([]);
    expect(await open()).toEqual([]);
    expect((await account.events()).at(-1)).toMatchObject({
      type: 'PayoutSucceeded',
      data: { payout_id: payoutId, succeeded_on: timestamp(NOW + 2_000) },
    });
  });

  it('leaves alone a payout that a clock slightly ahead has dated', async () => {
    const account = newAccount();
    const { open, pass } = railOf(account);
    await account.settle();
    account.process.now = NOW + 200;
    await account.request();
    account.process.now = NOW;
    await pass();
    expect(await open()).toMatchObject([{ payout_status: 'PENDING' }]);
  });

  it('asks the bank again after a clock that went forward and back', async () => {
    const account = newAccount();
    let asked = 0;
    const hangs: BankRail = {
      rest_ms: 500,
      pay: async () => ((asked += 1), { status: 'PROCESSING' }),
      notification: () => {
        throw new Error('nobody notifies');
      },
    };
    const { pass } = railOf(account, hangs);
    await account.settle();
    await account.request();
    account.process.now = NOW + MONTH_MS;
    await pass();
    account.process.now = NOW + 1_000;
    await pass();
    expect(asked).toBe(2);
    account.process.now = NOW + 1_100;
    await pass(100);
    expect(asked).toBe(2);
  });

  it('returns a payout that was paid in the future', async () => {
    const account = newAccount();
    const { rail, pass } = railOf(account);
    await account.settle();
    const id = await account.request('12340002');
    account.process.now = NOW + MONTH_MS;
    await pass();
    account.process.now = NOW;
    const paid = [{ id, currency: 'IDR', net_amount: 1, merchant_id: account.of.merchant_id, updated_on: timestamp(NOW + MONTH_MS) }];
    await new SimulatedReturns(
      rail,
      async () => paid,
      () => true,
      account.clock,
      NO_JOURNAL,
    ).pass();
    expect((await account.store.read(payoutStream(id))).map(({ type }) => type)).toEqual(['PayoutRegistered', 'PayoutReturned']);
  });
});

it('counts a moment that lies too far ahead as past', () => {
  expect([0, 499, 500, 501].map((ms) => hasPassed(500, NOW, NOW + ms))).toEqual([false, false, true, true]);
  expect([-1, -499, -500, -MONTH_MS].map((ms) => hasPassed(500, NOW, NOW + ms))).toEqual([false, false, true, true]);
});
