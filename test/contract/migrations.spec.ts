import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { MIGRATIONS } from '../../src/app/migrations.js';
import { migrate, SchemaMismatch, type Migration } from '../../src/platform/postgres/migrations.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

const notes: Migration = { id: 1, name: 'notes', sql: 'create table notes (id int4 primary key); insert into notes values (1)' };
const texts: Migration = { id: 2, name: 'texts of notes', sql: `alter table notes add column text text not null default ''` };

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
});

afterEach(() => database.drop());

async function query<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

describe('migrations', () => {
  it('migrations apply each step once, in the order of their numbers', async () => {
    expect(await migrate(database.url, [texts, notes])).toEqual([1, 2]);
    expect(await migrate(database.url, [texts, notes])).toEqual([]);
    expect(await query('select id, text from notes')).toEqual([{ id: 1, text: '' }]);
  });

  it('migrations apply the new steps of a newer version', async () => {
    await migrate(database.url, [notes]);
    expect(await migrate(database.url, [notes, texts])).toEqual([2]);
  });

  it('migrations apply each step once when several processes start at the same moment', async () => {
    const applied = await Promise.all(Array.from({ length: 5 }, () => migrate(database.url, [notes, texts])));
    expect(applied.flat().sort()).toEqual([1, 2]);
    expect(await query('select count(*)::int4 as notes from notes')).toEqual([{ notes: 1 }]);
  });

  it('a migration that fails leaves nothing behind, keeps the steps before it and is named', async () => {
    const broken: Migration = { id: 3, name: 'broken', sql: 'create table half (id int4); select 1 / 0' };
    await expect(migrate(database.url, [notes, texts, broken])).rejects.toThrow('schema step 3 "broken" failed: division by zero');
    expect(await query(`select to_regclass('half')::text as half`)).toEqual([{ half: null }]);
    expect(await query('select id from schema_migrations order by id')).toEqual([{ id: 1 }, { id: 2 }]);
    expect(await migrate(database.url, [notes, texts, { ...broken, sql: 'create table half (id int4)' }])).toEqual([3]);
  });

  it('migrations refuse a database that is newer than the code, naming both numbers', async () => {
    await migrate(database.url, [notes, texts]);
    const refusal = migrate(database.url, [notes]);
    await expect(refusal).rejects.toThrow(SchemaMismatch);
    await expect(refusal).rejects.toThrow('the database is newer than this version: its schema is 2, the newest known to this version is 1');
  });

  it('migrations refuse a database with a step that the code does not know', async () => {
    await migrate(database.url, [notes, { ...texts, id: 5 }]);
    await expect(migrate(database.url, [notes, { ...texts, id: 6 }])).rejects.toThrow(
      'schema step 5 "texts of notes" of the database is unknown to this version',
    );
  });

  it('migrations refuse an applied step that was edited', async () => {
    await migrate(database.url, [notes]);
    await expect(migrate(database.url, [{ ...notes, sql: `${notes.sql} ` }])).rejects.toThrow(
      /schema step 1 "notes" of the database is not that of this version: it was changed later/,
    );
  });

  it('migrations refuse a database of a build before 1.0.0, whose schema has other steps, and leave it as it is', async () => {
    await migrate(database.url, [
      { id: 100, name: 'event_store', sql: 'create schema event_store' },
      { id: 101, name: 'event_store_append_after', sql: 'select' },
      ...MIGRATIONS.filter(({ id }) => id > 101),
    ]);
    const steps = 'select id, name, checksum from schema_migrations order by id';
    const before = await query(steps);
    await expect(migrate(database.url, MIGRATIONS)).rejects.toThrow(
      new SchemaMismatch(
        'schema step 100 "event_store" of the database is not that of this version: it was changed later, or an unreleased build created the database',
      ),
    );
    expect(await query(steps)).toEqual(before);
  });

  it('migrations refuse a database that is not UTF8', async () => {
    const url = new URL(database.url);
    const name = `${url.pathname.slice(1)}_ascii`;
    await query(`create database ${name} template template0 encoding 'SQL_ASCII' locale_provider libc locale 'C'`);
    url.pathname = `/${name}`;
    await expect(migrate(url.toString(), [notes])).rejects.toThrow("the database's encoding is SQL_ASCII, it must be UTF8");
    await query(`drop database ${name}`);
  });

  it('migrations refuse two steps with one number, and invalid numbers', async () => {
    await expect(migrate(database.url, [notes, { ...texts, id: 1 }])).rejects.toThrow(/two migrations have the number 1/);
    await expect(migrate(database.url, [{ ...notes, id: 0 }])).rejects.toThrow(/must have a positive whole number, not 0/);
  });
});
