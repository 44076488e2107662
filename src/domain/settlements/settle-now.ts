import { linesToSettle } from '../charges/charge-lines.js';
import type { SettlementLine } from '../../ledger/events/account.events.js';
import type { ExistingCharge } from '../charges/charge-state.js';
import { charge } from '../charges/charge.decider.js';
import { chargeStream } from '../../ledger/events/charge.events.js';
import { foldStream } from '../../ledger/streams/fold-stream.js';
import type { CommandContext } from '../../ledger/streams/new-event.js';
import { StoreUnavailable, type EventStore, type Position } from '../../platform/event-store/event-store.js';
import type { SettlementRun } from './settlement-run.js';

/** Maximum attempts. Each one finishes at most one settlement of another process, or takes this charge. */
const SETTLEMENTS_MAX = 20;

/**
 * Settles one charge now, regardless of its due date and while other runs settle the account: the charge itself, its reversal, refund money that has
 * not reached the customer, and the money of its disputes.
 */
export class SettleNow {
  constructor(
    private readonly store: EventStore,
    private readonly run: SettlementRun,
  ) {}

  /**
   * Resolves when the account has taken all settlements of the charge: its own, that of its reversal, and those of its refunds and disputes.
   * @returns the position that a read must have reached to show it; null when the charge has nothing to settle.
   * @throws StoreUnavailable, OutcomeUnknown; the settlement process then finishes the rest.
   */
  async charge(chargeId: string, context: Omit<CommandContext, 'now'>, signal: AbortSignal): Promise<Position | null> {
    return this.#settle(chargeId, () => true, context, signal);
  }

  /** Settles all lines but the charge itself: the charge still waits for its due date, while costs of a dispute are taken now. */
  async allButCharge(chargeId: string, context: Omit<CommandContext, 'now'>, signal: AbortSignal): Promise<Position | null> {
    return this.#settle(chargeId, ({ kind }) => kind !== 'charge', context, signal);
  }

  async #settle(
    chargeId: string,
    isMeant: (line: SettlementLine) => boolean,
    context: Omit<CommandContext, 'now'>,
    signal: AbortSignal,
  ): Promise<Position | null> {
    for (let settlements = 0; settlements < SETTLEMENTS_MAX; settlements += 1) {
      const state = await this.#read(chargeId);
      if (state?.status !== 'SUCCEEDED') return null;
      const account = state.created;
      const { lines: open, claimed_in } = linesToSettle(state);
      const lines = open.filter(isMeant);
      if (lines.length === 0) {
        if (claimed_in === 0) return null;
        const settled = await this.run.settled(account);
        if (settled.number >= claimed_in) return settled.newest?.position ?? null;
      }
      await this.run.next(account, async () => lines, context, signal);
    }
    throw new StoreUnavailable(`charge ${chargeId} is waiting for other settlements of its account`);
  }

  async #read(chargeId: string): Promise<ExistingCharge | undefined> {
    const { state } = await foldStream(this.store, chargeStream(chargeId), charge);
    return state.status === 'NONE' ? undefined : state;
  }
}
