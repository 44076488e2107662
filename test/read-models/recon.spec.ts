import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { recon } from '../../projections/reconciliation/reconciliation.projection.js';
import { findSources } from '../../projections/reconciliation/sources.js';
import { findGroups, findLines, findStatements, findUnfinished } from '../../projections/reconciliation/statement-reads.js';
import { findPaidAmounts } from '../../projections/reconciliation/payments.js';
import { systemContext } from '../../src/ledger/streams/new-event.js';
import type { OrdinalEvent } from '../../src/platform/projector/projection.js';
import { importStatement, statementId, type ImportServices } from '../../src/domain/reconciliation/import-statement.js';
import { identityOf, setSource } from '../../src/domain/reconciliation/sources.js';
import { World } from '../support/histories.js';
import { InMemoryEventStore, SimulatedCrash } from '../support/in-memory-event-store.js';
import { Remittances } from '../support/remittances.js';
import { contents, project } from '../support/projected.js';
import { randomNumbers } from '../support/random-numbers.js';
import { BANK, bankDay, bankFile, hmacOf, PROCESSOR, remittance, spooled } from '../support/recon.js';
import { suiteDatabase } from '../support/suite-database.js';

const act = { operator: { person_id: '0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d', key_id: 'key_1' }, context: systemContext() };

/** Two sources; a day, one that is replaced, an overlap, batches that come twice, and an import that is cut short. */
async function history(): Promise<{ events: OrdinalEvent[]; files: Record<string, string> }> {
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
  const files: Record<string, string> = {};
  const take = async (name: string, source: string, file: string, replaces: string | null = null): Promise<void> => {
    files[name] = statementId(source, spooled(file).sha256);
    const order = { source, spool: spooled(file), signal: new AbortController().signal };
    await importStatement(services, { ...order, replaces: replaces === null ? null : { statement_id: replaces, reason: 'again' } }, act);
  };
  await setSource(services, identityOf('test', 'bca'), BANK, 'why', act);
  await setSource(services, identityOf('test', 'sim'), PROCESSOR, 'why', act);
  const many = Array.from({ length: 700 }, (_, n) => (n % 5) - 2 || 1);
  await take('one', 'test-bca', bankFile(bankDay(1, 0, many)));
  const sum = many.reduce((total, amount) => total + amount, 0);
  await take('two', 'test-bca', bankFile(bankDay(2, sum, [5, -5])));
  await take('two again', 'test-bca', bankFile(bankDay(2, sum, [6, -6])), files['two']);
  await take('overlap', 'test-bca', bankFile(bankDay(2, sum, [6, -6]), bankDay(3, sum, [1])));
  const lines = [1, 2, 3].flatMap((batch) => [10, 20].map((gross, n) => ({ batch: `B${batch}`, reference: `R${batch}${n}`, gross })));
  await take('remittance', 'test-sim', remittance(lines.slice(0, 4)));
  await take('rest', 'test-sim', remittance(lines.slice(2)));
  await setSource(services, identityOf('test', 'sim'), { ...PROCESSOR, due_days: 7 }, 'why', act);
  store.hooks = {
    afterAppend: ({ events }) => {
      if (events[0]!.type === 'StatementLines') throw new SimulatedCrash();
    },
  };
  await take('cut', 'test-bca', bankFile(bankDay(4, sum + 1, [...many, ...many, ...many]))).catch(() => undefined);
  store.hooks = {};
  const ended = new AbortController();
  for await (const { events } of store.subscribe(null, { signal: ended.signal }))
    return { files, events: events.map((event, index) => ({ ...event, ordinal: index + 1 })) };
  throw new Error('the log is empty');
}

