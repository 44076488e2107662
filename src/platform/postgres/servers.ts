import type pg from 'pg';

/** The server that a session is connected to. */
export interface Server {
  /** The start of the server, to the microsecond: no two servers share it, and every user may read it. */
  readonly id: string;
  /** False on a standby, and where `default_transaction_read_only` is set. */
  readonly acceptsWrites: boolean;
}

const SERVER_ID = 'extract(epoch from pg_postmaster_start_time())::text';
const ACCEPTS_WRITES = `current_setting('transaction_read_only') = 'off'`;

/** Columns of a statement that returns its server. */
export const SERVER_COLUMNS = `${SERVER_ID} as server, ${ACCEPTS_WRITES} as accepts_writes`;

/** Expression of a statement that returns the id of its server; null when that accepts writes. */
export const SERVER_WITHOUT_WRITES = `case when ${ACCEPTS_WRITES} then null else ${SERVER_ID} end`;

/** Open sessions of this process, by the address that they were opened with. */
const addresses = new Map<string, Map<pg.ClientBase, Server>>();

/**
 * Records a new session, before its first use. After a failover the address leads to another server, while older sessions may stay with the previous
 * one and read rows that no longer change. So the first session on a server that accepts writes ends all sessions of this process on other servers.
 * @throws a connection failure for a session on a server without writes, while sessions on one that accepts them are open
 */
export function enterServer(client: pg.ClientBase, url: string, server: Server): void {
  const sessions = addresses.get(url) ?? new Map<pg.ClientBase, Server>();
  const elsewhere = [...sessions].filter(([, { id }]) => id !== server.id);
  if (server.acceptsWrites) for (const [other] of elsewhere) end(other);
  else if (elsewhere.some(([, { acceptsWrites }]) => acceptsWrites)) throw new ServerLeft();
  addresses.set(url, sessions.set(client, server));
  client.once('end', () => {
    sessions.delete(client);
    if (sessions.size === 0 && addresses.get(url) === sessions) addresses.delete(url);
  });
}

/** Ends a session at once, whatever it does: pools and listeners replace it, as if its server had ended it. */
const end = (client: pg.ClientBase): unknown =>
  (client as pg.ClientBase & { readonly connection: pg.Connection }).connection.stream.destroy(new ServerLeft());

/** A connection failure: the session is on a server that the address no longer leads to. */
export class ServerLeft extends Error {
  override readonly name = 'ServerLeft';
  /** SQLSTATE read_only_sql_transaction, as the server reports it to a session that writes. */
  readonly code = '25006';

  constructor() {
    super('the address of the database leads to another server now');
  }
}
