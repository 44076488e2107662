import type { Pool } from 'pg';
import { REAL_WAITS } from '../../ledger/streams/decide-on-stream.js';
import type { EventStore } from '../../platform/event-store/event-store.js';
import type { Clock } from '../../ledger/time.js';
import { AccountQueue } from './account-queue.js';
import { PostgresAccountSnapshots, type AccountSnapshots } from './account-snapshots.js';

/** An account that is folded once needs none. */
const NO_SNAPSHOTS: AccountSnapshots = { find: () => Promise.resolve(undefined), save: () => Promise.resolve(false) };

/** Snapshots of accounts behind `pool`; null: none are kept. */
export const accountSnapshots = (pool: Pool | null): AccountSnapshots => (pool ? new PostgresAccountSnapshots(pool) : NO_SNAPSHOTS);

/** The one account queue of a process, its snapshots behind `pool`. */
export function openAccounts(pool: Pool | null, store: EventStore, clock: Clock): AccountQueue {
  return new AccountQueue(store, accountSnapshots(pool), clock, REAL_WAITS);
}
