import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { Pool } from 'pg';
import { createPool } from '../../src/platform/postgres/pool.js';
import { CannotCreate, MomentDatabases } from '../../src/point-in-time/moment-databases.js';
import { momentsMigrations } from '../../src/point-in-time/moments.migrations.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

const wanted = (): Promise<boolean> => Promise.resolve(true);

describe('the databases of moments', () => {
  let database: TestDatabase;
  let pool: Pool;
  let databases: MomentDatabases;
  beforeEach(async () => {
    database = await createTestDatabase(momentsMigrations);
    pool = createPool({ url: database.url, applicationName: 'test' });
    databases = new MomentDatabases({ pool, databaseUrl: database.url, url: undefined });
  });
  afterEach(async () => {
    for (const moment of await databases.orphans()) await databases.drop(moment);
    await pool.end();
    await database.drop();
  });

  async function inDatabase<T extends object>(moment: string, statement: string): Promise<T[]> {
    const client = new pg.Client({ connectionString: await databases.urlOf(moment) });
    await client.connect();
    try {
      return (await client.query<T>(statement)).rows;
    } finally {
      await client.end();
    }
  }
  const found = (moment: string): Promise<{ of: string | null }[]> => inDatabase(moment, `select to_regclass('made_for')::text as of`);

  it('a database is empty, a copy of an earlier moment, or continued', async () => {
    expect(await databases.make('5', { continues: false, from: undefined, isWanted: wanted })).toBe(true);
    expect(await found('5')).toEqual([{ of: null }]);
    await inDatabase('5', 'create table made_for (position int)');
    expect(await databases.make('9', { continues: false, from: '5', isWanted: wanted })).toBe(true);
    expect(await found('9')).toEqual([{ of: 'made_for' }]);
    await databases.make('9', { continues: true, from: undefined, isWanted: wanted });
    expect(await found('9')).toEqual([{ of: 'made_for' }]);
    await databases.make('9', { continues: false, from: undefined, isWanted: wanted });
    expect(await found('9')).toEqual([{ of: null }]);
    // The earlier moment is gone.
    await databases.make('11', { continues: true, from: '7', isWanted: wanted });
    expect(await found('11')).toEqual([{ of: null }]);
  });

  it('a moment with a reader that does not leave is not copied, and the new database is empty', async () => {
    await databases.make('5', { continues: false, from: undefined, isWanted: wanted });
    await inDatabase('5', 'create table made_for (position int)');
    const reader = new pg.Client({ connectionString: await databases.urlOf('5') });
    await reader.connect();
    await databases.make('6', { continues: false, from: '5', isWanted: wanted });
    expect(await found('6')).toEqual([{ of: null }]);
    await reader.end();
  });

  it('a database that is not wanted any more is not made, and one of another owner is not replaced or dropped', async () => {
    expect(await databases.make('5', { continues: false, from: undefined, isWanted: () => Promise.resolve(false) })).toBe(false);
    await expect(found('5')).rejects.toThrow('does not exist');
    const name = `${new URL(database.url).pathname.slice(1)}_at_5`;
    await pool.query(`create database ${name}`);
    await expect(databases.make('5', { continues: false, from: undefined, isWanted: wanted })).rejects.toThrow(CannotCreate);
    await databases.drop('5');
    expect(await found('5')).toEqual([{ of: null }]);
    await pool.query(`drop database ${name}`);
  });

  it('a moment at other fees has its own database beside that of the recorded fees', async () => {
    for (const moment of ['5', '5~qris-at-0-6']) await databases.make(moment, { continues: false, from: undefined, isWanted: wanted });
    await inDatabase('5~qris-at-0-6', 'create table made_for (position int)');
    expect([await found('5'), await found('5~qris-at-0-6')]).toEqual([[{ of: null }], [{ of: 'made_for' }]]);
    expect((await databases.orphans()).sort()).toEqual(['5', '5~qris-at-0-6']);
    await databases.drop('5~qris-at-0-6');
    expect([await databases.orphans(), await found('5')]).toEqual([['5'], [{ of: null }]]);
  });

  it('its address has the server, the options and the rights of the service’s', async () => {
    const at = (databaseUrl: string, url?: string): Promise<string> => new MomentDatabases({ pool, databaseUrl, url }).urlOf('7');
    const own = new URL(database.url).pathname.slice(1);
    expect(await at('postgres://u:p@host-1:5432,host-2/shop?sslmode=require')).toBe(`postgres://u:p@host-1:5432,host-2/${own}_at_7?sslmode=require`);
    expect(await at('postgres://u:p@%2Frun%2Fdata:5432/postgres')).toBe(`postgres://u:p@%2Frun%2Fdata:5432/${own}_at_7`);
    expect(await at('postgres://host/shop', 'postgresql://other?application_name=x')).toBe(`postgresql://other/${own}_at_7?application_name=x`);
    expect(await databases.refusal('7')).toBeUndefined();
    const long = `shop_${'x'.repeat(55)}`;
    await pool.query(`create database ${long}`);
    const inLong = createPool({ url: (await at(database.url)).replace(`${own}_at_7`, long), applicationName: 'test', maxConnections: 1 });
    expect(await new MomentDatabases({ pool: inLong, databaseUrl: database.url, url: undefined }).refusal('7')).toBe(
      `the name ${long}_at_7 is too long for Postgres`,
    );
    await inLong.end();
    await pool.query(`drop database ${long} with (force)`);
  });
});
