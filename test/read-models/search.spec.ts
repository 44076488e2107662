import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Pool } from 'pg';
import { findCharges, type ChargeListQuery } from '../../projections/charges/charge-list.js';
import { charges } from '../../projections/charges/charges.js';
import type { ChargeRow } from '../../projections/charges/charges-table.js';
import { buildSegment, foldCase, intersect, keysOf, SEGMENT_SIZE } from '../../projections/charges/search-segments.js';
import { findChargesNamed, search } from '../../projections/charges/search.js';
import { within } from '../support/eventually.js';
import { World } from '../support/histories.js';
import { sized } from '../support/nightly.js';
import { contents, project, projectOn, setAutovacuum } from '../support/projected.js';
import { suiteDatabase } from '../support/suite-database.js';
import { ledgerProjection } from '../../src/ledger/read-model.js';

const ledger = ledgerProjection({ name: 'ledger', readModels: [charges, search] });

let pool: Pool;
suiteDatabase((opened) => (pool = opened), { statementTimeoutMs: 0 });

const TEXTS = [
  'Kopi Susu 50%',
  'CAFÉ crème',
  'ΟΔΟΣ οδός',
  'Straße',
  'İstanbul',
  'a_b\\c',
  'кофе ЧАЙ',
  '咖啡',
  '☕️ latte',
  "100% 'sure'; --",
  'tab\tline\nend',
  'kopi',
];

/** `count` charges of two merchants; each text occurs in one of the searched fields now and then. */
function history(count: number, merchantOf: (n: number) => number): World {
  const world = new World(2);
  for (let n = 0; n < count; n++) {
    world.log.clockMs += n % 3;
    world.create(merchantOf(n) + 2 * (n % 3), 1 + (n % 500));
    const { data } = world.log.events.at(-1)! as { data: Record<string, unknown> };
    const text = TEXTS[n % TEXTS.length]!;
    if (n % 5 === 0) data['reference_id'] = `ref ${text} ${n % 997}`;
    else data['description'] = n % 7 === 0 ? null : `${text}${n % 101}`;
    if (n % 40 === 0) world.pay(n);
  }
  return world;
}

async function rowsOf(merchant: string): Promise<ChargeRow[]> {
  const { rows } = await pool.query<ChargeRow>('select * from ledger.charges where merchant_id = $1 order by created_on, id', [merchant]);
  return rows;
}

/** Its folded texts are joined by a character that no text can have. */
type Searchable = ChargeRow & { readonly texts: string };
const searchable = (row: ChargeRow): Searchable => ({ ...row, texts: [row.code, row.reference_id, row.description ?? ''].map(foldCase).join('\0') });

function expected(rows: readonly Searchable[], query: ChargeListQuery): { total: number; ids: string[] } {
  const { order_by: by, status, date_from, search_text = '' } = query;
  const part = foldCase(search_text);
  const found = rows.filter((row) => (!status || row.status === status) && (!date_from || row.created_on >= date_from) && row.texts.includes(part));
  const compare = (a: string | number | bigint, b: string | number | bigint): number => (a < b ? -1 : a > b ? 1 : 0);
  found.sort((a, b) => (compare(a[by], b[by]) || compare(a.id, b.id)) * (query.is_descending ? -1 : 1));
  const offset = (query.page_number - 1) * query.page_size;
  return { total: found.length, ids: found.slice(offset, offset + query.page_size).map(({ id }) => id) };
}

/** Parts of existing texts, in any case, and texts that do not occur. */
const parts = (rows: readonly ChargeRow[]): fc.Arbitrary<string> =>
  fc.oneof(
    fc
      .record({ row: fc.nat(rows.length - 1), field: fc.nat(2), from: fc.nat(20), length: fc.integer({ min: 1, max: 12 }), upper: fc.boolean() })
      .map(({ row, field, from, length, upper }) => {
        const text = [rows[row]!.code, rows[row]!.reference_id, rows[row]!.description ?? 'x'][field]!;
        const letters = Array.from(text);
        const part = letters.slice(from % letters.length, (from % letters.length) + length).join('');
        return upper ? part.toUpperCase() : part;
      }),
    fc.constantFrom(
      '%',
      '_',
      '\\',
      '%%%',
      '___',
      'kopi%',
      'a_b\\',
      '\u0001',
      '0\u0001o',
      'ΟΔΟΣ',
      'οδος',
      'STRASSE',
      'strasse',
      'kopi susu',
      'CHG_',
      'zzz',
      '☕',
      '咖',
      "'; --",
    ),
    fc.string({ minLength: 1, maxLength: 6 }),
  );

