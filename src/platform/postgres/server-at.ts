import pg from 'pg';
import { clientConfig, connectSettled } from './connection-options.js';
import { ServerLeft, type Server } from './servers.js';

/**
 * Returns the server that the address leads to now. When that accepts writes, sessions of this process on other servers have ended.
 * @throws a connection failure
 */
export async function serverAt(url: string): Promise<Server> {
  const options = { url, applicationName: 'chargebook-server' };
  const client = new pg.Client(clientConfig(options));
  client.on('error', () => undefined);
  try {
    return await connectSettled(client, options);
  } finally {
    client.end().catch(() => undefined);
  }
}

/**
 * Called before rows of a server without writes are used: other processes may have written since, if the address leads to another server.
 * @throws a connection failure when it does
 */
export async function requireAddressOf(url: string, serverId: string): Promise<void> {
  if ((await serverAt(url)).id !== serverId) throw new ServerLeft();
}
