import { describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { findOwedUpTo } from '../../projections/approvals/at-processor.js';
import { countSurges, findTick } from '../../projections/reconciliation/as-of.js';
import { findBreak, findBreaks, findMatches, type Break } from '../../projections/reconciliation/matches/match-reads.js';
import { findBreakActs } from '../../projections/reconciliation/matches/break-acts.js';
import { DIFFERING_OPENINGS } from '../../projections/reconciliation/items/house-items.js';
import { recon } from '../../projections/reconciliation/reconciliation.projection.js';
import { addDays, isBankingDay, lastDayOverdue } from '../../src/ledger/days.js';
import { contents, project } from '../support/projected.js';
import { randomNumbers } from '../support/random-numbers.js';
import { Remittances, type Remitted } from '../support/remittances.js';
import { suiteDatabase } from '../support/suite-database.js';

describe('remittance lines compared with the books', () => {
  let pool: Pool;

  suiteDatabase((opened) => (pool = opened), { statementTimeoutMs: 0 });

  const fold = ({ log }: Remittances, size = 1_000): Promise<void> => project(pool, recon, log.events, size);
  const breaks = async (world: Remittances, status?: Break['status']): Promise<Break[]> =>
    (await findBreaks(pool, { status, limit: 1_000 }, world.log.clockMs))!;
  /** Open breaks: kind, amount of the line, amount of the item. */
  const open = async (world: Remittances): Promise<unknown[][]> =>
    (await breaks(world, 'OPEN')).map(({ kind, line, item, of_mode }) => [
      kind,
      line?.amount ?? null,
      item?.amount ?? null,
      ...(of_mode ? [of_mode] : []),
    ]);
  const matched = async (): Promise<unknown[]> =>
    (await findMatches(pool, { limit: 1_000 })).map(({ item }) => [item!.kind, item!.amount, item!.payment_reference]);

  it('matches by the processor’s reference or by our code, with kind, currency and amount', async () => {
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
  ])('a remittance line breaks with %s', async (_, happens, lines, expected) => {
    const world = new Remittances();
    happens(world);
    world.remit(lines);
    await fold(world);
    expect(await open(world)).toEqual(expected);
  });

  describe('days without a file of a processor', () => {
    const missing = async (): Promise<unknown[]> =>
      (
        await pool.query<{ subject: string }>(
          `select subject from recon.breaks where kind = 'FILE_MISSING' and resolved_from is null order by subject`,
        )
      ).rows.map(({ subject }) => subject);
    /** A file, three weeks without one, and a file of the day that it is then, in which a line is of an early day. */
    function gap(matcher: number): { world: Remittances; first: string; days: string[] } {
      const world = new Remittances();
      world.matcher = matcher;
      const first = world.log.now.slice(0, 10);
      world.remit([{ reference: 'R0', amount: 100 }]);
      const days = Array.from({ length: 20 }, (_, n) => addDays(first, n + 1)).filter(isBankingDay);
      world.days(21);
      world.remit([
        { reference: 'R1', amount: 200 },
        { reference: 'R2', amount: 300, day: addDays(first, 1) },
      ]);
      return { world, first, days };
    }

    it('an early line in a later file covers its own day only', async () => {
      const { world, first, days } = gap(2);
      await fold(world);
      const due = lastDayOverdue(addDays(first, 21), 1);
      const expected = days.filter((day) => day !== addDays(first, 1) && day <= due);
      expect(expected.length).toBeGreaterThan(10);
      expect(await missing()).toEqual(expected);
      const tables = await contents(pool, 'recon');
      await fold(world, 2);
      expect(await contents(pool, 'recon')).toEqual(tables);
    });

    it('days before a file that was replaced by one of a later day are not missing', async () => {
      const world = new Remittances();
      const today = world.log.now.slice(0, 10);
      const early = world.remit([{ reference: 'R0', amount: 100 }], { day: addDays(today, -300) });
      await fold(world);
      expect((await missing()).length).toBeGreaterThan(200);
      world.remit([{ reference: 'R0', amount: 100 }], { replaces: early });
      await fold(world);
      expect(await missing()).toEqual([]);
    });

    it('files and runs of earlier versions keep the days that were missing by matcher 1', async () => {
      const { world } = gap(1);
      await fold(world);
      expect(await missing()).toEqual([]);
      world.matcher = 2;
      world.run();
      await fold(world);
      expect((await missing()).length).toBeGreaterThan(10);
    });
  });

  it('a remitted payment that was reversed before the day of its batch is a break, unless the processor takes it back', async () => {
    const world = new Remittances({ due_days: 0 });
    world.pay(100);
    world.pay(200);
    world.reverse(0, 100);
    world.pay(300);
    world.reverse(2, 300);
    world.days(2);
    world.remit([
      { reference: 'R0', amount: 100 },
      { reference: 'R1', amount: 200 },
    ]);
    // On its day, or later, is in time: the reversal is missed then.
    world.reverse(1, 200);
    world.days(7);
    world.run();
    await fold(world);
    expect(await matched()).toEqual([['PAYMENT', 200, 'R1']]);
    expect((await open(world)).filter(([kind]) => kind !== 'FILE_MISSING')).toEqual([
      ['STATUS', 100, 100],
      ['LEDGER_ONLY', null, -200],
    ]);
    world.remit([0, 1].map((n) => ({ reference: `R${n}`, amount: -100 - n * 100, kind: 'REVERSAL' })));
    await fold(world);
    expect((await open(world)).filter(([kind]) => kind !== 'FILE_MISSING')).toEqual([]);
  });

  it('matches a line with a different fee or tax, and reports a break while the match holds', async () => {
    const world = new Remittances({ costs: { QR_QRIS: { type: 'PERCENTAGE', value: 0.63 } }, tax: 11 });
    for (let n = 0; n < 5; n += 1) world.pay(10_000);
    const lines = [
      { fee: 63, tax: 7 },
      { fee: 64, tax: 7 },
      { fee: 63, tax: 8 },
      { fee: 62, tax: 8 },
    ].map((kept, n) => ({ reference: `R${n}`, amount: 10_000, ...kept }));
    const file = world.remit(lines, { batch: 'B-1' });
    world.set('live-sim', { costs: {} });
    world.remit([{ reference: 'R4', amount: 10_000, fee: 1, tax: 1 }]);
    await fold(world);
    expect(await matched()).toHaveLength(5);
    const shown = ({ kind, line, status, charged, expected }: Break) => [line!.references[0], kind, status, charged, expected];
    // The settings of the time when the break opened, not the newer ones.
    expect((await breaks(world)).map(shown).sort()).toEqual([
      ['R1', 'FEE', 'OPEN', 64, 63],
      ['R2', 'TAX', 'OPEN', 8, 7],
      ['R3', 'FEE', 'OPEN', 62, 63],
    ]);
    world.set('live-sim', { costs: { QR_QRIS: { type: 'FIXED', value: 64 } } });
    world.remit(lines.slice(1), { batch: 'B-1', replaces: file });
    await fold(world);
    expect((await breaks(world, 'OPEN')).map(shown).sort()).toEqual([
      ['R2', 'FEE', 'OPEN', 63, 64],
      ['R3', 'FEE', 'OPEN', 62, 64],
    ]);
  });

  it('reports overdue payments as missing on the day of the file, by banking days of the source', async () => {
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
    expect((await findBreaks(pool, { after: resolved!.id, limit: 10 }, world.log.clockMs))!.filter(({ day }) => day === null)).toEqual([still]);
    expect(await findBreaks(pool, { after: world.merchants.live, limit: 10 }, world.log.clockMs)).toBeUndefined();
  });

  it('a requested run compares lines with the books, and its day never goes back', async () => {
    const world = new Remittances({ due_days: 0 });
    world.remit([{ reference: 'R0', amount: 100 }]);
    world.pay(100);
    world.pay(200);
    world.run('live-sim', '2026-02-02');
    await fold(world);
    expect(await open(world)).toEqual([['LEDGER_ONLY', null, 200]]);
    expect(await matched()).toEqual([['PAYMENT', 100, 'R0']]);
    world.run('live-sim', '2026-01-31');
    await fold(world, 1);
    expect(await open(world)).toEqual([['LEDGER_ONLY', null, 200]]);
  });

  it('counts a surge when one file shows more than 200 breaks', async () => {
    const world = new Remittances();
    world.log.clockMs = Date.now();
    for (const count of [200, 201]) world.remit(Array.from({ length: count }, () => ({ reference: 'R', amount: 1 })));
    await fold(world);
    expect(await countSurges(pool)).toBe(1);
  });

  it('reopens lines when another file replaces theirs, and a break that returns keeps its id', async () => {
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

  it('matching uses the settings in force at the time and no later events', async () => {
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

  describe('that persons decide about', () => {
    it('matches a line by hand from the next file on, with an open item of the same amount, until the match is removed', async () => {
      const world = new Remittances();
      const [one, two] = [world.pay(100), world.pay(200)];
      world.remit([{ reference: 'R8', amount: 100 }], { batch: 'B' });
      await fold(world);
      const [found] = await breaks(world);
      const acts = world.acts(found!.id);
      acts.match('B 0', [two.event_id]);
      world.remit([]);
      await fold(world);
      // The amount is another: nothing has happened.
      expect([await matched(), await open(world)]).toEqual([[], [['PROCESSOR_ONLY', 100, null]]]);
      acts.unmatch();
      acts.match('B 0', [one.event_id]);
      await fold(world);
      expect(await matched()).toEqual([]);
      world.remit([]);
      await fold(world);
      expect([await matched(), await breaks(world)]).toEqual([[['PAYMENT', 100, 'R0']], [expect.objectContaining({ status: 'RESOLVED' })]]);
      acts.unmatch();
      world.remit([]);
      await fold(world);
      expect([await matched(), await open(world)]).toEqual([[], [['PROCESSOR_ONLY', 100, null]]]);
    });

    it('the first manual match of an item counts, and stays with the line when its file is replaced', async () => {
      const world = new Remittances();
      const paid = world.pay(100);
      const first = world.remit(
        [
          { reference: 'R8', amount: 100 },
          { reference: 'R9', amount: 100 },
        ],
        { batch: 'B' },
      );
      world.acts(world.log.id('second line')).match('B 1', [paid.event_id]);
      world.acts(world.log.id('first line')).match('B 0', [paid.event_id]);
      world.remit(
        [
          { reference: 'R8', amount: 100 },
          { reference: 'R9', amount: 100 },
        ],
        { batch: 'B', replaces: first },
      );
      await fold(world);
      expect(await open(world)).toEqual([['PROCESSOR_ONLY', 100, null]]);
      expect((await breaks(world, 'OPEN'))[0]!.line).toMatchObject({ references: ['R8'] });
    });

    it('a break shows its owner, its accepted day and its history', async () => {
      const world = new Remittances();
      world.remit([{ reference: 'R8', amount: 100 }]);
      await fold(world);
      const { id } = (await breaks(world))[0]!;
      const owner = world.log.id('person');
      const acts = world.acts(id);
      acts.assign(owner);
      acts.note();
      acts.accept('2026-02-01');
      await fold(world);
      expect(await breaks(world, 'ACCEPTED')).toMatchObject([{ id, status: 'ACCEPTED', owner, accepted_until: '2026-02-01' }]);
      expect([await breaks(world, 'OPEN'), await breaks(world, 'RESOLVED')]).toEqual([[], []]);
      expect(await findBreaks(pool, { owner, limit: 2 }, world.log.clockMs)).toHaveLength(1);
      expect((await findBreakActs(pool, id, 2)).map(({ act }) => act)).toEqual(['NOTED', 'ACCEPTED']);
      // Midnight in Jakarta.
      world.log.clockMs = Date.parse('2026-02-01T17:00:00Z');
      expect(await breaks(world, 'ACCEPTED')).toEqual([]);
      expect(await breaks(world, 'OPEN')).toMatchObject([{ id, status: 'OPEN' }]);
    });
  });

  describe('with entries of the house account', () => {
    const left = async (world: Remittances): Promise<unknown[]> => {
      const found = (await open(world)).filter(([kind]) => kind !== 'FILE_MISSING');
      return found.sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
    };
    const owed = (position: number) => findOwedUpTo(pool, { processor: 'SIMULATOR', mode: 'live', currency: 'IDR', position });

    it('expects a refund of the payment that was returned to the processor', async () => {
      const world = new Remittances({ due_days: 0 });
      world.pay(300);
      const again = world.payAgain(0, 300, 'R0b');
      world.remit([
        { reference: 'R0', amount: 300 },
        { reference: ['C0', 'R0b'], amount: 300 },
      ]);
      world.house('UNMATCHED_SENT_BACK', 300, { item_id: again });
      await fold(world);
      expect([await left(world), await owed(world.log.events.length)]).toEqual([[], { amount: 300n, items: 3 }]);
      world.days(7);
      world.run();
      await fold(world);
      expect(await left(world)).toEqual([['LEDGER_ONLY', null, -300]]);
      world.remit([{ reference: 'R0b', amount: -300, kind: 'REFUND' }]);
      await fold(world);
      expect(await left(world)).toEqual([]);
      expect(await matched()).toContainEqual(['REFUND', -300, 'R0b']);
    });

    it('a written-off item is not missing, and a later line for it is a break despite manual decisions', async () => {
      const world = new Remittances({ due_days: 0 });
      const lost = world.pay(100);
      world.pay(200);
      world.days(7);
      world.run();
      await fold(world);
      expect(await left(world)).toEqual([
        ['LEDGER_ONLY', null, 100],
        ['LEDGER_ONLY', null, 200],
      ]);
      world.house('WRITE_OFF', 100, { item_id: lost.event_id });
      world.run();
      await fold(world);
      expect([await left(world), await owed(world.log.events.length)]).toEqual([[['LEDGER_ONLY', null, 200]], { amount: 200n, items: 1 }]);
      expect(await breaks(world, 'RESOLVED')).toMatchObject([{ kind: 'LEDGER_ONLY', item: { amount: 100 } }]);
      const late = [
        ['LEDGER_ONLY', null, 200],
        ['STATUS', 100, 100],
      ];
      world.remit([{ reference: 'R0', amount: 100 }], { batch: 'late' });
      await fold(world);
      expect([await matched(), await left(world)]).toEqual([[], late]);
      world.acts((await breaks(world, 'OPEN')).find(({ kind }) => kind === 'STATUS')!.id).match('late 0', [lost.event_id]);
      world.run();
      await fold(world);
      expect([await matched(), await left(world)]).toEqual([[], late]);
    });

    it('removes the match of a line whose item is written off later', async () => {
      const world = new Remittances({ due_days: 0 });
      const paid = world.pay(100);
      world.remit([{ reference: 'R0', amount: 100 }]);
      const before = world.log.events.length;
      world.house('WRITE_OFF', 100, { item_id: paid.event_id });
      await fold(world);
      expect(await matched()).toEqual([['PAYMENT', 100, 'R0']]);
      world.run();
      await fold(world);
      expect([await matched(), await left(world)]).toEqual([[], [['STATUS', 100, 100]]]);
      const { ordinal: as_of } = (await findTick(pool, { ordinal: before }))!;
      expect(await findMatches(pool, { as_of, limit: 10 })).toMatchObject([{ item: { event_id: paid.event_id } }]);
      expect(await findBreaks(pool, { as_of, limit: 10 }, world.log.clockMs)).toEqual([]);
    });

    it('an opening settles the items of its currency up to its position', async () => {
      const world = new Remittances({ due_days: 0 });
      world.pay(100);
      world.reverse(0, 100);
      world.pay(200);
      world.pay(5, { currency: 'MYR' });
      const position = world.log.events.length;
      world.pay(300);
      await fold(world);
      expect(await owed(position)).toEqual({ amount: 200n, items: 3 });
      world.house('OPENING', 200, { position });
      world.days(7);
      world.remit([{ reference: 'R1', amount: 200 }]);
      await fold(world);
      expect(await left(world)).toEqual([
        ['LEDGER_ONLY', null, 300],
        ['LEDGER_ONLY', null, 5],
        ['STATUS', 200, 200],
      ]);
      expect([await owed(position), await owed(world.log.events.length)]).toEqual([
        { amount: 0n, items: 0 },
        { amount: 300n, items: 1 },
      ]);
      expect((await pool.query(DIFFERING_OPENINGS)).rows).toEqual([]);
    });

    it.each([
      ['another sum', 150, 2],
      ['another number', 200, 1],
    ])('an opening that closes items of %s than its event states is an alarm', async (_, amount, items) => {
      const world = new Remittances();
      world.pay(150);
      world.pay(50);
      world.house('OPENING', amount, { position: world.log.events.length, items });
      await fold(world);
      const detail = `The opening states ${items} items of ${amount} IDR, but it closed 2 items of 200 IDR: the debt of the processor is wrong.`;
      expect((await pool.query(DIFFERING_OPENINGS)).rows).toMatchObject([{ kind: 'OPENING_DIFFERS', subject: 'live-sim', detail }]);
    });
  });

  it.each([1, 2, 3, 4])('matches are consistent in any history and the same in any batch size (%i)', async (seed) => {
    const world = randomHistory(seed);
    await fold(world, 1);
    const expected = await contents(pool, 'recon');
    expect(expected['matches']!.length).toBeGreaterThan(20);
    expect(expected['breaks']!.length).toBeGreaterThan(20);
    for (const size of [7, 100_000]) {
      await fold(world, size);
      expect(await contents(pool, 'recon')).toEqual(expected);
    }
    // No item or line is matched twice, or with one that disagrees.
    expect(await count(`select from recon.matches where matched_until is null group by item having count(*) > 1`)).toBe(0);
    expect(await count(`select from recon.matches where matched_until is null group by line_id having count(*) > 1`)).toBe(0);
    expect(
      await count(`select from recon.matches m join recon.lines l on l.id = m.line_id join recon.items i on i.ordinal = m.item
                    where m.decided_by is null and ((i.kind, i.currency, i.amount) <> (l.kind, l.currency, l.gross) or i.mode <> split_part(m.source, '-', 1)
                       or not (i.code = any(l.line_references) or i.payment_reference = any(l.line_references)) or i.ordinal > m.matched_from)`),
    ).toBe(0);
    const byOperators = `from recon.matches m join recon.lines l on l.id = m.line_id join recon.items i on i.ordinal = m.item where m.decided_by is not null`;
    expect(await count(`select ${byOperators}`)).toBeGreaterThan(0);
    expect(
      await count(`select ${byOperators} and ((i.currency, i.amount) <> (l.currency, l.gross) or i.mode <> split_part(m.source, '-', 1)
                                           or m.decided_by > m.matched_from)`),
    ).toBe(0);
    // Nor with an item that was closed by then.
    expect(
      await count(`select from recon.matches m join recon.items i on i.ordinal = m.item
                    where m.matched_until is null and i.closed_from < (select max(ordinal) from recon.ticks t where t.source = m.source)`),
    ).toBe(0);
    expect(await count(`select from recon.items where closed_from is not null`)).toBeGreaterThan(5);
    // The item refers to the line of its match as well.
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
    // A line that does not count has neither a match nor a break.
    expect(
      await count(`select from recon.lines l join recon.groups g on g.statement_id = l.statement_id and g.name = l.group_name
                    where g.counted_until is not null
                      and (exists (select from recon.matches m where m.line_id = l.id and m.matched_until is null)
                        or exists (select from recon.breaks b where b.line_id = l.id and b.resolved_from is null))`),
    ).toBe(0);
  });

  const count = async (text: string): Promise<number> => (await pool.query(text)).rowCount!;
});

/** Few references and amounts, so that many are the same. */
function randomHistory(seed: number): Remittances {
  const world = new Remittances();
  world.set('test-sim');
  const random = randomNumbers(seed);
  const files: Record<string, { id: string; batch: string }[]> = { 'live-sim': [], 'test-sim': [] };
  let charges = 0;
  const events: string[] = [];
  const unmatched: [string, number][] = [];
  const keys: [string, string][] = [];
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
    if (step === 50) world.house('OPENING', 1, { position: 20 });
    if (step % 15 === 14) world.house('WRITE_OFF', 1, { item_id: events[step % events.length]! });
    if (step % 15 === 7) for (const [item_id, amount] of unmatched.splice(0)) world.house('UNMATCHED_SENT_BACK', amount, { item_id });
    const what = random(12);
    if (what < 5 || charges === 0) {
      const paid = world.pay(1 + (charges % 3), { mode: random(5) === 0 ? 'test' : 'live', currency: random(10) === 0 ? 'MYR' : 'IDR' });
      events.push(paid.event_id);
      charges += 1;
    } else if (what > 9) {
      for (let tries = 0; tries < 12; tries += 1) {
        const [source, key] = keys[random(keys.length + 1)] ?? ['live-sim', 'none'];
        const acts = world.acts(world.log.id(`break ${key}`));
        if (random(4) === 0) acts.unmatch();
        else acts.match(key, [events[random(events.length)]!], source);
      }
    } else if (what === 5) {
      const [n, amount] = [random(charges), 1 + random(3)];
      unmatched.push([world.payAgain(n, amount, `R${random(charges)}`), amount]);
    } else if (what === 6) {
      const n = random(charges);
      world.reverse(n, 1 + (n % 3));
    } else if (what === 7) world.days(random(3));
    else {
      const source = random(4) === 0 ? 'test-sim' : 'live-sim';
      const before = files[source]!;
      const lines = Array.from({ length: random(9) }, line);
      const batch = `B${step}`;
      if (before.length > 0 && random(4) === 0) {
        const replaced = before.splice(random(before.length), 1)[0]!;
        before.push({ id: world.remit(lines, { source, replaces: replaced.id, batch: replaced.batch }), batch: replaced.batch });
      } else {
        before.push({ id: world.remit(lines, { source, batch }), batch });
        keys.push(...lines.map((_, n): [string, string] => [source, `${batch} ${n}`]));
      }
    }
  }
  return world;
}
