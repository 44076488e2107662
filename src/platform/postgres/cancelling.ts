import { connect } from 'node:net';
import type pg from 'pg';
import { whenAborted } from '../async/waiting.js';

/** Code of a CancelRequest, in the place of a protocol's version. */
const CANCEL_REQUEST = 80_877_102;
const CANCEL_WITHIN_MS = 2_000;

/** Fields of a connection that `pg` keeps for cancelling a statement, and its types leave out. */
interface Session {
  readonly processID: number | null;
  readonly secretKey: number | null;
  readonly host: string;
  readonly port: number;
}

/** Waits for a turn to take a connection; the returned function gives the turn back. */
type Enter = () => Promise<() => void>;

/**
 * Returns `pool` for work whose result is not needed once `signal` aborts: no further connection is taken then, and the server cancels the statements
 * of those that were taken, which fail as statements that ran out of time. @param enter called before each connection
 */
export function boundTo(pool: pg.Pool, signal: AbortSignal, enter: Enter = noTurns): pg.Pool {
  const take = async (): Promise<pg.PoolClient> => {
    signal.throwIfAborted();
    const leave = await enter();
    try {
      const client = await pool.connect();
      if (!signal.aborted) return watched(client, signal, leave);
      client.release();
      throw signal.reason as Error;
    } catch (error) {
      leave();
      throw error;
    }
  };
  const bound = Object.create(pool) as pg.Pool;
  // `pool.query` takes its connection here as well, with a callback.
  bound.connect = ((callback?: (error: Error | undefined, client?: pg.PoolClient) => void) => {
    const taken = take();
    if (!callback) return taken;
    taken.then((client) => callback(undefined, client), callback);
    return undefined;
  }) as pg.Pool['connect'];
  return bound;
}

const noTurns: Enter = () => Promise.resolve(() => undefined);

function watched(client: pg.PoolClient, signal: AbortSignal, leave: () => void): pg.PoolClient {
  const release = client.release.bind(client);
  const unwatch = whenAborted(signal, () => cancel(client as pg.PoolClient & Session));
  client.release = (error) => {
    unwatch();
    // The client's side gave up, for example after a time-out: the server may still run the statement.
    if (error && !signal.aborted) cancel(client as pg.PoolClient & Session);
    // The cancellation may still be in progress: it must not hit the statement of another request.
    release(signal.aborted || error);
    leave();
  };
  return client;
}

/**
 * Cancels as the protocol defines: on a separate connection, in plain text, without a response. If that fails, the time limit of statements ends the
 * work.
 */
function cancel({ processID, secretKey, host, port }: Session): void {
  if (processID === null || secretKey === null) return;
  const message = Buffer.alloc(16);
  for (const [index, value] of [message.length, CANCEL_REQUEST, processID, secretKey].entries()) message.writeInt32BE(value, 4 * index);
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  socket.setTimeout(CANCEL_WITHIN_MS, () => socket.destroy());
  socket.on('error', () => undefined);
  socket.on('connect', () => socket.end(message));
}
