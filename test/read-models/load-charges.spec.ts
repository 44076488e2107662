import { describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { loadCharges } from '../../bench/load-charges.js';
import { charges } from '../../projections/charges/charges.js';
import type { ChargeRow } from '../../projections/charges/charges-table.js';
import { search } from '../../projections/charges/search.js';
import type { LedgerEvent } from '../../src/ledger/catalogue.js';
import { milliseconds } from '../../src/ledger/time.js';
import { Log } from '../support/histories.js';
import { contents, project } from '../support/projected.js';
import { suiteDatabase } from '../support/suite-database.js';
import { ledgerProjection } from '../../src/ledger/read-model.js';

const ledger = ledgerProjection({ name: 'ledger', readModels: [charges, search] });

let pool: Pool;
suiteDatabase((opened) => (pool = opened), { statementTimeoutMs: 0 });

/** The events that a row results from. */
function eventsOf(row: ChargeRow): { created: LedgerEvent; then: LedgerEvent | null } {
  const { return_url: _, ...stored } = row;
  const { id: charge_id, merchant_id, currency, amount, fee_amount, net_amount } = row;
  const of = { charge_id, merchant_id, currency };
  const money = { amount: Number(amount), fee_amount: Number(fee_amount), net_amount: Number(net_amount) };
  const created: LedgerEvent = {
    type: 'ChargeCreated',
    data: { ...stored, ...money, charge_id, action: { type: 'PRESENT_TO_CUSTOMER', embedded_url: '', simulation_url: null } },
  };
  switch (row.status) {
    case 'PENDING':
      return { created, then: null };
    case 'SUCCEEDED':
      return {
        created,
        then: {
          type: 'ChargePaid',
          data: {
            ...of,
            ...money,
            processor: row.processor,
            paid_on: row.paid_on!,
            settlement_date: row.settlement_date!,
            payment_reference: '',
            late_after: null,
          },
        },
      };
    case 'FAILED':
      return { created, then: { type: 'ChargeFailed', data: { ...of, reason: row.failure_reason!, failed_on: row.failed_on! } } };
    case 'EXPIRED':
      return { created, then: { type: 'ChargeExpired', data: { ...of, expired_on: row.updated_on } } };
    case 'CANCELLED':
      return { created, then: { type: 'ChargeCancelled', data: { ...of, cancelled_on: row.updated_on, cancelled_by: row.updated_by } } };
  }
}

describe('charges loaded for the benchmark', () => {
  it('charges loaded for the benchmark equal the projection of their events', async () => {
    const log = new Log();
    await project(pool, ledger, [], 1);
    await loadCharges(pool, 'ledger', { merchantId: log.id('merchant'), charges: 17_000, from: '2026-01-01T00:00:00.000Z', everyMs: 20 });
    const loaded = await contents(pool, 'ledger');
    const { rows } = await pool.query<ChargeRow>('select * from ledger.charges order by created_on');

    const events = rows.map(eventsOf);
    for (const [n, { created }] of events.entries()) {
      log.clockMs = milliseconds(rows[n]!.created_on);
      log.add(created, `charge-${rows[n]!.id}`, rows[n]!.created_by);
    }
    for (const [n, { then }] of events.entries()) {
      log.clockMs = milliseconds(rows[n]!.updated_on);
      if (then) log.add(then, `charge-${rows[n]!.id}`, rows[n]!.updated_by);
    }
    await project(pool, ledger, log.events, 5_000);
    const projected = await contents(pool, 'ledger');
    for (const table of Object.keys(loaded))
      expect({ table, same: loaded[table]!.join('\n') === projected[table]!.join('\n') }).toEqual({ table, same: true });
  });
});
