import { describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { ReconWorld, type ReconVerdict } from '../support/recon-world.js';
import { SimulatedTrade } from '../support/simulated-trade.js';
import { suiteDatabase } from '../support/suite-database.js';

const SEED = 1;
/** Those of one day: more do not find a place in its files. `npm run judge:recon` has each by itself, of many seeds. */
const TOGETHER = [
  [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 21, 24, 25, 26, 27, 29, 30, 37, 38, 44],
  [15, 16, 17, 18, 19, 20, 22, 23, 28, 31, 32, 33, 34, 35, 36, 39, 40, 41, 42],
  // A day without a file of the processor.
  [43],
];

describe('defects planted in the files of the simulator', () => {
  let pool: Pool;
  const trade = new SimulatedTrade(SEED);

  suiteDatabase((opened) => (pool = opened), { statementTimeoutMs: 0 });

  const run = (defects: readonly number[], format?: 'mt940'): Promise<ReconVerdict> => new ReconWorld(trade, format).run(pool, defects, SEED);

  it('reconciliation reports no break for harmless files', async () => {
    expect(await run([])).toEqual({ missed: [], extra: [], found: [] });
  });

  it.each(TOGETHER.map((defects) => ({ defects })))('reconciliation finds the planted defects and nothing else: $defects', async ({ defects }) => {
    const verdict = await run(defects, 'mt940');
    expect(verdict).toMatchObject({ missed: [], extra: [] });
    expect(new Set(verdict.found.map((name) => Number(name.split(':')[0])))).toEqual(new Set(defects));
  });
});
