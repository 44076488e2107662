import type { ChargeCommand, ChargeRefusal } from '../../src/domain/charges/charge.decider.js';
import { disputeId } from '../../src/domain/charges/disputes/charge-disputes.js';
import { DISPUTE_STAGES, type DisputeStage } from '../../src/ledger/events/dispute.events.js';
import { timestamp, type Timestamp } from '../../src/ledger/time.js';
import type { Judge } from './judge.js';
import { DISPUTE_FEE } from './judged-disputes.js';
import type { Scheduler } from './scheduler.js';
import type { SimulatedProcessor } from './simulated-processor.js';

/** The surroundings of a dispute. */
export interface Court {
  readonly scheduler: Scheduler;
  readonly processor: SimulatedProcessor;
  judge(): Judge;
  now(): number;
  /** Returns true once nothing fails any more and all waiting work is due. */
  isCalm(): boolean;
  /** Has the charge decide, on any process that answers. Returns the refusal, null without one, undefined when the caller gives up. */
  decide(command: (now: Timestamp) => ChargeCommand): Promise<ChargeRefusal | null | undefined>;
  must(holds: boolean, otherwise: string): void;
}

type Word = Extract<ChargeCommand, { readonly kind: 'open-dispute' | 'win-dispute' | 'lose-dispute' }>;
type Saying = (now: Timestamp) => Word;

/** How long a merchant has, ms: hardly, for some time, or until all else is done. */
const DUE_IN_MS = [1_500, 6_000];
const DUE_LATE_MS = 20 * 86_400_000;
const REPEATED = 0.25;

/** One dispute of a charge: the customer's bank and the merchant act at random. */
export class SimulatedDispute {
  readonly id: string;
  /** Messages of the bank, in order. */
  readonly #said: Saying[] = [];
  /** Last decision of the bank; null while the dispute is open. */
  #verdict: 'WON' | 'LOST' | null = null;

  constructor(
    private readonly court: Court,
    readonly charge: { readonly charge_id: string; readonly amount: number },
    private readonly reference: string,
  ) {
    this.id = disputeId(charge.charge_id, reference);
  }

