import { beforeEach, describe, expect, it } from '@jest/globals';
import { accountStream, type PayoutRequested } from '../../../src/ledger/events/account.events.js';
import { AccountQueue } from '../../../src/domain/accounts/account-queue.js';
import { PayoutOutcomes } from '../../../src/domain/payouts/payout-outcomes.js';
import { PayoutRegistry } from '../../../src/domain/payouts/payout-registry.js';
import { PayoutWorker, type OpenPayoutRow } from '../../../src/domain/payouts/payout.worker.js';
import type { BankAnswer, BankRail } from '../../../src/domain/payouts/bank-rail.js';
import type { BankRoute } from '../../../src/domain/payouts/transfer/remote-bank.js';
import { timestamp } from '../../../src/ledger/time.js';
import { StoreRestored } from '../../../src/platform/event-store/event-store.js';
import { BankInMemory } from '../../support/bank-in-memory.js';
import { eventually } from '../../support/eventually.js';
import { newEvent } from '../../support/events.js';
import { InMemoryEventStore } from '../../support/in-memory-event-store.js';
import { simulatedWaits } from '../../support/simulated-waits.js';
import { NOBODY, NOT_HELD } from '../../support/approvals.js';

const START = Date.parse('2026-03-02T08:00:00Z');
const MANY = 5_000;
const never = new AbortController().signal;