describe('search', () => {
  async function agrees(merchant: string, numRuns: number): Promise<void> {
    const rows = (await rowsOf(merchant)).map(searchable);
    const queries: fc.Arbitrary<ChargeListQuery> = fc.record({
      page_number: fc.constantFrom(1, 2, 30),
      page_size: fc.constantFrom(1, 10, 100),
      order_by: fc.constantFrom('created_on', 'amount', 'status'),
      is_descending: fc.boolean(),
      status: fc.constantFrom(undefined, undefined, 'PENDING', 'SUCCEEDED'),
      date_from: fc.option(
        fc.nat(rows.length - 1).map((n) => rows[n]!.created_on),
        { nil: undefined, freq: 2 },
      ),
      search_text: parts(rows),
    });
    await fc.assert(
      fc.asyncProperty(queries, async (query) => {
        const { total, items } = await findCharges(pool, merchant, query);
        expect({ total, ids: items.map(({ id }) => id) }).toEqual(expected(rows, query));
      }),
      { numRuns, seed: 11 },
    );
  }

  it('finds any page of a word that every charge has, on tables that were never analyzed', async () => {
    const world = new World(1);
    for (let n = 0; n < 10_000; n++) {
      world.log.clockMs += 300;
      world.create(0, 1 + (n % 500));
      (world.log.events.at(-1)! as { data: Record<string, unknown> }).data['reference_id'] = 'order-1001';
    }
    await project(pool, ledger, [], 500);
    await setAutovacuum(pool, 'ledger', 'off');
    await projectOn(pool, ledger, world.log.events, 500);
    const { rows } = await pool.query(
      "select relname from pg_class where relnamespace = 'ledger'::regnamespace and relkind = 'r' and reltuples >= 0",
    );
    expect(rows).toEqual([]);
    const merchant = world.merchants[0]!;
    const of = (await rowsOf(merchant)).map(searchable);
    for (const search_text of ['ORDER-1001', 'o', undefined]) {
      for (const status of ['PENDING', undefined] as const) {
        for (const order_by of ['created_on', 'amount', 'status'] as const) {
          for (const date_from of [of[50]!.created_on, undefined]) {
            const query = { page_size: 100, page_number: 99, order_by, is_descending: true, status, date_from, search_text } as const;
            const { total, items } = await within(1_000, () => findCharges(pool, merchant, query));
            expect({ total, ids: items.map(({ id }) => id) }).toEqual(expected(of, query));
          }
        }
      }
    }
    await setAutovacuum(pool, 'ledger', 'on');
  });

  it('a search of a small merchant equals a filter over all rows', async () => {
    const world = history(900, (n) => n % 2);
    await project(pool, ledger, world.log.events, 100);
    await agrees(world.merchants[0]!, 400);
  });

  it('a search of a large merchant with indexed older texts equals a filter over all rows', async () => {
    // One merchant in nine is the other one.
    const world = history(2 * SEGMENT_SIZE + 5_000, (n) => (n % 9 === 0 ? 1 : 0));
    const { events } = world.log;
    await project(pool, ledger, events, 777);
    const inSmallBatches = await contents(pool, 'ledger');
    await project(pool, ledger, events, 5_000);
    const { rows } = await pool.query<{ segments: number }>(
      'select count(distinct (merchant_id, segment))::integer as segments from ledger.search_segments',
    );
    expect(rows).toEqual([{ segments: 2 }]);
    await agrees(world.merchants[0]!, sized(40, 100));
    const inLargeBatches = await contents(pool, 'ledger');
    for (const table of Object.keys(inLargeBatches)) {
      expect({ table, same: inLargeBatches[table]!.join('\n') === inSmallBatches[table]!.join('\n') }).toEqual({ table, same: true });
    }
  });

  it('a search across merchants finds texts with the given beginning, codes first, each in their order', async () => {
    const { rows } = await pool.query<Pick<ChargeRow, 'id' | 'code' | 'reference_id'>>('select id, code, reference_id from ledger.charges');
    const LIMIT = 20;
    const compare = (a: string, b: string): number => Buffer.from(a).compare(Buffer.from(b));
    const named = rows.map(({ id, code, reference_id }) => ({ id, code: foldCase(code), reference: foldCase(reference_id) }));
    const beginning = fc
      .record({ row: fc.nat(rows.length - 1), field: fc.nat(2), length: fc.integer({ min: 1, max: 30 }), upper: fc.boolean() })
      .map(({ row, field, length, upper }) => {
        const { code, reference_id } = rows[row]!;
        const text = Array.from([code, code.slice(4), reference_id][field]!)
          .slice(0, length)
          .join('');
        return upper ? text.toUpperCase() : text;
      });
    await fc.assert(
      fc.asyncProperty(beginning, async (text) => {
        const part = foldCase(text);
        const byCode = named
          .filter(({ code }) => code.startsWith(part.startsWith('chg_') ? part : `chg_${part}`))
          .sort((a, b) => compare(a.code.slice(0, 19), b.code.slice(0, 19)) || compare(a.id, b.id));
        const byReference = named
          .filter(({ reference }) => reference.startsWith(part))
          .sort((a, b) => compare(a.reference, b.reference) || compare(a.id, b.id));
        const found = await findChargesNamed(pool, text, LIMIT);
        // Which of those with the same key come in last is left open.
        const isCut = [byCode.map(({ code }) => code.slice(0, 19)), byReference.map(({ reference }) => reference)].some(
          (keys) => keys.length > LIMIT && keys[LIMIT] === keys[LIMIT - 1],
        );
        if (!isCut) expect(found).toEqual([...new Set([...byCode.slice(0, LIMIT), ...byReference].map(({ id }) => id))].slice(0, LIMIT));
        expect(new Set(found).size).toBe(Math.min(LIMIT, new Set([...byCode, ...byReference]).size));
      }),
      { numRuns: sized(10, 25), seed: 12 },
    );
    expect(await findChargesNamed(pool, 'order-\u0001', LIMIT)).toEqual([]);
  });

  it('a search across merchants uses indexes alone', async () => {
    const plan: string[] = [];
    const explaining = {
      query: async (text: string, values: unknown[]) => {
        const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
        plan.push(...rows.map((row) => row['QUERY PLAN']));
        return { rows: [] };
      },
    } as unknown as Pool;
    await findChargesNamed(explaining, 'CHG_', 51);
    const scans = plan.flatMap((line) => (line.includes('Subquery') ? [] : (/(\w+ )?Scan .*/.exec(line)?.[0] ?? [])));
    expect(scans.map((scan) => /^Index Scan using (\w+)/.exec(scan)?.[1] ?? scan)).toEqual(['search_texts_by_code', 'search_texts_by_reference']);
  });

  it('finds a charge by its id and a text', async () => {
    const [row] = await rowsOf(new World(2).merchants[0]!);
    const merchant = row!.merchant_id;
    const ask = (search_text: string): Promise<unknown> =>
      findCharges(pool, merchant, { page_number: 1, page_size: 10, order_by: 'created_on', is_descending: false, id: row!.id, search_text }).then(
        ({ total }) => total,
      );
    expect(await ask(row!.code.toLowerCase())).toBe(1);
    expect(await ask('not there')).toBe(0);
  });
});

