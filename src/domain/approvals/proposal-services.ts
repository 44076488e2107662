import type { Pool } from 'pg';
import { accountSnapshots } from '../accounts/open-accounts.js';
import { REAL_WAITS } from '../../ledger/streams/decide-on-stream.js';
import { DecisionReads } from '../../platform/projector/decision-reads.js';
import { type ActingOperators, holdersOf } from '../operators/acting-operator.js';
import { ProposalEffects } from './proposal-effects.js';
import { ProposalKinds, type UpperKinds } from './proposal-kinds.js';
import type { ProposalServices } from './proposals.handlers.js';
import type { SealedLog } from './sealed-log.js';
import type { Entitled } from './proposal.decider.js';

interface ProposalDeps extends Pick<ProposalServices, 'store' | 'clock'> {
  readonly operators: Pick<ActingOperators, 'all'>;
  /** Database of the read models that locate records. */
  readonly pool: Pool;
  readonly sealed: SealedLog;
  /** Time zone of the books, IANA name. */
  readonly timeZone: string;
  readonly upper: UpperKinds;
}

/** Builds the kinds of proposals and their effects, for the handlers and for the worker that completes unfinished effects. */
export function proposalServices(deps: ProposalDeps): Pick<ProposalServices, 'kinds' | 'effects'> {
  const { store, clock, operators, pool, sealed, timeZone, upper } = deps;
  const kinds = new ProposalKinds(
    store,
    { reads: new DecisionReads(store, pool), snapshots: accountSnapshots(pool), timeZone },
    { sealed, timeZone },
    upper,
  );
  const entitled = () => entitledAmong(operators);
  const effects = new ProposalEffects({ store, clock, entitled, targetOf: (made) => kinds.targetOf(made), waits: REAL_WAITS });
  return { kinds, effects };
}

/** Returns the operators who may approve proposals now, by role. @throws Problem unavailable */
async function entitledAmong(operators: Pick<ActingOperators, 'all'>): Promise<Entitled> {
  const all = await operators.all();
  return { approver: holdersOf(all, 'approver'), controller: holdersOf(all, 'controller') };
}
