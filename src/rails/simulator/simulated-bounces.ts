import { charge, type ChargeCommand } from '../../domain/charges/charge.decider.js';
import { decideOnStream } from '../../ledger/streams/decide-on-stream.js';
import { chargeStream } from '../../ledger/events/charge.events.js';
import { foldStream } from '../../ledger/streams/fold-stream.js';
import { systemContext } from '../../ledger/streams/new-event.js';
import { hasPassed, milliseconds, type Clock, type Timestamp } from '../../ledger/time.js';
import type { EventStore } from '../../platform/event-store/event-store.js';
import { deedsOf, type SimulatorJournal } from './deeds.js';
import { concurrently } from '../../platform/worker/concurrently.js';

/** A refund that has succeeded and that the simulated processor is to send back. */
export interface RefundedRow {
  readonly refund_id: string;
  readonly charge_id: string;
  readonly merchant_id: string;
  readonly updated_on: Timestamp;
}

const BOUNCES_AFTER_MS = 500;
const BOUNCES_AT_ONCE = 16;

/**
 * Implements `metadata.simulate` `bounce` of a refund: it succeeds, and is sent back a moment later. A restart loses nothing: each pass queries the
 * succeeded refunds.
 */
export class SimulatedBounces {
  constructor(
    private readonly store: EventStore,
    private readonly findRefunded: () => Promise<readonly RefundedRow[]>,
    private readonly isTest: (merchantId: string) => boolean,
    private readonly clock: Clock,
    private readonly journal: SimulatorJournal,
  ) {}

  /** @throws StoreUnavailable; the next pass handles the rest. */
  async pass(): Promise<void> {
    const refunded = await this.findRefunded();
    const due = refunded.filter(
      ({ merchant_id, updated_on }) => this.isTest(merchant_id) && hasPassed(BOUNCES_AFTER_MS, milliseconds(updated_on), this.clock()),
    );
    await concurrently(due, BOUNCES_AT_ONCE, async ({ refund_id, charge_id }) => {
      const bounce = { kind: 'bounce-refund', refund_id, reason: "The customer's account is closed." } as const;
      const { state } = await foldStream(this.store, chargeStream(charge_id), charge);
      if (state.status !== 'NONE') await this.journal.record(deedsOf(state, bounce, this.clock()));
      const command = (now: Timestamp): ChargeCommand => ({ ...bounce, now });
      await decideOnStream(this.store, this.clock, chargeStream(charge_id), charge, command, systemContext());
    });
  }
}
