import type { Pool } from 'pg';
import { REAL_WAITS } from '../../ledger/streams/decide-on-stream.js';
import type { EventStore } from '../../platform/event-store/event-store.js';
import type { Clock } from '../../ledger/time.js';
import { AccountQueue } from './account-queue.js';
import { PostgresAccountSnapshots } from './account-snapshots.js';

/** The one account queue of a process, its snapshots behind `pool`. */
export function openAccounts(pool: Pool, store: EventStore, clock: Clock): AccountQueue {
  return new AccountQueue(store, new PostgresAccountSnapshots(pool), clock, REAL_WAITS);
}
