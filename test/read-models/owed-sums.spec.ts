import { describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { recon } from '../../projections/reconciliation/reconciliation.projection.js';
import { closeDay, projectBoth } from '../support/day-closing.js';
import { owedByItems, owedSumsIn } from '../support/owed-by-items.js';
import { contents, project } from '../support/projected.js';
import { BANK } from '../support/recon.js';
import { Remittances } from '../support/remittances.js';
import { suiteDatabase } from '../support/suite-database.js';

/** Bank days test the sums in random histories: test/laws/bank-days.spec.ts. */
describe('sums of the debts of processors', () => {
  let pool: Pool;
  suiteDatabase((opened) => (pool = opened), { statementTimeoutMs: 0 });

  const TERMS = { time_zone: 'Asia/Jakarta', costs: { QR_QRIS: { type: 'PERCENTAGE', value: 0.5 } } } as const;

  /** Projects new events, and returns the sums of the live processor by day. */
  async function sumsOf(world: Remittances): Promise<unknown> {
    await projectBoth(pool, world);
    const found = await owedSumsIn(pool);
    expect(found).toEqual(await owedByItems(pool, world.log));
    return Object.fromEntries(Object.entries(found).map(([key, sums]) => [key, Object.values(sums)]));
  }

  it('follow payments, reversals, other costs and another time zone, with separate sums of each mode and currency', async () => {
    const world = new Remittances({ time_zone: 'UTC' });
    const { n } = world.pay(1_000);
    world.pay(2_001);
    world.pay(70, { mode: 'test' });
    world.pay(50, { currency: 'MYR', channel: 'WALLET_TNG' });
    const again = world.payAgain(n, 300, 'again');
    world.reverse(n, 1_000);
    const [today, tomorrow] = ['2026-02-02', '2026-02-03'];
    world.log.clockMs = Date.parse(`${today}T20:00:00Z`);
    world.pay(500);
    const first = (await sumsOf(world)) as Record<string, unknown>;
    expect(first[`live SIMULATOR IDR ${today}`]).toEqual([1, 500, 0, 1]);
    expect(Object.keys(first)).toHaveLength(4);
    world.house('UNMATCHED_SENT_BACK', 300, { item_id: again });
    expect(((await sumsOf(world)) as typeof first)[`live SIMULATOR IDR ${today}`]).toEqual([2, 200, 0, 1]);
    world.set('live-sim', { ...TERMS, tax: 11 });
    const dated = (await sumsOf(world)) as Record<string, unknown>;
    // 20:00 in UTC is the next day in Jakarta; 0.5 % of 500, and 11 % of the rounded fee.
    expect(dated[`live SIMULATOR IDR ${tomorrow}`]).toEqual([2, 200, 3, 0]);
    expect(dated).not.toHaveProperty([`live SIMULATOR IDR ${today}`]);
    expect(Object.keys(dated).filter((key) => key.startsWith('test'))).toEqual(Object.keys(first).filter((key) => key.startsWith('test')));
  });

  it('lose items that a close books, and have those again that it takes back', async () => {
    const world = new Remittances(TERMS);
    world.set('live-bca', BANK);
    world.pay(1_000);
    const file = world.remit([{ reference: 'R0', amount: 1_000, fee: 5 }], { batch: 'B-1' });
    world.book([{ reference: 'B-1', amount: 995 }]);
    expect(Object.keys((await sumsOf(world)) as object)).toHaveLength(1);
    const day = world.log.now.slice(0, 10);
    await closeDay(pool, world, 1, day);
    expect(await sumsOf(world)).toEqual({});
    world.days(1);
    world.remit([{ reference: 'nobody', amount: 1_000, fee: 5 }], { batch: 'B-1', replaces: file });
    world.book([]);
    await closeDay(pool, world, 2, world.log.now.slice(0, 10));
    expect(await sumsOf(world)).toEqual({ [`live SIMULATOR IDR ${day}`]: [1, 1_000, 5, 0] });
  });

  it('count a booked item that is written off with the opposite amount, and not those that are closed before a batch pays them', async () => {
    const world = new Remittances(TERMS);
    world.set('live-bca', BANK);
    const [booked, open] = [world.pay(1_000), world.pay(200)];
    world.pay(30);
    const [day, key] = [world.log.now.slice(0, 10), `live SIMULATOR IDR ${world.log.now.slice(0, 10)}`];
    expect(await sumsOf(world)).toEqual({ [key]: [3, 1_230, 6, 0] });
    world.house('WRITE_OFF', 200, { item_id: open.event_id });
    expect(await sumsOf(world)).toEqual({ [key]: [2, 1_030, 5, 0] });
    world.remit([{ reference: 'R0', amount: 1_000, fee: 5 }], { batch: 'B-1' });
    world.book([{ reference: 'B-1', amount: 995 }]);
    await closeDay(pool, world, 1, day);
    expect(await sumsOf(world)).toEqual({ [key]: [1, 30, 0, 0] });
    world.house('WRITE_OFF', 1_000, { item_id: booked.event_id });
    expect(await sumsOf(world)).toEqual({ [key]: [2, -970, 0, 0] });
    world.house('OPENING', 30, { position: world.log.events.length, items: 1 });
    expect(await sumsOf(world)).toEqual({ [key]: [1, -1_000, 0, 0] });
    const expected = await contents(pool, 'recon');
    for (const size of [1, 3, 1_000]) {
      await project(pool, recon, world.log.events, size);
      expect(await contents(pool, 'recon')).toEqual(expected);
    }
  });
});
