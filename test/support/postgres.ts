import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { migrate, type Migration } from '../../src/platform/postgres/migrations.js';

export interface TestDatabase {
  readonly url: string;
  /** Closes the open connections and removes the database. */
  drop(): Promise<void>;
}

/**
 * A fresh database in the run's Postgres, with `migrations` applied. Each set of migrations is applied once per run,
 * to a template of which every further database is a copy (some 30 ms).
 */
export function createTestDatabase(migrations: readonly Migration[] = []): Promise<TestDatabase> {
  return copyOf(migrations.length === 0 ? undefined : { of: migrations, fill: (url) => migrate(url, migrations) });
}

/** Initial contents of a database. */
export interface Contents {
  /** All that decides on it: of the same, there is one template. */
  readonly of: unknown;
  /** Puts it into the empty database at `url`. */
  readonly fill: (url: string) => Promise<unknown>;
}

/** A fresh database in the run's Postgres that holds `contents`, which are made once per run. Default: an empty one. */
export async function copyOf(contents?: Contents): Promise<TestDatabase> {
  const server = serverUrl();
  const name = `test_${randomBytes(8).toString('hex')}`;
  await administer(async (admin) => {
    const template = contents ? await templateFor(admin, contents) : 'template0';
    await admin.query(`create database ${name} template ${template}`);
  });
  return {
    url: databaseUrl(server, name),
    drop: () =>
      administer(async (admin) => {
        await untilLeft(admin, name);
        await admin.query(`drop database if exists ${name} with (force)`);
      }),
  };
}

/**
 * Waits up to a second for the end of closed connections: a pool ends before its sessions do, and a session that the server cuts off
 * meanwhile is an unhandled error of that pool.
 */
async function untilLeft(admin: pg.Client, name: string): Promise<void> {
  for (let looks = 0; looks < 50; looks++) {
    const { rowCount } = await admin.query('select 1 from pg_stat_activity where datname = $1', [name]);
    if (rowCount === 0) return;
    await delay(20);
  }
}

function serverUrl(): string {
  const url = process.env.TEST_DATABASE_URL;
  if (!url) throw new Error('no Postgres for the tests: run them with `npm test`');
  return url;
}

function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.toString();
}

async function administer<T>(work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: serverUrl() });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}

async function templateFor(admin: pg.Client, { of, fill }: Contents): Promise<string> {
  const digest = createHash('sha256').update(JSON.stringify(of)).digest('hex').slice(0, 24);
  const name = `template_${digest}`;
  // Test files run in several processes: one makes the template, the others wait. It gets its name when it is whole.
  await admin.query('select pg_advisory_lock(hashtext($1))', [name]);
  const { rowCount } = await admin.query('select 1 from pg_database where datname = $1', [name]);
  if (rowCount === 0) {
    const draft = `${name}_${randomBytes(4).toString('hex')}`;
    await admin.query(`create database ${draft} template template0`);
    await fill(databaseUrl(serverUrl(), draft));
    await untilLeft(admin, draft);
    await admin.query(`alter database ${draft} rename to ${name}`);
  }
  await admin.query('select pg_advisory_unlock(hashtext($1))', [name]);
  return name;
}
