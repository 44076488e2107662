import { describe, expect, it } from '@jest/globals';
import type { PayoutOrder } from '../../../src/domain/accounts/account.decider.js';
import { AccountQueue } from '../../../src/domain/accounts/account-queue.js';
import { settlementTotals } from '../../../src/ledger/events/account.events.js';
import { InMemoryEventStore } from '../../support/in-memory-event-store.js';
import { ManualClock } from '../../support/manual-clock.js';
import { randomNumbers } from '../../support/random-numbers.js';

const ACCOUNT = { merchant_id: 'm', currency: 'IDR' };
const CONTEXT = { actor: 'key_1', correlation_id: 'c', causation_id: 'c' };
const CLIENTS = 32;
const FOR_MS = 5_000;

const order = (payout_id: string): PayoutOrder => ({
  ...ACCOUNT,
  payout_id,
  amount: 2,
  fee: { type: 'FIXED', value: 1 },
  bank_account_name: 'Siti',
  bank_account_number: '12345678',
  bank_name: 'BCA',
  reference_id: null,
  description: null,
  meta_data: {},
  fingerprint: 'print',
  created_by: 'key_1',
});

describe('two processes that change one account all the time', () => {
  it('two processes take turns, also when one of them needs longer per attempt: no client waits many times longer than most', async () => {
    const random = randomNumbers(7);
    const clock = new ManualClock();
    const pause = (ms: number): Promise<void> => new Promise((resolve) => void clock.after(ms, resolve));
    const passing = (ms: number): Promise<void> => pause(ms * (0.7 + random(900) / 1_000));
    const store = new InMemoryEventStore({ beforeAppend: () => passing(4), beforeRead: () => passing(2) });
    const waits = { now: () => clock.monotonic(), pause: (ms: number) => pause(random(ms)) };
    const newProcess = () => new AccountQueue(store, { find: async () => undefined, save: async () => false }, () => clock.now(), waits);
    const [requesting, paying] = [newProcess(), newProcess()];
    const lines = [{ kind: 'charge' as const, record_id: 'c', net_amount: 10_000_000, fee_amount: 0 }];
    const closed = {
      ...ACCOUNT,
      settlement_id: 's',
      settlement_number: 1,
      lines,
      totals: settlementTotals(lines),
      closed_on: '2026-02-03T08:00:00.000Z',
    };
    const funded = requesting.submit(ACCOUNT, { command: (now) => ({ kind: 'settle-funds', closed, now }), context: CONTEXT });
    await clock.advance(100);
    await funded;

    const waited: number[] = [];
    let count = 0;
    const client = async (queue: AccountQueue, looks: boolean): Promise<void> => {
      for (const end = clock.monotonic() + FOR_MS; clock.monotonic() < end; count += 1) {
        const id = `p${count}`;
        const begun = clock.monotonic();
        const command = (now: string) => ({ kind: 'request-payout' as const, order: order(id), now });
        const record = { id, find: async () => (await store.read(`payout-${id}`))[0] };
        const { kind } = await queue.submit(ACCOUNT, { command, context: CONTEXT, ...(looks && { record }) });
        if (kind !== 'decided') throw new Error(`${id} was ${kind}`);
        if (looks) waited.push(clock.monotonic() - begun);
        await passing(5);
      }
    };
    const clients = Array.from({ length: 2 * CLIENTS }, (_, nth) => (nth % 2 === 0 ? client(requesting, true) : client(paying, false)));
    await clock.advance(FOR_MS + 1_000);
    await Promise.all(clients);

    waited.sort((a, b) => a - b);
    const quantile = (q: number): number => waited[Math.floor(q * waited.length)]!;
    expect(waited.length).toBeGreaterThan(4_000);
    expect(quantile(0.99)).toBeLessThan(5 * quantile(0.5));
  });
});
