import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { int4Array, int8Array, jsonArray, textArray, timestamptzArray, uuidArray } from '../../src/platform/postgres/binary/binary-arrays.js';
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
    ['int4', [0, 1, null, -1, 2_147_483_647, -2_147_483_648], int4Array],
    ['uuid', [randomUUID(), null, '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'], uuidArray],
    ['text', ['', 'a', 'NULL', null, '{"quoted", \\back\\}', 'é日本🏦'], textArray],
    ['json', [{}, { text: '"\\é🏦' }, [1, null]], (values) => jsonArray(values.map((value) => JSON.stringify(value)))],
  ])('arrays of %s keep their values', async (type, values, encode) => {
    expect(await asReadBack(encode(values as never[]), type)).toEqual(values);
    expect(await asReadBack(encode([]), type)).toEqual([]);
  });

  it('int8 arrays hold every safe integer, and larger values as bigint', async () => {
    const numbers = [0, 1, -1, 2 ** 32, -(2 ** 32), 2 ** 32 - 1, -(2 ** 32) - 1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
    const beyond = [2n ** 63n - 1n, -(2n ** 63n)];
    const read = await client.query<{ value: string | null }>('select value::text from unnest($1::int8[]) as value', [
      int8Array([...numbers, null, ...beyond]),
    ]);
    expect(read.rows.map(({ value }) => value)).toEqual([...numbers.map(String), null, ...beyond.map(String)]);
  });

  it('timestamp arrays equal their texts', async () => {
    const moments = ['2026-01-31T08:15:30.123+00:00', '2026-01-31T08:15:30.123+00:00', '1970-01-01T00:00:00.000+00:00', null, '-infinity'];
    const later = Array.from({ length: 400 }, (_, n) => new Date(Date.UTC(1990, 0, 1) + n * 86_399_999_977).toISOString().replace('Z', '+00:00'));
    const texts = [...moments, ...later];
    const { rows } = await client.query<{ same: boolean }>(
      'select a is not distinct from b as same from unnest($1::timestamptz[], $2::text[]::timestamptz[]) as both_forms(a, b)',
      [timestamptzArray(texts), texts],
    );
    expect(rows).toHaveLength(texts.length);
    expect(rows.every(({ same }) => same)).toBe(true);
    expect(() => timestamptzArray(['yesterday'])).toThrow(RangeError);
  });

  it.each(['zzz', '00000000-0000-0000-0000-00000000000g', 'é0000000-0000-0000-0000-000000000000', '日0000000-0000-0000-0000-000000000000'])(
    'the encoder of UUID arrays throws for %s',
    (text) => {
      expect(() => uuidArray([text])).toThrow(TypeError);
    },
  );
});
