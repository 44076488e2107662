/**
 * How many connections to Postgres the service takes: every pool's size stands here, and what they come to. A process holds no more,
 * so that a database with room for all of them never refuses one; docs/operations.md (Sizing) has the same sums.
 */

/** Of the event store: one appends, the others read and follow the log. The engine on EventStoreDB takes none. */
const EVENT_STORE = 5;
/** For locks and notifications. */
const SESSION = 1;
/** The guard of the embedded server, or what is asked once at the start. */
const OWN = 1;
const EVERY_PROCESS = EVENT_STORE + SESSION + OWN;

/** Reads of read models in an API process that has Postgres to itself; more would only wait for the server's cores. */
const READS_MAX = 10;
const READS_MIN = 4;
const READS_OF_ALL = 20;
/** Reads that must see what was written just now, and writes beside the log: they do not wait behind lists. */
export const PRIMARY_CONNECTIONS = 3;
/** Expiry, settlement, payouts, erasure and webhooks: short statements. */
export const WORKER_CONNECTIONS = 6;
const TRANSPARENCY_LOG = 1;

/** How many there are: loading them to count them would cost every command its start. */
export const PROJECTION_COUNT = 5;

/** For reads in each of `apiProcesses`. */
export const readConnections = (apiProcesses: number): number => Math.min(READS_MAX, Math.max(READS_MIN, Math.floor(READS_OF_ALL / apiProcesses)));

/** Of these for reads that take long. */
export const slowReadConnections = (apiProcesses: number): number => Math.max(2, Math.floor(readConnections(apiProcesses) / 3));

/** Of one API process beside others. */
export const apiConnections = (apiProcesses: number): number => EVERY_PROCESS + PRIMARY_CONNECTIONS + readConnections(apiProcesses);

/** Of a process with `projector,worker`; each projection has one for batches and one for what takes long. */
export const BACKGROUND_CONNECTIONS = EVERY_PROCESS + 2 * PROJECTION_COUNT + WORKER_CONNECTIONS + TRANSPARENCY_LOG;

/** For commands, of which a rebuild takes the most, fewer than these; and for looking into the database by hand. */
export const COMMAND_CONNECTIONS = 30;

/** Of `npm start`, with or without `--workers`. */
export function serviceConnections(workers: number | undefined): number {
  const serving = workers === undefined ? apiConnections(1) : workers * apiConnections(workers) + EVERY_PROCESS;
  return serving + BACKGROUND_CONNECTIONS;
}
