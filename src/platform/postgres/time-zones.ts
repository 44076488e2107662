import type { ClientBase } from 'pg';

/** Returns true when Postgres has the time zone, spelled in this way. Its zones are those of its machine, not those of Node.js. */
export async function knowsTimeZone(db: Pick<ClientBase, 'query'>, name: string): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>('select exists (select from pg_timezone_names where name = $1) as found', [name]);
  return rows[0]!.found;
}
