import { describe, expect, it } from '@jest/globals';
import { AccountQueue } from '../../src/domain/accounts/account-queue.js';
import { charge, type ChargeCommand } from '../../src/domain/charges/charge.decider.js';
import { RequestRefund, RequestRefundHandler, type RequestedRefund } from '../../src/domain/charges/refunds/refund.handlers.js';
import { RefundReservations } from '../../src/domain/charges/refunds/refund-reservations.js';
import { decideOnStream, waitOn } from '../../src/ledger/streams/decide-on-stream.js';
import { chargeStream } from '../../src/ledger/events/charge.events.js';
import { recordId } from '../../src/ledger/ids/idempotency.js';
import { PayoutOutcomes } from '../../src/domain/payouts/payout-outcomes.js';
import { PayoutRegistry } from '../../src/domain/payouts/payout-registry.js';
import { RequestPayout, RequestPayoutHandler } from '../../src/domain/payouts/payout.handlers.js';
import { StoreRestored } from '../../src/platform/event-store/event-store.js';
import { SettleNow } from '../../src/domain/settlements/settle-now.js';
import { SettlementRun } from '../../src/domain/settlements/settlement-run.js';
import { InMemoryEventStore } from '../support/in-memory-event-store.js';
import { ClaimsInMemory } from '../support/payout-claims.js';
import { simulatedWaits } from '../support/simulated-waits.js';
import { Judge } from './judge.js';
import { readersOf, View } from './read-models.js';
import { Scheduler } from './scheduler.js';
import { SimulatedBank } from './simulated-bank.js';
import { SimulatedProcessor } from './simulated-processor.js';
import { chargeId, createOf, MERCHANT, NO_SNAPSHOTS, payoutBody, refundBody, START, TERMS } from './world.js';
import { NOBODY } from '../support/approvals.js';

const CONTEXT = { actor: 'client', correlation_id: 'c', causation_id: 'c' };
const PAYOUT = recordId(MERCHANT.merchant_id, 'POST /v1/payouts', 'key');
const NEVER = new AbortController().signal;

/** One process with all that moves money, and a charge, a payout and a reversal that it takes to their ends. */
class Story {
  readonly store = new InMemoryEventStore();
  readonly errors: unknown[] = [];
  readonly #steps: (() => Promise<unknown>)[];

  constructor() {
    const { store } = this;
    const clock = (): number => START;
    const waits = simulatedWaits();
    waitOn(store, waits);
    const accounts = new AccountQueue(store, NO_SNAPSHOTS, clock, waits);
    const registry = new PayoutRegistry(store, accounts, clock);
    const readers = readersOf(MERCHANT, () => new View(store.all(), MERCHANT));
    const request = new RequestPayoutHandler(accounts, registry, TERMS, Buffer.alloc(32, 1), new ClaimsInMemory());
    const rail = new PayoutOutcomes(store, accounts, registry, readers.payouts, clock, () => undefined, NOBODY);
    const run = new SettlementRun(store, accounts, clock, async () => undefined);
    const settleNow = new SettleNow(store, run);
    const onCharge = (command: (now: string) => ChargeCommand) => decideOnStream(store, clock, chargeStream(chargeId(0)), charge, command, CONTEXT);
    const findLines = (limit: number) => readers.settlements.findLines(MERCHANT, '9999-01-01T00:00:00.000+00:00', limit);
    this.#steps = [
      () => onCharge(() => createOf(0, 12, 'T+0')),
      () => onCharge((now) => ({ kind: 'pay', amount: 12, payment_reference: 'pay', now, holidays: new Map() })),
      () => settleNow.charge(chargeId(0), CONTEXT, NEVER),
      () => request.execute(new RequestPayout(payoutBody(9), 'key', MERCHANT.merchant_id, CONTEXT)),
      () => rail.submit(MERCHANT, PAYOUT, CONTEXT),
      () => rail.record(PAYOUT, { kind: 'paid' }, CONTEXT),
      () => rail.record(PAYOUT, { kind: 'returned', reason: 'closed' }, CONTEXT),
      () => onCharge((now) => ({ kind: 'reverse', reason: 'dispute', now })),
      () => run.next(MERCHANT, findLines, CONTEXT, NEVER),
    ];
  }

  /** Every step, whatever becomes of those before it. */
  async play(): Promise<void> {
    for (const step of this.#steps) await step().catch((error: unknown) => this.errors.push(error));
  }

  judge(): Judge {
    const bank = new SimulatedBank(new Scheduler(1));
    bank.paid.set(PAYOUT, 1);
    const judge = new Judge(
      MERCHANT,
      bank,
      new SimulatedProcessor(
        new Scheduler(1),
        () => undefined,
        () => undefined,
      ),
      new Set(),
    );
    judge.judge(this.store.all());
    return judge;
  }
}

