import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { int4Array, jsonArray, textArray, uuidArray } from '../../src/platform/postgres/binary-arrays.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

describe('binary arrays', () => {
  let database: TestDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const asReadBack = async (array: Buffer, type: string): Promise<unknown[]> =>
    (await client.query<{ value: unknown }>(`select value from unnest($1::${type}[]) as value`, [array])).rows.map(({ value }) => value);

  it.each<[string, unknown[], (values: never[]) => Buffer]>([
    ['int4', [0, 1, -1, 2_147_483_647, -2_147_483_648], int4Array],
    ['uuid', [randomUUID(), '00000000-0000-0000-0000-000000000000'], uuidArray],
    ['text', ['', 'a', 'NULL', '{"quoted", \\back\\}', 'é日本🏦'], textArray],
    ['json', [{}, { text: '"\\é🏦' }, [1, null]], (values) => jsonArray(values.map((value) => JSON.stringify(value)))],
  ])('of %s arrive as they are', async (type, values, encode) => {
    expect(await asReadBack(encode(values as never[]), type)).toEqual(values);
    expect(await asReadBack(encode([]), type)).toEqual([]);
  });

  it('refuse what is no UUID', () => {
    expect(() => uuidArray(['zzz'])).toThrow(TypeError);
  });
});
