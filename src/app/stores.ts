import { availableParallelism, hostname } from 'node:os';
import { join } from 'node:path';
import type { Config } from './config.js';
import { ConfigError } from '../platform/config-error.js';
import { COMMAND_CONNECTIONS, serviceConnections } from './connections.js';
import { openEventStoreDB } from './event-store-at.js';
import { requireReadableVersions } from '../ledger/catalogue.js';
import { MIGRATIONS } from './migrations.js';
import { EmbeddedEventStore } from '../platform/event-store/embedded/embedded-event-store.js';
import { ClockGuard } from '../platform/event-store/clock-guard.js';
import { GuardedEventStore } from '../platform/event-store/guarded-event-store.js';
import type { EventStore } from '../platform/event-store/event-store.js';
import { isConnectionFailure } from '../platform/postgres/connection-failure.js';
import { refusalOfDatabase } from '../platform/postgres/database-refusal.js';
import { EMBEDDED_DIRECTORY } from '../platform/embedded-postgres/embedded-name.js';
import { startEmbeddedPostgres } from '../platform/embedded-postgres/embedded-postgres.js';
import { migrate } from '../platform/postgres/migrations.js';
import { SharedSession, type SessionUser } from '../platform/postgres/shared-session.js';
import { traceAppends } from '../platform/tracing/trace-events.js';
import type { Tracing } from '../platform/tracing/tracing.js';
import type { Clock } from '../ledger/time.js';

const CLOCK_QUERY = 'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms';

/** What lasts: Postgres with today's schema, and the log of facts. */
export interface Stores {
  readonly databaseUrl: string;
  /** Takes no fact of a process whose clock is ahead. */
  readonly eventStore: EventStore;
  /** Takes any: what must work from every machine, whatever its clock says. */
  readonly unguarded: EventStore;
  readonly clockGuard: ClockGuard;
  /** Absent: tracing is off. */
  readonly tracing: Tracing | undefined;
  /** Leaves an embedded Postgres running that another process uses. */
  close(): Promise<void>;
}

/**
 * Starts or adopts what the configuration names and brings the schema up to date: the same for the service and the command line,
 * which may run beside each other.
 * @param connections the service takes at most, for which an embedded Postgres has room beside the places that are kept for commands.
 * Without: this is a command, and a service that comes after it uses the server that this has started.
 * @param clock of this process: the time of its facts.
 * @throws ConfigError, SchemaMismatch, UpcastersIncomplete with one line for the operator.
 */
export async function openStores(
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'eventStoreUrl'> & Partial<Pick<Config, 'traces'>>,
  log: (message: string) => void,
  connections?: number,
  clock: Clock = Date.now,
): Promise<Stores> {
  requireReadableVersions();
  const eventStoreDB = config.eventStoreUrl === undefined ? undefined : await openNamed(config.eventStoreUrl, log);
  // Twice: what is kept for commands is theirs alone, and what they take of the rest must not be missing for the service.
  const room = { max: (connections ?? serviceConnections(availableParallelism())) + 2 * COMMAND_CONNECTIONS, reserved: COMMAND_CONNECTIONS };
  const postgres =
    config.databaseUrl === undefined ? await startEmbeddedPostgres(join(config.dataDir, EMBEDDED_DIRECTORY), { log, connections: room }) : undefined;
  const databaseUrl = (connections === undefined ? postgres?.url : postgres?.boundedUrl) ?? config.databaseUrl!;
  try {
    await migrate(databaseUrl, MIGRATIONS);
  } catch (error) {
    await Promise.all([eventStoreDB?.close(), postgres?.stop()]);
    throw unusable(error, config.databaseUrl === undefined ? '' : 'DATABASE_URL: ');
  }
  const onConnectionLost = (error: Error) => log(`connection of the event store lost: ${error.message}`);
  const eventStore = eventStoreDB ?? new EmbeddedEventStore({ databaseUrl, onConnectionLost });
  const asking: SessionUser = { lost: () => undefined };
  const session = SharedSession.join(databaseUrl, asking);
  const clockGuard = new ClockGuard({ ask: async () => (await (await session.open()).query<{ ms: number }>(CLOCK_QUERY)).rows[0]!.ms, clock });
  const tracing = config.traces && (await startTracing(config.traces));
  return {
    databaseUrl,
    tracing,
    eventStore: new GuardedEventStore(eventStore, clockGuard, tracing && traceAppends(tracing)),
    unguarded: eventStore,
    clockGuard,
    close: async () => {
      await clockGuard.stop();
      await session.leave(asking);
      await eventStore.close();
      await postgres?.stop();
      await tracing?.close();
    },
  };
}

/** Loaded where it is wanted. */
async function startTracing(traces: NonNullable<Config['traces']>): Promise<Tracing> {
  const { startOpenTelemetry } = await import('../platform/tracing/opentelemetry.js');
  return startOpenTelemetry({ ...traces, attributes: { 'service.instance.id': `${hostname()}:${process.pid}` } });
}

/** Says so when it does not answer, and goes on: it may come later, as in a cluster that is starting. */
async function openNamed(url: string, log: (message: string) => void): Promise<EventStore> {
  try {
    const store = await openEventStoreDB(url, log);
    store.head().catch((error: Error) => log(`EVENTSTORE_URL: ${error.message}; waiting for it`));
    return store;
  } catch (error) {
    throw error instanceof ConfigError ? new ConfigError(`EVENTSTORE_URL: ${error.message}`) : error;
  }
}

/** @param setting the one that names it, for who reads the line */
function unusable(error: unknown, setting: string): unknown {
  const refusal = refusalOfDatabase(error) ?? (isConnectionFailure(error) ? reasonOf(error) : undefined);
  return refusal === undefined ? error : new ConfigError(`${setting}the database cannot be used: ${refusal}`);
}

/** A name with several addresses fails with an error for each, and no words of its own. */
function reasonOf(error: unknown): string {
  const [first = error] = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  return first instanceof Error ? first.message : String(first);
}
