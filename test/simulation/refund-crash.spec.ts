import { describe, expect, it } from '@jest/globals';
import { AccountQueue } from '../../src/domain/accounts/account-queue.js';
import { charge, type ChargeCommand } from '../../src/domain/charges/charge.decider.js';
import type { RefundProcessor } from '../../src/domain/charges/processor.js';
import { RequestRefund, RequestRefundHandler } from '../../src/domain/charges/refunds/refund.handlers.js';
import { RefundReservations } from '../../src/domain/charges/refunds/refund-reservations.js';
import { RefundWorker } from '../../src/domain/charges/refunds/refund.worker.js';
import { decideOnStream, waitOn } from '../../src/ledger/streams/decide-on-stream.js';
import { chargeStream } from '../../src/ledger/events/charge.events.js';
import type { ChargeRefundClaimed } from '../../src/ledger/events/refund.events.js';
import { Problem } from '../../src/platform/problem.js';
import { SettleNow } from '../../src/domain/settlements/settle-now.js';
import { SettlementRun } from '../../src/domain/settlements/settlement-run.js';
import { InMemoryEventStore } from '../support/in-memory-event-store.js';
import { sized } from '../support/nightly.js';
import { simulatedWaits } from '../support/simulated-waits.js';
import { Judge } from './judge.js';
import { MortalStore, type Death } from './mortal-store.js';
import { readersOf, View } from './read-models.js';
import { Scheduler } from './scheduler.js';
import { SimulatedBank } from './simulated-bank.js';
import { SimulatedProcessor } from './simulated-processor.js';
import { chargeId, createOf, MERCHANT, NO_SNAPSHOTS, refundBody, refundId, START } from './world.js';

const CONTEXT = { actor: 'client', correlation_id: 'c', causation_id: 'c' };
const NEVER = new AbortController().signal;
const SEEDS = sized(20, 50);

type Step =
  | { readonly kind: 'refund'; readonly key: string; readonly amount: number | null }
  | { readonly kind: 'cancel' | 'bounce'; readonly key: string }
  | { readonly kind: 'work' | 'settle' | 'reverse' };

/** Steps of a merchant, a customer and the workers for one charge, drawn from the seed. */
function planOf(draw: Scheduler): Step[] {
  const steps: Step[] = [];
  for (let k = 0; k <= draw.below(3); k += 1) {
    const key = `refund ${k}`;
    steps.push({ kind: 'refund', key, amount: draw.chance(0.3) ? null : 1 + draw.below(8) });
    if (draw.chance(0.25)) steps.push({ kind: 'cancel', key });
    if (draw.chance(0.2)) steps.push({ kind: 'settle' });
    if (draw.chance(0.15)) steps.push({ kind: 'reverse' });
    if (draw.chance(0.8)) steps.push({ kind: 'work' });
    if (draw.chance(0.3)) steps.push({ kind: 'bounce', key });
  }
  return [...steps, { kind: 'work' }, { kind: 'settle' }];
}

/** A process with everything that refunds a charge. */
class RefundingProcess {
  readonly answers = new Map<string, ChargeRefundClaimed>();
  readonly #request: RequestRefundHandler;
  readonly #worker: RefundWorker;
  readonly #run: SettlementRun;
  readonly #settleNow: SettleNow;

  constructor(
    readonly store: MortalStore,
    engine: InMemoryEventStore,
    processor: RefundProcessor,
  ) {
    const clock = (): number => START;
    const waits = simulatedWaits();
    waitOn(store, waits);
    const accounts = new AccountQueue(store, NO_SNAPSHOTS, clock, waits);
    const reservations = new RefundReservations(store, accounts, clock);
    this.#request = new RequestRefundHandler(store, reservations, clock, Buffer.alloc(32, 1));
    this.#worker = new RefundWorker({
      store,
      reservations,
      reader: readersOf(MERCHANT, () => new View(engine.all(), MERCHANT)).openRefunds,
      processorOf: () => processor,
      clock,
      elapsedMs: () => 0,
      restoreCount: () => 0,
      untilNextPoll: (idle) => idle,
      reservationRestMs: 0,
      onError: (_, error) => {
        throw error;
      },
    });
    this.#run = new SettlementRun(store, accounts, clock, async () => undefined);
    this.#settleNow = new SettleNow(store, this.#run);
  }

  /** @returns false when the process has died of it */
  async take(step: Step): Promise<boolean> {
    const taken = this.#take(step).catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error;
    });
    return (await Promise.race([taken, this.store.died])) !== 'died';
  }

  async #take(step: Step): Promise<unknown> {
    switch (step.kind) {
      case 'refund': {
        const merchant = { merchant_id: MERCHANT.merchant_id, mode: 'test' as const };
        const { claimed } = await this.#request.execute(new RequestRefund(chargeId(0), refundBody(step.amount), step.key, merchant, CONTEXT));
        return this.answers.set(step.key, claimed);
      }
      case 'cancel':
        return this.onCharge((now) => ({ kind: 'cancel-refund', refund_id: refundId(step.key, 0), cancelled_by: 'client', now }));
      case 'bounce':
        return this.onCharge((now) => ({ kind: 'bounce-refund', refund_id: refundId(step.key, 0), reason: 'closed', now }));
      case 'reverse':
        return this.onCharge((now) => ({ kind: 'reverse', reason: 'dispute', now }));
      case 'work':
        return this.#worker.pass(NEVER);
      case 'settle':
        await this.#settleNow.charge(chargeId(0), CONTEXT, NEVER);
        // As the worker does: one that is open, although nothing of it is the charge's any more.
        return this.#run.next(MERCHANT, async () => [], CONTEXT, NEVER);
    }
  }

  onCharge(command: (now: string) => ChargeCommand): Promise<unknown> {
    return decideOnStream(this.store, () => START, chargeStream(chargeId(0)), charge, command, CONTEXT);
  }
}

