import { charge } from '../../domain/charges/charge.decider.js';
import type { Concessions } from '../../domain/charges/disputes/concessions.js';
import { chargeStream } from '../../ledger/events/charge.events.js';
import { foldStream } from '../../ledger/streams/fold-stream.js';
import type { Clock } from '../../ledger/time.js';
import type { EventStore } from '../../platform/event-store/event-store.js';
import { Problem } from '../../platform/problem.js';
import { deedsOf, SIMULATOR, type SimulatorJournal } from './deeds.js';

/** The simulated processor takes the disputed amount; other processors receive the concession in their own ways. */
export class SimulatedConcessions implements Concessions {
  constructor(
    private readonly store: EventStore,
    private readonly journal: SimulatorJournal,
    private readonly clock: Clock,
  ) {}

  async concede<Result>({ charge_id, dispute_id }: { charge_id: string; dispute_id: string }, record: () => Promise<Result>): Promise<Result> {
    const { state } = await foldStream(this.store, chargeStream(charge_id), charge);
    const isOurs = state.status !== 'NONE' && state.created.processor === SIMULATOR;
    const done = await this.journal.record(isOurs ? deedsOf(state, { kind: 'accept-dispute', dispute_id }, this.clock()) : []);
    try {
      return await record();
    } catch (error) {
      if (error instanceof Problem && error.code === 'state-conflict') await this.journal.withdraw(done);
      throw error;
    }
  }
}
