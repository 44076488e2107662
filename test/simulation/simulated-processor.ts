import type {
  ChallengeAnswer,
  ChallengeInstruction,
  DisputeProcessor,
  RefundAnswer,
  RefundInstruction,
  RefundProcessor,
} from '../../src/domain/charges/processor.js';
import type { Scheduler } from './scheduler.js';

/** A payment processor that gives money back and takes answers to disputes, slow and forgetful in its own answers as the bank is. */
export class SimulatedProcessor implements RefundProcessor, DisputeProcessor {
  readonly rest_ms = 0;
  readonly #decided = new Map<string, 'REFUNDED' | 'REJECTED'>();
  /** Refunds that it has been asked for, and those that have reached the customer. */
  readonly asked = new Set<string>();
  readonly refunded = new Set<string>();
  /** Disputes that it was given an answer to, by id and stage: it takes each in its own time. */
  readonly challenges = new Map<string, ChallengeAnswer['status']>();

  constructor(
    private readonly scheduler: Scheduler,
    private readonly onAsked: (refundId: string) => void,
    private readonly onChallenge: (challenge: ChallengeInstruction) => void,
  ) {}

  /** The caller has waited for its step before. @throws when the answer is lost */
  async refund({ refund_id }: RefundInstruction): Promise<RefundAnswer> {
    await this.scheduler.step(null, `processor takes ${refund_id}`);
    this.asked.add(refund_id);
    this.onAsked(refund_id);
    if (this.scheduler.chance(0.15)) return { status: 'PROCESSING' };
    const verdict = this.#decide(refund_id);
    if (this.scheduler.chance(0.15)) throw new Error('simulated: the processor has hung up');
    return verdict === 'REFUNDED' ? { status: 'REFUNDED' } : { status: 'REJECTED', reason: 'simulated' };
  }

  async challenge(challenge: ChallengeInstruction): Promise<ChallengeAnswer> {
    const { dispute_id, stage } = challenge;
    await this.scheduler.step(null, `processor is shown evidence in ${dispute_id}`);
    this.onChallenge(challenge);
    const key = `${dispute_id} ${stage}`;
    if (this.challenges.get(key) !== 'TAKEN') this.challenges.set(key, this.scheduler.chance(0.7) ? 'TAKEN' : 'PROCESSING');
    if (this.scheduler.chance(0.15)) throw new Error('simulated: the processor has hung up');
    return { status: this.challenges.get(key)! };
  }

  #decide(refundId: string): 'REFUNDED' | 'REJECTED' {
    const known = this.#decided.get(refundId);
    if (known) return known;
    const verdict = this.scheduler.chance(0.65) ? 'REFUNDED' : 'REJECTED';
    this.#decided.set(refundId, verdict);
    if (verdict === 'REFUNDED') this.refunded.add(refundId);
    return verdict;
  }
}