describe('a segment', () => {
  it('a segment lists the matching texts for each key', () => {
    const texts = Array.from({ length: SEGMENT_SIZE }, (_, n) => foldCase(`order ${n % 3 === 0 ? 'Kopi' : 'teh'} ${n}`));
    const rows = buildSegment(texts);
    const lists = new Map(rows.flatMap(({ keys, ends, lists: all }) => keys.map((key, i) => [key, all.subarray(ends[i - 1] ?? 0, ends[i])])));
    for (const part of ['kopi', ' 123', '12345', 'teh 99']) {
      const found = intersect(keysOf(part).map((key) => lists.get(key)!));
      const matching = texts.flatMap((text, number) => (text.includes(part) ? [number] : []));
      const foundOnes = new Set(found);
      expect(matching.filter((number) => !foundOnes.has(number))).toEqual([]);
      expect(found.length).toBeLessThan(matching.length * 2 + 20);
    }
  });
});

describe('folding', () => {
  it.each([
    ['CAFÉ', 'café'],
    ['ΟΔΟΣ', 'οδος'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['ЧАЙ', 'чай'],
    ['ẞ', 'ß'],
    ['KELVIN \u212a', 'kelvin k'],
  ])('case folding of %s equals that of %s', (a, b) => expect(foldCase(a)).toBe(foldCase(b)));
});
