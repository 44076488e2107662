import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { MIGRATIONS } from '../../src/app/migrations.js';
import { FIRST_LOOK_MS, PostgresRailDue, type RailCharge, type RailDue } from '../../src/domain/charges/remote/rail-due.js';
import { migrate } from '../../src/platform/postgres/migrations.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import { MemoryRailDue } from '../support/memory-rail-due.js';
import { createTestDatabase } from '../support/postgres.js';

const NOW = Date.parse('2026-01-30T10:00:00.000Z');
const LATER = NOW + FIRST_LOOK_MS;
const newCharge = (rail = 'live', merchant_id = randomUUID()): RailCharge => ({ charge_id: randomUUID(), merchant_id, rail });

let pool: Pool;
let drop: () => Promise<void>;

beforeAll(async () => {
  const database = await createTestDatabase();
  await migrate(database.url, MIGRATIONS);
  pool = createPool({ url: database.url, applicationName: 'rail-due-test' });
  drop = () => database.drop();
});
afterAll(async () => {
  await pool.end();
  await drop();
});

describe.each<[string, () => Promise<RailDue>]>([
  [
    'in Postgres',
    async () => {
      await pool.query('truncate rail_due');
      return new PostgresRailDue(pool);
    },
  ],
  ['of simulations', async () => new MemoryRailDue()],
])('the due-list of rails %s', (_, open) => {
  let due: RailDue;
  beforeEach(async () => {
    due = await open();
  });

  it('begins a charge once, and counts attempts up to their bound', async () => {
    const charge = newCharge();
    expect(await due.begin(charge, NOW)).toBe(true);
    expect(await due.begin(charge, NOW)).toBe(false);
    expect(await due.attempt(charge, 3, NOW)).toBe(2);
    expect(await due.attempt(charge, 3, NOW)).toBe(3);
    expect(await due.attempt(charge, 3, NOW)).toBeUndefined();
    expect(await due.attempt(newCharge(), 3, NOW)).toBe(1);
  });

  it('a charge is due after a minute, sooner on request, never later', async () => {
    const charge = newCharge();
    await due.begin(charge, NOW);
    expect(await due.find(LATER - 1, 10)).toEqual([]);
    expect(await due.find(LATER, 10)).toMatchObject([{ ...charge, cancels: '', step: 0, unanswered: 0 }]);
    await due.lookBy(charge.charge_id, LATER + 1_000);
    expect(await due.find(LATER, 10)).toHaveLength(1);
    await due.lookBy(charge.charge_id, NOW);
    expect(await due.find(NOW, 10)).toHaveLength(1);
  });

  it('advances a charge by its steps, and does nothing when another process has', async () => {
    const charge = newCharge();
    await due.begin(charge, NOW);
    const [row] = await due.find(LATER, 10);
    await due.again(row!, LATER + 5);
    const [again] = await due.find(LATER + 5, 10);
    expect(again).toMatchObject({ step: 0, unanswered: 1 });
    await due.next(again!, 2, LATER + 10);
    await due.next(again!, 1, LATER + 20);
    expect(await due.find(LATER + 10, 10)).toMatchObject([{ step: 2, unanswered: 0 }]);
    await due.done({ ...charge, cancels: '' });
    expect(await due.find(LATER + 99, 10)).toEqual([]);
  });

  it('finds the charge of an instruction on its own rail only', async () => {
    const charge = newCharge();
    await due.begin(charge, NOW);
    await due.made(charge.charge_id, 'pr-1');
    await due.cancel(charge, 'pr-2', NOW);
    expect(await due.chargeOf('live', 'pr-1')).toBe(charge.charge_id);
    expect(await due.chargeOf('live', 'pr-2')).toBe(charge.charge_id);
    expect(await due.chargeOf('other', 'pr-1')).toBeUndefined();
    expect(await due.chargeOf('live', 'pr-3')).toBeUndefined();
  });

  it('keeps instructions to be cancelled beside their charge', async () => {
    const charge = newCharge();
    await due.begin(charge, NOW);
    await due.cancel(charge, 'pr-2', NOW);
    await due.cancel(charge, 'pr-2', NOW);
    expect(await due.find(NOW, 10)).toMatchObject([{ ...charge, cancels: 'pr-2' }]);
    await due.done({ ...charge, cancels: 'pr-2' });
    expect(await due.find(NOW, 10)).toEqual([]);
    expect(await due.find(LATER, 10)).toHaveLength(1);
  });

  it('takes merchants in turn, and limits each rail separately', async () => {
    const [many, one] = [randomUUID(), randomUUID()];
    for (let n = 0; n < 5; n += 1) await due.begin(newCharge('live', many), NOW + n);
    const last = newCharge('live', one);
    await due.begin(last, NOW + 100);
    await due.begin(newCharge('other', many), NOW + 200);
    const rows = await due.find(LATER + 1_000, 2);
    expect(rows.filter(({ rail }) => rail === 'live').map(({ merchant_id }) => merchant_id)).toEqual([many, one]);
    expect(rows.filter(({ rail }) => rail === 'other')).toHaveLength(1);
  });
});
