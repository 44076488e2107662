import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { inTransaction } from '../../src/platform/postgres/pool.js';
import { compareBuilds, type TableComparison } from '../../src/platform/projector/comparison.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

describe('the comparison of two builds', () => {
  let database: TestDatabase;
  let pool: pg.Pool;

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = new pg.Pool({ connectionString: database.url, max: 1 });
    const values = `(1, true, 2, 3, 4, 5.0, '2026-01-31T08:15:30.123Z', gen_random_uuid(), 'words', '{"a":1}', '\\x00', '{1,2}', '{1,2}', '{a,b}', null)`;
    await pool.query(`
      create schema live;
      create table live.checkpoint (ordinal bigint);
      create table live.taken (number int primary key, flag boolean, small smallint, whole int, big bigint, exact numeric, moment timestamptz,
        id uuid, words text, document json, bytes bytea, wholes int[], exacts numeric[], texts text[], absent text);
      insert into live.taken values ${values};
      create schema rebuilt;
      create table rebuilt.checkpoint (ordinal bigint);
      create table rebuilt.taken (like live.taken including all);
      insert into rebuilt.taken select * from live.taken`);
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  /** With `change` made to the live row, and taken back. */
  const compared = async (change: string): Promise<TableComparison> => {
    let tables: TableComparison[] = [];
    const taken = inTransaction(pool, async (tx) => {
      await tx.query(`update live.taken set ${change}`);
      tables = await compareBuilds([tx], 'live', 'rebuilt');
      throw new Error('taken back');
    });
    await expect(taken).rejects.toThrow('taken back');
    return tables[0]!;
  };

  it('the comparison finds no difference between equal rows', async () => {
    const same = await compared('number = number');
    expect(same).toMatchObject({ name: 'taken', rows: 1, differences: 0, found: [] });
    expect(same.digest).toBe(same.rebuilt_digest);
    expect(same.digest).toMatch(/^[0-9a-f]{32}$/);
  });

  it.each([
    ['flag', 'false'],
    ['small', '-2'],
    ['whole', '30'],
    ['big', '-4'],
    ['exact', '5.00'],
    ['exact', "'NaN'"],
    ['moment', "'2026-01-31T08:15:30.124Z'"],
    ['id', 'gen_random_uuid()'],
    ['words', "'Words'"],
    ['words', 'null'],
    ['document', `'{"a": 1}'`],
    ['bytes', "''"],
    ['wholes', "'{2,1}'"],
    ['wholes', "'[0:1]={1,2}'"],
    ['exacts', "'{1,2.0}'"],
    ['texts', "'{a,NULL}'"],
    ['texts', "'{{a},{b}}'"],
    ['absent', "''"],
  ])('the comparison finds %s changed to %s', async (column, value) => {
    const changed = await compared(`${column} = ${value}`);
    expect(changed).toMatchObject({ differences: 1, found: [{ key: { number: '1' }, kind: 'changed', columns: [{ column }] }] });
    expect(changed.digest).not.toBe(changed.rebuilt_digest);
  });

  it('the comparison finds values that two rows exchanged, although the sums of the columns are equal', async () => {
    await pool.query(`
      create table live.exchanged (number int primary key, amount bigint not null);
      insert into live.exchanged values (1, 100), (2, 200), (3, 300);
      create table rebuilt.exchanged (like live.exchanged including all);
      insert into rebuilt.exchanged values (1, 200), (2, 100), (3, 300)`);
    const tables = await inTransaction(pool, (tx) => compareBuilds([tx], 'live', 'rebuilt'));
    const exchanged = tables.find(({ name }) => name === 'exchanged')!;
    expect(exchanged).toMatchObject({ rows: 3, differences: 2, found: [{ key: { number: '1' } }, { key: { number: '2' } }] });
    expect(exchanged.digest).not.toBe(exchanged.rebuilt_digest);
    await pool.query('drop table live.exchanged, rebuilt.exchanged');
  });
});
