import { beforeEach, describe, expect, it } from '@jest/globals';
import { RemoteRefunds } from '../../src/domain/charges/remote/remote-refunds.js';
import type { ExistingCharge, Refund } from '../../src/domain/charges/charge-state.js';
import { InMemoryEventStore } from '../support/in-memory-event-store.js';
import { MemoryProvider, MemoryRoutes } from '../support/memory-provider.js';

const DAY = 24 * 60 * 60_000;
const CLAIMED_ON = '2026-01-30T10:00:00.000+00:00';
const START = Date.parse(CLAIMED_ON);
const REFUND = {
  claimed: { refund_id: 'r1', charge_id: 'c1', amount: 4_000, currency: 'IDR', claimed_on: CLAIMED_ON },
} as unknown as Refund;
const stateWith = (...references: string[]): ExistingCharge =>
  ({
    created: { charge_id: 'c1', processor: 'memory-live', remote: true },
    attempts: { newest: references.length, isOpen: false, instructed: null, references },
    paid: { reference: 'py-1', on: CLAIMED_ON },
  }) as unknown as ExistingCharge;
const STATE = stateWith('pr-1');

let provider: MemoryProvider;
let refunds: RemoteRefunds;
let now: number;
let held: string[];

beforeEach(() => {
  provider = new MemoryProvider();
  now = START;
  held = [];
  refunds = new RemoteRefunds({
    store: new InMemoryEventStore(),
    clock: () => now,
    routes: new MemoryRoutes(provider),
    onHeld: ({ refund_id }) => void held.push(refund_id),
  });
});

describe('a refund at a remote processor', () => {
  it('is asked for once, and looked up after that, whatever the call came to', async () => {
    for (const fault of ['unknown', 'lost', undefined] as const) {
      provider.faults.refund = [fault];
      expect(await refunds.ask(STATE, REFUND, true)).toEqual({ status: 'PROCESSING' });
      expect(await refunds.ask(STATE, REFUND, false)).toEqual({ status: 'PROCESSING' });
    }
    expect([provider.count('refund'), provider.count('findRefund')]).toEqual([3, 3]);
  });

  it('that nobody knows to have been asked for is looked up only', async () => {
    await refunds.ask(STATE, REFUND, false);
    expect([provider.count('refund'), provider.count('findRefund')]).toEqual([0, 1]);
  });

  it('is asked for again where the provider took nothing, by the process that was told so', async () => {
    provider.faults.refund = ['retryable'];
    await refunds.ask(STATE, REFUND, true);
    await refunds.ask(STATE, REFUND, false);
    await refunds.ask(STATE, REFUND, false);
    expect([provider.count('refund'), provider.count('findRefund')]).toEqual([2, 1]);
  });

  it('fails with a definite no to the call, and never with that to a look-up', async () => {
    provider.faults.refund = [{ no: 'REFUND_NOT_SUPPORTED' }];
    expect(await refunds.ask(STATE, REFUND, true)).toEqual({ status: 'REJECTED', reason: expect.stringContaining('REFUND_NOT_SUPPORTED') });
    provider.faults.findRefund = [{ no: 'DATA_NOT_FOUND' }];
    expect(await refunds.ask(STATE, REFUND, false)).toEqual({ status: 'PROCESSING' });
  });

  it('ends as the provider says', async () => {
    provider.refunds.set('r1', { status: 'REFUNDED' });
    expect(await refunds.ask(STATE, REFUND, false)).toEqual({ status: 'REFUNDED' });
    provider.refunds.set('r1', { status: 'FAILED', code: 'INSUFFICIENT_BALANCE' });
    expect(await refunds.ask(STATE, REFUND, false)).toEqual({ status: 'REJECTED', reason: expect.stringContaining('INSUFFICIENT_BALANCE') });
  });

  it('about which nothing was said for three days is held: reported once, and looked up further', async () => {
    now = START + 3 * DAY;
    await refunds.ask(STATE, REFUND, false);
    expect(held).toEqual([]);
    now += 1;
    for (let n = 0; n < 3; n += 1) expect(await refunds.ask(STATE, REFUND, false)).toEqual({ status: 'PROCESSING' });
    expect(held).toEqual(['r1']);
    expect(provider.count('findRefund')).toBe(4);
  });

  it('names the instruction that was paid', async () => {
    const made = await provider.create({ charge_id: 'c1', amount: 10_000, channel: { qr: 'QRIS', currency: 'IDR' } } as never);
    if (made.is !== 'accepted') throw new Error('no instruction');
    const { processor_reference } = made.value;
    provider.pay(provider.known.get(processor_reference)!, { payment_reference: 'py-1' });
    expect(await refunds.ask(stateWith(processor_reference, 'pr-other'), REFUND, true)).toEqual({ status: 'PROCESSING' });
    expect(provider.count('refund')).toBe(1);
    expect(await refunds.ask(stateWith('pr-x', 'pr-y'), REFUND, true)).toEqual({ status: 'PROCESSING' });
    expect(provider.count('refund')).toBe(1);
  });
});