describe('payout rail', () => {
  let store: InMemoryEventStore;
  let rows: OpenPayoutRow[];
  let ended: Set<string>;
  /** That have their approvals, as the read model has them. */
  let approved: string[];
  /** Rows that the read model was asked for, by merchant. */
  let handedOut: string[];
  /** Payouts in the order in which the bank received them. */
  let told: string[];
  /** Payouts in the order in which they were handed to a bank over a network; `advanced` is its answer. */
  let handedOn: string[];
  let advanced: boolean | number;
  /** Banks over a network, by merchant. */
  let routes: Map<string, BankRoute>;
  let answer: (payoutId: string) => Promise<BankAnswer>;
  let now: number;
  let elapsed: number;
  let restoreCount: number;
  let rail: PayoutWorker;
  let accounts: AccountQueue;
  let registry: PayoutRegistry;

  function start(): PayoutWorker {
    const clock = () => now;
    accounts = new AccountQueue(store, { find: async () => undefined, save: async () => false }, clock, simulatedWaits());
    registry = new PayoutRegistry(store, accounts, clock);
    const bank: BankRail = {
      rest_ms: 500,
      pay: ({ payout_id }) => {
        told.push(payout_id);
        return answer(payout_id);
      },
      notification: () => {
        throw new Error('nobody notifies here');
      },
    };
    return new PayoutWorker({
      payouts: new PayoutOutcomes(store, accounts, registry, { find: async () => undefined }, clock, () => undefined, NOBODY),
      reader: {
        async findOpen(after, limit) {
          const found = rows.filter(({ ordinal, payout_id }) => ordinal > after && !ended.has(payout_id)).slice(0, limit);
          handedOut.push(...found.map(({ merchant_id }) => merchant_id));
          return { rows: found, reached: rows.length };
        },
        isOpen: async (payoutId) => !ended.has(payoutId),
        findApproved: async () => approved,
      },
      railOf: ({ merchant_id }) => (merchant_id.startsWith('live') ? { remote: 'live' } : { simulated: bank }),
      transfers: {
        advance: async ({ payout_id }) => {
          handedOn.push(payout_id);
          return advanced;
        },
        routeOf: ({ merchant_id }) => routes.get(merchant_id),
      },
      clock,
      elapsedMs: () => elapsed,
      restoreCount: () => restoreCount,
      untilNextPoll: (idle) => idle,
      onError: (payoutId, error) => {
        throw new Error(payoutId, { cause: error });
      },
    });
  }

  beforeEach(() => {
    store = new InMemoryEventStore();
    rows = [];
    ended = new Set();
    handedOut = [];
    told = [];
    handedOn = [];
    advanced = false;
    routes = new Map();
    answer = async () => ({ status: 'PROCESSING' });
    now = START;
    elapsed = 5_000;
    restoreCount = 0;
    approved = [];
    rail = start();
  });

  /** `count` payouts of a merchant that has the money, as its account and the read model have them. */
  async function request(merchant_id: string, count: number, created_on = timestamp(now)): Promise<string[]> {
    const ids = Array.from({ length: count }, (_, n) => `${merchant_id}-${rows.length + n}`);
    const events = ids.map((payout_id): PayoutRequested => ({
      ...{ payout_id, merchant_id, currency: 'IDR', amount: 600, fee: { type: 'FIXED', value: 100 }, fee_amount: 100, net_amount: 500 },
      ...{ bank_account_name: 'Siti', bank_account_number: '12345678', bank_name: 'BCA', reference_id: null, description: null, meta_data: {} },
      ...{ fingerprint: 'print', ...NOT_HELD, created_by: 'key_1', created_on },
    }));
    const net_amount = 600 * count;
    const funds = {
      ...{ merchant_id, currency: 'IDR', settlement_number: 1, lines: [{ kind: 'charge', record_id: 'c', net_amount, fee_amount: 0 }] },
      ...{ totals: { net_amount, fee_amount: 0 }, settled_on: created_on },
    };
    const stream = accountStream(merchant_id, 'IDR');
    for (let from = 0; from < count; from += 500) {
      const [known] = await store.read(stream, { direction: 'backwards', limit: 1 });
      const requests = events.slice(from, from + 500).map((event) => newEvent(event, 'PayoutRequested'));
      await store.append(stream, known?.revision ?? 'no-stream', [...(known ? [] : [newEvent(funds, 'FundsSettled')]), ...requests]);
    }
    for (const payout_id of ids)
      rows.push({
        payout_id,
        merchant_id,
        currency: 'IDR',
        payout_status: 'PENDING',
        created_on,
        updated_on: created_on,
        rail: null,
        ordinal: rows.length + 1,
      });
    return ids;
  }

  function wait(ms: number): void {
    now += ms;
    elapsed += ms;
  }

  it('reports another event in the place of a request as a restored store, not as a fault', async () => {
    const account = { merchant_id: 'a', currency: 'IDR' };
    const [requested] = await request('a', 1);
    expect(await registry.requestAt(account, requested!, 1)).toMatchObject({ payout_id: requested });
    await expect(registry.requestAt(account, 'a-lost', 1)).rejects.toThrow(StoreRestored);
    await expect(registry.requestAt(account, requested!, 0)).rejects.toThrow(StoreRestored);
  });

  it('gives every merchant its turn: behind thousands of payouts of one merchant, a payout of another is among the next', async () => {
    await request('a', MANY);
    wait(600);
    const [late] = await request('b', 1);
    const [soon] = await request('c', 1, timestamp(now - 600));
    await rail.pass(never);
    // `b` is still at rest.
    expect(told.indexOf(soon!)).toBeLessThan(256);
    expect(told).toHaveLength(MANY + 1);
    wait(500);
    told = [];
    await rail.pass(never);
    expect(told.indexOf(late!)).toBeGreaterThanOrEqual(0);
    // Handing over takes longer than asking again: some that were begun later come first.
    expect(told.indexOf(late!)).toBeLessThan(256);
  });

  it('finds a payout that arrives while thousands are in work, and hands it over before them', async () => {
    await request('a', 2_000, timestamp(now - 600));
    let released: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (released = resolve));
    answer = async (payoutId) => {
      if (payoutId.startsWith('a')) await held;
      return { status: 'PROCESSING' };
    };
    const first = rail.pass(never);
    // A bank that does not answer for one merchant keeps half of the places.
    await eventually(() => told.length >= 128);
    const [other] = await request('b', 1, timestamp(now - 600));
    const second = rail.pass(never);
    await eventually(() => told.includes(other!));
    expect(told).toHaveLength(129);
    released();
    await Promise.all([first, second]);
  });

  it('asks a bank again after the time that its answer names, neither sooner nor at once', async () => {
    await request('a', 1);
    wait(500);
    answer = async () => ({ status: 'PROCESSING', again_ms: 1_000 });
    await rail.pass(never);
    expect(told).toHaveLength(1);
    wait(900);
    await rail.pass(never);
    expect(told).toHaveLength(1);
    wait(200);
    await rail.pass(never);
    expect(told).toHaveLength(2);
  });

  it('revisits a payout of a bank over a network when its protocol requires it, and no more at its end', async () => {
    await request('live', 1);
    wait(500);
    advanced = 60_000;
    await rail.pass(never);
    expect(handedOn).toHaveLength(1);
    wait(59_000);
    await rail.pass(never);
    expect(handedOn).toHaveLength(1);
    advanced = true;
    wait(1_200);
    await rail.pass(never);
    expect(handedOn).toHaveLength(2);
    wait(3_600_000);
    await rail.pass(never);
    expect(handedOn).toHaveLength(2);
    expect(told).toEqual([]);
  });

  describe('payouts that have waited for hours', () => {
    const bank = new BankInMemory({ clock: () => now });
    const open: BankRoute = { bank, is_stopped: false, is_on_trial: false };

    async function waitingFor(merchant: string, route?: BankRoute): Promise<void> {
      if (route) routes.set(merchant, route);
      await request(merchant, 20);
      for (let pass = 0; pass < 60; pass++) {
        wait(300_000);
        await rail.pass(never);
      }
      handedOn = [];
    }
    async function within(ms: number): Promise<void> {
      for (const end = elapsed + ms; elapsed < end;) {
        wait(200);
        await rail.pass(never);
      }
    }

    it.each([
      ['a route is set', undefined, open],
      ['their rail is resumed', { ...open, is_stopped: true }, open],
      ['their bank has other credentials', open, { ...open, bank: new BankInMemory({ clock: () => now }) }],
      ['the circuit of their bank is closed', { ...open, is_stopped: true, is_on_trial: true }, open],
    ])('revisits all within seconds when %s, and no others', async (_, before, after) => {
      await waitingFor('live-1', before);
      await waitingFor('live-2', before);
      await within(3_000);
      handedOn = [];
      routes.set('live-1', after);
      await within(3_000);
      expect(new Set(handedOn)).toEqual(new Set(rows.filter(({ merchant_id }) => merchant_id === 'live-1').map(({ payout_id }) => payout_id)));
    });

    it('revisits at most four in three seconds while their bank is on trial', async () => {
      await waitingFor('live', { ...open, is_stopped: true });
      routes.set('live', { ...open, is_on_trial: true });
      await within(3_000);
      expect(new Set(handedOn).size).toBeGreaterThan(0);
      expect(new Set(handedOn).size).toBeLessThanOrEqual(4);
    });
  });

  it('reads each open payout once, and asks ever more rarely about those that no bank pays out', async () => {
    await request('live', 3_000);
    await request('a', 3_000);
    for (let pass = 0; pass < 20; pass++) {
      wait(300);
      await rail.pass(never);
    }
    expect(handedOut).toHaveLength(6_000);
    expect(handedOn.length).toBeLessThan(3_000 * 12);
    expect(told.every((id) => id.startsWith('a'))).toBe(true);
  });

  it('asks ever more rarely about a payout that stays in work, and no more once it has ended', async () => {
    const [payout] = await request('a', 1, timestamp(now - 600));
    const within = async (ms: number): Promise<number> => {
      const before = told.length;
      for (const end = elapsed + ms; elapsed < end;) {
        wait(ms > 10_000 ? 2_000 : 200);
        await rail.pass(never);
      }
      return told.length - before;
    };
    expect(await within(10_000)).toBeLessThan(12);
    expect(await within(600_000)).toBeLessThan(12);
    expect(await within(3_600_000)).toBeGreaterThanOrEqual(3);
    expect(await within(3_600_000)).toBeLessThanOrEqual(4);
    ended.add(payout!);
    expect(await within(3_600_000)).toBe(0);
    expect(await within(3_600_000)).toBe(0);
  });

  it('revisits an approved payout at once, however long it had waited, and no more often than others from then on', async () => {
    advanced = false;
    const [waiting, other] = await request('live-1', 2);
    for (let pass = 0; pass < 40; pass += 1) {
      elapsed += 10_000;
      await rail.pass(never);
    }
    handedOn = [];
    approved = [waiting!];
    for (let second = 0; second < 60; second += 1) {
      elapsed += 1_000;
      await rail.pass(never);
    }
    const times = handedOn.filter((id) => id === waiting).length;
    expect(handedOn[0]).toBe(waiting);
    expect(times).toBeGreaterThanOrEqual(5);
    expect(times).toBeLessThan(25);
    expect(handedOn.filter((id) => id === other).length).toBeLessThanOrEqual(2);
  });

  it('asks once about each payout after a restart, and then as rarely as before', async () => {
    const ids = await request('a', 1_000, timestamp(now - 600));
    await rail.pass(never);
    rows = rows.map((row) => ({ ...row, payout_status: 'PROCESSING' }));
    wait(3_600_000);
    told = [];
    rail = start();
    await rail.pass(never);
    expect(told.toSorted()).toEqual(ids.toSorted());
    wait(600_000);
    await rail.pass(never);
    expect(told).toHaveLength(ids.length);
    wait(600_000);
    await rail.pass(never);
    expect(told).toHaveLength(2 * ids.length);
  });

  it('continues a payout that a clock a month ahead requested, and one during which the clock jumps', async () => {
    const [ahead] = await request('a', 1, timestamp(now + 30 * 86_400_000));
    await rail.pass(never);
    expect(told).toEqual([ahead]);
    const [jumped] = await request('b', 1);
    await rail.pass(never);
    now -= 86_400_000;
    elapsed += 700;
    await rail.pass(never);
    expect(told).toContain(jumped);
  });

  it('never sends the bank a cancelled payout, however long the read model takes to show the cancellation', async () => {
    const account = { merchant_id: 'a', currency: 'IDR' };
    const context = { actor: 'a', correlation_id: 'c', causation_id: 'c' };
    const [payout_id] = await request('a', 1, timestamp(now - 600));
    await registry.ensure(account, payout_id!, context);
    const { kind } = await accounts.submit(account, {
      command: (at) => ({ kind: 'cancel-payout', payout_id: payout_id!, cancelled_by: 'a', now: at }),
      context,
    });
    expect(kind).toBe('decided');
    for (let pass = 0; pass < 5; pass++) {
      await rail.pass(never);
      wait(1_000);
    }
    expect(told).toEqual([]);
  });

  it('discards its memory of a hand-over that the database has lost', async () => {
    const account = { merchant_id: 'a', currency: 'IDR' };
    const context = { actor: 'a', correlation_id: 'c', causation_id: 'c' };
    const [payout_id] = await request('a', 1, timestamp(now - 600));
    await registry.ensure(account, payout_id!, context);
    await rail.pass(never);
    expect(told).toEqual([payout_id]);
    store.lose(1);
    await accounts.submit(account, { command: (at) => ({ kind: 'cancel-payout', payout_id: payout_id!, cancelled_by: 'a', now: at }), context });
    wait(1_000);
    await rail.pass(never);
    expect(told).toEqual([payout_id]);
  });

  it('starts afresh after the database was restored', async () => {
    await request('a', 5, timestamp(now - 600));
    await rail.pass(never);
    rows = [];
    const [other] = await request('b', 1, timestamp(now - 600));
    await rail.pass(never);
    expect(told).toContain(other);
  });

  it('finds payouts requested in place of lost ones, although the log is longer by now than it was', async () => {
    await request('a', 5, timestamp(now - 600));
    await rail.pass(never);
    rows = [];
    const others = await request('b', 6, timestamp(now - 600));
    restoreCount += 1;
    await rail.pass(never);
    expect(told.slice(5).toSorted()).toEqual(others.toSorted());
  });
});
