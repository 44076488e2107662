import { stat } from 'node:fs/promises';
import { availableParallelism, hostname } from 'node:os';
import { join } from 'node:path';
import type { Config } from './config.js';
import { ConfigError } from '../platform/process/config-error.js';
import { COMMAND_CONNECTIONS, momentConnections, serviceConnections } from './connections.js';
import { ignoreMissing, inDataDirectory } from './data-directory.js';
import { openEventStoreDB } from './event-store-at.js';
import { storesInWords, type StoreConfig } from './stores-in-words.js';
import { requireReadableVersions } from '../ledger/catalogue.js';
import { MIGRATIONS } from './migrations.js';
import { EmbeddedEventStore } from '../platform/event-store/embedded/embedded-event-store.js';
import { ClockGuard } from '../platform/event-store/clock-guard.js';
import { GuardedEventStore } from '../platform/event-store/guarded-event-store.js';
import type { EventStore } from '../platform/event-store/event-store.js';
import { isConnectionFailure } from '../platform/postgres/connection-failure.js';
import { refusalOfDatabase } from '../platform/postgres/database-refusal.js';
import { CLUSTER_DIRECTORY, EMBEDDED_DIRECTORY } from '../platform/embedded-postgres/embedded-name.js';
import { startEmbeddedPostgres } from '../platform/embedded-postgres/embedded-postgres.js';
import { createPool } from '../platform/postgres/pool.js';
import { knowsTimeZone } from '../platform/postgres/time-zones.js';
import { migrate, SchemaMissing } from '../platform/postgres/migrations.js';
import { SharedSession, type SessionUser } from '../platform/postgres/shared-session.js';
import { traceAppends } from '../platform/tracing/trace-events.js';
import type { Tracing } from '../platform/tracing/tracing.js';
import type { Clock } from '../ledger/time.js';

const CLOCK_QUERY = 'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms';

/** Durable state: Postgres with the current schema, and the event log. */
export interface Stores {
  readonly databaseUrl: string;
  /** Rejects events of a process whose clock is ahead. */
  readonly eventStore: EventStore;
  /** Accepts all events: for commands that must work on every machine, regardless of its clock. */
  readonly unguarded: EventStore;
  readonly clockGuard: ClockGuard;
  /** Absent: tracing is off. */
  readonly tracing: Tracing | undefined;
  /** Does not stop an embedded Postgres that another process uses. */
  close(): Promise<void>;
}

/**
 * Starts or adopts the configured stores and migrates the schema. The service and the command line both use it, and may run at the same time.
 * @param connections maximum that the service opens. An embedded Postgres has room for them, and also for the connections reserved for commands.
 * Absent: this is a command, and a service that starts later uses the server that it has started.
 * @param clock of this process, for the times of its events
 * @param mustExist for commands: with a mistyped DATA_DIR they would create a ledger, and report that everything in it is right
 * @throws ConfigError, SchemaMismatch, UpcastersIncomplete with one line for the operator
 */
export async function openStores(
  config: StoreConfig & Partial<Pick<Config, 'traces' | 'moments'>>,
  log: (message: string) => void,
  connections?: number,
  clock: Clock = Date.now,
  mustExist = false,
): Promise<Stores> {
  requireReadableVersions();
  if (mustExist && config.databaseUrl === undefined) await requireCluster(config);
  const eventStoreDB = config.eventStoreUrl === undefined ? undefined : await openNamed(config.eventStoreUrl, log);
  // COMMAND_CONNECTIONS counts twice: the reserved ones are for commands only, and commands may take as many of the others, which the service must
  // not lack.
  const cores = availableParallelism();
  const ofService = connections ?? serviceConnections(cores) + momentConnections(config.moments?.max ?? 0, cores);
  const room = { max: ofService + 2 * COMMAND_CONNECTIONS, reserved: COMMAND_CONNECTIONS };
  const start = () => startEmbeddedPostgres(join(config.dataDir, EMBEDDED_DIRECTORY), { log, connections: room });
  const postgres = config.databaseUrl === undefined ? await inDataDirectory(config.dataDir, start) : undefined;
  const databaseUrl = (connections === undefined ? postgres?.url : postgres?.boundedUrl) ?? config.databaseUrl!;
  try {
    await migrate(databaseUrl, MIGRATIONS, mustExist);
  } catch (error) {
    await Promise.all([eventStoreDB?.close(), postgres?.stop()]);
    if (error instanceof SchemaMissing) throw noLedger(config);
    throw unusable(error, config.databaseUrl === undefined ? '' : 'DATABASE_URL: ');
  }
  // Its first use connects: a start that has failed by now leaves no connection. The server may become available later, as in a cluster that starts.
  eventStoreDB?.head().catch((error: Error) => log(`EVENTSTORE_URL: ${error.message}; waiting for the event store`));
  const onConnectionLost = (error: Error) => log(`the connection to the event store was lost: ${error.message}`);
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

async function requireCluster(config: StoreConfig): Promise<void> {
  const { dataDir } = config;
  await inDataDirectory(dataDir, async () => {
    const found = await stat(join(dataDir, EMBEDDED_DIRECTORY, CLUSTER_DIRECTORY)).catch(ignoreMissing);
    if (found === undefined) throw noLedger(config);
  });
}

function noLedger(config: StoreConfig): ConfigError {
  return new ConfigError(`there is no ledger in ${storesInWords(config)}: the service creates one at its first start`);
}

/** Imported on demand. */
async function startTracing(traces: NonNullable<Config['traces']>): Promise<Tracing> {
  const { startOpenTelemetry } = await import('../platform/tracing/opentelemetry.js');
  return startOpenTelemetry({ ...traces, attributes: { 'service.instance.id': `${hostname()}:${process.pid}` } });
}

/** @throws ConfigError that names the variable */
async function openNamed(url: string, log: (message: string) => void): Promise<EventStore> {
  try {
    return await openEventStoreDB(url, log);
  } catch (error) {
    throw error instanceof ConfigError ? new ConfigError(`EVENTSTORE_URL: ${error.message}`) : error;
  }
}

/** @throws ConfigError when Postgres does not have the time zone of the books */
export async function requireBooksTimeZone(
  { databaseUrl }: Pick<Stores, 'databaseUrl'>,
  { booksTimeZone }: Pick<Config, 'booksTimeZone'>,
): Promise<void> {
  const pool = createPool({ url: databaseUrl, applicationName: 'chargebook-time-zone', statementTimeoutMs: 15_000, maxConnections: 1 });
  try {
    if (!(await knowsTimeZone(pool, booksTimeZone))) throw new ConfigError(`BOOKS_TIMEZONE: the database has no time zone ${booksTimeZone}`);
  } finally {
    await pool.end();
  }
}

/** @param setting name of the variable that the error message mentions */
function unusable(error: unknown, setting: string): unknown {
  const refusal = refusalOfDatabase(error) ?? (isConnectionFailure(error) ? reasonOf(error) : undefined);
  return refusal === undefined ? error : new ConfigError(`${setting}the database cannot be used: ${refusal}`);
}

/** A host with several addresses fails with an AggregateError without a message, which contains one error per address. */
function reasonOf(error: unknown): string {
  const [first = error] = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  return first instanceof Error ? first.message : String(first);
}
