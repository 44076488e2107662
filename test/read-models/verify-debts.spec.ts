import { describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { recon } from '../../projections/reconciliation/reconciliation.projection.js';
import { ledger } from '../../src/app/ledger.projection.js';
import { verifyDebts } from '../../src/transparency-log/verify-debts.js';
import { projectUpTo } from '../support/projected.js';
import { Remittances } from '../support/remittances.js';
import { suiteDatabase } from '../support/suite-database.js';

describe('the debt of processors in recon verify', () => {
  let pool: Pool;
  suiteDatabase((opened) => (pool = opened), { statementTimeoutMs: 0 });

  /** Verifies while `recon` has applied that many events, and `ledger` all. */
  async function verified({ log }: Remittances, applied = log.events.length) {
    await projectUpTo(pool, ledger, log.events, log.events.length);
    await projectUpTo(pool, recon, log.events, applied);
    return verifyDebts(pool, log.now);
  }

  it('equals the account of processors, as of the event that both projections have applied', async () => {
    const world = new Remittances();
    const { event_id } = world.pay(100);
    world.house('WRITE_OFF', 100, { item_id: event_id });
    world.pay(7);
    expect(await verified(world)).toBeNull();
    expect(await verified(world, world.log.events.length - 1)).toBeNull();
  });

  it.each<[string, (world: Remittances) => void, number, number]>([
    ['an opening that closed more than it states', (world) => world.house('OPENING', 100, { position: world.log.events.length, items: 1 }), 0, 400],
    ['a write-off of an item of no processor', (world) => world.house('WRITE_OFF', 300, { item_id: world.log.events.at(-1)!.id }), 500, 200],
  ])('differs after %s', async (_, book, items, books) => {
    const world = new Remittances();
    world.pay(100);
    world.pay(400);
    world.payout(300, { submitted: false });
    book(world);
    const fault = `processors owe ${items} minor units by their items, and ${books} by the books`;
    expect(await verified(world)).toEqual({ mode: 'live', currency: 'IDR', fault });
  });

  it('nothing is compared while a close books a day part by part', async () => {
    const world = new Remittances();
    world.set('live-bca', { currencies: ['IDR'] });
    world.pay(100);
    world.book([{ amount: 7 }]);
    world.openDay(1, world.log.now.slice(0, 10));
    world.house('OPENING', 1, { position: world.log.events.length, items: 1 });
    expect(await verified(world)).toBeNull();
  });
});
