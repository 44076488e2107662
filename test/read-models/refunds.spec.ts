import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Pool } from 'pg';
import { findBalances } from '../../projections/balances/balance-reads.js';
import { findChargesById } from '../../projections/charges/charge-reads.js';
import { findOpenReservations, findRefunds } from '../../projections/refunds/refund-reads.js';
import { findSettlementCandidates } from '../../projections/settlements/settlement-candidates.js';
import { ledger } from '../../src/app/ledger.projection.js';
import { explain } from '../../src/domain/balances/explain.js';
import { toChargeDetail } from '../../src/domain/charges/charge-detail.js';
import { linesToSettle } from '../../src/domain/charges/charge-lines.js';
import { evolveCharge, NO_CHARGE, type ChargeState } from '../../src/domain/charges/charge-state.js';
import type { ChargeEvent } from '../../src/ledger/events/charge.events.js';
import { attempts, play } from '../laws/history.js';
import type { Log } from '../support/histories.js';
import { Records, type MovingEvent } from '../support/ledger-oracle.js';
import { idOf, logOf } from '../support/played-log.js';
import { contents, project } from '../support/projected.js';
import { suiteDatabase } from '../support/suite-database.js';

const OWNER = { merchant_id: 'm1', currency: 'IDR' };
const MERCHANT = idOf(OWNER.merchant_id);
const RUNS = { seed: 20_260_203, numRuns: 12, endOnFailure: true };
const EVER = '2030-01-01T00:00:00.000+00:00';

describe('read models of refunds', () => {
  let pool: Pool;
  suiteDatabase((opened) => (pool = opened), { statementTimeoutMs: 0 });

  const law = (holds: (events: readonly MovingEvent[], log: Log) => Promise<void>) =>
    fc.assert(
      fc.asyncProperty(attempts, async (tries) => {
        const { events } = play(OWNER, tries);
        if (events.length === 0) return;
        const log = logOf(events);
        await project(pool, ledger, log.events, 40);
        await holds(events, log);
      }),
      RUNS,
    );

  it('the read models of refunds have the same rows in any batch size', async () => {
    await law(async (_, { events }) => {
      const inForties = await contents(pool, 'ledger');
      for (const batchSize of [1, 5, events.length]) {
        await project(pool, ledger, events, batchSize);
        expect(await contents(pool, 'ledger')).toEqual(inForties);
      }
    });
  });

  it('the read models equal the records: balances, charges, refunds, settlement candidates and balance items', async () => {
    await law(async (entries, { events }) => {
      const records = new Records();
      for (const event of entries) records.add(event);
      const sums = records.sums();
      const [balance] = await findBalances(pool, { merchant_id: MERCHANT, created_on: EVER }, ['IDR']);
      expect(balance).toMatchObject({
        pending_amount: sums.pending,
        available_amount: sums.available,
        reserved_amount: sums.reserved + sums.refunding,
        fee_amount: sums.fees,
      });
      const states = new Map<string, ChargeState>();
      for (const { stream, type, data } of events) {
        if (stream.startsWith('charge-')) states.set(stream, evolveCharge(states.get(stream) ?? NO_CHARGE, { type, data } as ChargeEvent));
      }
      for (const [id, row] of records.charges) {
        const [found] = await findChargesById(pool, [idOf(id)]);
        const succeeded = [...records.refunds.values()].filter((refund) => refund.charge === id && refund.status === 'SUCCEEDED');
        expect(toChargeDetail(found!)).toMatchObject({
          refunded_amount: Number(succeeded.reduce((sum, refund) => sum + refund.amount, 0n)),
          refundable_amount: row.reversed ? 0 : Number(row.amount - records.goneBack(id).amount),
        });
      }
      const lines = [...states.values()].flatMap((state) => (state.status === 'NONE' ? [] : linesToSettle(state).lines));
      const candidates = await findSettlementCandidates(pool, { merchant_id: MERCHANT, currency: 'IDR' }, EVER, 1_000);
      const sorted = (of: readonly object[]): string[] => of.map((line) => JSON.stringify(Object.entries(line).sort())).sort();
      expect(sorted(candidates.filter(({ kind }) => kind !== 'return'))).toEqual(sorted(lines));
      const { total, items } = await findRefunds(pool, MERCHANT, { page_number: 1, page_size: 100, is_descending: false });
      expect(total).toBe(records.refunds.size);
      for (const [id, { status }] of records.refunds) expect(items.find((refund) => refund.id === idOf(id))?.refund_status).toBe(status);
      const { length: held } = await findOpenReservations(pool, 1_000);
      expect(held).toBeGreaterThanOrEqual(records.reservations.size);
      for (const { bucket, amount, groups, items: parts } of (await explain(pool, { merchant_id: MERCHANT, currency: 'IDR' }, { Limit: 1_000 }))
        .buckets) {
        const sum = (of: readonly { readonly amount: bigint }[]): bigint => of.reduce((total_, each) => total_ + each.amount, 0n);
        expect([bucket, sum(groups), sum(parts)]).toEqual([bucket, amount, amount]);
      }
    });
  });
});
