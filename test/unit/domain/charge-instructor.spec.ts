import { beforeEach, describe, expect, it } from '@jest/globals';
import { ChargeInstructor, type KnownCharge } from '../../../src/domain/charges/remote/charge-instructor.js';
import { charge } from '../../../src/domain/charges/charge.decider.js';
import type { ExistingCharge } from '../../../src/domain/charges/charge-state.js';
import { chargeStream, type ChargeEvent } from '../../../src/ledger/events/charge.events.js';
import type { MerchantTerms } from '../../../src/ledger/ports/merchant-terms.js';
import { newEvent } from '../../../src/ledger/streams/new-event.js';
import { createCharge, termsOf } from '../../support/create-charge.js';
import { BUSY, eventually } from '../../support/eventually.js';
import { InMemoryEventStore } from '../../support/in-memory-event-store.js';
import { MemoryProvider, MemoryRoutes } from '../../support/memory-provider.js';
import { MemoryRailDue } from '../../support/memory-rail-due.js';

const NOW = '2026-01-30T10:00:00.000+00:00';
const CONTEXT = { actor: 'key_1', correlation_id: 'c', causation_id: 'c' };
const IDS = { charge_id: '9d0f6a52-6a52-5f0e-8a86-7c1f6e1c3b21', merchant_id: '0b0f2d6e-3f0e-4c55-9d3b-2a4f0a1c7e11' };
const TERMS = { merchantName: () => 'Shop', channelTerms: (_: string, code: string) => termsOf(code) } as Partial<MerchantTerms> as MerchantTerms;

let store: InMemoryEventStore;
let provider: MemoryProvider;
let due: MemoryRailDue;
let instructor: ChargeInstructor;
let known: KnownCharge;

beforeEach(async () => {
  store = new InMemoryEventStore();
  provider = new MemoryProvider();
  due = new MemoryRailDue();
  instructor = new ChargeInstructor(store, () => Date.parse(NOW), new MemoryRoutes(provider), due, TERMS);
  const remote = { min_amount: 1, max_amount: 1_000_000, life_ms: null, wholeUnitsOnly: true };
  const decision = charge.decide(charge.initial, {
    ...createCharge(IDS, termsOf('QR_QRIS'), { amount: 10_000 }, NOW),
    processor: 'memory-live',
    remote,
  });
  const events = (decision as { events: readonly ChargeEvent[] }).events;
  const stored = events.map((event) => newEvent(event, { ...CONTEXT, now: NOW }));
  const appended = await store.append(chargeStream(IDS.charge_id), 'no-stream', stored);
  if (!appended.ok) throw new Error('the charge could not be stored');
  const state = events.reduce(charge.evolve, charge.initial) as ExistingCharge;
  known = { state, newest: { stream: chargeStream(IDS.charge_id), id: stored[0]!.id, revision: 0, position: appended.position } };
});

const within = (ms: number) => ({ deadlineMs: performance.now() + ms, context: CONTEXT });

describe('instructing a remote processor', () => {
  it('waits for a silent processor until the deadline at most', async () => {
    provider.faults.create = ['hang'];
    const begunMs = performance.now();
    expect(await instructor.instruct(known, within(1_100))).toEqual({ is: 'later' });
    expect(performance.now() - begunMs).toBeLessThan(BUSY * 1_100);
    expect(provider.count('create')).toBe(1);
  });

  it('cancels an instruction that arrives after the deadline: no customer has seen it', async () => {
    let open = (): void => undefined;
    provider.gate = new Promise((resolve) => (open = resolve));
    expect(await instructor.instruct(known, within(1_100))).toEqual({ is: 'later' });
    open();
    await eventually(() => due.rows.size === 2);
    expect([...due.rows.values()].map(({ cancels }) => cancels)).toContain(provider.of(IDS.charge_id)[0]!.reference);
  });

  it('shares one processor call among concurrent requests for the same charge', async () => {
    const [a, b] = await Promise.all([instructor.instruct(known, within(5_000)), instructor.instruct(known, within(5_000))]);
    expect(a).toBe(b);
    expect(provider.count('create')).toBe(1);
  });

  it('returns the stored instruction to two processes, and cancels the other one', async () => {
    const other = new ChargeInstructor(store, () => Date.parse(NOW), new MemoryRoutes(provider), due, TERMS);
    const [a, b] = await Promise.all([instructor.instruct(known, within(5_000)), other.instruct(known, within(5_000))]);
    if (a.is !== 'known' || b.is !== 'known') throw new Error('both are to know');
    expect(a.state.attempts.instructed).toEqual(b.state.attempts.instructed);
    const shown = a.state.attempts.instructed!.processor_reference;
    const [orphan] = provider.of(IDS.charge_id).filter(({ reference }) => reference !== shown);
    expect([...due.rows.values()].map(({ cancels }) => cancels)).toEqual(['', orphan!.reference]);
  });
});
