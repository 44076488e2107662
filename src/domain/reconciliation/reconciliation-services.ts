import type { Pool } from 'pg';
import { findPaidAmounts } from '../../../projections/reconciliation/payments.js';
import type { ServiceDeps } from '../../ledger/injection-tokens.js';
import type { SealedLog } from '../approvals/sealed-log.js';
import { DayCloser } from './day-closer.js';
import { dayReads } from './day-reads.js';
import type { ImportServices } from './import-statement.js';
import { accountHmac, type ReconShell } from './sources.js';
import { StatementPeople } from './statements/statement-people.js';

/** @param deps.pool where the read models are */
export const dayCloser = ({ store, clock, pool, sealed }: ReconShell & { readonly pool: Pool; readonly sealed: SealedLog }): DayCloser =>
  new DayCloser({ store, clock }, dayReads(pool, sealed));

/** Builds the services of statement imports. */
export function importServices({ store, clock, pool, readPool, secret }: Omit<ServiceDeps, 'onError'>) {
  return {
    ...{ store, clock, people: new StatementPeople(pool, secret, clock), accountHmac: accountHmac(secret) },
    findPaidAmounts: (currency, references) => findPaidAmounts(readPool, currency, references),
  } satisfies ImportServices;
}