  /** The bank opens it, stage after stage, decides, changes its mind, and repeats itself. */
  async play(): Promise<void> {
    const { scheduler } = this.court;
    for (let stage = scheduler.chance(0.3) ? 0 : 1; stage < DISPUTE_STAGES.length; stage += 1) {
      await this.#pause('customer goes to the bank');
      await this.#open(DISPUTE_STAGES[stage]!);
      await this.#pause('bank waits');
      if (!(await this.#decide(DISPUTE_STAGES[stage]!))) {
        // Against its own word: nothing must follow.
        const next = DISPUTE_STAGES[stage + 1];
        if (next && this.#verdict !== null && stage > 0 && scheduler.chance(REPEATED)) await this.#speak(this.#opening(next));
        break;
      }
    }
    await this.end();
  }

  /** The merchant accepts it, or shows evidence, or loses its nerve. */
  async answer(): Promise<void> {
    const { scheduler } = this.court;
    for (let times = 1 + scheduler.below(4); times > 0; times -= 1) {
      for (let looks = scheduler.below(20); looks > 0 && !this.#isAnswerable(); looks -= 1)
        await scheduler.idleStep(null, 'merchant looks at disputes');
      await scheduler.pick([() => this.#accept(), () => this.#challenge(), () => this.#challenge(), () => this.#erase()])();
    }
  }

  /** Repeats every message of the bank, since the store has lost some. */
  async repeat(): Promise<void> {
    for (const word of [...this.#said]) await this.#tell(word);
    await this.end();
  }

  /** Ends the dispute: the bank decides the ones that the merchant leaves to it. */
  async end(): Promise<void> {
    const { scheduler, processor } = this.court;
    for (;;) {
      await scheduler.idleStep(null, 'bank looks at disputes');
      const dispute = this.court.judge().disputes.seen.get(this.id);
      // Undefined after the store lost it: repeat() sends it again.
      if (!dispute || dispute.status === 'WON' || dispute.status === 'LOST') return;
      const { stage, status } = dispute;
      if (!this.court.isCalm() || status === 'ACTION_REQUIRED') continue;
      if (status === 'INQUIRY' || processor.challenges.get(`${this.id} ${stage}`) === 'TAKEN') await this.#say(stage, scheduler.chance(0.5));
    }
  }

  /** The last decision of the bank counts. @returns the deviation from it; null without one */
  judgeEnd(): string | null {
    const status = this.court.judge().disputes.seen.get(this.id)?.status;
    return this.#verdict === null || status === this.#verdict ? null : `dispute ${this.id} is ${status}, the bank has decided ${this.#verdict}`;
  }

  async #open(stage: DisputeStage): Promise<void> {
    await this.#speak(this.#opening(stage));
    this.#verdict = null;
  }

  #opening(stage: DisputeStage): Saying {
    const { scheduler } = this.court;
    const due_by = timestamp(this.court.now() + scheduler.pick(this.court.isCalm() ? DUE_IN_MS : [...DUE_IN_MS, DUE_LATE_MS]));
    const amount = scheduler.chance(0.4) ? this.charge.amount + scheduler.below(3) : 1 + scheduler.below(this.charge.amount);
    const claim = { reference: this.reference, stage, amount, reason_code: '1', reason: 'simulated', due_by };
    return (now) => ({ kind: 'open-dispute', claim, dispute_fee_amount: DISPUTE_FEE, now });
  }

  /** @returns whether it may come back */
  async #decide(stage: DisputeStage): Promise<boolean> {
    const { scheduler } = this.court;
    // Without a decision, the bank continues silently or leaves the dispute to the merchant.
    if (scheduler.chance(0.2)) return scheduler.chance(0.5);
    const isWon = scheduler.chance(0.5);
    const isFinal = scheduler.chance(0.4);
    await this.#say(stage, isWon, isFinal);
    if (isWon || !scheduler.chance(0.25)) return isWon ? !isFinal : stage === 'INQUIRY';
    await this.#pause('bank thinks again');
    await this.#say(stage, true, isFinal);
    return !isFinal;
  }

  async #say(stage: DisputeStage, isWon: boolean, is_final = true): Promise<void> {
    const { reference } = this;
    await this.#speak((now) => (isWon ? { kind: 'win-dispute', reference, stage, is_final, now } : { kind: 'lose-dispute', reference, stage, now }));
    this.#verdict = isWon ? 'WON' : 'LOST';
  }

  async #speak(word: Saying): Promise<void> {
    const { scheduler } = this.court;
    this.#said.push(word);
    await this.#tell(word);
    if (scheduler.chance(REPEATED)) await this.#tell(scheduler.pick(this.#said));
  }

  /** Sends a message until it is accepted. If an earlier message was lost, that one is sent again first. */
  async #tell(word: Saying): Promise<void> {
    for (let tries = 0; tries < 60; tries += 1) {
      const refusal = await this.court.decide(word);
      if (refusal === null) return;
      if (refusal === 'dispute-not-opened') for (const before of this.#said.slice(0, this.#said.indexOf(word))) await this.court.decide(before);
      await this.court.scheduler.idleStep(null, 'bank tries again');
    }
    this.court.must(false, `nobody takes what the bank says of dispute ${this.id}`);
  }

  #isAnswerable(): boolean {
    const status = this.court.judge().disputes.seen.get(this.id)?.status;
    return status === 'INQUIRY' || status === 'ACTION_REQUIRED';
  }

  async #accept(): Promise<void> {
    await this.court.decide((now) => ({ kind: 'accept-dispute', dispute_id: this.id, now }));
  }

  async #challenge(): Promise<void> {
    const { scheduler } = this.court;
    const dispute_id = this.id;
    for (let files = scheduler.below(3); files > 0; files -= 1) {
      const sha256 = scheduler.pick(['aa', 'bb', 'cc']);
      const evidence_id = `evidence-${scheduler.trace.length}`;
      const file = { evidence_id, category: 'OTHER', media_type: 'text/plain', size: 1, sha256, added_by: 'client' } as const;
      await this.court.decide((now) => ({ kind: 'add-evidence', dispute_id, evidence: file, now }));
    }
    await this.court.decide((now) => ({ kind: 'challenge-dispute', dispute_id, challenged_by: 'client', now }));
  }

  async #erase(): Promise<void> {
    if (this.court.scheduler.chance(0.7)) return;
    await this.court.decide((now) => ({ kind: 'erase-evidence', dispute_id: this.id, erased_by: 'somebody', now }));
  }

  async #pause(label: string): Promise<void> {
    for (let waits = this.court.scheduler.below(10); waits >= 0; waits -= 1) await this.court.scheduler.idleStep(null, label);
  }
}
