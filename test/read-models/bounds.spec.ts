import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { PROJECTIONS } from '../../src/app/projections.js';
import { importStatement, type ImportServices } from '../../src/domain/reconciliation/import-statement.js';
import { identityOf, setSource } from '../../src/domain/reconciliation/sources.js';
import { boundsFault, boundsOf, recordBound, type BoundsOfType } from '../../src/ledger/bounds.js';
import { SCHEMA_VERSIONS, type LedgerEventType } from '../../src/ledger/catalogue.js';
import { systemContext } from '../../src/ledger/streams/new-event.js';
import type { OrdinalEvent } from '../../src/platform/projector/projection.js';
import { createPipeliningPool } from '../../src/platform/projector/projector.js';
import { misfits, shapesOfToday, type Shape } from '../support/event-shapes.js';
import { worldOf } from '../support/histories.js';
import { InMemoryEventStore } from '../support/in-memory-event-store.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { contents, project } from '../support/projected.js';
import { randomNumbers } from '../support/random-numbers.js';
import { BANK, bankDay, bankFile, hmacOf, PROCESSOR, remittance, spooled } from '../support/recon.js';

/** A value at a bound of its field, or inside it. */
interface Extreme {
  readonly text: (value: string, max: number) => string;
  readonly moment: string | null;
  readonly day: string | null;
  readonly number: 'max' | 'min' | null;
}

/** Three bytes of UTF-8 for each unit, in an order that no compression shortens; the same for the same value. */
function longest(value: string, max: number): string {
  let text = '';
  for (let part = 0; text.length < max; part += 1)
    for (const byte of createHash('sha512').update(`${part}:${value}`).digest()) text += String.fromCharCode(0x4e00 + byte * 67);
  return text.slice(0, max);
}

/** Characters that formats give a meaning, and the ends of the planes. */
const ODD = [
  '\u0001',
  '\t',
  '\n',
  '\r',
  '"',
  "'",
  '\\',
  '\\u0000',
  ',',
  '{',
  '}',
  'NULL',
  '\u007f',
  '\u0085',
  '\ufeff',
  '\uffff',
  '🙂',
  '\u{10ffff}',
  '',
];

function odd(value: string, max: number): string {
  const bytes = createHash('sha256').update(value).digest();
  const text = [...bytes.subarray(0, 12)].map((byte) => ODD[byte % ODD.length]!).join('') + bytes.toString('hex', 0, 8);
  return text.length <= max ? text : bytes.toString('hex').slice(0, max);
}

const same = (value: string): string => value;
const EXTREMES: Readonly<Record<string, Extreme>> = {
  'the longest texts': { text: longest, moment: null, day: null, number: null },
  'texts of odd characters': { text: odd, moment: null, day: null, number: null },
  'the largest numbers and the last day': { text: same, moment: '9999-12-31T23:59:59.999+00:00', day: '9999-12-31', number: 'max' },
  'the smallest numbers and the first day': { text: same, moment: '1970-01-01T00:00:00.000+00:00', day: '1970-01-01', number: 'min' },
};

/** Returns `value` with its fields at their bounds; words that the compiler or the service knows stay. */
function extremeOf(value: unknown, shape: Shape, name: string, bounds: BoundsOfType, extreme: Extreme): unknown {
  if (value === null || value === undefined) return value;
  if (typeof shape === 'string') {
    if (typeof value === 'number' && /\bnumber\b/.test(shape)) return extreme.number === null ? value : bounds.number(name)![extreme.number];
    return typeof value === 'string' && /\bstring\b/.test(shape) ? extremeText(value, name, bounds, extreme) : value;
  }
  if (Array.isArray(shape)) return (value as unknown[]).map((item) => extremeOf(item, (shape as readonly [Shape])[0], `${name}[]`, bounds, extreme));
  const fields = shape as { readonly [field: string]: Shape };
  if ('either 1' in fields) {
    const fitting = Object.values(fields).find((one) => misfits(value, one).length === 0)!;
    return extremeOf(value, fitting, name, bounds, extreme);
  }
  const record = recordBound(name);
  return Object.fromEntries(
    Object.entries(value).map(([field, each]) => {
      const of = fields['[name]'] ?? fields[field] ?? fields[`${field}?`]!;
      if (record && record.values !== 'fields')
        return [field, typeof each === 'string' && of === 'string' ? extreme.text(each, record.values.max) : each];
      return [field, extremeOf(each, of, field, bounds, extreme)];
    }),
  );
}

function extremeText(value: string, name: string, bounds: BoundsOfType, { text, moment, day }: Extreme): string {
  const { max, form, ours } = bounds.text(name)!;
  for (const [example, last] of [['2026-01-31T00:00:00.000+00:00', moment] as const, ['2026-01-31', day] as const])
    if (form?.test(example)) return last === null ? value : form.test(last) ? last : last.replace('9999', '9998');
  return form || ours ? value : text(value, max);
}

function extremeEvent(event: OrdinalEvent, shape: Shape, extreme: Extreme): OrdinalEvent {
  const data = extremeOf(event.data, shape, '', boundsOf(event.type), extreme) as object;
  expect([event.type, boundsFault(event.type, data)]).toEqual([event.type, undefined]);
  return { ...event, data };
}

