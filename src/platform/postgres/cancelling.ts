import { connect } from 'node:net';
import type pg from 'pg';
import { whenAborted } from '../waiting.js';

/** Of a CancelRequest, in the place of a protocol's version. */
const CANCEL_REQUEST = 80_877_102;
const CANCEL_WITHIN_MS = 2_000;

/** What `pg` keeps of a connection for cancelling a statement, and its types leave out. */
interface Session {
  readonly processID: number | null;
  readonly secretKey: number | null;
  readonly host: string;
  readonly port: number;
}

/** Waits for its turn to take a connection; what it answers gives the turn back. */
type Enter = () => Promise<() => void>;

/**
 * `pool` for work that nobody waits for any more once `signal` aborts: no further connection is taken then, and the server cancels
 * what those taken are doing, which is seen as a statement that ran out of time. @param enter before each connection
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
  // `pool.query` takes its connection here, too, with a callback.
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
    // Given up by the client's side, as after a time-out: the server may still be at it.
    if (error && !signal.aborted) cancel(client as pg.PoolClient & Session);
    // The cancellation may be under way still: it must not meet the statement of another request.
    release(signal.aborted || error);
    leave();
  };
  return client;
}

/** As the protocol has it: on a connection of its own, in plain text, without an answer. Where it fails, the time limit of statements ends the work. */
function cancel({ processID, secretKey, host, port }: Session): void {
  if (processID === null || secretKey === null) return;
  const message = Buffer.alloc(16);
  for (const [index, value] of [message.length, CANCEL_REQUEST, processID, secretKey].entries()) message.writeInt32BE(value, 4 * index);
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  socket.setTimeout(CANCEL_WITHIN_MS, () => socket.destroy());
  socket.on('error', () => undefined);
  socket.on('connect', () => socket.end(message));
}
