import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Pool } from 'pg';
import { findPayout, findPayoutRevisions, payouts } from '../../projections/payouts/payouts.js';
import { findUsualSeconds } from '../../projections/payouts/payouts-at-bank.js';
import { readEvent } from '../../src/ledger/catalogue.js';
import { accountStream } from '../../src/ledger/events/account.events.js';
import type { Projection } from '../../src/platform/projector/projection.js';
import { worldOf, World } from '../support/histories.js';
import { project } from '../support/projected.js';
import { suiteDatabase } from '../support/suite-database.js';

const LEDGER: Projection = { name: 'ledger', decode: readEvent, readModels: [payouts] };
const steps = fc.array(fc.tuple(fc.nat(12), fc.nat(1_000), fc.integer({ min: 1, max: 1_000_000 })), { minLength: 100, maxLength: 250, size: 'max' });

describe("a payout's life", () => {
  let pool: Pool;
  suiteDatabase((opened) => (pool = opened), { maxConnections: 2 });

  it('a payout has all events of its account that name it, and the times of its submission and payment', () =>
    fc.assert(
      fc.asyncProperty(steps, async (history) => {
        const world = worldOf(history);
        await project(pool, LEDGER, world.log.events, 7);
        for (const { id, merchant_id, currency } of world.payouts) {
          const about = world.log.events.filter(
            ({ stream, data }) => stream === accountStream(merchant_id, currency) && JSON.stringify(data).includes(id),
          );
          expect(await findPayoutRevisions(pool, id)).toEqual(about.map(({ revision }) => revision));
          const at = (type: string, member: string): string | null =>
            (about.find((event) => event.type === type)?.data as Record<string, string> | undefined)?.[member] ?? null;
          expect(await findPayout(pool, merchant_id, id)).toMatchObject({
            submitted_on: at('PayoutSubmitted', 'submitted_on'),
            paid_on: at('PayoutSucceeded', 'succeeded_on'),
          });
        }
        expect(await findPayoutRevisions(pool, world.log.id('nobody'))).toEqual([]);
      }),
      { seed: 20_261_127, numRuns: 6, endOnFailure: true },
    ));

  it('the usual time of a rail is that of nine of ten of its paid payouts, and unknown for fewer than twenty', async () => {
    const world = new World(1);
    const took: number[] = [];
    /** Adds a payout of an account that was paid after `seconds`. */
    const paidAfter = (seconds: number): void => {
      world.requestPayout(0, 1_000);
      const { id: payout_id, merchant_id, currency, amount, fee_amount, net_amount } = world.payouts.at(-1)!;
      const of = { payout_id, merchant_id, currency, amount, fee_amount, net_amount };
      const submitted_on = '2026-02-04T09:00:00.000+00:00';
      const succeeded_on = new Date(Date.parse(submitted_on) + seconds * 1_000).toISOString().replace('Z', '+00:00');
      const stream = accountStream(merchant_id, currency);
      world.log.add({ type: 'PayoutSubmitted', data: { ...of, submitted_on } }, stream);
      world.log.add({ type: 'PayoutSucceeded', data: { ...of, succeeded_on } }, stream);
      took.push(seconds);
    };
    const usual = async (rail: string | null): Promise<number | null> => {
      await project(pool, LEDGER, world.log.events, 100);
      return findUsualSeconds(pool, rail);
    };
    for (let n = 1; n < 20; n += 1) paidAfter(n % 2 === 0 ? 3 : 61);
    // Payouts that are not paid do not count.
    for (let n = 0; n < 5; n += 1) world.requestPayout(0, 1_000);
    expect(await usual(null)).toBeNull();
    // A clock that was behind when it was paid.
    paidAfter(-2);
    expect(await usual(null)).toBe(61);
    for (let n = 0; n < 79; n += 1) paidAfter(1.2);
    expect(await usual(null)).toBe(61);
    for (let n = 0; n < 20; n += 1) paidAfter(1.2);
    const sorted = took.map((seconds) => Math.max(0, seconds)).sort((a, b) => a - b);
    expect(await usual(null)).toBe(Math.ceil(sorted[Math.ceil(sorted.length * 0.9) - 1]!));
    expect(await usual('bca-live')).toBeNull();
    // Only the newest thousand payouts of all rails are looked at.
    for (let n = 0; n < 1_000; n += 1) world.requestPayout(0, 1_000);
    expect(await usual(null)).toBeNull();
  });
});
