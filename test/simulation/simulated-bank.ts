import type { BankAnswer, BankInstruction, BankNotification, BankRail } from '../../src/domain/payouts/bank-rail.js';
import type { Scheduler } from './scheduler.js';

/** A bank that is slow and loses answers, but never its own records. */
export class SimulatedBank implements BankRail {
  readonly rest_ms = 0;
  readonly #decided = new Map<string, 'PAID' | 'REJECTED'>();
  /** How often each payout has left the bank: more than once is the bank's loss, and our fault. */
  readonly paid = new Map<string, number>();

  constructor(private readonly scheduler: Scheduler) {}

  /** The caller has waited for its step before. @throws when the answer is lost */
  async pay({ payout_id }: BankInstruction): Promise<BankAnswer> {
    await this.scheduler.step(null, `bank takes ${payout_id}`);
    if (this.scheduler.chance(0.15)) return { status: 'PROCESSING' };
    const verdict = this.#decide(payout_id);
    if (this.scheduler.chance(0.15)) throw new Error('simulated: the bank has hung up');
    return verdict === 'PAID' ? { status: 'PAID' } : { status: 'REJECTED', reason: 'simulated' };
  }

  notification(): BankNotification {
    throw new Error('nobody notifies over HTTP in the simulation');
  }

  #decide(payoutId: string): 'PAID' | 'REJECTED' {
    const known = this.#decided.get(payoutId);
    if (known) return known;
    const verdict = this.scheduler.chance(0.65) ? 'PAID' : 'REJECTED';
    this.#decided.set(payoutId, verdict);
    if (verdict === 'PAID') this.paid.set(payoutId, (this.paid.get(payoutId) ?? 0) + 1);
    return verdict;
  }
}