class Story {
  readonly engine = new InMemoryEventStore();
  readonly #judged: SimulatedProcessor;
  readonly #processor: RefundProcessor;
  readonly #plan: readonly Step[];
  readonly #isSettled: boolean;
  readonly #amount: number;

  constructor(seed: number) {
    const draw = new Scheduler(seed);
    this.#amount = 8 + draw.below(5);
    this.#isSettled = draw.chance(0.75);
    const isRefunded = draw.chance(0.7);
    this.#plan = planOf(draw);
    this.#judged = new SimulatedProcessor(
      draw,
      () => undefined,
      () => undefined,
    );
    const { asked, refunded } = this.#judged;
    this.#processor = {
      rest_ms: 0,
      refund: async ({ refund_id }) => {
        asked.add(refund_id);
        if (isRefunded) refunded.add(refund_id);
        return isRefunded ? { status: 'REFUNDED' } : { status: 'REJECTED', reason: 'closed' };
      },
    };
  }

  process(death?: Death): RefundingProcess {
    return new RefundingProcess(new MortalStore(this.engine, death), this.engine, this.#processor);
  }

  /** A charge that is paid and, mostly, settled. */
  async begin(): Promise<void> {
    const process = this.process();
    await process.onCharge(() => createOf(0, this.#amount, 'T+0'));
    await process.onCharge((now) => ({ kind: 'pay', amount: this.#amount, payment_reference: 'pay', now, holidays: new Map() }));
    if (this.#isSettled) await process.take({ kind: 'settle' });
  }

  /** All steps, or those until the process dies. */
  async play(process: RefundingProcess): Promise<void> {
    for (const step of this.#plan) if (!(await process.take(step))) return;
  }

  /** @throws when a recorded event breaks a rule */
  judge(): Judge {
    const judge = new Judge(MERCHANT, new SimulatedBank(new Scheduler(1)), this.#judged, new Set());
    judge.judge(this.engine.all());
    return judge;
  }
}

describe('kill -9 between any two steps of a refund', () => {
  const types = new Set<string>();
  let deaths = 0;

  it.each(Array.from({ length: SEEDS }, (_, index) => index + 1))(
    'a crash between two steps of a refund leaves no step half done or done twice: seed %i',
    async (seed) => {
      const whole = new Story(seed);
      await whole.begin();
      const undisturbed = whole.process();
      await whole.play(undisturbed);
      expect(whole.judge().unfinished()).toBeNull();
      for (let append = 1; append <= undisturbed.store.appends; append += 1) {
        for (const isWritten of [false, true]) {
          const story = new Story(seed);
          await story.begin();
          const victim = story.process({ append, isWritten });
          await story.play(victim);
          story.judge();
          // Everybody asks again, of a process that knows nothing of the first; by then the charge may have changed.
          const heir = story.process();
          if (seed % 3 === 0) await heir.take({ kind: 'reverse' });
          await story.play(heir);
          const judge = story.judge();
          expect([append, isWritten, judge.unfinished()]).toEqual([append, isWritten, null]);
          for (const [key, claimed] of victim.answers) expect(heir.answers.get(key)).toEqual(claimed);
          for (const { type } of story.engine.all()) types.add(type);
          deaths += 1;
        }
      }
    },
  );

  it('crashes of refunds strike every kind of step', () => {
    expect(deaths).toBeGreaterThan(SEEDS * 10);
    expect([...types].filter((type) => /Refund|LineClaimed|Reversed|FundsSettled/.test(type)).sort()).toEqual([
      'ChargeLineClaimed',
      'ChargeRefundBounced',
      'ChargeRefundCancelled',
      'ChargeRefundClaimed',
      'ChargeRefundDeclined',
      'ChargeRefundFailed',
      'ChargeRefundSubmitted',
      'ChargeRefundSucceeded',
      'ChargeReversed',
      'FundsSettled',
      'RefundConfirmed',
      'RefundReleased',
      'RefundReserved',
    ]);
  });
});
