import { describe, expect, it } from '@jest/globals';
import { AccountQueue } from '../../src/domain/accounts/account-queue.js';
import { charge, type ChargeCommand } from '../../src/domain/charges/charge.decider.js';
import { disputeId } from '../../src/domain/charges/disputes/charge-disputes.js';
import type { DisputeProcessor, RefundProcessor } from '../../src/domain/charges/processor.js';
import { RequestRefund, RequestRefundHandler } from '../../src/domain/charges/refunds/refund.handlers.js';
import { RefundReservations } from '../../src/domain/charges/refunds/refund-reservations.js';
import { RefundWorker } from '../../src/domain/charges/refunds/refund.worker.js';
import { DisputeWorker } from '../../src/domain/charges/disputes/dispute.worker.js';
import { NO_CONCESSIONS } from '../support/no-concessions.js';
import { decideOnStream, waitOn } from '../../src/ledger/streams/decide-on-stream.js';
import { chargeStream } from '../../src/ledger/events/charge.events.js';
import { DISPUTE_STAGES, type DisputeStage } from '../../src/ledger/events/dispute.events.js';
import { DAY_MS, timestamp, type Timestamp } from '../../src/ledger/time.js';
import { Problem } from '../../src/platform/problem.js';
import { SettleNow } from '../../src/domain/settlements/settle-now.js';
import { SettlementRun } from '../../src/domain/settlements/settlement-run.js';
import { InMemoryEventStore } from '../support/in-memory-event-store.js';
import { simulatedWaits } from '../support/simulated-waits.js';
import { Judge } from './judge.js';
import { DISPUTE_FEE } from './judged-disputes.js';
import { MortalStore, type Death } from './mortal-store.js';
import { readersOf, View } from './read-models.js';
import { Scheduler } from './scheduler.js';
import { SimulatedBank } from './simulated-bank.js';
import { SimulatedProcessor } from './simulated-processor.js';
import { chargeId, createOf, KEPT_EVIDENCE, MERCHANT, NO_SNAPSHOTS, refundBody, START } from './world.js';

const CONTEXT = { actor: 'client', correlation_id: 'c', causation_id: 'c' };
const NEVER = new AbortController().signal;
const SEEDS = 12;
const REMINDER_SECONDS = 3_600;

type Step =
  /** A decision of the bank or an answer of the merchant for the dispute with this reference. */
  | { readonly kind: 'open' | 'win' | 'lose'; readonly reference: string; readonly stage: DisputeStage }
  | { readonly kind: 'challenge' | 'accept' | 'erase'; readonly reference: string }
  | { readonly kind: 'refund'; readonly key: string }
  /** Until it is nearly due, or long after that. */
  | { readonly kind: 'wait'; readonly until: number }
  | { readonly kind: 'work' | 'settle' | 'reverse' };

/** Steps of a bank and a merchant for one charge, drawn from the seed, until every dispute has ended. */
function planOf(draw: Scheduler): Step[] {
  const steps: Step[] = [];
  if (draw.chance(0.5)) steps.push({ kind: 'refund', key: 'before' });
  if (draw.chance(0.3)) steps.push({ kind: 'work' });
  const last = new Map<string, DisputeStage>();
  for (let d = 0; d <= draw.below(2); d += 1) {
    const reference = `D-${d}`;
    for (let stage = draw.chance(0.3) ? 0 : 1; stage <= 1 + draw.below(2); stage += 1) {
      const at = { reference, stage: DISPUTE_STAGES[stage]! };
      last.set(reference, at.stage);
      steps.push({ kind: 'open', ...at });
      if (draw.chance(0.3)) steps.push({ kind: 'settle' });
      if (draw.chance(0.1)) steps.push({ kind: 'reverse' });
      if (draw.chance(0.7)) steps.push({ kind: draw.pick(['challenge', 'challenge', 'accept']), reference });
      if (draw.chance(0.2)) steps.push({ kind: 'wait', until: 6.99 * DAY_MS });
      if (draw.chance(0.7)) steps.push({ kind: 'work' });
      if (draw.chance(0.15)) steps.push({ kind: 'erase', reference });
      if (draw.chance(0.6)) steps.push({ kind: draw.pick(['win', 'lose']), ...at });
      if (draw.chance(0.15)) steps.push({ kind: 'win', ...at });
    }
  }
  if (draw.chance(0.3)) steps.push({ kind: 'refund', key: 'after' });
  steps.push({ kind: 'work' }, { kind: 'wait', until: 30 * DAY_MS }, { kind: 'work' });
  for (const [reference, stage] of last) steps.push({ kind: 'lose', reference, stage });
  return [...steps, { kind: 'settle' }];
}

