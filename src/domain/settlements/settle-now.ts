import { linesToSettle } from '../charges/charge-lines.js';
import type { SettlementLine } from '../../ledger/events/account.events.js';
import type { ExistingCharge } from '../charges/charge-state.js';
import { charge } from '../charges/charge.decider.js';
import { chargeStream } from '../../ledger/events/charge.events.js';
import { foldStream } from '../../ledger/streams/fold-stream.js';
import type { CommandContext } from '../../ledger/streams/new-event.js';
import { StoreUnavailable, type EventStore, type Position } from '../../platform/event-store/event-store.js';
import type { SettlementRun } from './settlement-run.js';

/** Each finishes another process's settlement at most, or takes this charge. */
const SETTLEMENTS_MAX = 20;

/** Settles one charge, takes its reversal back, gives back what refunds have not brought to the customer, or moves the money of its disputes, now: whatever its due date, beside whatever else settles the account. */
export class SettleNow {
  constructor(
    private readonly store: EventStore,
    private readonly run: SettlementRun,
  ) {}

  /**
   * Resolves when the account has taken all settlements of the charge: its own, that of its reversal, and those of its refunds and disputes.
   * @returns what a read must have seen to show it; null when the charge has nothing to settle.
   * @throws StoreUnavailable, OutcomeUnknown; what is left undone then, the settlement process finishes.
   */
  async charge(chargeId: string, context: Omit<CommandContext, 'now'>, signal: AbortSignal): Promise<Position | null> {
    return this.#settle(chargeId, () => true, context, signal);
  }

  /** The same of all but the charge itself: what waits for its due date goes on waiting, while what a dispute costs is taken. */
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
        const settled = await this.run.settled(account, context);
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
