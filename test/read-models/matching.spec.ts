import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { findBreak, findBreaks, findMatches, type Break } from '../../projections/recon/match-reads.js';
import { recon } from '../../projections/recon/recon.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { contents, project } from '../support/projected.js';
import { randomNumbers } from '../support/random-numbers.js';
import { Remittances, type Remitted } from '../support/remittances.js';

describe('remittance lines held against the books', () => {
  let database: TestDatabase;
  let pool: Pool;

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = createPool({ url: database.url, applicationName: 'test', statementTimeoutMs: 0 });
  }, 60_000);
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  const fold = ({ log }: Remittances, size = 1_000): Promise<void> => project(pool, recon, log.events, size);
  const breaks = async (world: Remittances, status?: Break['status']): Promise<Break[]> =>
    (await findBreaks(pool, { status, limit: 1_000 }, world.log.clockMs))!;
  /** The open ones: kind, what the line has, what the item has. */
  const open = async (world: Remittances): Promise<unknown[]> =>
    (await breaks(world, 'OPEN')).map(({ kind, line, item, of_mode }) => [
      kind,
      line?.amount ?? null,
      item?.amount ?? null,
      ...(of_mode ? [of_mode] : []),
    ]);
  const matched = async (): Promise<unknown[]> =>
    (await findMatches(pool, { limit: 1_000 })).map(({ item }) => [item.kind, item.amount, item.payment_reference]);

  it('match by the processor’s reference or by our code, with kind, currency and amount', async () => {
    const world = new Remittances();
    for (const amount of [100, 200, 300]) world.pay(amount);
    world.payAgain(2, 300, 'R2b');
    world.reverse(0, 100);
    world.remit([
      { reference: 'R0', amount: 100 },
      { reference: 'C1', amount: 200 },
      { reference: 'R0', amount: -100, kind: 'REVERSAL' },
      { reference: ['C2', 'R2b'], amount: 300 },
      { reference: ['C2', 'R2'], amount: 300 },
      { reference: 'monthly', amount: -5, kind: 'CHARGE' },
    ]);
    await fold(world);
    expect(await matched()).toEqual([
      ['PAYMENT', 100, 'R0'],
      ['PAYMENT', 200, 'R1'],
      ['REVERSAL', -100, 'R0'],
      ['PAYMENT', 300, 'R2b'],
      ['PAYMENT', 300, 'R2'],
    ]);
    expect(await breaks(world)).toEqual([]);
  });

  it.each<[string, (world: Remittances) => void, Remitted[], unknown[]]>([
    ['another amount', (world) => world.pay(100), [{ reference: 'R0', amount: 101 }], [['AMOUNT', 101, 100]]],
    ['another currency', (world) => world.pay(100), [{ reference: 'C0', amount: 100, currency: 'MYR' }], [['CURRENCY', 100, 100]]],
    ['a reference that nobody knows', () => undefined, [{ reference: 'R7', amount: 100 }], [['PROCESSOR_ONLY', 100, null]]],
    ['another kind', (world) => world.pay(100), [{ reference: 'R0', amount: -100, kind: 'REFUND' }], [['PROCESSOR_ONLY', -100, null]]],
    [
      'money of the other mode',
      (world) => world.pay(100, { mode: 'test' }),
      [{ reference: 'R0', amount: 100 }],
      [['PROCESSOR_ONLY', 100, 100, 'test']],
    ],
    [
      'the same twice in a batch',
      (world) => world.pay(100),
      [
        { reference: 'R0', amount: 100 },
        { reference: 'R0', amount: 100 },
      ],
      [['DUPLICATE', 100, 100]],
    ],
    [
      'a line of a second payment that never was',
      (world) => {
        world.pay(100);
        world.payAgain(0, 100, 'R0b');
      },
      [
        { reference: ['C0', 'R0'], amount: 100 },
        { reference: ['C0', 'R0'], amount: 100 },
      ],
      [['DUPLICATE', 100, 100]],
    ],
  ])('break with %s', async (_, happens, lines, expected) => {
    const world = new Remittances();
    happens(world);
    world.remit(lines);
    await fold(world);
    expect(await open(world)).toEqual(expected);
  });

  it('miss what is overdue on the day of the file, by banking days of the source', async () => {
    const world = new Remittances({ due_days: 2 });
    // Friday, 30 January 2026, 23:59 in Jakarta, and a minute later.
    world.log.clockMs = Date.parse('2026-01-30T16:59:00Z');
    world.pay(100);
    world.log.clockMs = Date.parse('2026-01-30T17:01:00Z');
    world.pay(200);
    world.pay(300, { mode: 'test' });
    world.log.clockMs = Date.parse('2026-02-03T16:59:00Z');
    world.remit([]);
    await fold(world);
    expect(await open(world)).toEqual([]);
    world.log.clockMs = Date.parse('2026-02-03T17:01:00Z');
    world.remit([]);
    await fold(world);
    expect(await open(world)).toEqual([
      ['LEDGER_ONLY', null, 100],
      ['LEDGER_ONLY', null, 200],
    ]);
    world.days(7);
    expect((await breaks(world)).map(({ age, status }) => [age, status])).toEqual([
      [5, 'OPEN'],
      [5, 'OPEN'],
    ]);
    world.remit([{ reference: 'R0', amount: 100 }]);
    await fold(world);
    world.days(7);
    const [resolved, still] = await breaks(world);
    expect([resolved, still]).toMatchObject([
      { status: 'RESOLVED', age: 5, item: { amount: 100 } },
      { status: 'OPEN', age: 10 },
    ]);
    expect(await findBreak(pool, resolved!.id, world.log.clockMs)).toEqual(resolved);
    expect(await findBreaks(pool, { after: resolved!.id, limit: 10 }, world.log.clockMs)).toEqual([still]);
    expect(await findBreaks(pool, { after: world.merchants.live, limit: 10 }, world.log.clockMs)).toBeUndefined();
  });

  it('are open again when another file takes the place of theirs, and a break that comes again has its id', async () => {
    const world = new Remittances();
    world.pay(100);
    world.pay(200);
    const first = world.remit(
      [
        { reference: 'R0', amount: 100 },
        { reference: 'R1', amount: 201 },
      ],
      { batch: 'B' },
    );
    await fold(world);
    const [before] = await breaks(world);
    const second = world.remit([{ reference: 'R1', amount: 200 }], { batch: 'B', replaces: first });
    await fold(world);
    expect(await matched()).toEqual([['PAYMENT', 200, 'R1']]);
    expect(await breaks(world)).toMatchObject([{ id: before!.id, status: 'RESOLVED' }]);
    world.remit(
      [
        { reference: 'R0', amount: 100 },
        { reference: 'R1', amount: 202 },
      ],
      { batch: 'B', replaces: second },
    );
    await fold(world);
    expect(await matched()).toEqual([['PAYMENT', 100, 'R0']]);
    expect(await breaks(world)).toMatchObject([{ id: before!.id, status: 'OPEN', line: { amount: 202 } }]);
  });

  it('follow the settings that were in force, and know nothing of what came later', async () => {
    const world = new Remittances();
    world.remit([{ reference: 'R0', amount: 100 }]);
    world.pay(100);
    world.set('live-sim', { processor: 'OTHER' });
    for (const size of [1, 1_000]) {
      await fold(world, size);
      expect(await open(world)).toEqual([['PROCESSOR_ONLY', 100, null]]);
    }
    world.set('live-sim');
    world.remit([]);
    await fold(world);
    expect(await open(world)).toEqual([]);
    expect(await matched()).toEqual([['PAYMENT', 100, 'R0']]);
  });

  it.each([1, 2, 3, 4])(
    'are whole in any history, and the same in any size of batches (%i)',
    async (seed) => {
      const world = randomHistory(seed);
      await fold(world, 1);
      const expected = await contents(pool, 'recon');
      expect(expected['matches']!.length).toBeGreaterThan(20);
      expect(expected['breaks']!.length).toBeGreaterThan(20);
      for (const size of [7, 100_000]) {
        await fold(world, size);
        expect(await contents(pool, 'recon')).toEqual(expected);
      }
      // Nothing is matched twice, or with what it is not.
      expect(await count(`select from recon.matches where matched_until is null group by item having count(*) > 1`)).toBe(0);
      expect(await count(`select from recon.matches where matched_until is null group by line_id having count(*) > 1`)).toBe(0);
      expect(
        await count(`select from recon.matches m join recon.lines l on l.id = m.line_id join recon.items i on i.ordinal = m.item
                    where (i.kind, i.currency, i.amount) <> (l.kind, l.currency, l.gross) or i.mode <> split_part(m.source, '-', 1)
                       or not (i.code = any(l.line_references) or i.payment_reference = any(l.line_references)) or i.ordinal > m.matched_from`),
      ).toBe(0);
      // The item says so, too.
      expect(
        await count(`select from recon.items i full join (select * from recon.matches where matched_until is null) m on m.item = i.ordinal
                    where i.line_id is distinct from m.line_id`),
      ).toBe(0);
      // Each line that counts is matched, or is one break.
      expect(
        await count(`select from recon.lines l join recon.groups g on g.statement_id = l.statement_id and g.name = l.group_name
                    where g.counted_until is null
                      and (select count(*) from recon.matches m where m.line_id = l.id and m.matched_until is null)
                        + (select count(*) from recon.breaks b where b.line_id = l.id and b.resolved_from is null) <> 1`),
      ).toBe(0);
      // What does not count is neither.
      expect(
        await count(`select from recon.lines l join recon.groups g on g.statement_id = l.statement_id and g.name = l.group_name
                    where g.counted_until is not null
                      and (exists (select from recon.matches m where m.line_id = l.id and m.matched_until is null)
                        or exists (select from recon.breaks b where b.line_id = l.id and b.resolved_from is null))`),
      ).toBe(0);
    },
    60_000,
  );

  const count = async (text: string): Promise<number> => (await pool.query(text)).rowCount!;
});

