import { createHash } from 'node:crypto';
import pg from 'pg';
import { clientConfig, connectSettled, type ConnectionOptions } from './connection-options.js';

/** One step of the schema. Applied steps never change: every change is a new step. */
export interface Migration {
  /** Unique, positive; steps run in this order. */
  readonly id: number;
  readonly name: string;
  /** One or more statements, run in one transaction. */
  readonly sql: string;
}

/** The database cannot be used by this version of the code, or at all. The message is one line for the operator. */
export class SchemaMismatch extends Error {
  override readonly name = 'SchemaMismatch';
}

/** The database has no schema of ours, and the caller creates none. */
export class SchemaMissing extends Error {
  override readonly name = 'SchemaMissing';
}

/** Oldest Postgres that is supported, as `server_version_num` counts. */
const OLDEST_SERVER = 150_000;
/** 'chargebook migrations', as a number that no other program uses. */
const LOCK_KEY = '7166189232143028525';

interface AppliedMigration {
  readonly id: number;
  readonly name: string;
  readonly checksum: string;
}

const checksum = (migration: Migration): string => createHash('sha256').update(migration.sql).digest('hex');

/**
 * Brings the schema to the version that the code expects; does nothing when it is there. Any number of processes may call it at once.
 * @param mustExist refuses a database in which no step was ever applied
 * @returns the ids that were applied now.
 * @throws SchemaMismatch when the server is too old or not UTF8, the database is newer than the code, or an applied step was edited; SchemaMissing.
 */
export async function migrate(url: string, migrations: readonly Migration[], mustExist = false): Promise<number[]> {
  const ordered = inOrder(migrations);
  // Waiting for another process's migrations, and a long step, may take longer than a request's statement: no limit here.
  const options: ConnectionOptions = { url, applicationName: 'chargebook-migrations', statementTimeoutMs: 0 };
  const client = new pg.Client(clientConfig(options));
  client.on('error', () => undefined);
  try {
    await connectSettled(client, options);
    await requireUsableServer(client);
    if (mustExist) await requireSchema(client);
    await client.query(`select pg_advisory_lock(${LOCK_KEY})`);
    return await applyMissing(client, ordered);
  } finally {
    // Closing the session releases the lock, whatever happened.
    await client.end();
  }
}

function inOrder(migrations: readonly Migration[]): Migration[] {
  const ordered = [...migrations].sort((a, b) => a.id - b.id);
  for (const [index, { id, name }] of ordered.entries()) {
    if (!Number.isSafeInteger(id) || id < 1) throw new Error(`migration "${name}" must have a positive whole number, not ${id}`);
    if (ordered[index + 1]?.id === id) throw new Error(`two migrations have the number ${id}: "${name}" and "${ordered[index + 1]?.name}"`);
  }
  return ordered;
}

async function requireUsableServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: number; version: string; encoding: string }>(
    `select current_setting('server_version_num')::int4 as number, current_setting('server_version') as version,
            current_setting('server_encoding') as encoding`,
  );
  const { number, version, encoding } = rows[0]!;
  if (number < OLDEST_SERVER) {
    throw new SchemaMismatch(`Postgres ${version} is too old: version ${OLDEST_SERVER / 10_000} or newer is needed`);
  }
  if (encoding !== 'UTF8') throw new SchemaMismatch(`the database's encoding is ${encoding}, it must be UTF8`);
}

async function requireSchema(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ exists: boolean }>(`select to_regclass('schema_migrations') is not null as exists`);
  if (!rows[0]!.exists) throw new SchemaMissing('the database has no schema');
}

async function applyMissing(client: pg.Client, migrations: readonly Migration[]): Promise<number[]> {
  await client.query(`create table if not exists schema_migrations (
    id int4 primary key, name text not null, checksum text not null, applied_on timestamptz not null default now())`);
  const { rows: applied } = await client.query<AppliedMigration>('select id, name, checksum from schema_migrations order by id');
  requireKnown(applied, migrations);

  const done = new Set(applied.map((row) => row.id));
  const missing = migrations.filter(({ id }) => !done.has(id));
  for (const migration of missing) await apply(client, migration);
  return missing.map(({ id }) => id);
}

function requireKnown(applied: readonly AppliedMigration[], migrations: readonly Migration[]): void {
  const known = new Map(migrations.map((migration) => [migration.id, migration]));
  const newestApplied = applied.at(-1)?.id ?? 0;
  const newestKnown = migrations.at(-1)?.id ?? 0;
  if (newestApplied > newestKnown) {
    throw new SchemaMismatch(
      `the database is newer than this version: its schema is ${newestApplied}, the newest known to this version is ${newestKnown}`,
    );
  }
  for (const row of applied) {
    const migration = known.get(row.id);
    if (!migration) throw new SchemaMismatch(`schema step ${row.id} "${row.name}" of the database is unknown to this version`);
    if (checksum(migration) !== row.checksum) {
      throw new SchemaMismatch(
        `schema step ${row.id} "${migration.name}" of the database is not that of this version: it was changed later, or an unreleased build created the database`,
      );
    }
  }
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await client.query('begin');
    await client.query(migration.sql);
    await client.query('insert into schema_migrations (id, name, checksum) values ($1, $2, $3)', [migration.id, migration.name, checksum(migration)]);
    await client.query('commit');
  } catch (error) {
    // On a lost connection the server rolls back by itself, and the first error is the one that matters.
    await client.query('rollback').catch(() => undefined);
    throw new Error(`schema step ${migration.id} "${migration.name}" failed: ${(error as Error).message}`, { cause: error });
  }
}