/** A process with everything that decides of disputes, and gives money back. */
class DisputedProcess {
  readonly #refund: RequestRefundHandler;
  readonly #workers: readonly { pass(signal: AbortSignal): Promise<void> }[];
  readonly #run: SettlementRun;
  readonly #settleNow: SettleNow;

  constructor(
    readonly store: MortalStore,
    private readonly story: Story,
  ) {
    const { clock, processor } = story;
    const waits = simulatedWaits();
    waitOn(store, waits);
    const accounts = new AccountQueue(store, NO_SNAPSHOTS, clock, waits);
    const reservations = new RefundReservations(store, accounts, clock);
    const readers = readersOf(MERCHANT, () => new View(story.engine.all(), MERCHANT));
    const onError = (_: string, error: unknown): never => {
      throw error;
    };
    this.#refund = new RequestRefundHandler(store, reservations, clock, Buffer.alloc(32, 1));
    const timing = { elapsedMs: () => 0, restoreCount: () => 0, untilNextPoll: (idle: Promise<void>) => idle };
    this.#workers = [
      new RefundWorker({
        store,
        reservations,
        reader: readers.openRefunds,
        processorOf: () => processor,
        clock,
        onError,
        reservationRestMs: 0,
        ...timing,
      }),
      new DisputeWorker({
        concessions: NO_CONCESSIONS,
        store,
        evidence: KEPT_EVIDENCE,
        findDue: () => readers.disputes.findDue(timestamp(clock()), [REMINDER_SECONDS]),
        findChallenges: readers.disputes.findChallenges,
        processorOf: () => processor,
        clock,
        onError,
      }),
    ];
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

  onCharge(command: (now: Timestamp) => ChargeCommand): Promise<unknown> {
    return decideOnStream(this.store, this.story.clock, chargeStream(chargeId(0)), charge, command, CONTEXT);
  }

  async #take(step: Step): Promise<unknown> {
    switch (step.kind) {
      case 'open': {
        const due_by = timestamp(START + 7 * DAY_MS);
        const claim = { reference: step.reference, stage: step.stage, amount: this.story.disputed, reason_code: '1', reason: 'no', due_by };
        return this.onCharge((now) => ({ kind: 'open-dispute', claim, dispute_fee_amount: DISPUTE_FEE, now }));
      }
      case 'win':
        return this.onCharge((now) => ({ kind: 'win-dispute', reference: step.reference, stage: step.stage, is_final: false, now }));
      case 'lose':
        return this.onCharge((now) => ({ kind: 'lose-dispute', reference: step.reference, stage: step.stage, now }));
      case 'challenge': {
        const dispute_id = disputeId(chargeId(0), step.reference);
        const file = {
          evidence_id: `of ${step.reference}`,
          category: 'OTHER',
          media_type: 'text/plain',
          size: 1,
          sha256: 'aa',
          added_by: 'client',
        } as const;
        await this.onCharge((now) => ({ kind: 'add-evidence', dispute_id, evidence: file, now }));
        return this.onCharge((now) => ({ kind: 'challenge-dispute', dispute_id, challenged_by: 'client', now }));
      }
      case 'accept':
        return this.onCharge((now) => ({ kind: 'accept-dispute', dispute_id: disputeId(chargeId(0), step.reference), now }));
      case 'erase':
        return this.onCharge((now) => ({ kind: 'erase-evidence', dispute_id: disputeId(chargeId(0), step.reference), erased_by: 'sari', now }));
      case 'refund': {
        const merchant = { merchant_id: MERCHANT.merchant_id, mode: 'test' as const };
        return this.#refund.execute(new RequestRefund(chargeId(0), refundBody(3), step.key, merchant, CONTEXT));
      }
      case 'wait':
        return this.story.wait(step.until);
      case 'work':
        for (const worker of this.#workers) await worker.pass(NEVER);
        return;
      case 'reverse':
        return this.onCharge((now) => ({ kind: 'reverse', reason: 'dispute', now }));
      case 'settle':
        await this.#settleNow.charge(chargeId(0), CONTEXT, NEVER);
        // As the worker does: one that is open, although nothing of it is the charge's any more.
        return this.#run.next(MERCHANT, async () => [], CONTEXT, NEVER);
    }
  }
}

