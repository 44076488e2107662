import { charge, type ChargeState } from '../charges/charge.decider.js';
import { chargeStream } from '../ledger/events/charge.events.js';
import type { SettlementLine } from '../ledger/events/account.events.js';
import { foldStream } from '../ledger/fold-stream.js';
import type { CommandContext } from '../ledger/new-event.js';
import { StoreUnavailable, type EventStore, type Position } from '../platform/event-store/event-store.js';
import type { SettlementRun } from './settlement-run.js';

type Existing = Exclude<ChargeState, { status: 'NONE' }>;

/** Each finishes another process's settlement at most, or takes this charge. */
const SETTLEMENTS_MAX = 20;

/** Settles one charge, or takes its reversal back, now: whatever its due date, beside whatever else settles the account. */
export class SettleNow {
  constructor(
    private readonly store: EventStore,
    private readonly run: SettlementRun,
  ) {}

  /**
   * Resolves when the account has taken the charge's settlement and, where it was reversed afterwards, that of its reversal.
   * @returns what a read must have seen to show it; null when the charge has nothing to settle.
   * @throws StoreUnavailable, OutcomeUnknown; what is left undone then, the settlement process finishes.
   */
  async charge(chargeId: string, context: Omit<CommandContext, 'now'>, signal: AbortSignal): Promise<Position | null> {
    for (let settlements = 0; settlements < SETTLEMENTS_MAX; settlements += 1) {
      const state = await this.#read(chargeId);
      if (state?.status !== 'SUCCEEDED') return null;
      const account = state.created;
      const line = lineToSettle(state);
      const number = state.reversed?.reversal_claimed_in ?? state.claimed_in;
      if (!line) {
        if (number === null) return null;
        const settled = await this.run.settled(account, context);
        if (settled.number >= number) return settled.newest?.position ?? null;
      }
      await this.run.next(account, async () => (line ? [line] : []), context, signal);
    }
    throw new StoreUnavailable(`charge ${chargeId} is waiting for other settlements of its account`);
  }

  async #read(chargeId: string): Promise<Existing | undefined> {
    const { state } = await foldStream(this.store, chargeStream(chargeId), charge);
    return state.status === 'NONE' ? undefined : state;
  }
}

/** What is left to be claimed of a paid charge: itself, or its reversal once it had been claimed. */
function lineToSettle({ created, claimed_in, reversed }: Existing): SettlementLine | undefined {
  const { charge_id: record_id, net_amount, fee_amount } = created;
  if (!reversed) return claimed_in === null ? { kind: 'charge', record_id, net_amount, fee_amount } : undefined;
  return reversed.claimed_in !== null && reversed.reversal_claimed_in === null ? { kind: 'reversal', record_id, net_amount, fee_amount } : undefined;
}
