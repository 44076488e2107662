import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Pool } from 'pg';
import { findAccountDays } from '../../projections/balances/account-days.js';
import { findJournal } from '../../projections/balances/journal-lines.js';
import { findJournalTotals } from '../../projections/balances/journal-totals.js';
import { findChargeDays, successRate } from '../../projections/charges/charge-days.js';
import { ledger } from '../../src/app/ledger.projection.js';
import { addDays, daysFromTo } from '../../src/ledger/days.js';
import { MODES } from '../../src/ledger/mode.js';
import { HOUR_MS } from '../../src/ledger/time.js';
import { CURRENCIES, World } from '../support/histories.js';
import { project } from '../support/projected.js';
import { suiteDatabase } from '../support/suite-database.js';

const STATES = { PENDING: 'pending', FAILED: 'failed', EXPIRED: 'expired', CANCELLED: 'cancelled' } as const;

describe('figures by day', () => {
  let pool: Pool;
  suiteDatabase((opened) => (pool = opened), { statementTimeoutMs: 0 });

  const steps = fc.array(fc.tuple(fc.nat(12), fc.nat(1_000), fc.integer({ min: 1, max: 9_007_199_254_740_000 })), {
    minLength: 60,
    maxLength: 250,
    size: 'max',
  });

  /** A history of many days, whose clocks sometimes go back over midnight. */
  function worldOfDays(history: readonly (readonly [number, number, number])[]): World {
    const world = new World(3);
    for (const [what, which, amount] of history) {
      world.log.clockMs += [0, 0, 5, 31, -3][which % 5]! * HOUR_MS;
      world.step(what, which, amount);
    }
    return world;
  }

  const law = (check: (world: World, days: readonly string[]) => Promise<void>) => () =>
    fc.assert(
      fc.asyncProperty(steps, async (history) => {
        const world = worldOfDays(history);
        await project(pool, ledger, world.log.events, 50);
        const times = world.log.events.map(({ metadata }) => metadata.occurred_on.slice(0, 10)).sort();
        const days = daysFromTo(addDays(times[0]!, -1), addDays(times.at(-1)!, 1));
        expect(days.length).toBeGreaterThan(5);
        await check(world, days);
      }),
      { seed: 20_261_128, numRuns: 6, endOnFailure: true },
    );

  it(
    'debits, credits and closing balances of each day are those of its lines',
    law(async (_world, days) => {
      const lines = await findJournal(pool, { limit: 10_000 });
      const found = await findAccountDays(pool, { days });
      expect(new Set(found.map(({ mode, currency }) => `${mode} ${currency}`)).size).toBeGreaterThan(2);
      for (const { mode, currency, account, day, debit, credit, closing_balance } of found) {
        const until = lines.filter(
          (line) => line.mode === mode && line.currency === currency && line.account === account && line.occurred_on.slice(0, 10) <= day,
        );
        const ofDay = until.filter(({ occurred_on }) => occurred_on.startsWith(day));
        const sum = (of: typeof lines, side: 'debit' | 'credit'): bigint => of.reduce((total, line) => total + line[side], 0n);
        expect([day, account, debit, credit]).toEqual([day, account, sum(ofDay, 'debit'), sum(ofDay, 'credit')]);
        expect(closing_balance).toBe(sum(until, 'credit') - sum(until, 'debit'));
      }
      // Every account that a line names is there, each day of it.
      const named = new Set(lines.map(({ mode, currency, account }) => `${mode} ${currency} ${account}`));
      expect(found).toHaveLength(named.size * days.length);
    }),
    120_000,
  );

  it(
    'a part of the days has the figures of the whole, and of the totals of the journal',
    law(async (_world, days) => {
      const all = await findAccountDays(pool, { days });
      const [mode, currency] = [MODES[1], CURRENCIES[1]];
      const part = days.slice(2, -3);
      const found = await findAccountDays(pool, { mode, currency, account: 'available', days: part });
      expect(found).toEqual(
        all.filter(
          (each) => each.mode === mode && each.currency === currency && each.account === 'available' && part.some((day) => day === each.day),
        ),
      );
      for (const { day, account, debit, credit, closing_balance } of found) {
        const of = { mode, currency, account, date_from: `${day}T00:00:00.000+00:00`, date_to: `${day}T23:59:59.999+00:00` };
        const [total] = await findJournalTotals(pool, of);
        expect([debit, credit, closing_balance]).toEqual([total?.debit ?? 0n, total?.credit ?? 0n, total?.closing_balance ?? 0n]);
      }
      expect(await findAccountDays(pool, { days: [] })).toEqual([]);
    }),
    120_000,
  );

  it(
    'counts and amounts of charges are those of the charges created on the day',
    law(async (world, days) => {
      const created = new Map(world.log.events.flatMap(({ type, data }: any) => (type === 'ChargeCreated' ? [[data.charge_id, data]] : [])));
      for (const merchant_id of [undefined, ...world.merchants]) {
        const found = await findChargeDays(pool, { merchant_id, days });
        const charges = world.charges.filter((charge) => charge.merchant_id === (merchant_id ?? charge.merchant_id));
        const keyOf = (id: string): string => `${created.get(id).created_on.slice(0, 10)} ${created.get(id).channel_code}`;
        expect(found.map(({ day, channel_code }) => `${day} ${channel_code}`)).toEqual([...new Set(charges.map(({ id }) => keyOf(id)))].sort());
        for (const { day, channel_code, currency, succeeded_amount, success_rate, ...counts } of found) {
          const theirs = charges.filter(({ id }) => keyOf(id) === `${day} ${channel_code}`);
          expect(theirs.every((charge) => charge.currency === currency)).toBe(true);
          const expected = { cancelled_count: 0, expired_count: 0, failed_count: 0, pending_count: 0, succeeded_count: 0 };
          for (const { state } of theirs) expected[`${STATES[state as keyof typeof STATES] ?? 'succeeded'}_count`] += 1;
          expect(counts).toEqual(expected);
          const paid = theirs.filter(({ state }) => !(state in STATES));
          expect(succeeded_amount).toBe(paid.reduce((sum, { amount }) => sum + BigInt(amount), 0n));
          expect(success_rate).toBe(successRate(expected));
        }
      }
    }),
    120_000,
  );

  it('filters select by mode, currency and channel', async () => {
    const world = worldOfDays(Array.from({ length: 90 }, (_, n) => [n % 3, n * 7, 1_000 + n] as const));
    await project(pool, ledger, world.log.events, 50);
    const days = daysFromTo('2026-01-30', '2026-12-31');
    const all = await findChargeDays(pool, { days });
    const sum = (of: typeof all): bigint => of.reduce((total, { succeeded_amount }) => total + succeeded_amount, 0n);
    const ofModes = await Promise.all(MODES.map((mode) => findChargeDays(pool, { mode, days })));
    expect(ofModes.map((each) => sum(each) > 0n)).toEqual([true, true]);
    expect(sum(ofModes.flat())).toBe(sum(all));
    expect(await findChargeDays(pool, { currency: 'MYR', days })).toEqual(all.filter(({ currency }) => currency === 'MYR'));
    expect(await findChargeDays(pool, { channel_code: 'QR_PAYNOW', days })).toEqual(all.filter(({ currency }) => currency === 'SGD'));
  });

  it.each([
    [{ succeeded_count: 0, failed_count: 0, expired_count: 0 }, null],
    [{ succeeded_count: 0, failed_count: 1, expired_count: 0 }, 0],
    [{ succeeded_count: 2, failed_count: 0, expired_count: 1 }, 0.6667],
    [{ succeeded_count: 5, failed_count: 0, expired_count: 0 }, 1],
  ])('the success rate of %j is %s', (counts, rate) => expect(successRate(counts)).toBe(rate));
});