class Story {
  readonly engine = new InMemoryEventStore();
  readonly processor: RefundProcessor & DisputeProcessor;
  readonly clock = (): number => this.#now;
  /** Minor units; may be more than was paid. */
  readonly disputed: number;
  #now = START;
  readonly #judged: SimulatedProcessor;
  readonly #plan: readonly Step[];
  readonly #isSettled: boolean;
  readonly #amount: number;

  constructor(seed: number) {
    const draw = new Scheduler(seed);
    this.#amount = 8 + draw.below(5);
    this.disputed = 4 + draw.below(10);
    this.#isSettled = draw.chance(0.6);
    const isRefunded = draw.chance(0.6);
    this.#plan = planOf(draw);
    this.#judged = new SimulatedProcessor(
      draw,
      () => undefined,
      () => undefined,
    );
    const { asked, refunded, challenges } = this.#judged;
    this.processor = {
      rest_ms: 0,
      refund: async ({ refund_id }) => {
        asked.add(refund_id);
        if (isRefunded) refunded.add(refund_id);
        return isRefunded ? { status: 'REFUNDED' } : { status: 'REJECTED', reason: 'closed' };
      },
      challenge: async ({ dispute_id, stage }) => {
        challenges.set(`${dispute_id} ${stage}`, 'TAKEN');
        return { status: 'TAKEN' };
      },
    };
  }

  process(death?: Death): DisputedProcess {
    return new DisputedProcess(new MortalStore(this.engine, death), this);
  }

  /** Time does not go back. */
  wait(untilMs: number): void {
    this.#now = Math.max(this.#now, START + untilMs);
  }

  /** A charge that is paid and, mostly, settled. */
  async begin(): Promise<void> {
    const process = this.process();
    await process.onCharge(() => createOf(0, this.#amount, 'T+0'));
    await process.onCharge((now) => ({ kind: 'pay', amount: this.#amount, payment_reference: 'pay', now, holidays: new Map() }));
    if (this.#isSettled) await process.take({ kind: 'settle' });
  }

  /** All steps, or those until the process dies. */
  async play(process: DisputedProcess): Promise<void> {
    for (const step of this.#plan) if (!(await process.take(step))) return;
  }

  /** @throws when a recorded event breaks a rule */
  judge(): Judge {
    const judge = new Judge(MERCHANT, new SimulatedBank(new Scheduler(1)), this.#judged, new Set());
    judge.judge(this.engine.all());
    return judge;
  }
}

describe('kill -9 between any two decisions about disputes', () => {
  const types = new Set<string>();
  let deaths = 0;

  it.each(Array.from({ length: SEEDS }, (_, index) => index + 1))(
    'a crash between two decisions about a dispute leaves no step half done or done twice: seed %i',
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
          await story.play(story.process({ append, isWritten }));
          story.judge();
          // All steps are repeated on a process without knowledge of the first.
          await story.play(story.process());
          expect([append, isWritten, story.judge().unfinished()]).toEqual([append, isWritten, null]);
          for (const { type } of story.engine.all()) types.add(type);
          deaths += 1;
        }
      }
    },
  );

  it('crashes of dispute processing strike every kind of step', () => {
    expect(deaths).toBeGreaterThan(SEEDS * 10);
    expect([...types].filter((type) => /Dispute|LineClaimed|RefundCancelled|FundsSettled/.test(type)).sort()).toEqual([
      'ChargeDisputeChallenged',
      'ChargeDisputeDueSoon',
      'ChargeDisputeEvidenceAdded',
      'ChargeDisputeEvidenceErased',
      'ChargeDisputeHeld',
      'ChargeDisputeLost',
      'ChargeDisputeOpened',
      'ChargeDisputeReopened',
      'ChargeDisputeSubmitted',
      'ChargeDisputeWon',
      'ChargeLineClaimed',
      'ChargeRefundCancelled',
      'FundsSettled',
    ]);
  });
});
