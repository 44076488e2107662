import { setTimeout as delay } from 'node:timers/promises';
import type { EventStore } from '../platform/event-store/event-store.js';
import { createPool } from '../platform/postgres/pool.js';
import type { Clock } from '../time.js';
import { AccountQueue } from './account-queue.js';
import { PostgresAccountSnapshots } from './account-snapshots.js';

export interface OpenAccounts {
  readonly accounts: AccountQueue;
  readonly close: () => Promise<void>;
}

/** The one account queue of a process, its snapshots in `databaseUrl`. */
export function openAccounts(databaseUrl: string, store: EventStore, clock: Clock): OpenAccounts {
  const pool = createPool({ url: databaseUrl, applicationName: 'chargebook-accounts', maxConnections: 1 });
  const accounts = new AccountQueue(store, new PostgresAccountSnapshots(pool), clock, (ms) => delay(ms));
  return { accounts, close: () => pool.end() };
}
