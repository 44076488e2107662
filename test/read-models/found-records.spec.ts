import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { findByAmount, findByReference, type FoundRecords } from '../../projections/reconciliation/found-records.js';
import { findBreaks } from '../../projections/reconciliation/matches/match-reads.js';
import { recon } from '../../projections/reconciliation/reconciliation.projection.js';
import { ledger } from '../../src/app/ledger.projection.js';
import type { ChargeCreated } from '../../src/ledger/events/charge.events.js';
import { project } from '../support/projected.js';
import { Remittances } from '../support/remittances.js';
import { suiteDatabase } from '../support/suite-database.js';

describe('records found by the words of processors and banks', () => {
  let pool: Pool;
  let world: Remittances;
  let file: string;
  let statement: string;
  suiteDatabase((opened) => (pool = opened));

  /** Kind, reference and amount of each record, and whether there are more. */
  const shown = ({ items, has_more }: FoundRecords): unknown[] => [...items.map((item) => [item.kind, item.reference, item.amount]), has_more];
  const named = async (reference: string, limit = 10, mode?: 'live' | 'test'): Promise<unknown[]> =>
    shown(await findByReference(pool, reference, { mode, limit }));
  const ofAmount = async (
    amount: number,
    { currencies = ['IDR'], limit = 10, mode = undefined as 'live' | 'test' | undefined } = {},
  ): Promise<unknown[]> =>
    shown(
      await findByAmount(
        pool,
        currencies.map((currency) => ({ currency, amount })),
        { mode, limit },
      ),
    );

  beforeAll(async () => {
    world = new Remittances();
    world.set('live-bca');
    world.pay(100);
    world.days(1);
    world.pay(200);
    world.pay(100, { mode: 'test' });
    world.pay(100, { currency: 'MYR', channel: 'BANK_REDIRECT_FPX' });
    world.days(1);
    world.reverse(0, 100);
    world.payAgain(1, 777, 'R1 again');
    const { charge_id, merchant_id, currency } = world.log.events.find(({ type }) => type === 'ChargeCreated')!.data as ChargeCreated;
    const instructed = {
      attempt: 1,
      processor_reference: 'qr_Abc',
      action: { type: 'PRESENT_TO_CUSTOMER' as const, embedded_url: 'http://localhost', simulation_url: null },
      valid_until: null,
      instructed_on: world.log.now,
    };
    world.log.add({ type: 'ChargeInstructed', data: { charge_id, merchant_id, currency, ...instructed } }, `charge-${charge_id}`);
    world.payout(500);
    world.attempt(0, 'TRX-1');
    world.attempt(0, 'TRX-2');
    world.days(1);
    file = world.remit([
      { reference: ['C1', 'R1'], amount: 200 },
      { reference: ['nobody', 'R77'], amount: 100 },
    ]);
    statement = world.book([
      { reference: 'TRX-9', amount: -900 },
      { reference: 'TRX-1', amount: -500 },
    ]);
    await project(pool, ledger, world.log.events, 1_000);
    await project(pool, recon, world.log.events, 1_000);
  });

  it('references of processors are found by their beginning, with every movement of the charge', async () => {
    expect(await named('R0')).toEqual([['PAYMENT', 'R0', 100], ['REVERSAL', 'R0', -100], false]);
    expect(await named('R1')).toEqual([['PAYMENT', 'R1', 200], ['PAYMENT', 'R1 again', 777], false]);
    expect(await named('R')).toEqual([
      ...[
        ['PAYMENT', 'R0', 100],
        ['REVERSAL', 'R0', -100],
        ['PAYMENT', 'R1', 200],
      ],
      ...[['PAYMENT', 'R1 again', 777], ['PAYMENT', 'R2', 100], ['PAYMENT', 'R3', 100], false],
    ]);
    expect(await named('R', 3)).toEqual([['PAYMENT', 'R0', 100], ['REVERSAL', 'R0', -100], ['PAYMENT', 'R1', 200], true]);
    expect(await named('R2', 10, 'live')).toEqual([false]);
    expect(await named('R2', 10, 'test')).toEqual([['PAYMENT', 'R2', 100], false]);
    expect(await named('r0')).toEqual([false]);
  });

  it('the reference of a processor finds a charge that is not paid yet', async () => {
    expect(await named('qr_A')).toEqual([['CHARGE', 'qr_Abc', 100], false]);
    expect(await named('qr_A', 10, 'live')).toEqual([['CHARGE', 'qr_Abc', 100], false]);
    expect(await named('qr_A', 10, 'test')).toEqual([false]);
    const [{ charge_id, merchant_id, payout_id, occurred_on }] = (await findByReference(pool, 'qr_Abc', { limit: 1 })).items as [
      FoundRecords['items'][0],
    ];
    expect({ charge_id, merchant_id, payout_id, occurred_on }).toEqual({
      ...{ charge_id: world.log.id('charge 0'), merchant_id: world.merchants.live, payout_id: null },
      occurred_on: world.log.events.find(({ type }) => type === 'ChargeCreated')!.metadata.occurred_on,
    });
  });

  it('every reference of a payout at its bank finds it, beside lines with this reference that match nothing', async () => {
    for (const reference of ['TRX-1', 'TRX-2']) expect(await named(reference)).toEqual([['PAYOUT', reference, -500], false]);
    expect(await named('TRX-')).toEqual([['PAYOUT', 'TRX-1', -500], ['PAYOUT', 'TRX-2', -500], false]);
    expect(await named('TRX-9')).toEqual([['LINE', 'TRX-9', -900], false]);
    const [{ source, statement_id, booking_date, merchant_id }] = (await findByReference(pool, 'TRX-9', { limit: 1 })).items as [
      FoundRecords['items'][0],
    ];
    expect({ source, statement_id, booking_date, merchant_id }).toEqual({
      ...{ source: 'live-bca', statement_id: statement, merchant_id: null },
      booking_date: world.log.now.slice(0, 10),
    });
  });

  it('any whole reference of an open line finds it, with its file and break', async () => {
    const [broken] = (await findBreaks(pool, { kind: 'PROCESSOR_ONLY', limit: 10 }, world.log.clockMs))!;
    for (const reference of ['nobody', 'R77']) {
      const { items } = await findByReference(pool, reference, { mode: 'live', limit: 10 });
      expect(items).toMatchObject([{ kind: 'LINE', reference, source: 'live-sim', statement_id: file, break_id: broken!.id, amount: 100 }]);
      expect(await named(reference, 10, 'test')).toEqual([false]);
    }
    expect(await named('nobod')).toEqual([false]);
  });

  it('an amount finds movements in and out and open lines, the newest first', async () => {
    expect(await ofAmount(100)).toEqual([
      ...[
        ['LINE', 'nobody', 100],
        ['REVERSAL', 'R0', -100],
        ['PAYMENT', 'R2', 100],
        ['PAYMENT', 'R0', 100],
      ],
      false,
    ]);
    expect(await ofAmount(100, { mode: 'live' })).toEqual([['LINE', 'nobody', 100], ['REVERSAL', 'R0', -100], ['PAYMENT', 'R0', 100], false]);
    expect(await ofAmount(100, { mode: 'test' })).toEqual([['PAYMENT', 'R2', 100], false]);
    expect(await ofAmount(100, { currencies: ['MYR', 'SGD'] })).toEqual([['PAYMENT', 'R3', 100], false]);
    expect(await ofAmount(100, { limit: 2 })).toEqual([['LINE', 'nobody', 100], ['REVERSAL', 'R0', -100], true]);
    expect(await ofAmount(500)).toEqual([['PAYOUT', null, -500], false]);
    expect(await ofAmount(900)).toEqual([['LINE', 'TRX-9', -900], false]);
    expect(await ofAmount(1)).toEqual([false]);
  });
});
