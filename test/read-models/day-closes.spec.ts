import { describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { breakId } from '../../projections/reconciliation/break-id.js';
import { findBookedItem, findDayPart } from '../../projections/reconciliation/days/day-close-reads.js';
import { findReceivable } from '../../projections/reconciliation/matches/receivable.js';
import { closeDay, projectBoth } from '../support/day-closing.js';
import { contents } from '../support/projected.js';
import { BANK } from '../support/recon.js';
import { Remittances } from '../support/remittances.js';
import { suiteDatabase } from '../support/suite-database.js';

describe('days of a bank', () => {
  let pool: Pool;

  suiteDatabase((opened) => (pool = opened), { statementTimeoutMs: 0 });

  function worldOf(): Remittances {
    const world = new Remittances();
    world.set('live-bca', { currencies: ['IDR'] });
    return world;
  }
  const today = ({ log }: Remittances): string => log.now.slice(0, 10);
  const rowsOf = async (n: number): Promise<unknown[]> =>
    ((await findDayPart(pool, 'live-bca', n, 1))?.rows ?? []).map(({ movement, reversed, amount, fee, tax, batch }) => [
      `${reversed ? '-' : ''}${movement}`,
      amount,
      ...(movement === 'BATCH' ? [fee, tax] : []),
      ...(batch === null ? [] : [batch]),
    ]);
  const balances = async (): Promise<Record<string, number>> => {
    const accounts = ['processor', 'bank', 'suspense', 'costs', 'tax', 'losses'];
    const { rows } = await pool.query(
      `select ${accounts.map((a) => `(${a}_credit - ${a}_debit)::int as ${a}`).join(', ')} from ledger.balances
        where merchant_id = '00000000-0000-0000-0000-000000000000' and currency = 'IDR'`,
    );
    return Object.fromEntries(Object.entries(rows[0] as Record<string, number>).filter(([, amount]) => amount !== 0));
  };

  it('books batches with the fees kept by the processor, their unknown lines, bank charges and unidentified credits', async () => {
    const world = worldOf();
    world.pay(1_000);
    world.pay(500);
    world.remit(
      [
        { reference: 'R0', amount: 1_000, fee: 10, tax: 1 },
        { reference: 'nobody', amount: 200, fee: 2 },
      ],
      { batch: 'B-1' },
    );
    world.payout(300);
    world.payoutGoes('PayoutSucceeded', 0);
    world.book([{ reference: 'B-1', amount: 1_187 }, { amount: -7, kind: 'CHARGE' }, { amount: 50 }, { amount: -20 }]);
    const closed = await closeDay(pool, world, 1, today(world));
    expect(await rowsOf(1)).toEqual([
      ['UNREMITTED', 200, 'B-1'],
      ['BATCH', 1_187, 12, 1, 'B-1'],
      ['CHARGE', -7],
      ['UNKNOWN', 50],
      ['UNKNOWN', -20],
    ]);
    expect(closed.figures).toEqual([
      { currency: 'IDR', closing: 1_210, book_cash: 910, payouts: 300, returns: 0, under_way: 0, differences: 0, residual: 0 },
    ]);
    // Only the second payment is still due from the processor.
    expect(await balances()).toEqual({ processor: -500, bank: -910, suspense: 230, costs: -19, tax: -1 });
  });

  it('books unknown amounts again once they are matched, and books manual matches and removed matches', async () => {
    const world = worldOf();
    const { id } = world.pay(200);
    world.remit([{ reference: 'typo', amount: 200, fee: 2 }], { batch: 'B-1' });
    world.book([
      { reference: 'B-1', amount: 198 },
      { reference: 'B-2', amount: 99 },
    ]);
    await closeDay(pool, world, 1, today(world));
    expect(await balances()).toEqual({ processor: -200, bank: -297, suspense: 299, costs: -2 });
    world.days(1);
    const [item] = world.log.events.filter(({ type, data }) => type === 'ChargePaid' && 'charge_id' in data && data.charge_id === id);
    const acts = world.acts(breakId('live-sim', 'PROCESSOR_ONLY', 'B-1 0'));
    acts.match('B-1 0', [item!.id]);
    world.pay(100);
    world.remit([{ reference: 'R1', amount: 100, fee: 1 }], { batch: 'B-2' });
    world.book([]);
    await closeDay(pool, world, 2, today(world));
    expect(await rowsOf(2)).toEqual([
      ['-UNREMITTED', 200, 'B-1'],
      ['-UNKNOWN', 99],
      ['BATCH', 99, 1, 0, 'B-2'],
    ]);
    expect(await balances()).toEqual({ bank: -297, costs: -3 });
    world.days(1);
    acts.unmatch();
    world.run();
    world.book([]);
    const last = await closeDay(pool, world, 3, today(world));
    expect(await rowsOf(3)).toEqual([['UNREMITTED', 200, 'B-1']]);
    expect(await balances()).toEqual({ processor: -200, bank: -297, suspense: 200, costs: -3 });
    expect(last.figures).toMatchObject([{ closing: 297, book_cash: 297, residual: 0 }]);
  });

  it('books two lines with one key as two breaks and two items in suspense', async () => {
    const world = worldOf();
    world.book([{ amount: 50, key: 'K' }]);
    world.book([
      { amount: 50, key: 'K' },
      { amount: 7, key: 'L' },
      { amount: 7, key: 'L' },
    ]);
    await closeDay(pool, world, 1, today(world));
    expect(await balances()).toEqual({ bank: -114, suspense: 114 });
    const { rows } = await pool.query('select count(distinct id)::int as items, sum(amount)::int as amount from ledger.suspense_items');
    expect(rows).toEqual([{ items: 4, amount: 114 }]);
    expect((await pool.query('select count(*)::int as breaks from recon.breaks')).rows).toEqual([{ breaks: 4 }]);
    const expected = [await contents(pool, 'recon'), await contents(pool, 'ledger')];
    await projectBoth(pool, world, 3);
    expect([await contents(pool, 'recon'), await contents(pool, 'ledger')]).toEqual(expected);
  });

  it('books an approved difference between lines and items, and reverses it with the match', async () => {
    const world = worldOf();
    const { event_id } = world.pay(1_000);
    world.remit([{ reference: 'R0', amount: 990, fee: 10 }], { batch: 'B-1' });
    const reference = world.payout(300);
    world.payoutGoes('PayoutSucceeded', 0);
    const payout = world.log.events.find(({ type }) => type === 'PayoutRequested')!.id;
    const [credit, debit] = [0, 1].map((n) => `S${world.log.events.length} ${n}`) as [string, string];
    world.book([
      { reference: 'B-1', amount: 975 },
      { reference, amount: -302 },
    ]);
    await closeDay(pool, world, 1, today(world));
    expect(await balances()).toEqual({ processor: -1_000, bank: -373, suspense: 673 });
    const open = async (): Promise<unknown[]> =>
      (await pool.query('select kind from recon.breaks where resolved_from is null order by kind')).rows.map(({ kind }) => kind as string);
    expect(await open()).toEqual(['AMOUNT', 'PAYOUT_AMOUNT', 'REMITTANCE_SHORT']);

    world.days(1);
    const amounts = world.acts(breakId('live-sim', 'AMOUNT', 'B-1 0'));
    amounts.matchDifference('B-1 0', [event_id], -10, { source: 'live-sim' });
    world.acts(breakId('live-bca', 'REMITTANCE_SHORT', credit)).matchDifference(credit, 'B-1', -5);
    world.acts(breakId('live-bca', 'PAYOUT_AMOUNT', debit)).matchDifference(debit, [payout], -2, { account: 'costs' });
    world.run();
    world.book([]);
    const second = await closeDay(pool, world, 2, today(world));
    expect(await rowsOf(2)).toEqual([
      ['-UNKNOWN', 975],
      ['-UNKNOWN', -302],
      ['BATCH', 975, 10, 0, 'B-1'],
      ['PAYOUT', -302],
    ]);
    expect((await findDayPart(pool, 'live-bca', 2, 2))!.rows).toMatchObject([
      { movement: 'DIFFERENCE_TO_LOSSES', amount: -10, line_source: 'live-sim', batch: 'B-1', processor: 'SIMULATOR', event_id },
      { movement: 'DIFFERENCE_TO_LOSSES', amount: -5, line_source: 'live-bca', batch: 'B-1', processor: 'SIMULATOR', event_id: null },
      { movement: 'DIFFERENCE_TO_COSTS', amount: -2, line_source: 'live-bca', batch: null, processor: null, event_id: payout },
    ]);
    expect(second.figures).toEqual([
      { currency: 'IDR', closing: 673, book_cash: 673, payouts: 0, returns: 0, under_way: 0, differences: -17, residual: 0 },
    ]);
    expect(await balances()).toEqual({ bank: -673, costs: -12, losses: -15 });
    expect(await open()).toEqual([]);

    world.days(1);
    amounts.unmatch();
    world.run();
    world.book([]);
    const third = await closeDay(pool, world, 3, today(world));
    expect(third.figures).toMatchObject([{ differences: 10, residual: 0 }]);
    expect(await balances()).toEqual({ processor: -1_000, bank: -673, suspense: 990, costs: -12, losses: -5 });
    expect(await open()).toEqual(['AMOUNT']);
  });

  it('books only the approved difference, and only of an open line', async () => {
    const world = worldOf();
    const { event_id } = world.pay(1_000);
    world.remit([{ reference: 'R0', amount: 990 }], { batch: 'B-1' });
    world.remit([{ reference: 'R0', amount: 1_000 }], { batch: 'B-2' });
    world.acts(breakId('live-sim', 'AMOUNT', 'B-1 0')).matchDifference('B-1 0', [event_id], -10, { source: 'live-sim' });
    world.pay(70);
    const other = world.pay(500);
    world.remit([{ reference: 'R2', amount: 400 }], { batch: 'B-3' });
    world.acts(breakId('live-sim', 'AMOUNT', 'B-3 0')).matchDifference('B-3 0', [other.event_id], -99, { source: 'live-sim' });
    const credit = `S${world.log.events.length} 0`;
    world.book([{ reference: 'B-3', amount: 350 }]);
    world.acts(breakId('live-bca', 'REMITTANCE_SHORT', credit)).matchDifference(credit, 'B-3', -49);
    world.run();
    const closed = await closeDay(pool, world, 1, today(world));
    expect(await rowsOf(1)).toEqual([['UNKNOWN', 350]]);
    expect(closed.figures).toMatchObject([{ differences: 0, residual: 0 }]);
    const { rows } = await pool.query('select kind from recon.breaks where resolved_from is null order by kind');
    expect(rows.map(({ kind }) => kind as string)).toEqual(['AMOUNT', 'DUPLICATE', 'REMITTANCE_SHORT']);
  });

  it('books no difference of a line that a proposal has resolved: its item stays due', async () => {
    const world = worldOf();
    const { event_id } = world.pay(1_000);
    world.remit([{ reference: 'R0', amount: 990 }], { batch: 'B-1' });
    world.book([{ reference: 'B-1', amount: 990 }]);
    await closeDay(pool, world, 1, today(world));
    const item_id = (await findDayPart(pool, 'live-bca', 1, 1))!.rows.find(({ movement }) => movement === 'UNREMITTED')!.item_id!;
    const data = { merchant_id: null, item_id, proposal_id: world.log.id('proposal'), claimed_on: world.log.now };
    world.log.add({ type: 'SuspenseItemClaimed', data }, `suspense-${item_id}`);
    world.house('GAIN', 990, { item_id });
    world.days(1);
    world.acts(breakId('live-sim', 'AMOUNT', 'B-1 0')).matchDifference('B-1 0', [event_id], -10, { source: 'live-sim' });
    world.run();
    world.book([]);
    const closed = await closeDay(pool, world, 2, today(world));
    expect(await rowsOf(2)).toEqual([]);
    expect(closed.figures).toMatchObject([{ differences: 0, residual: 0 }]);
    expect(await balances()).toEqual({ processor: -1_000, bank: -990, losses: 990 });
  });

  it('leaves an amount in suspense that a proposal claimed before the tick, and reverses the entry for a later claim', async () => {
    const world = worldOf();
    world.book([
      { reference: 'B-1', amount: 100 },
      { reference: 'B-2', amount: 50 },
    ]);
    await closeDay(pool, world, 1, today(world));
    const [first, second] = (await findDayPart(pool, 'live-bca', 1, 1))!.rows.map(({ item_id }) => item_id!);
    const claim = (item_id: string): void => {
      const data = { merchant_id: null, item_id, proposal_id: world.log.id('proposal'), claimed_on: world.log.now };
      world.log.add({ type: 'SuspenseItemClaimed', data }, `suspense-${item_id}`);
    };
    claim(first!);
    world.days(1);
    for (const batch of ['B-1', 'B-2']) world.remit([{ reference: batch, amount: batch === 'B-1' ? 100 : 50 }], { batch });
    world.book([]);
    await closeDay(pool, world, 2, today(world));
    claim(second!);
    await projectBoth(pool, world);
    expect(await rowsOf(2)).toEqual([
      ['-UNKNOWN', 50],
      ['BATCH', 50, 0, 0, 'B-2'],
      ['UNREMITTED', 50, 'B-2'],
    ]);
    expect([await findBookedItem(pool, first!), await findBookedItem(pool, second!)]).toEqual([{ is_taken: false }, { is_taken: true }]);
    // The proposal of the second claim fails, and the item remains as the close has left it.
    for (const size of [1, 1_000]) {
      await projectBoth(pool, world, size);
      const { rows } = await pool.query(
        `select id, item_status, resolved_as, resolved_from is not null as is_over from ledger.suspense_items where id = any($1) order by amount`,
        [[first, second]],
      );
      expect(rows).toEqual([
        { id: second, item_status: 'RESOLVED', resolved_as: 'MATCHED', is_over: true },
        { id: first, item_status: 'CLAIMED', resolved_as: null, is_over: false },
      ]);
    }
  });

  it('compares payouts with the bank: unpresented ones, pending ones and returns', async () => {
    const world = worldOf();
    const [paid, under, late] = [world.payout(300), world.payout(400), world.payout(500)];
    world.payoutGoes('PayoutSucceeded', 0);
    world.payoutGoes('PayoutReturned', 0);
    world.payoutGoes('PayoutSucceeded', 2);
    world.book([
      { reference: paid, amount: -300 },
      { reference: under, amount: -400 },
    ]);
    const first = await closeDay(pool, world, 1, today(world));
    expect(first.figures).toEqual([
      { currency: 'IDR', closing: -700, book_cash: -500, payouts: 500, returns: 300, under_way: 400, differences: 0, residual: 0 },
    ]);
    world.payoutGoes('PayoutFailed', 1);
    world.days(1);
    world.book([
      { reference: late, amount: -500 },
      { reference: paid, amount: 300 },
    ]);
    const second = await closeDay(pool, world, 2, today(world));
    expect(await rowsOf(2)).toEqual([
      ['-PAYOUT', -400],
      ['UNKNOWN', -400],
      ['PAYOUT', -500],
      ['RETURN', 300],
    ]);
    expect(second.figures).toEqual([
      { currency: 'IDR', closing: -900, book_cash: -900, payouts: 0, returns: 0, under_way: 0, differences: 0, residual: 0 },
    ]);
  });

  it('books a batch again after its processor reissues it', async () => {
    const world = worldOf();
    const file = world.remit([{ reference: 'x', amount: 100, fee: 1 }], { batch: 'B-1' });
    world.book([{ reference: 'B-1', amount: 99 }]);
    await closeDay(pool, world, 1, today(world));
    world.days(1);
    world.remit([{ reference: 'x', amount: 102, fee: 3 }], { batch: 'B-1', replaces: file });
    world.book([]);
    await closeDay(pool, world, 2, today(world));
    expect(await rowsOf(2)).toEqual([
      ['-UNREMITTED', 100, 'B-1'],
      ['-BATCH', 99, 1, 0, 'B-1'],
      ['BATCH', 99, 3, 0, 'B-1'],
      ['UNREMITTED', 102, 'B-1'],
    ]);
    expect(await balances()).toEqual({ bank: -99, suspense: 102, costs: -3 });
  });

  it("leaves a batch that another bank has booked to that bank's closes", async () => {
    const world = worldOf();
    world.set('live-maybank', { ...BANK, currencies: ['MYR'] });
    const { event_id } = world.pay(100);
    world.remit([{ reference: 'typo', amount: 100 }], { batch: 'B-1' });
    const acts = world.acts(breakId('live-sim', 'PROCESSOR_ONLY', 'B-1 0'));
    acts.match('B-1 0', [event_id]);
    world.run();
    world.book([{ reference: 'B-1', amount: 100 }]);
    await closeDay(pool, world, 1, today(world));
    const debt = async () => ({
      items: (await findReceivable(pool, 'live', world.log.now))
        .filter(({ currency }) => currency === 'IDR')
        .reduce((sum, { amount }) => sum + Number(amount), 0),
      books: await balances(),
    });
    const booked = { items: 0, books: { bank: -100 } };
    expect(await debt()).toEqual(booked);
    world.days(1);
    acts.unmatch();
    world.run();
    world.remit([{ reference: 'nobody', amount: 5, currency: 'MYR' }], { batch: 'B-2' });
    world.book([{ reference: 'B-2', amount: 5, currency: 'MYR' }], { source: 'live-maybank' });
    await closeDay(pool, world, 1, today(world), 'live-maybank');
    expect(await debt()).toEqual(booked);
    world.book([]);
    await closeDay(pool, world, 2, today(world));
    expect(await debt()).toEqual({ items: 100, books: { processor: -100, bank: -100, suspense: 100 } });
  });

  it('a day close has parts of 500 lines of one currency', async () => {
    const world = worldOf();
    world.book(Array.from({ length: 501 }, (_, n) => ({ amount: n + 1, ...(n === 500 && { currency: 'MYR' }) })));
    const closed = await closeDay(pool, world, 1, today(world));
    expect(closed).toMatchObject({ parts: 2, rows: 501 });
    expect((await findDayPart(pool, 'live-bca', 1, 1))!.rows).toHaveLength(500);
    expect(await findDayPart(pool, 'live-bca', 1, 2)).toMatchObject({ currency: 'MYR', rows: [{ amount: 501 }] });
  });

  it('a close of more lines than are read at a time books each line once, in order', async () => {
    const world = worldOf();
    const many = Array.from({ length: 1_200 }, (_, n) => n);
    world.book(many.map((n) => ({ reference: `B-${n}`, amount: 9 })));
    await closeDay(pool, world, 1, today(world));
    world.days(1);
    world.remit(many.map((n) => ({ reference: `nobody ${n}`, amount: 10, fee: 1, batch: `B-${n}` })));
    world.book([...many, ...many].map((n) => ({ amount: n + 1, ...(n % 3 === 0 && { currency: 'MYR' }) })));
    const { rows: count, parts } = await closeDay(pool, world, 2, today(world));
    const { rows } = await pool.query<{ part: number; currency: string; reversed: boolean; movement: string; line_id: bigint }>(
      'select part, currency, reversed, movement, line_id from recon.day_rows where n = 2 order by place',
    );
    const kinds = new Map<string, number>();
    for (const { reversed, movement } of rows) {
      const kind = `${reversed ? '-' : ''}${movement}`;
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
    expect(Object.fromEntries(kinds)).toEqual({ '-UNKNOWN': 1_200, BATCH: 1_200, UNREMITTED: 1_200, UNKNOWN: 2_400 });
    const place = ({ currency, reversed, line_id }: (typeof rows)[number]): string =>
      `${currency} ${reversed ? 0 : 1} ${String(line_id).padStart(9, '0')}`;
    expect(rows.map(place)).toEqual(rows.map(place).sort());
    const currencies = new Map<number, Set<string>>();
    for (const { part, currency } of rows) currencies.set(part, (currencies.get(part) ?? new Set()).add(currency));
    expect([count, parts, currencies.size, [...currencies.values()].every(({ size }) => size === 1)]).toEqual([6_000, 13, 13, true]);
    expect(await balances()).toMatchObject({ bank: -many.reduce((sum, n) => sum + 9 + (n % 3 === 0 ? 0 : 2 * (n + 1)), 0), costs: -1_200 });
  });

  it('day closes are the same in any batch size', async () => {
    const world = worldOf();
    const file = world.remit([{ reference: 'x', amount: 100, fee: 1 }], { batch: 'B-1' });
    world.book([{ reference: 'B-1', amount: 99 }, { amount: 5 }]);
    await closeDay(pool, world, 1, today(world));
    world.days(1);
    world.remit([{ reference: 'x', amount: 102, fee: 3 }], { batch: 'B-1', replaces: file });
    world.book([{ amount: -7, kind: 'CHARGE' }]);
    await closeDay(pool, world, 2, today(world));
    const expected = [await contents(pool, 'recon'), await contents(pool, 'ledger')];
    for (const size of [1, 7]) {
      await projectBoth(pool, world, size);
      expect([await contents(pool, 'recon'), await contents(pool, 'ledger')]).toEqual(expected);
    }
  });
});
