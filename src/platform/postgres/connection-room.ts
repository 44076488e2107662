import pg from 'pg';
import { clientConfig, connectSettled } from './connection-options.js';

/** Returns how many connections the server at `url` accepts from roles without a right to its reserved places. @throws a connection failure */
export async function connectionRoom(url: string): Promise<number> {
  const options = { url, applicationName: 'chargebook-start' };
  const client = new pg.Client(clientConfig(options));
  client.on('error', () => undefined);
  try {
    await connectSettled(client, options);
    // Since Postgres 16 some places may also be kept for a role.
    const { rows } = await client.query<{ room: number }>(
      `select current_setting('max_connections')::int4 - current_setting('superuser_reserved_connections')::int4
              - coalesce(current_setting('reserved_connections', true), '0')::int4 as room`,
    );
    return rows[0]!.room;
  } finally {
    await client.end();
  }
}
