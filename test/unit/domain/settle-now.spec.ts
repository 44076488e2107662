import { expect, it } from '@jest/globals';
import { AccountQueue } from '../../../src/domain/accounts/account-queue.js';
import { charge } from '../../../src/domain/charges/charge.decider.js';
import { decideOnStream, waitOn } from '../../../src/ledger/streams/decide-on-stream.js';
import { chargeStream } from '../../../src/ledger/events/charge.events.js';
import { ClockGuard, ClockRefused } from '../../../src/platform/event-store/clock-guard.js';
import { GuardedEventStore } from '../../../src/platform/event-store/guarded-event-store.js';
import { SettleNow } from '../../../src/domain/settlements/settle-now.js';
import { SettlementRun } from '../../../src/domain/settlements/settlement-run.js';
import { createCharge, termsOf } from '../../support/create-charge.js';
import { InMemoryEventStore } from '../../support/in-memory-event-store.js';
import { simulatedWaits } from '../../support/simulated-waits.js';

const START = Date.parse('2026-01-30T10:00:00.000Z');
const CONTEXT = { actor: 'client', correlation_id: 'c', causation_id: 'c' };
const OF = { charge_id: '00000000-0000-4000-8000-000000000001', merchant_id: '6b9e2f6a-3c1d-4f58-9a70-1d2c3b4a5968' };

it('settle now: rejects a request without waiting when the clock is ahead; another process, or the same one later, completes it', async () => {
  let clockMs = START;
  const engine = new InMemoryEventStore();
  const guard = new ClockGuard({ ask: async () => START, clock: () => clockMs, steady: () => START });
  const store = new GuardedEventStore(engine, guard);
  const waits = simulatedWaits();
  waitOn(store, waits);
  const clock = (): number => clockMs;
  let pauses = 0;
  const run = new SettlementRun(
    store,
    new AccountQueue(store, { find: async () => undefined, save: async () => false }, clock, waits),
    clock,
    async () => {
      pauses += 1;
      if (pauses > 100) throw new Error('it waits for ever');
    },
  );
  const settleNow = new SettleNow(store, run);
  const { charge_id } = OF;
  const create = createCharge(OF, termsOf('WALLET_TNG', { min_amount: 1 }), { amount: 1_000 }, new Date(START).toISOString());
  await decideOnStream(store, clock, chargeStream(charge_id), charge, () => create, CONTEXT);
  const pay = { kind: 'pay' as const, amount: 1_000, payment_reference: 'p', holidays: new Map() };
  await decideOnStream(store, clock, chargeStream(charge_id), charge, (now) => ({ ...pay, now }), CONTEXT);

  engine.hooks = { afterAppend: ({ events }) => void (events[0]!.type === 'SettlementClosed' && (clockMs += 86_400_000)) };
  await expect(settleNow.charge(charge_id, CONTEXT, new AbortController().signal)).rejects.toThrow(ClockRefused);
  expect(pauses).toBe(0);
  clockMs = START;
  await settleNow.charge(charge_id, CONTEXT, new AbortController().signal);
  expect(engine.all().at(-1)!.type).toBe('FundsSettled');
});