describe('statements of banks and processors as tables', () => {
  let pool: Pool;
  let events: OrdinalEvent[];
  let files: Record<string, string>;

  suiteDatabase((opened) => (pool = opened), { statementTimeoutMs: 0 });
  beforeAll(async () => {
    ({ events, files } = await history());
  });

  it('the tables of statements are the same in any batch size', async () => {
    await project(pool, recon, events, 1);
    const expected = await contents(pool, 'recon');
    expect(Object.fromEntries(Object.entries(expected).map(([name, rows]) => [name, rows.length]))).toEqual({
      ...{ break_acts: 0, breaks: 726, charges: 0, groups: 7, group_days: 10, lines: 2_215, matches: 0, open_lines: 709, owners: 0 },
      ...{ item_details: 0, item_states: 0 },
      ...{
        openings: 0,
        owed_sums: 0,
        payments: 0,
        payout_references: 0,
        rules: 3,
        sources: 2,
        statements: 7,
        ticks: 6,
        day_closes: 0,
        day_rows: 0,
        suspense_claims: 0,
        booked_items: 0,
      },
    });
    for (const size of [3, events.length]) {
      await project(pool, recon, events, size);
      expect(await contents(pool, 'recon')).toEqual(expected);
    }
  });

  it('the tables of statements count each line once, however often it was sent', async () => {
    const counting = async (source: string): Promise<[number, number]> => {
      const lines = await findLines(pool, { source, counts: true, limit: 2_000 });
      return [lines.length, lines.reduce((sum, { amount }) => sum + amount, 0)];
    };
    const statements = (await findStatements(pool, { limit: 100 }))!;
    const { closing } = { closing: (await findGroups(pool, files['overlap']!))[0]! };
    // The balance of an account that began empty is the sum of its lines.
    expect(await counting('test-bca')).toEqual([703, closing.amount]);
    expect(await counting('test-sim')).toEqual([6, 6 * 1_500 - 6 * 100]);
    expect(statements.map(({ id, status, dropped_lines }) => [id, status, dropped_lines])).toEqual([
      [files['one'], 'ACCEPTED', 0],
      [files['two'], 'REPLACED', 0],
      [files['two again'], 'ACCEPTED', 0],
      [files['overlap'], 'ACCEPTED', 2],
      [files['remittance'], 'ACCEPTED', 0],
      [files['rest'], 'ACCEPTED', 2],
      [files['cut'], 'RECEIVED', 0],
    ]);
    expect(await findUnfinished(pool, 10)).toMatchObject([{ id: files['cut'], lines: 2_100, lines_read: 1_500 }]);
    expect((await findSources(pool, { limit: 10 })).map(({ id, version, newest_day }) => [id, version, newest_day])).toEqual([
      ['test-bca', 1, '2026-11-13'],
      ['test-sim', 2, '2026-11-20'],
    ]);
    expect(await findStatements(pool, { after: files['cut']!, limit: 10 })).toEqual([]);
    expect(await findStatements(pool, { after: act.operator.person_id, limit: 10 })).toBeUndefined();
  });

  it('files that were accepted with days of the year 0 do not stop the tables of statements', async () => {
    const world = new Remittances();
    world.set('live-bca', { by_amount: true });
    world.remit([{ reference: 'R', amount: 100 }], { batch: 'B-0', day: '0000-01-01' });
    world.book([{ amount: 100 }], { day: '0000-02-29' });
    world.book([{ amount: 7 }]);
    world.days(7);
    world.run();
    await project(pool, recon, world.log.events, 2);
    expect((await findLines(pool, { source: 'live-sim', limit: 10 })).map(({ booking_date }) => booking_date)).toEqual(['0001-01-01']);
    // The days since then are no missing files.
    const { rows } = await pool.query(`select distinct kind from recon.breaks where source = 'live-sim' order by kind`);
    expect(rows).toEqual([{ kind: 'PROCESSOR_ONLY' }]);
  });

  it('the tables of statements find payments by our codes and by the processors’ references', async () => {
    const world = new World(1);
    const random = randomNumbers(20_261_123);
    for (let step = 0; step < 300; step += 1) world.step(random(1_000), random(1_000), 1 + random(1_000_000));
    await project(pool, recon, world.log.events, 50);
    const paid = world.log.events.filter(({ type }) => type === 'ChargePaid');
    expect(paid.length).toBeGreaterThan(5);
    for (const { data } of paid.slice(0, 5)) {
      const { payment_reference, currency, charge_id } = data as Record<string, string>;
      const created = world.log.events.find(({ type, data }) => type === 'ChargeCreated' && (data as { charge_id: string }).charge_id === charge_id)!;
      const { code } = created.data as { code: string };
      const amounts = await findPaidAmounts(pool, currency!, [payment_reference!, code, 'unknown']);
      // The made-up processor uses its references again.
      const known = paid.filter((each) => (each.data as { payment_reference: string }).payment_reference === payment_reference);
      expect(known.map((each) => (each.data as { amount: number }).amount)).toContain(amounts.get(payment_reference!));
      expect(amounts.has(code)).toBe(true);
      expect(amounts.has('unknown')).toBe(false);
      expect(await findPaidAmounts(pool, 'XXX', [code])).toEqual(new Map());
    }
  });
});
