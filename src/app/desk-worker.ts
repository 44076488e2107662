import type { Pool } from 'pg';
import { findApprovedProposals, findUnapprovedProposals } from '../../projections/desk/proposals.js';
import { entitledAmong } from '../desk/entitled.js';
import { ProposalEffects } from '../desk/proposal-effects.js';
import { ProposalKinds } from '../desk/proposal-kinds.js';
import { ProposalWorker } from '../desk/proposal.worker.js';
import { REAL_WAITS } from '../ledger/decide-on-stream.js';
import type { Clock } from '../ledger/time.js';
import { ActingPersons } from '../merchants/acting-person.js';
import type { MerchantDirectory } from '../merchants/merchant-directory.js';
import type { EventStore } from '../platform/event-store/event-store.js';
import { ElectedWorker } from '../platform/worker/elected-worker.js';

export interface DeskWorkerOptions {
  readonly databaseUrl: string;
  readonly store: EventStore;
  /** Where the read models are. */
  readonly pool: Pool;
  readonly directory: MerchantDirectory;
  readonly clock: Clock;
  /** False while nothing is to be decided. */
  readonly mayDecide: () => Promise<boolean>;
  readonly onError: (message: string, fields: Readonly<Record<string, unknown>>) => void;
}

const INTERVAL_MS = 1_000;

/** Resumes proposals whose requests have ended before they did. */
export function startDeskWorker({ databaseUrl, store, pool, directory, clock, mayDecide, onError }: DeskWorkerOptions): { stop(): Promise<void> } {
  const kinds = new ProposalKinds(store);
  const persons = new ActingPersons(directory, directory.merchants, clock);
  const worker = new ProposalWorker({
    ...{ store, clock },
    effects: new ProposalEffects({
      ...{ store, clock, waits: REAL_WAITS },
      entitled: () => entitledAmong(persons),
      targetOf: (made) => kinds.targetOf(made),
    }),
    findApproved: (limit) => findApprovedProposals(pool, limit),
    findUnapproved: (now, limit) => findUnapprovedProposals(pool, now, limit),
    onError: (proposal_id, err) => onError('a proposal could not be moved on', { proposal_id, err }),
  });
  const elected = new ElectedWorker({
    name: 'proposals',
    mayPass: mayDecide,
    databaseUrl,
    intervalMs: INTERVAL_MS,
    onError: (err) => onError('proposals were interrupted', { err }),
    pass: (signal) => worker.pass(signal),
  });
  elected.start();
  return { stop: () => elected.stop() };
}
