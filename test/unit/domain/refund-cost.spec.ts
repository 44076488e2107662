import { beforeEach, describe, expect, it } from '@jest/globals';
import { AccountQueue } from '../../../src/domain/accounts/account-queue.js';
import { charge, type ChargeCommand } from '../../../src/domain/charges/charge.decider.js';
import { RequestRefund, RequestRefundHandler } from '../../../src/domain/charges/refunds/refund.handlers.js';
import { RefundReservations } from '../../../src/domain/charges/refunds/refund-reservations.js';
import { RefundWorker } from '../../../src/domain/charges/refunds/refund.worker.js';
import { decideOnStream, waitOn } from '../../../src/ledger/streams/decide-on-stream.js';
import { accountStream } from '../../../src/ledger/events/account.events.js';
import { chargeStream } from '../../../src/ledger/events/charge.events.js';
import { foldStream } from '../../../src/ledger/streams/fold-stream.js';
import { Simulator } from '../../../src/rails/simulator/simulator.js';
import { SettleNow } from '../../../src/domain/settlements/settle-now.js';
import { SettlementRun } from '../../../src/domain/settlements/settlement-run.js';
import { eventually } from '../../support/eventually.js';
import { InMemoryEventStore } from '../../support/in-memory-event-store.js';
import { simulatedWaits } from '../../support/simulated-waits.js';
import { readersOf, View } from '../../simulation/read-models.js';
import { chargeId, createOf, MERCHANT, NO_SNAPSHOTS, refundBody, refundId, START } from '../../simulation/world.js';

const CONTEXT = { actor: 'client', correlation_id: 'c', causation_id: 'c' };
const NEVER = new AbortController().signal;
const CHARGE = chargeStream(chargeId(0));
const ACCOUNT = accountStream(MERCHANT.merchant_id, MERCHANT.currency);

/** A process that serves requests beside one that works, as `npm start` begins them. */
describe('cost of a refund', () => {
  let engine: InMemoryEventStore;
  let now: number;
  let request: RequestRefundHandler;
  let worker: RefundWorker;
  /** Reads of streams, and appends to them. */
  let reads: string[];
  let appends: string[];
  const clock = (): number => now;

  const onCharge = (command: (at: string) => ChargeCommand): Promise<unknown> => decideOnStream(engine, clock, CHARGE, charge, command, CONTEXT);

  /** The same log as another process has it. */
  function ofProcess(): { readonly store: InMemoryEventStore; readonly accounts: AccountQueue; readonly reservations: RefundReservations } {
    const store = Object.create(engine) as InMemoryEventStore;
    store.append = (...args) => (appends.push(args[0]), engine.append(...args));
    store.read = (...args) => (reads.push(args[0]), engine.read(...args));
    waitOn(store, simulatedWaits());
    const accounts = new AccountQueue(store, NO_SNAPSHOTS, clock, simulatedWaits());
    return { store, accounts, reservations: new RefundReservations(store, accounts, clock) };
  }

  beforeEach(async () => {
    engine = new InMemoryEventStore();
    waitOn(engine, simulatedWaits());
    [now, reads, appends] = [START, [], []];
    const [serving, working] = [ofProcess(), ofProcess()];
    request = new RequestRefundHandler(serving.store, serving.reservations, clock, Buffer.alloc(32, 1));
    const processor = new Simulator(Buffer.alloc(32, 1));
    worker = new RefundWorker({
      ...working,
      reader: readersOf(MERCHANT, () => new View(engine.all(), MERCHANT)).openRefunds,
      processorOf: () => processor,
      clock,
      elapsedMs: () => now - START,
      restoreCount: () => 0,
      untilNextPoll: (idle) => idle,
      reservationRestMs: 1_000,
      onError: (_, error) => {
        throw error;
      },
    });
    await onCharge(() => createOf(0, 10, 'T+0'));
    await onCharge((at) => ({ kind: 'pay', amount: 10, payment_reference: 'pay', now: at, holidays: new Map() }));
  });

  async function refund(key: string): Promise<void> {
    const merchant = { merchant_id: MERCHANT.merchant_id, mode: 'test' as const };
    await request.execute(new RequestRefund(chargeId(0), refundBody(1), key, merchant, CONTEXT));
    for (const end = now + 3_000; now < end; now += 100) await worker.pass(NEVER);
    expect(
      engine
        .all()
        .filter(({ type }) => type === 'ChargeRefundSucceeded')
        .map(({ data }) => (data as { refund_id: string }).refund_id),
    ).toContain(refundId(key, 0));
  }

  it('a refund costs three reads and three appends before its charge is settled', async () => {
    await refund('first');
    expect(reads).toEqual([CHARGE, CHARGE, CHARGE]);
    expect(appends).toEqual([CHARGE, CHARGE, CHARGE]);
  });

  it('a refund costs four reads of its charge and five appends afterwards, once its account is known', async () => {
    const run = new SettlementRun(engine, new AccountQueue(engine, NO_SNAPSHOTS, clock, simulatedWaits()), clock, async () => undefined);
    await new SettleNow(engine, run).charge(chargeId(0), CONTEXT, NEVER);
    await refund('first');
    [reads, appends] = [[], []];
    await refund('second');
    expect(reads).toEqual([CHARGE, CHARGE, CHARGE, CHARGE]);
    expect(appends.toSorted()).toEqual([ACCOUNT, ACCOUNT, CHARGE, CHARGE, CHARGE]);
  });

  it('a refund touches no account when the request fails after the reservation, until the worker completes it', async () => {
    const run = new SettlementRun(engine, new AccountQueue(engine, NO_SNAPSHOTS, clock, simulatedWaits()), clock, async () => undefined);
    await new SettleNow(engine, run).charge(chargeId(0), CONTEXT, NEVER);
    let isLost = false;
    engine.hooks = {
      beforeAppend: async ({ stream, events }) => {
        if (isLost || events[0]!.type !== 'RefundConfirmed') return;
        isLost = true;
        throw new Error(`${stream} cannot be reached`);
      },
    };
    await refund('first');
    expect(isLost).toBe(true);
    await eventually(() => engine.all().some(({ type }) => type === 'RefundConfirmed'));
  });

  it('reserves nothing again where the charge, as read before, already holds the claim', async () => {
    const run = new SettlementRun(engine, new AccountQueue(engine, NO_SNAPSHOTS, clock, simulatedWaits()), clock, async () => undefined);
    await new SettleNow(engine, run).charge(chargeId(0), CONTEXT, NEVER);
    await refund('first');
    const { reservations } = ofProcess();
    const known = await foldStream(engine, CHARGE, charge);
    const of = { charge_id: chargeId(0), refund_id: refundId('first', 0), known };
    const never = (): never => {
      throw new Error('it is reserved once more');
    };
    expect(await reservations.reserve(MERCHANT, of, never, CONTEXT, 0)).toMatchObject({ kind: 'claimed', claimed: { refund_id: of.refund_id } });
  });
});
