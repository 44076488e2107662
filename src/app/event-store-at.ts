import { ConfigError } from '../platform/process/config-error.js';
import { MIGRATIONS } from './migrations.js';
import { EmbeddedEventStore } from '../platform/event-store/embedded/embedded-event-store.js';
import { StoreUnavailable, type EventStore } from '../platform/event-store/event-store.js';
import { isConnectionFailure } from '../platform/postgres/connection-failure.js';
import { refusalOfDatabase } from '../platform/postgres/database-refusal.js';
import { migrate } from '../platform/postgres/migrations.js';
import { createPool } from '../platform/postgres/pool.js';

/**
 * Opens the event store at a URL, which need not be the service's own: `postgres://` is the embedded engine in that database.
 * `use`: a store to read must exist; a store to write is migrated to the current schema.
 * @throws ConfigError with one line for the operator
 */
export async function openEventStoreAt(url: string, use: 'read' | 'write', log: (message: string) => void): Promise<EventStore> {
  const protocol = /^([a-z+]+):\/\/\S+$/i.exec(url)?.[1]?.toLowerCase();
  switch (protocol) {
    case 'postgres':
    case 'postgresql':
      try {
        if (use === 'write') await migrate(url, MIGRATIONS);
        else await requireEvents(url);
      } catch (error) {
        const refusal = refusalOfDatabase(error) ?? (isConnectionFailure(error) ? (error as Error).message : undefined);
        throw refusal === undefined ? error : new ConfigError(`the database cannot be used: ${refusal}`);
      }
      return new EmbeddedEventStore({
        databaseUrl: url,
        onConnectionLost: (error) => log(`the connection to the event store was lost: ${error.message}`),
      });
    case 'esdb':
    case 'esdb+discover':
    case 'kurrentdb':
    case 'kurrentdb+discover':
      return requireAnswer(await openEventStoreDB(url, log));
    default:
      throw new ConfigError(
        'the URL of an event store must begin with postgres://, postgresql://, esdb://, esdb+discover://, kurrentdb:// or kurrentdb+discover://',
      );
  }
}

/**
 * Opens the engine on EventStoreDB. Its client is imported here, on demand, because it costs memory and start time. An unreachable server is no
 * error: the store retries until it responds.
 * @throws ConfigError with one line for the operator
 */
export async function openEventStoreDB(url: string, log: (message: string) => void): Promise<EventStore> {
  const { EventStoreDBEventStore } = await import('../platform/event-store/eventstoredb/eventstoredb-event-store.js');
  try {
    return new EventStoreDBEventStore({ url, onConnectionLost: (error) => log(`the connection to the event store was lost: ${error.message}`) });
  } catch (error) {
    throw (error as Error).name === 'InvalidConnectionString'
      ? new ConfigError(`not an EventStoreDB connection string: ${(error as Error).message}`)
      : error;
  }
}

/** Fails at once when the store is unreachable, because an operator waits for the command. */
async function requireAnswer(store: EventStore): Promise<EventStore> {
  try {
    await store.head();
    return store;
  } catch (error) {
    await store.close();
    throw error instanceof StoreUnavailable ? new ConfigError(error.message) : error;
  }
}

async function requireEvents(url: string): Promise<void> {
  const pool = createPool({ url, applicationName: 'chargebook-copy', maxConnections: 1 });
  try {
    const { rows } = await pool.query<{ found: boolean }>(`select to_regclass('event_store.events') is not null as found`);
    if (!rows[0]!.found) throw new ConfigError('the database of --from contains no event store');
  } finally {
    await pool.end();
  }
}
