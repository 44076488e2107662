import type { PayoutRules } from '../../src/ledger/events/approval-policy.events.js';
import type { ActingOperator } from '../../src/domain/operators/acting-operator.js';
import type { Approvers } from '../../src/domain/payouts/payout-outcomes.js';
import type { NewEvent } from '../../src/platform/event-store/event-store.js';
import { LedgerProblem } from '../../src/ledger/problems.js';
import type { Killable, Scheduler } from './scheduler.js';

/** Ids of operators; each has one key, of the same name. */
export const APPROVERS = [1, 2, 3].map((n) => `7a1c0b5e-2d3f-4a6b-8c9d-00000000000${n}`);

/** So short a time that payouts expire among everything else. */
const EXPIRES_HOURS = 0.002;

export const approvalRules = (currency: string): PayoutRules => ({
  payouts: [
    { currency, above: 4, approvals: 1 },
    { currency, above: 9, approvals: 2 },
  ],
  payouts_day: [{ currency, above: 15, approvals: 1 }],
  expires_hours: EXPIRES_HOURS,
});

/** Looks of one process that may still be in use: no more payouts are handed over at once. */
const LOOKS_IN_USE = 8;

interface Look {
  /** The step of the run. */
  readonly at: number;
  readonly may: ReadonlySet<string>;
}

/** Operators who approve payouts, are suspended and restored, and the state of them that each process has read. */
export class SimulatedApprovers {
  readonly #suspended = new Set<string>();
  /** By process, the newest first. */
  readonly #told = new WeakMap<Killable, Look[]>();
  /** The looks of the process that sent an event, by the event's id. */
  readonly #known = new Map<string, readonly Look[]>();
  /** The step at which each payout was requested first. */
  readonly #requested = new Map<string, number>();

  constructor(private readonly scheduler: Scheduler) {}

  /** Returns the approvers to `process`, as of the moment of its request. */
  of(process: Killable): Approvers {
    return async () => {
      const now = new Set(APPROVERS.filter((operator) => !this.#suspended.has(operator)));
      const look = { at: this.scheduler.trace.length, may: now };
      this.#told.set(process, [look, ...(this.#told.get(process) ?? [])].slice(0, LOOKS_IN_USE));
      await this.scheduler.step(process, 'is told who may approve');
      return now;
    };
  }

  /** As `process` learns whose key it is. */
  operators(process: Killable): { readonly of: (keyId: string | null) => Promise<ActingOperator> } {
    return {
      of: async (keyId) => {
        const isGood = !this.#suspended.has(keyId!);
        await this.scheduler.step(process, 'is told whose key it is');
        if (!isGood) throw new LedgerProblem('unauthenticated', 'The key is expired or revoked, or its operator is suspended.');
        return { person_id: keyId!, key_id: keyId!, name: keyId!, roles: ['approver'] };
      },
    };
  }

  /** Records the looks of `process` for the payouts that it submits. */
  sends(process: Killable, events: readonly NewEvent[]): void {
    for (const { id, type, data } of events) {
      if (type === 'PayoutSubmitted') this.#known.set(id, this.#told.get(process) ?? []);
      if (type !== 'PayoutRequested') continue;
      const { payout_id } = data as { readonly payout_id: string };
      if (!this.#requested.has(payout_id)) this.#requested.set(payout_id, this.scheduler.trace.length);
    }
  }

  /** Returns true if the writer of the event may have read, since the payout was requested, that all of these may approve. */
  couldCount(eventId: string, payoutId: string, operators: readonly string[]): boolean {
    const since = this.#requested.get(payoutId)!;
    return this.#known.get(eventId)?.some(({ at, may }) => at >= since && operators.every((operator) => may.has(operator))) ?? false;
  }

  suspend(operator: string): void {
    this.scheduler.trace.push(`${operator} is SUSPENDED`);
    this.#suspended.add(operator);
  }

  restore(operator: string): void {
    this.#suspended.delete(operator);
  }
}
