import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { MIGRATIONS } from '../../src/app/migrations.js';
import { openStores } from '../../src/app/stores.js';
import { advisoryLockKey, AdvisoryLock } from '../../src/platform/postgres/advisory-lock.js';
import { connectionRoom } from '../../src/platform/postgres/connection-room.js';
import { migrate } from '../../src/platform/postgres/migrations.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import { createPipeliningPool } from '../../src/platform/projector/projector.js';
import { certificate } from '../support/certificate.js';
import { Pooler } from '../support/pooler.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

let database: TestDatabase;
const ends: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  await database.drop();
});

async function pooler(...certified: Parameters<typeof certificate> | []): Promise<Pooler> {
  const between = await Pooler.before(database.url, certified.length > 0 ? certificate(...(certified as [string])) : undefined);
  ends.push(() => between.stop());
  return between;
}

async function settingsOf(pool: pg.Pool): Promise<unknown> {
  ends.push(() => pool.end());
  const names = ['jit', 'search_path', 'TimeZone', 'idle_in_transaction_session_timeout', 'statement_timeout'];
  const { rows } = await pool.query<{ settings: string[] }>(`select array(select current_setting(name) from unnest($1::text[]) name) as settings`, [
    names,
  ]);
  return Object.fromEntries(names.map((name, place) => [name, rows[0]!.settings[place]]));
}
const OURS = { jit: 'off', search_path: 'public', TimeZone: 'UTC', idle_in_transaction_session_timeout: '1min', statement_timeout: '4s' };

describe('a pooler that accepts no settings when a connection starts', () => {
  it('sessions through a pooler have our settings', async () => {
    const url = (await pooler()).url();
    const applicationName = 'test';
    expect(await settingsOf(createPool({ url, applicationName }))).toEqual(OURS);
    const settings = { idle_in_transaction_session_timeout: '5000' };
    const pipelining = createPipeliningPool({ url, applicationName, statementTimeoutMs: 0, settings }, 1);
    expect(await settingsOf(pipelining)).toEqual({ ...OURS, idle_in_transaction_session_timeout: '5s', statement_timeout: '0' });
  });

  it('a pooler serves migrations, locks and all separate sessions', async () => {
    const url = (await pooler()).url();
    expect(await migrate(url, MIGRATIONS)).toHaveLength(MIGRATIONS.length);
    expect(await connectionRoom(url)).toBeGreaterThan(0);
    const lock = new AdvisoryLock({ url, key: advisoryLockKey('test'), onLost: () => undefined });
    ends.push(() => lock.release());
    expect(await lock.tryAcquire()).toBe(true);
  });
});

it('settings in the URL take precedence over ours', async () => {
  const url = `${database.url}?options=${encodeURIComponent('-c jit=on --search-path=elsewhere')}`;
  expect(await settingsOf(createPool({ url, applicationName: 'test' }))).toEqual({ ...OURS, jit: 'on', search_path: 'elsewhere' });
});

it('migrations create their tables in the schema that the URL names', async () => {
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  ends.push(() => admin.end());
  await admin.query('create schema chargebook');
  await migrate(`${database.url}?options=-c%20search_path%3Dchargebook`, MIGRATIONS);
  const { rows } = await admin.query<{ schema: string }>(
    `select distinct schemaname as schema from pg_tables where schemaname in ('public', 'chargebook')`,
  );
  expect(rows).toEqual([{ schema: 'chargebook' }]);
});

describe('a database that cannot be used fails with one line that names DATABASE_URL', () => {
  const refusedAt = (databaseUrl: string): Promise<unknown> =>
    openStores({ dataDir: tmpdir(), databaseUrl, eventStoreUrl: undefined }, () => undefined).then(
      async (stores) => stores.close(),
      (error: Error) => `${error.name}: ${error.message}`,
    );
  const line = (what: string): unknown =>
    expect.stringMatching(new RegExp(`^ConfigError: DATABASE_URL: the database cannot be used: .*${what}[^\\n]*$`));

  it.each(['require', 'prefer', 'verify-ca', 'verify-full'])('DATABASE_URL with sslmode=%s fails for a self-signed certificate', async (mode) => {
    const warned: Error[] = [];
    const warn = (warning: Error): void => void warned.push(warning);
    process.on('warning', warn);
    expect(await refusedAt((await pooler('127.0.0.1')).url(`?sslmode=${mode}`))).toEqual(line('self-signed certificate.*sslrootcert=FILE'));
    // Warnings come with the next turn of the event loop.
    await new Promise(setImmediate);
    process.off('warning', warn);
    expect(warned).toEqual([]);
  });

  it('DATABASE_URL with sslmode fails without TLS on the server, and with a missing certificate file', async () => {
    expect(await refusedAt((await pooler()).url('?sslmode=require'))).toEqual(line('offers no TLS'));
    expect(await refusedAt(`${database.url}?sslmode=verify-full&sslrootcert=/nowhere.pem`)).toEqual(line('/nowhere.pem'));
  });

  it('DATABASE_URL with sslmode=no-verify accepts a certificate of another name', async () => {
    const { url } = { url: (await pooler('elsewhere')).url('?sslmode=no-verify') };
    const pool = createPool({ url, applicationName: 'test' });
    expect(await settingsOf(pool)).toEqual(OURS);
  });

  it('DATABASE_URL fails with a role that may not create objects in the database or in its schema public', async () => {
    const admin = new pg.Client({ connectionString: database.url });
    await admin.connect();
    ends.push(() => admin.end());
    const role = `role_${admin.database}`;
    await admin.query(`create role ${role} login password 'secret'`);
    ends.push(async () => void (await admin.query(`drop owned by ${role}; drop role ${role}`)));
    const { host, port, database: name } = admin;
    const url = `postgres://${role}:secret@${host.startsWith('/') ? '' : `${host}:${port}`}/${name}${host.startsWith('/') ? `?host=${host}&port=${port}` : ''}`;
    expect(await refusedAt(url)).toEqual(line('permission denied for schema public.*grant create'));
    await admin.query(`grant create on schema public to ${role}`);
    expect(await refusedAt(url)).toEqual(line('permission denied for database.*grant create on database'));
  });

  it('DATABASE_URL fails with a missing schema, a pooler that refuses its options, a wrong database, or text that is no URL', async () => {
    expect(await refusedAt(`${database.url}?options=-c%20search_path%3Dnowhere`)).toEqual(line('no schema has been selected'));
    expect(await refusedAt((await pooler()).url('?options=-c%20jit%3Don'))).toEqual(line('unsupported startup parameter: options.*omit it'));
    expect(await refusedAt(`${database.url}_nowhere`)).toEqual(line('does not exist'));
    expect(await refusedAt('postgres://u:p@host:port/z')).toEqual(line('not a URL'));
  });
});
