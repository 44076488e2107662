import { describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { payoutDeed, type Deed } from '../../src/rails/simulator/deeds.js';
import { simulatorJournalMigrations } from '../../src/rails/simulator/simulator-journal.migrations.js';
import { PostgresSimulatorJournal, readDeeds } from '../../src/rails/simulator/simulator-journal.js';
import { suiteDatabase } from '../support/suite-database.js';

const deed = (n: number): Deed =>
  payoutDeed(
    'PAYOUT',
    { payout_id: `0198c0de-7a5e-5c3a-9d2f-${String(n).padStart(12, '0')}`, currency: 'IDR', net_amount: n + 1 },
    1_770_000_000_000 + n,
  );

describe('the journal of the simulated processor and bank', () => {
  let pool: Pool;
  suiteDatabase((opened) => (pool = opened), { migrations: simulatorJournalMigrations });

  it('the simulator journal keeps every record once, in order, however many arrive at once', async () => {
    const deeds = Array.from({ length: 1_200 }, (_, n) => deed(n));
    const journal = new PostgresSimulatorJournal(pool);
    const recorded = await Promise.all(deeds.map((each) => journal.record([each])));
    expect(recorded.map(({ size }) => size)).toEqual(deeds.map(() => 1));
    expect((await journal.record([deed(3), deed(4)])).size).toBe(0);
    expect(await readDeeds(pool)).toEqual(deeds);
    await journal.withdraw(new Set([deed(1_199).id]));
    expect(await readDeeds(pool)).toEqual(deeds.slice(0, -1));
  });

  it('the simulator journal reports a record that it could not keep, and continues', async () => {
    const journal = new PostgresSimulatorJournal(pool);
    await expect(journal.record([{ ...deed(1_300), record_id: 'none' }])).rejects.toThrow('uuid');
    expect((await journal.record([deed(1_301)])).size).toBe(1);
  });
});
