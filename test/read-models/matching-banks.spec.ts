import { describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { findTick } from '../../projections/reconciliation/as-of.js';
import { BREAK_AGES, type BreakAge } from '../../projections/reconciliation/matches/ages.js';
import { BREAK_STATUSES, findBreaks, findMatches } from '../../projections/reconciliation/matches/match-reads.js';
import { recon } from '../../projections/reconciliation/reconciliation.projection.js';
import { findLines } from '../../projections/reconciliation/statement-reads.js';
import type { SourceSettings } from '../../src/ledger/events/reconciliation.events.js';
import { milliseconds } from '../../src/ledger/time.js';
import { contents, project } from '../support/projected.js';
import { randomNumbers } from '../support/random-numbers.js';
import { Remittances, type Booked } from '../support/remittances.js';
import { suiteDatabase } from '../support/suite-database.js';

/** A live and a test bank beside the processor; nothing is due without explicit settings. */
function worldOf(settings: Partial<SourceSettings> = {}): Remittances {
  const world = new Remittances();
  world.set('live-bca', settings);
  return world;
}

describe('bank lines compared with the books', () => {
  let pool: Pool;

  suiteDatabase((opened) => (pool = opened), { statementTimeoutMs: 0 });

  const fold = ({ log }: Remittances, size = 1_000): Promise<void> => project(pool, recon, log.events, size);
  /** The open breaks of the bank: kind, and amounts of line, item and batch. */
  const open = async (world: Remittances, source = 'live-bca'): Promise<unknown[]> =>
    (await findBreaks(pool, { source, status: 'OPEN', limit: 1_000 }, world.log.clockMs))!.map(({ kind, line, item, remittance, of_mode, day }) => [
      kind,
      line?.amount ?? null,
      item?.amount ?? remittance?.amount ?? null,
      ...(of_mode ? [of_mode] : []),
      ...(day ? [day] : []),
    ]);
  const matched = async (source = 'live-bca'): Promise<unknown[]> =>
    (await findMatches(pool, { source, limit: 1_000 })).map(({ item, remittance }) =>
      item ? [item.kind, item.amount] : remittance ? [remittance.batch] : [],
    );

  it('matches batches by id and net amount, payouts and returns by the reference of the bank, and bank charges by their code', async () => {
    const world = worldOf();
    world.remit([{ reference: 'R0', amount: 1_000, fee: 10, tax: 1 }], { batch: 'B-1' });
    const [first, second] = [world.payout(300), world.payout(400)];
    world.attempt(1, '1234567890123456789');
    world.payoutGoes('PayoutReturned', 0);
    world.book([
      { reference: ['x', 'B-1'], amount: 989 },
      { reference: first, amount: -300 },
      { reference: '1234567890123456789', amount: -400 },
      { amount: -7, kind: 'CHARGE' },
      { reference: first, amount: 300 },
    ]);
    await fold(world);
    expect(second).toMatch(/^P[0-9A-Z]{15}$/);
    expect(await matched()).toEqual([['B-1'], ['PAYOUT', -300], ['PAYOUT', -400], [], ['RETURN', 300]]);
    expect(await open(world)).toEqual([]);
  });

  it.each<[string, (world: Remittances) => readonly Booked[], unknown[]]>([
    [
      'a credit that is short',
      (world) => (world.remit([{ reference: 'R', amount: 100 }], { batch: 'B-1' }), [{ reference: 'B-1', amount: 99 }]),
      [['REMITTANCE_SHORT', 99, 100]],
    ],
    [
      'a credit of more',
      (world) => (world.remit([{ reference: 'R', amount: 100 }], { batch: 'B-1' }), [{ reference: 'B-1', amount: 101 }]),
      [['BANK_UNKNOWN', 101, null]],
    ],
    [
      'a batch that is credited twice',
      (world) => (
        world.remit([{ reference: 'R', amount: 100 }], { batch: 'B-1' }),
        [
          { reference: 'B-1', amount: 100 },
          { reference: 'B-1', amount: 100 },
        ]
      ),
      [['DUPLICATE', 100, 100]],
    ],
    [
      'a batch in another currency',
      (world) => (world.remit([{ reference: 'R', amount: 100, currency: 'MYR' }], { batch: 'B-1' }), [{ reference: 'B-1', amount: 100 }]),
      [['CURRENCY', 100, 100]],
    ],
    [
      'a batch of the other mode',
      (world) => (
        world.set('test-sim'),
        world.remit([{ reference: 'R', amount: 100 }], { batch: 'B-1', source: 'test-sim' }),
        [{ reference: 'B-1', amount: 100 }]
      ),
      [['BANK_UNKNOWN', 100, 100, 'test']],
    ],
    ['a credit that nobody knows', () => [{ amount: 5 }], [['BANK_UNKNOWN', 5, null]]],
    ['a debit that nobody knows', () => [{ reference: 'P000000000000000', amount: -5 }], [['BANK_UNKNOWN', -5, null]]],
    [
      'a payout that is paid twice',
      (world) =>
        [world.payout(30)].flatMap((reference) => [
          { reference, amount: -30 },
          { reference, amount: -30 },
        ]),
      [['PAYOUT_TWICE', -30, -30]],
    ],
    ['a payout of another amount', (world) => [{ reference: world.payout(30), amount: -31 }], [['PAYOUT_AMOUNT', -31, -30]]],
    ['a payout in another currency', (world) => [{ reference: world.payout(30, { currency: 'MYR' }), amount: -30 }], [['CURRENCY', -30, -30]]],
    [
      'a payout that is not at the bank',
      (world) => [{ reference: world.payout(30, { submitted: false }), amount: -30 }],
      [['PAYOUT_UNORDERED', -30, -30]],
    ],
    [
      'a payout that had failed',
      (world) => {
        const reference = world.payout(30);
        world.payoutGoes('PayoutFailed', 0);
        return [{ reference, amount: -30 }];
      },
      [['PAYOUT_UNORDERED', -30, -30]],
    ],
    ['a payout of the other mode', (world) => [{ reference: world.payout(30, { mode: 'test' }), amount: -30 }], [['BANK_UNKNOWN', -30, -30, 'test']]],
    [
      'a return that was not announced',
      (world) =>
        [world.payout(30)].flatMap((reference) => [
          { reference, amount: -30 },
          { reference, amount: 30 },
        ]),
      [['PAYOUT_RETURNED', 30, -30]],
    ],
    [
      'a return of another amount, and one that comes twice',
      (world) => {
        const reference = world.payout(30);
        world.payoutGoes('PayoutReturned', 0);
        return [-30, 30, 30].map((amount) => ({ reference, amount }));
      },
      [['DUPLICATE', 30, 30]],
    ],
  ])('a bank line breaks with %s', async (_, happens, expected) => {
    const world = worldOf();
    const lines = happens(world);
    world.book(lines);
    await fold(world);
    expect(await open(world)).toEqual(expected);
    // Later events change nothing: batches of one event give the same breaks.
    await fold(world, 1);
    expect(await open(world)).toEqual(expected);
  });

  it('reports overdue batches and payouts as missing, and days without a file', async () => {
    const world = worldOf({ due_days: 2 });
    world.log.clockMs = Date.parse('2026-02-02T05:00:00Z');
    for (const batch of ['B-1', 'B-2']) world.remit([{ reference: batch, amount: batch === 'B-1' ? 100 : 200 }], { batch });
    world.payout(30);
    world.payoutGoes('PayoutSucceeded', 0);
    world.payout(40);
    world.book([{ amount: 300 }]);
    world.run('live-bca', '2026-02-04');
    await fold(world);
    expect(await open(world)).toEqual([['BANK_UNKNOWN', 300, null]]);
    // Three banking days behind Monday: batches, the payout that is booked, and Tuesday's file.
    world.run('live-bca', '2026-02-05');
    await fold(world);
    expect((await open(world)).sort()).toEqual([
      ['BANK_UNKNOWN', 300, null],
      ['FILE_MISSING', null, null, '2026-02-03'],
      ['PAYOUT_NOT_PRESENTED', null, -30],
      ['REMITTANCE_MISSING', null, 100],
      ['REMITTANCE_MISSING', null, 200],
    ]);
    world.log.clockMs = Date.parse('2026-02-06T05:00:00Z');
    world.book([{ reference: 'B-2', amount: 200 }]);
    await fold(world);
    expect((await open(world)).sort()).toEqual([
      ['BANK_UNKNOWN', 300, null],
      ['PAYOUT_NOT_PRESENTED', null, -30],
      ['REMITTANCE_MISSING', null, 100],
    ]);
  });

  it('matches a batch by its amount alone only when the source allows it and the match is unambiguous', async () => {
    for (const by_amount of [false, true]) {
      const world = worldOf({ by_amount });
      world.remit([{ reference: 'a', amount: 100 }], { batch: 'B-1' });
      world.remit([{ reference: 'b', amount: 200 }], { batch: 'B-2' });
      world.remit([{ reference: 'c', amount: 200 }], { batch: 'B-3' });
      world.remit([{ reference: 'd', amount: 300 }], { batch: 'B-4' });
      // Saturday's batches: a week later is the fifth banking day, and the Monday behind it the sixth.
      world.days(7);
      world.book([{ amount: 100 }, { amount: 200 }]);
      world.days(2);
      world.book([{ amount: 300 }]);
      await fold(world);
      expect(await matched()).toEqual(by_amount ? [['B-1']] : []);
    }
  });

  it('reopens bank lines whose payout fails or whose batch is reissued', async () => {
    const world = worldOf();
    const batch = world.remit([{ reference: 'R', amount: 100 }], { batch: 'B-1' });
    const other = world.remit([{ reference: 'S', amount: 100 }], { batch: 'B-2' });
    world.book([{ reference: world.payout(30), amount: -30 }, ...['B-1', 'B-2'].map((reference) => ({ reference, amount: 100 }))]);
    world.payoutGoes('PayoutFailed', 0);
    world.remit([{ reference: 'R', amount: 101 }], { batch: 'B-1', replaces: batch });
    world.remit([{ reference: 'T', amount: 100 }], { batch: 'B-2', replaces: other });
    world.run('live-bca');
    await fold(world);
    expect(await matched()).toEqual([['B-2']]);
    expect((await open(world)).sort()).toEqual([
      ['PAYOUT_UNORDERED', -30, -30],
      ['REMITTANCE_SHORT', 100, 101],
    ]);
  });

  it('matches, breaks and lines as of any tick equal their state at that tick', async () => {
    const world = randomHistory(3);
    const ticks = world.log.events.filter(({ type }) => type === 'ReconRan' || type === 'StatementAccepted');
    const told = async (as_of?: number): Promise<unknown> => {
      const tick = await findTick(pool, as_of === undefined ? { at: '2999-01-01T00:00:00.000+00:00' } : { ordinal: as_of });
      return [
        await findMatches(pool, { mode: 'live', as_of, limit: 1_000 }),
        await findBreaks(pool, { mode: 'live', as_of, limit: 1_000 }, milliseconds(tick!.at)),
        await findLines(pool, { source: 'live-bca', as_of, counts: true, limit: 1_000 }),
      ];
    };
    const then = new Map<number, unknown>();
    for (const { ordinal } of ticks.filter((_, n) => n % 9 === 4)) {
      await project(pool, recon, world.log.events.slice(0, ordinal), 1_000);
      then.set(ordinal, await told());
    }
    await fold(world);
    expect(then.size).toBeGreaterThan(3);
    for (const [ordinal, expected] of then) expect(await told(ordinal)).toEqual(expected);
    const newest = ticks.at(-1)!;
    expect(await findTick(pool, { at: newest.metadata.occurred_on })).toMatchObject({ ordinal: newest.ordinal });
    expect(await findTick(pool, { ordinal: ticks[0]!.ordinal - 1 })).toBeUndefined();
    // A filtered list equals the filter over the whole list, in its order.
    for (const as_of of [undefined, ticks[Math.floor(ticks.length / 2)]!.ordinal]) {
      const all = (await findBreaks(pool, { as_of, limit: 1_000 }, world.log.clockMs))!;
      expect(new Set(all.map(({ status }) => status)).size).toBe(2);
      for (const status of [undefined, ...BREAK_STATUSES])
        for (const [age, [min, max]] of Object.entries(BREAK_AGES))
          expect(await findBreaks(pool, { as_of, status, age: age as BreakAge, limit: 1_000 }, world.log.clockMs)).toEqual(
            all.filter((each) => each.age >= min && each.age <= (max ?? Infinity) && each.status === (status ?? each.status)),
          );
      for (const mode of ['live', 'test'] as const)
        expect(await findBreaks(pool, { as_of, mode, limit: 1_000 }, world.log.clockMs)).toEqual(all.filter(({ source }) => source.startsWith(mode)));
    }
    expect(await findMatches(pool, { mode: 'test', limit: 10 })).toEqual([]);
  });

  it.each([1, 2])('bank matches are consistent in any history and the same in any batch size (%i)', async (seed) => {
    const world = randomHistory(seed);
    await fold(world, 1);
    const expected = await contents(pool, 'recon');
    expect(expected['matches']!.length).toBeGreaterThan(15);
    expect(expected['breaks']!.length).toBeGreaterThan(20);
    for (const size of [7, 100_000]) {
      await fold(world, size);
      expect(await contents(pool, 'recon')).toEqual(expected);
    }
    const none = async (text: string): Promise<void> => expect((await pool.query(text)).rows).toEqual([]);
    const holds = 'matched_until is null';
    await none(`select item from recon.matches where ${holds} and item is not null group by item having count(*) > 1`);
    await none(`select batch from recon.matches where ${holds} and batch is not null group by batch_source, batch having count(*) > 1`);
    await none(`select m.* from recon.matches m join recon.lines l on l.id = m.line_id join recon.items i on i.ordinal = m.item
                 where ${holds} and (i.currency, i.amount) <> (l.currency, l.amount) and m.source = 'live-bca'`);
    await none(`select l.id from recon.lines l join recon.groups g on g.statement_id = l.statement_id and g.name = l.group_name
                 where g.counted_until is null and l.source = 'live-bca'
                   and (select count(*) from recon.matches m where m.line_id = l.id and ${holds})
                     + (select count(*) from recon.breaks b where b.line_id = l.id and b.resolved_from is null) <> 1`);
  });
});

/** Few references and amounts, so that many are the same. It ends with a run. */
function randomHistory(seed: number): Remittances {
  const world = worldOf({ by_amount: seed % 2 === 0 });
  const random = randomNumbers(seed);
  const [references, batches]: [string[], string[]] = [[], []];
  for (let step = 0; step < 200; step += 1) {
    const what = random(8);
    if (what < 2 || references.length === 0)
      references.push(world.payout(1 + random(3), { mode: random(6) === 0 ? 'test' : 'live', submitted: random(5) > 0 }));
    else if (what === 2)
      world.payoutGoes((['PayoutSucceeded', 'PayoutFailed', 'PayoutReturned', 'PayoutSubmitted'] as const)[random(4)]!, random(references.length));
    else if (what === 3) {
      batches.push(`B-${step}`);
      world.remit([{ reference: `R${step}`, amount: 1 + random(4) }], { batch: `B-${step}` });
    } else if (what === 4) world.days(random(3));
    else if (what === 5) world.run('live-bca');
    else {
      const named = [...references, ...batches];
      world.book(
        Array.from({ length: random(6) }, () => ({
          reference: random(4) === 0 ? [] : Array.from({ length: 1 + random(2) }, () => named[random(named.length)]!),
          amount: (1 + random(3)) * (random(2) === 0 ? -1 : 1),
          kind: random(8) === 0 ? 'CHARGE' : 'TRANSFER',
        })),
      );
    }
  }
  world.run('live-bca');
  return world;
}