it('takes no available money for a refund of a charge whose settlement the store loses meanwhile', async () => {
  const store = new InMemoryEventStore();
  const clock = (): number => START;
  const waits = simulatedWaits();
  waitOn(store, waits);
  const accounts = new AccountQueue(store, NO_SNAPSHOTS, clock, waits);
  const settleNow = new SettleNow(store, new SettlementRun(store, accounts, clock, async () => undefined));
  for (const i of [0, 1]) {
    const onCharge = (command: (now: string) => ChargeCommand) => decideOnStream(store, clock, chargeStream(chargeId(i)), charge, command, CONTEXT);
    await onCharge(() => createOf(i, 12, 'T+0'));
    await onCharge((now) => ({ kind: 'pay', amount: 12, payment_reference: 'pay', now, holidays: new Map() }));
    await settleNow.charge(chargeId(i), CONTEXT, NEVER);
  }
  const asked = new RequestRefund(chargeId(1), refundBody(5), 'key', { merchant_id: MERCHANT.merchant_id, mode: 'test' }, CONTEXT);
  const request = (): Promise<RequestedRefund> => {
    const queue = new AccountQueue(store, NO_SNAPSHOTS, clock, waits);
    return new RequestRefundHandler(store, new RefundReservations(store, queue, clock), clock, Buffer.alloc(32, 1)).execute(asked);
  };
  let reads = 0;
  const settlement = store.all().length - store.all().findLastIndex(({ type }) => type === 'SettlementOpened');
  store.hooks = {
    beforeRead: (stream) => {
      if (stream === chargeStream(chargeId(1)) && (reads += 1) === 2) store.lose(settlement);
    },
  };
  await expect(request()).rejects.toThrow(StoreRestored);
  const { claimed } = await request();
  expect([claimed.source, claimed.reservation_id]).toEqual(['PENDING', null]);
  expect(store.all().map(({ type }) => type)).not.toContain('RefundReserved');
});

describe('a store that loses its newest events between two steps of one process', () => {
  /** Number of appends of a story without losses. */
  const APPENDS = 16;
  const cases = Array.from({ length: APPENDS }, (_, index) => index + 1).flatMap((append) =>
    (['before', 'behind'] as const).flatMap((when) =>
      [1, 2, 3].filter((lost) => lost <= append - (when === 'before' ? 1 : 0)).map((lost) => ({ append, when, lost })),
    ),
  );

  it.each(cases)('keeps no event that depends on a lost one: $lost of them $when append $append', async ({ append, when, lost }) => {
    const story = new Story();
    let appends = 0;
    const lose = (at: typeof when): void => void (at === when && appends === append && story.store.lose(lost));
    story.store.hooks = {
      beforeAppend: () => {
        appends += 1;
        lose('before');
      },
      afterAppend: () => lose('behind'),
    };
    await story.play();
    story.judge();
    // Requested again, everything ends, possibly with a refusal.
    await story.play();
    expect(story.judge().unfinished()).toBeNull();
  });

  it('losses are simulated at every append', async () => {
    const story = new Story();
    await story.play();
    expect(story.errors).toEqual([]);
    expect(story.store.all()).toHaveLength(APPENDS + 1);
    expect(story.judge().unfinished()).toBeNull();
  });
});
