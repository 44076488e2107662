import pg from 'pg';
import { isConnectionFailure } from './connection-failure.js';
import { clientConfig, settle, type ConnectionOptions } from './connection-options.js';

export interface PoolOptions extends ConnectionOptions {
  /** Maximum connections; default 10. A caller that finds none free for 3 s (a command: 15 s) gets a connection failure. */
  readonly maxConnections?: number;
  /** Time after which an idle connection is closed, ms; default a minute. */
  readonly idleMs?: number;
  /** Called for each idle connection that was lost; the pool replaces it by itself. */
  readonly onConnectionLost?: (error: Error) => void;
}

/**
 * A pool that survives the loss of its database: connections that break are dropped and replaced, and the caller gets an error for which
 * `isConnectionFailure` holds, within 5 s.
 */
export function createPool(options: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    ...clientConfig(options),
    max: options.maxConnections ?? 10,
    idleTimeoutMillis: options.idleMs ?? 60_000,
    onConnect: settling(options),
  });
  // Without a listener an idle connection's loss would end the process. The end of a connection that the pool itself closes is no loss.
  pool.on('error', (error) => {
    if (!pool.ending) options.onConnectionLost?.(error);
  });
  // A connection in use reports its loss through the query that waits for it; between two queries it has no other listener.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** The pool decides how long a connection stays idle: a limit of the server would end it in a race with the next request. */
const LASTING = { idle_session_timeout: '0' };

/** Returns a pool's `onConnect`, whose result the pool awaits. */
export const settling =
  (options: ConnectionOptions) =>
  (client: pg.ClientBase): unknown =>
    settle(client, { ...options, settings: { ...LASTING, ...options.settings } });

/**
 * Runs `work` in one transaction on one connection: committed when it resolves, rolled back when it throws.
 * After a connection failure the connection is closed, which rolls back as well, and does not wait for a server that is silent.
 * `begin`: the statement that begins it, with the transaction's modes and settings.
 */
export async function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>, begin = 'begin'): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query(begin);
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    if (isConnectionFailure(error)) broken = error as Error;
    else await client.query('rollback').catch((failure: Error) => (broken = failure));
    throw error;
  } finally {
    client.release(broken);
  }
}
