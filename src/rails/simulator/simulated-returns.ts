import { systemContext } from '../../ledger/streams/new-event.js';
import type { PayoutOutcomes } from '../../domain/payouts/payout-outcomes.js';
import { hasPassed, milliseconds, type Clock, type Timestamp } from '../../ledger/time.js';
import { payoutDeed, type SimulatorJournal } from './deeds.js';
import { concurrently } from '../../platform/worker/concurrently.js';

/** A payout that has succeeded and that the simulated bank is to return. */
export interface PaidPayoutRow {
  readonly id: string;
  readonly merchant_id: string;
  readonly currency: string;
  /** Minor units. */
  readonly net_amount: number;
  readonly updated_on: Timestamp;
}

const RETURNED_AFTER_MS = 500;
/** Further ones wait for the next pass, so that new payouts do not wait for all of them. */
const RETURNS_IN_A_PASS = 64;
const RETURNS_AT_ONCE = 16;

/**
 * Returns of the simulated bank: payouts to certain account numbers are returned a moment after they succeeded, recorded in the same way as a real
 * bank's notification. A restart loses nothing: each pass queries the succeeded payouts.
 */
export class SimulatedReturns {
  readonly #returned = new Set<string>();

  constructor(
    private readonly payouts: PayoutOutcomes,
    private readonly findPaid: () => Promise<readonly PaidPayoutRow[]>,
    private readonly isTest: (merchantId: string) => boolean,
    private readonly clock: Clock,
    private readonly journal: SimulatorJournal,
  ) {}

  /** @throws StoreUnavailable; the next pass handles the rest. */
  async pass(): Promise<void> {
    const paid = await this.findPaid();
    const due = paid.filter(
      ({ merchant_id, updated_on }) => this.isTest(merchant_id) && hasPassed(RETURNED_AFTER_MS, milliseconds(updated_on), this.clock()),
    );
    const fresh = due.filter(({ id }) => !this.#returned.has(id)).slice(0, RETURNS_IN_A_PASS);
    await concurrently(fresh, RETURNS_AT_ONCE, async ({ id, currency, net_amount }) => {
      await this.journal.record([payoutDeed('RETURN', { payout_id: id, currency, net_amount }, this.clock())]);
      const outcome = await this.payouts.record(id, { kind: 'returned', reason: 'The account was closed.' }, systemContext());
      if (outcome.kind === 'recorded') this.#returned.add(id);
    });
    // A payout stays SUCCEEDED until its settlement; after that it is not queried any more.
    const still = new Set(paid.map(({ id }) => id));
    for (const id of this.#returned) if (!still.has(id)) this.#returned.delete(id);
  }
}
