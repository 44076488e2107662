import { isNativeError } from 'node:util/types';

/** Codes of the operating system and resolver for a server that was not reached, or was cut off. */
const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EADDRNOTAVAIL',
]);

/** SQLSTATEs that concern the server's condition, not the statement. */
const CONDITION_STATES = new Set([
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now: starting up, shutting down, recovering
  '57P05', // idle_session_timeout
  '57014', // query_canceled: statement_timeout passed
  '55P03', // lock_not_available: lock_timeout passed
  '25006', // read_only_sql_transaction: connected to a server that is a replica now
  '25P03', // idle_in_transaction_session_timeout
  'XX001', // data_corrupted: a page could not be read back as it was written
  'XX002', // index_corrupted
]);

/** 08: connection exceptions. 53: too many connections, disk full, out of memory. 58: input and output failed, a file is gone. */
const CONDITION_CLASSES = new Set(['08', '53', '58']);

/** `pg` gives these no code, only a message. */
const DRIVER_MESSAGES = [
  /^Connection terminated/,
  /^timeout expired$/,
  /^timeout exceeded when trying to connect$/,
  /^Query read timeout$/,
  /^Client has encountered a connection error and is not queryable$/,
  /^Client was closed and is not queryable$/,
];

/**
 * Returns true when a database is lost, unreachable, starting, overloaded or out of time; false for a fault of ours.
 * The first is answered as 503 with Retry-After and may be tried again; the second is a bug and a 500.
 * A write that failed in this way may still have been committed: check before reporting that it was not.
 */
export function isConnectionFailure(error: unknown): boolean {
  // Not `instanceof`: Jest gives tests a separate global Error, while sockets fail with the platform's.
  if (!isNativeError(error)) return false;
  if ('errors' in error && Array.isArray(error.errors) && error.errors.some(isConnectionFailure)) return true;
  const { code, syscall } = error as Error & { code?: unknown; syscall?: unknown };
  if (typeof code === 'string') {
    if (NETWORK_CODES.has(code) || CONDITION_STATES.has(code)) return true;
    if (code.length === 5 && CONDITION_CLASSES.has(code.slice(0, 2))) return true;
    // While the server is down, the socket file does not exist, or refuses.
    if (syscall === 'connect' && (code === 'ENOENT' || code === 'EACCES' || code === 'EAGAIN')) return true;
  }
  if (DRIVER_MESSAGES.some((pattern) => pattern.test(error.message))) return true;
  return isConnectionFailure(error.cause);
}
