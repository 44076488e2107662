import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import pg from 'pg';
import { NewRows } from '../../src/platform/postgres/binary/new-rows.js';
import { createPipeliningPool } from '../../src/platform/projector/projector.js';
import { timestamp } from '../../src/ledger/time.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

interface Row {
  readonly number: number;
  readonly flag: boolean | null;
  readonly small: number | null;
  readonly whole: number | null;
  readonly big: bigint | number | null;
  readonly exact: bigint | number | string | null;
  readonly moment: string | null;
  readonly id: string | null;
  readonly words: string | null;
  readonly document: string | null;
  readonly bytes: Buffer | null;
  readonly wholes: readonly number[] | null;
  readonly exacts: readonly (bigint | string)[] | null;
  readonly texts: readonly string[] | null;
}

const newRows = new NewRows<Row>({
  number: 'integer',
  flag: 'boolean',
  small: 'smallint',
  whole: 'integer',
  big: 'bigint',
  exact: 'numeric',
  moment: 'timestamptz',
  id: 'uuid',
  words: 'text',
  document: 'json',
  bytes: 'bytea',
  wholes: 'integer[]',
  exacts: 'numeric[]',
  texts: 'text[]',
});

const nothing: Omit<Row, 'number'> = {
  flag: null,
  small: null,
  whole: null,
  big: null,
  exact: null,
  moment: null,
  id: null,
  words: null,
  document: null,
  bytes: null,
  wholes: null,
  exacts: null,
  texts: null,
};

const text = fc.string({ unit: 'grapheme', maxLength: 120 }).map((value) => value.replaceAll('\0', ''));
const exact = fc.oneof(
  fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }),
  fc.constantFrom(0n, 1n, 9_999n, 10_000n, -10_000n, 100_000_000n, 2n ** 53n, 2n ** 63n, -(10n ** 24n)),
);
const orNull = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(values, { freq: 8 });

const row: fc.Arbitrary<Omit<Row, 'number'>> = fc.record({
  flag: orNull(fc.boolean()),
  small: orNull(fc.integer({ min: -32_768, max: 32_767 })),
  whole: orNull(fc.integer({ min: -2_147_483_648, max: 2_147_483_647 })),
  big: orNull(fc.oneof(fc.maxSafeInteger(), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }))),
  exact: orNull(fc.oneof(exact, exact.map(String), fc.maxSafeInteger())),
  moment: orNull(fc.oneof(fc.constant('-infinity'), fc.integer({ min: Date.UTC(1, 0, 1), max: Date.UTC(9999, 11, 31) }).map(timestamp))),
  id: orNull(fc.uuid()),
  words: orNull(text),
  document: orNull(fc.json({ noUnicodeString: true })),
  bytes: orNull(fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes))),
  wholes: orNull(fc.array(fc.integer(), { maxLength: 5 })),
  exacts: orNull(fc.array(fc.oneof(exact, exact.map(String)), { maxLength: 5 })),
  texts: orNull(fc.array(text, { maxLength: 5 })),
});

describe('new rows', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let client: pg.PoolClient;

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = createPipeliningPool({ url: database.url, applicationName: 'test' }, 1);
  });
  beforeEach(async () => {
    client = await pool.connect();
    await client.query(`create table taken (number int primary key, flag boolean, small smallint, whole int, big bigint, exact numeric, moment timestamptz,
      id uuid, words text, document json, bytes bytea, wholes int[], exacts numeric[], texts text[])`);
  });
  afterEach(async () => {
    await client.query('drop table taken');
    client.release(true);
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  it('new rows arrive unchanged, whatever their content', async () => {
    const rows = fc.sample(row, { numRuns: 2_500, seed: 20_260_131 }).map((values, number): Row => ({ number, ...values }));
    await newRows.add(client, 'taken', rows);
    const { rows: found } = await client.query<{ number: number }>(
      `select number from taken t join unnest($1::int[], $2::int[], $3::int[], $4::bigint[], $5::numeric[], $6::timestamptz[], $7::uuid[], $8::text[], $9::text[],
                $10::bytea[], $11::text[], $12::text[], $13::json[], $14::boolean[])
                as n(number, small, whole, big, exact, moment, id, words, document, bytes, wholes, exacts, texts, flag)
            using (number)
        where (t.small, t.whole, t.big, t.exact::text, t.moment, t.id, t.words, t.document::text, t.bytes, t.wholes::text, t.exacts::text)
              is not distinct from (n.small::smallint, n.whole, n.big, n.exact::text, n.moment, n.id, n.words, n.document, n.bytes, n.wholes, n.exacts)
          and t.flag is not distinct from n.flag and array_to_json(t.texts)::jsonb is not distinct from n.texts::jsonb`,
      [
        rows.map(({ number }) => number),
        rows.map(({ small }) => small),
        rows.map(({ whole }) => whole),
        rows.map(({ big }) => big),
        rows.map((each) => each.exact),
        rows.map(({ moment }) => moment),
        rows.map(({ id }) => id),
        rows.map(({ words }) => words),
        rows.map(({ document }) => document),
        rows.map(({ bytes }) => bytes),
        rows.map(({ wholes }) => wholes && `{${wholes.join(',')}}`),
        rows.map(({ exacts }) => exacts && `{${exacts.join(',')}}`),
        rows.map(({ texts }) => texts && JSON.stringify(texts)),
        rows.map(({ flag }) => flag),
      ],
    );
    expect(found).toHaveLength(rows.length);
  });

  it('rows that Postgres rejects fail alone, and later statements of the connection are answered', async () => {
    const sent = await Promise.allSettled([
      client.query('begin'),
      newRows.add(client, 'taken', [{ number: 1, ...nothing }]),
      newRows.add(client, 'taken', [{ number: 1, ...nothing }]),
      newRows.add(client, 'taken', [{ number: 2, ...nothing }]),
      client.query('rollback'),
      newRows.add(client, 'taken', [{ number: 3, ...nothing, words: 'é'.repeat(100_000) }]),
      client.query('select number, length(words) as length from taken'),
    ]);
    expect(sent.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
    expect(sent[2]).toMatchObject({ reason: { code: '23505' } });
    expect(sent[3]).toMatchObject({ reason: { code: '25P02' } });
    expect(sent[6]).toMatchObject({ value: { rows: [{ number: 3, length: 100_000 }] } });
  });

  it('rejects a value of the wrong type before anything is sent', async () => {
    await expect(newRows.add(client, 'taken', [{ number: 1, ...nothing, moment: 'yesterday' }])).rejects.toThrow(RangeError);
    await expect(newRows.add(client, 'taken', [{ number: 1, ...nothing, id: 'nobody' }])).rejects.toThrow(TypeError);
    await expect(newRows.add(client, 'taken', [{ number: 1, ...nothing, exact: '1.5' }])).rejects.toThrow(SyntaxError);
    expect((await client.query('select from taken')).rowCount).toBe(0);
  });
});
