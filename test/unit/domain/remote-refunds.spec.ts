import { beforeEach, describe, expect, it } from '@jest/globals';
import { RemoteRefunds } from '../../../src/domain/charges/remote/remote-refunds.js';
import type { ExistingCharge, Refund } from '../../../src/domain/charges/charge-state.js';
import { InMemoryEventStore } from '../../support/in-memory-event-store.js';
import { MemoryProvider, MemoryRoutes } from '../../support/memory-provider.js';

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
  it('requests a refund once, and looks it up after that, whatever the outcome of the call', async () => {
    for (const fault of ['unknown', 'lost', undefined] as const) {
      provider.faults.refund = [fault];
      expect(await refunds.ask(STATE, REFUND, true)).toEqual({ status: 'PROCESSING' });
      expect(await refunds.ask(STATE, REFUND, false)).toEqual({ status: 'PROCESSING' });
    }
    expect([provider.count('refund'), provider.count('findRefund')]).toEqual([3, 3]);
  });

  it('only looks up a refund that was not submitted just now', async () => {
    await refunds.ask(STATE, REFUND, false);
    expect([provider.count('refund'), provider.count('findRefund')]).toEqual([0, 1]);
  });

  it('requests a refund again after a retryable answer, in the process that received the answer', async () => {
    provider.faults.refund = ['retryable'];
    await refunds.ask(STATE, REFUND, true);
    await refunds.ask(STATE, REFUND, false);
    await refunds.ask(STATE, REFUND, false);
    expect([provider.count('refund'), provider.count('findRefund')]).toEqual([2, 1]);
  });

  it('fails on a definite rejection of the call, and never on that of a look-up', async () => {
    provider.faults.refund = [{ no: 'REFUND_NOT_SUPPORTED' }];
    expect(await refunds.ask(STATE, REFUND, true)).toEqual({ status: 'REJECTED', reason: expect.stringContaining('REFUND_NOT_SUPPORTED') });
    provider.faults.findRefund = [{ no: 'DATA_NOT_FOUND' }];
    expect(await refunds.ask(STATE, REFUND, false)).toEqual({ status: 'PROCESSING' });
  });

  it('ends with the status that the provider reports', async () => {
    provider.refunds.set('r1', { status: 'REFUNDED' });
    expect(await refunds.ask(STATE, REFUND, false)).toEqual({ status: 'REFUNDED' });
    provider.refunds.set('r1', { status: 'FAILED', code: 'INSUFFICIENT_BALANCE' });
    expect(await refunds.ask(STATE, REFUND, false)).toEqual({ status: 'REJECTED', reason: expect.stringContaining('INSUFFICIENT_BALANCE') });
  });

  it('holds a refund without an answer for three days: reports it once, and keeps looking it up', async () => {
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
