import type { Pool } from 'pg';
import { findCloseOfDay, findDayPart } from '../../../projections/reconciliation/days/day-close-reads.js';
import { findBatchNames } from '../../../projections/reconciliation/matches/batch-reads.js';
import { findPaidAmounts } from '../../../projections/reconciliation/payments.js';
import type { ServiceDeps } from '../../ledger/ports/injection-tokens.js';
import type { SealedLog } from '../approvals/sealed-log.js';
import { DayCloser, type DayReads } from './days/day-closer.js';
import { reachedResultOf } from './days/day-figures.js';
import type { ImportServices } from './import-statement.js';
import type { FindBatches } from './statements/known-batches.js';
import type { Mode } from '../../ledger/mode.js';
import type { EventStore } from '../../platform/event-store/event-store.js';
import { DecisionReads } from '../../platform/projector/decision-reads.js';
import { accountHmac, type ReconciliationDeps } from './sources.js';
import { StatementPeople } from './statements/statement-people.js';

/** @param deps.pool database of the read models */
export const dayCloser = ({ store, clock, pool, sealed }: ReconciliationDeps & { readonly pool: Pool; readonly sealed: SealedLog }): DayCloser =>
  new DayCloser({ store, clock }, dayReads(pool, sealed));

/** Builds the services of statement imports. */
export function importServices({ store, clock, pool, readPool, secret }: Omit<ServiceDeps, 'onError'>) {
  return {
    ...{ store, clock, people: new StatementPeople(pool, secret, clock), accountHmac: accountHmac(secret) },
    findPaidAmounts: (currency, references) => findPaidAmounts(readPool, currency, references),
    batchesOf: (mode) => batchesOf(store, pool, mode),
  } satisfies ImportServices;
}

/** A batch that a file has just brought is found as well: the read model must have applied all events of the log. */
function batchesOf(store: EventStore, pool: Pool, mode: Mode): FindBatches {
  let reached: Promise<void> | undefined;
  return async (words) => {
    await (reached ??= new DecisionReads(store, pool).requireHead('recon'));
    return findBatchNames(pool, mode, words);
  };
}

const dayReads = (pool: Pool, sealed: SealedLog): DayReads => ({
  find: (source, day) => findCloseOfDay(pool, source, day),
  part: (source, n, part) => findDayPart(pool, source, n, part),
  result: (close) => reachedResultOf(pool, close),
  headOver: async (eventId) => ((await sealed.isSealed(eventId)) ? sealed.head() : undefined),
});
