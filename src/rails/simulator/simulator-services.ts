import type { Pool } from 'pg';
import type { ServiceDeps } from '../../ledger/ports/injection-tokens.js';
import { NO_JOURNAL } from './deeds.js';
import { SimulatedBankRail } from './simulated-bank-rail.js';
import { SimulatedConcessions } from './simulated-concessions.js';
import { Simulator } from './simulator.js';
import { PostgresSimulatorJournal } from './simulator-journal.js';

export interface SimulatorDeps extends Pick<ServiceDeps, 'store' | 'secret' | 'clock'> {
  /** Pool of the primary database; null: nothing is journaled. */
  readonly pool: Pool | null;
}

export type SimulatorServices = ReturnType<typeof simulatorServices>;

/** The simulated processor and bank of a process, and the journal that both share. */
export function simulatorServices({ store, pool, secret, clock }: SimulatorDeps) {
  const journal = pool ? new PostgresSimulatorJournal(pool) : NO_JOURNAL;
  return {
    journal,
    processor: new Simulator(secret, journal),
    bank: new SimulatedBankRail(secret, journal),
    concessions: new SimulatedConcessions(store, journal, clock),
  };
}
