import type { Pool } from 'pg';
import type { UpperKinds } from '../domain/approvals/proposal-kinds.js';
import type { Clock } from '../ledger/time.js';
import type { EventStore } from '../platform/event-store/event-store.js';
import { DecisionReads } from '../platform/projector/decision-reads.js';
import { payoutResolveKind, railKind } from '../rails/settings/proposal-kinds.js';
import { reconKinds } from '../domain/reconciliation/proposal-kinds.js';

/** @param pool for the read models */
export const upperKinds = (store: EventStore, pool: Pool, clock: Clock): UpperKinds => ({
  ...{ RAIL: railKind(store), PAYOUT_RESOLVE: payoutResolveKind(store) },
  ...reconKinds(new DecisionReads(store, pool), clock),
});