const GOLDEN = new URL('../golden/', import.meta.url);
const files = readdirSync(GOLDEN)
  .filter((file) => file.endsWith('.json'))
  .sort();

function golden(file: string, at: number): { readonly event: OrdinalEvent; readonly shape: Shape } {
  const { event, shape } = JSON.parse(readFileSync(new URL(file, GOLDEN), 'utf8')) as { event: OrdinalEvent; shape: Shape };
  return { event: { ...event, position: BigInt(at), ordinal: at }, shape };
}

/** The events that create the records of the others. */
const BEFORE: readonly LedgerEventType[] = [
  ...(['MerchantRegistered', 'CustomerCreated', 'ChargeCreated', 'ChargePaid', 'PayoutRegistered', 'PayoutRequested'] as const),
  ...(['ChargeRefundClaimed', 'ChargeDisputeOpened', 'SettlementOpened', 'ProposalMade', 'ReconSourceSet', 'StatementReceived'] as const),
];
/** Each event follows those only, so some refer to missing records, and a read model reports that. It may report no other error. */
const IS_OF_ANOTHER_LOG = /\bnever\b|do not exist|without being opened/;

/** Charges, payouts and settlements, and behind them files of a bank and of a processor. */
async function history(): Promise<OrdinalEvent[]> {
  const numbers = randomNumbers(7);
  const { log } = worldOf(Array.from({ length: 120 }, () => [numbers(13), numbers(1_000), 1 + numbers(9_000_000)] as const));
  const store = new InMemoryEventStore();
  const services: ImportServices = {
    ...{
      store,
      clock: () => Date.parse('2026-11-30T08:00:00Z'),
      accountHmac: hmacOf,
      findPaidAmounts: async () => new Map(),
      batchesOf: () => async () => new Set(),
    },
    people: { put: async () => undefined },
  };
  const act = { operator: { person_id: '0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d', key_id: 'key_1' }, context: systemContext() };
  const take = (source: string, file: string) =>
    importStatement(services, { source, spool: spooled(file), replaces: null, signal: new AbortController().signal }, act);
  await setSource(services, identityOf('test', 'bca'), BANK, 'why', act);
  await setSource(services, identityOf('test', 'sim'), PROCESSOR, 'why', act);
  await take('test-bca', bankFile(bankDay(1, 0, [9, 28]), bankDay(2, 37, [-5])));
  await take(
    'test-sim',
    remittance([1, 2].flatMap((batch) => [10, 20].map((gross, n) => ({ batch: `B${batch}`, reference: `R${batch}${n}`, gross })))),
  );
  return [...log.events, ...store.all()].map((event, at) => ({ ...event, position: BigInt(at + 1), ordinal: at + 1 }));
}

describe('events at the bounds of their fields', () => {
  let database: TestDatabase;
  let pool: Pool;
  let shapes: Map<string, Shape>;

  beforeAll(async () => {
    shapes = shapesOfToday();
    database = await createTestDatabase();
    pool = createPipeliningPool({ url: database.url, applicationName: 'test', statementTimeoutMs: 0 }, 2);
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  const each = PROJECTIONS.map((projection) => [projection.name, projection] as const);

  it.each(each)(
    'no read model of %s stops at an event of any type and version',
    async (schema, projection) => {
      const before = BEFORE.map((type, n) => golden(`${type}.${SCHEMA_VERSIONS[type]}.json`, n + 1));
      const errors: string[] = [];
      for (const [words, extreme] of Object.entries(EXTREMES)) {
        const first = before.map(({ event, shape }) => extremeEvent(event, shape, extreme));
        await project(pool, projection, first, 1);
        const tx = await pool.connect();
        try {
          for (const file of files) {
            const { event, shape } = golden(file, BEFORE.length + 1);
            if (BEFORE.some((type) => type === event.type)) continue;
            const decoded = projection.decode(extremeEvent(event, shape, extreme));
            for (const readModel of projection.readModels) {
              await tx.query('begin');
              await readModel.apply(tx, schema, [decoded]).catch((error: unknown) => {
                if (!IS_OF_ANOTHER_LOG.test(String(error))) errors.push(`${readModel.name}, ${file}, ${words}: ${String(error)}`);
              });
              await tx.query('rollback');
            }
          }
        } finally {
          tx.release();
        }
      }
      expect(errors).toEqual([]);
    },
    120_000,
  );

  it.each(each)(
    'the rows of %s are the same in batches of 1, of 7 and of all events, with extreme texts',
    async (schema, projection) => {
      const log = await history();
      for (const extreme of Object.values(EXTREMES).filter(({ text }) => text !== same)) {
        const events = log.map((event) => extremeEvent(event, shapes.get(event.type)!, extreme));
        await project(pool, projection, events, 1);
        const expected = await contents(pool, schema);
        for (const size of [7, events.length]) {
          await project(pool, projection, events, size);
          expect(await contents(pool, schema)).toEqual(expected);
        }
      }
    },
    120_000,
  );
});
