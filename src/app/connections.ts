/**
 * The service's connections to Postgres: the sizes of all pools and their sums. A process opens no more, so a database with room for all of them
 * rejects none. docs/operations-reference.md (Connections) has the same sums.
 */

/** Connections of the event store: one appends, the others read and follow the log. The engine on EventStoreDB uses none. */
const EVENT_STORE = 5;
/** Connection for locks and notifications. */
const SESSION = 1;
/** Connection of the embedded server's guard, or for queries at the start. */
const OWN = 1;
const EVERY_PROCESS = EVENT_STORE + SESSION + OWN;

/** Reads of read models in an API process that uses Postgres alone. More of them would only wait for the server's cores. */
const READS_MAX = 10;
const READS_MIN = 4;
const READS_OF_ALL = 20;
/** Connections for reads that must see the latest writes, and for writes outside the log. They do not wait behind lists. */
export const PRIMARY_CONNECTIONS = 3;
/** Connections for expiry, settlement, payouts, erasure and webhooks, which use short statements. */
export const WORKER_CONNECTIONS = 6;
const TRANSPARENCY_LOG = 1;

/** Number of projections. It is a constant because loading them to count them would slow down the start of every command. */
export const PROJECTION_COUNT = 5;

/** Connections for reads in each of `apiProcesses`. */
export const readConnections = (apiProcesses: number): number => Math.min(READS_MAX, Math.max(READS_MIN, Math.floor(READS_OF_ALL / apiProcesses)));

/** The part of these connections for slow reads. */
export const slowReadConnections = (apiProcesses: number): number => Math.max(2, Math.floor(readConnections(apiProcesses) / 3));

/** Connections of one of `apiProcesses`. */
export const apiConnections = (apiProcesses: number): number => EVERY_PROCESS + PRIMARY_CONNECTIONS + readConnections(apiProcesses);

/** Connections of a process with `projector,worker`. Each projection has one for batches and one for long work. */
export const BACKGROUND_CONNECTIONS = EVERY_PROCESS + 2 * PROJECTION_COUNT + WORKER_CONNECTIONS + TRANSPARENCY_LOG;

/** Connections of an API process for the reads of one moment, and those for slow reads among them. */
export const MOMENT_CONNECTIONS = 4;
export const MOMENT_SLOW_CONNECTIONS = 2;
/** Connections of an API process to the service's own database, for the reads of all moments. */
export const MOMENT_PRIMARY_CONNECTIONS = 2;
/** Connections with which a process makes or drops the database of a moment: one locks. */
const MOMENT_DATABASE_CONNECTIONS = 2;
/** Connections of the build of a moment; one at a time. */
const MOMENT_BUILD_CONNECTIONS = 2 * PROJECTION_COUNT + MOMENT_DATABASE_CONNECTIONS;

/** Connections for commands (a rebuild takes the most, but fewer than these) and for manual queries. */
export const COMMAND_CONNECTIONS = 30;

/** Connections of `npm start`, with or without `--workers`, except those for moments. */
export function serviceConnections(workers: number | undefined): number {
  const serving = workers === undefined ? apiConnections(1) : workers * apiConnections(workers) + EVERY_PROCESS;
  return serving + BACKGROUND_CONNECTIONS;
}

/** Connections for at most `max` open moments: every API process reads all of them, and another one is built. */
export const momentConnections = (max: number, apiProcesses = 1): number =>
  max === 0 ? 0 : apiProcesses * (max * MOMENT_CONNECTIONS + MOMENT_PRIMARY_CONNECTIONS + MOMENT_DATABASE_CONNECTIONS) + MOMENT_BUILD_CONNECTIONS;