/** Few references and amounts, so that many are the same. */
function randomHistory(seed: number): Remittances {
  const world = new Remittances();
  world.set('test-sim');
  const random = randomNumbers(seed);
  const files: Record<string, { id: string; batch: string }[]> = { 'live-sim': [], 'test-sim': [] };
  let charges = 0;
  const line = (): Remitted => {
    const n = random(charges + 1);
    const references = [[`R${n}`], [`C${n}`], [`C${n}`, `R${n}`], [`R${n}`, `R${random(charges + 1)}`], [`C${random(charges + 1)}`, `C${n}`]];
    const isReversal = random(6) === 0;
    const amount = 1 + (n % 3) + (random(8) === 0 ? 1 : 0);
    return {
      ...{ reference: references[random(references.length)]!, amount: isReversal ? -amount : amount },
      ...{ kind: isReversal ? 'REVERSAL' : 'PAYMENT', currency: random(12) === 0 ? 'MYR' : 'IDR' },
    };
  };
  for (let step = 0; step < 160; step += 1) {
    const what = random(10);
    if (what < 5 || charges === 0) {
      world.pay(1 + (charges % 3), { mode: random(5) === 0 ? 'test' : 'live', currency: random(10) === 0 ? 'MYR' : 'IDR' });
      charges += 1;
    } else if (what === 5) world.payAgain(random(charges), 1 + random(3), `R${random(charges)}`);
    else if (what === 6) {
      const n = random(charges);
      world.reverse(n, 1 + (n % 3));
    } else if (what === 7) world.days(random(3));
    else {
      const source = random(4) === 0 ? 'test-sim' : 'live-sim';
      const before = files[source]!;
      const lines = Array.from({ length: random(9) }, line);
      if (before.length > 0 && random(4) === 0) {
        const replaced = before.splice(random(before.length), 1)[0]!;
        before.push({ id: world.remit(lines, { source, replaces: replaced.id, batch: replaced.batch }), batch: replaced.batch });
      } else {
        const batch = `B${step}`;
        before.push({ id: world.remit(lines, { source, batch }), batch });
      }
    }
  }
  return world;
}
