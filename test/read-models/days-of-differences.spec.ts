import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { recon } from '../../projections/reconciliation/reconciliation.projection.js';
import { compareBuilds } from '../../src/platform/projector/comparison.js';
import { daysOfDifferences, type ClosedDay, type DayFault } from '../../src/transparency-log/days-of-differences.js';
import { closeDay } from '../support/day-closing.js';
import { project } from '../support/projected.js';
import { Remittances } from '../support/remittances.js';
import { suiteDatabase } from '../support/suite-database.js';

const [FIRST, SECOND] = ['2026-01-31', '2026-02-03'];

describe('rows of closed days that were changed by hand', () => {
  let pool: Pool;
  const closed: ClosedDay[] = [];

  suiteDatabase((opened) => (pool = opened), { statementTimeoutMs: 0 });
  beforeAll(async () => {
    const world = new Remittances();
    world.set('live-bca', { currencies: ['IDR'] });
    const trade = (n: number): void => {
      world.pay(100);
      world.remit([{ reference: `R${n}`, amount: 100, fee: 1 }], { batch: `B-${n}` });
      const reference = world.payout(30);
      world.payoutGoes('PayoutSucceeded', n);
      world.book([{ reference: `B-${n}`, amount: 99 }, { reference, amount: -30 }, { amount: 5 }]);
    };
    trade(0);
    closed.push(await closeDay(pool, world, 1, FIRST));
    world.days(3);
    trade(1);
    closed.push(await closeDay(pool, world, 2, SECOND));
    world.days(1);
    trade(2);
    await project(pool, recon, world.log.events, 1_000);
    await pool.query('alter schema recon rename to rebuilt');
    await project(pool, recon, world.log.events, 1_000);
  });

  async function found(change?: string): Promise<DayFault[]> {
    const tx = await pool.connect();
    try {
      await tx.query('begin');
      if (change !== undefined) expect((await tx.query(change)).rowCount).toBe(1);
      return daysOfDifferences(await compareBuilds([tx], 'recon', 'rebuilt'), closed);
    } finally {
      await tx.query('rollback');
      tx.release();
    }
  }

  it('an unchanged read model has no wrong day', async () => expect(await found()).toEqual([]));

  const nth = (table: string, key: string, condition: string, n: number): string =>
    `${key} = (select ${key} from recon.${table} where ${condition} order by ${key} offset ${n} limit 1)`;
  const OF_PAYOUT = `source = 'live-bca' and item is not null`;
  const changes: readonly (readonly [string, string, (n: number) => string])[] = [
    ['the match of a payout is deleted', 'matches', (n) => `delete from recon.matches where ${nth('matches', 'line_id', OF_PAYOUT, n)}`],
    ['the match of a batch is deleted', 'matches', (n) => `delete from recon.matches where batch = 'B-${n}'`],
    [
      'the match of a line in a credited batch is deleted',
      'matches',
      (n) => `delete from recon.matches where ${nth('matches', 'line_id', "source = 'live-sim'", n)}`,
    ],
    ['a line has another amount', 'lines', (n) => `update recon.lines set amount = amount + 1 where ${nth('lines', 'id', 'amount = 99', 2 * n)}`],
    ['a booked row has another amount', 'day_rows', (n) => `update recon.day_rows set amount = amount + 1 where n = ${n + 1} and movement = 'BATCH'`],
    ['a figure is another one', 'day_closes', (n) => `update recon.day_closes set figures = '[]' where n = ${n + 1}`],
    ['a break is deleted', 'breaks', (n) => `delete from recon.breaks where ${nth('breaks', 'line_id', "kind = 'BANK_UNKNOWN'", n)}`],
    [
      'a break is added',
      'breaks',
      (n) =>
        `insert into recon.breaks select gen_random_uuid(), source, kind, subject, line_id, item, batch_source, batch, of_mode, opened_from, opened_on
           from recon.breaks where ${nth('breaks', 'line_id', "kind = 'BANK_UNKNOWN'", n)}`,
    ],
    ['a match ends', 'matches', (n) => `update recon.matches set matched_until = matched_from + 1 where batch = 'B-${n}'`],
    ['a batch has another amount', 'groups', (n) => `update recon.groups set amount = amount + 1 where name = 'B-${n}'`],
    ['an item has another amount', 'item_details', (n) => `update recon.item_details set amount = amount + 1 where payment_reference = 'R${n}'`],
  ];
  it.each(changes)('when %s, its day is named', async (_, table, change) => {
    expect(await found(change(0))).toEqual([{ source: 'live-bca', day: FIRST, fault: expect.stringContaining(`recon.${table} (`) }]);
    expect(await found(change(1))).toEqual([{ source: 'live-bca', day: SECOND, fault: expect.stringContaining(`recon.${table} (`) }]);
  });

  it('a row of no closed day names none', async () => expect(await found(`delete from recon.matches where batch = 'B-2'`)).toEqual([]));

  it('a fault has the values of the row, and those by the events', async () => {
    const [fault] = await found(`update recon.day_rows set amount = 1 where n = 1 and movement = 'BATCH'`);
    expect(fault!.fault).toMatch(/^recon\.day_rows \(source live-bca, n 1, place \d\): amount is 1, by the events 99$/);
    const [missing] = await found(`delete from recon.matches where batch = 'B-0'`);
    expect(missing!.fault).toMatch(/^recon\.matches \(line_id \d+, matched_from \d+\): is missing, by the events it exists$/);
  });
});
