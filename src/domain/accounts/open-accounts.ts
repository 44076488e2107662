import type { Pool } from 'pg';
import { REAL_WAITS } from '../../ledger/streams/decide-on-stream.js';
import type { EventStore } from '../../platform/event-store/event-store.js';
import type { Clock } from '../../ledger/time.js';
import { AccountQueue } from './account-queue.js';
import { PostgresAccountSnapshots, type AccountSnapshots } from './account-snapshots.js';

/** Used for an account that is folded only once. */
const NO_SNAPSHOTS: AccountSnapshots = { find: () => Promise.resolve(undefined), save: () => Promise.resolve(false) };

/** Returns the snapshots of accounts in `pool`; null: none are kept. */
export const accountSnapshots = (pool: Pool | null): AccountSnapshots => (pool ? new PostgresAccountSnapshots(pool) : NO_SNAPSHOTS);

/** Builds the process's only account queue, with its snapshots in `pool`. */
export function openAccounts(pool: Pool | null, store: EventStore, clock: Clock): AccountQueue {
  return new AccountQueue(store, accountSnapshots(pool), clock, REAL_WAITS);
}
