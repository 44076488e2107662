import { describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { breakId } from '../../projections/reconciliation/break-id.js';
import { recon } from '../../projections/reconciliation/reconciliation.projection.js';
import { TakeAsPaid, TakeAsPaidHandler } from '../../src/domain/reconciliation/breaks/take-as-paid.js';
import { DecisionReads } from '../../src/platform/projector/decision-reads.js';
import { storeOf } from '../support/in-memory-event-store.js';
import { projectUpTo } from '../support/projected.js';
import { Remittances } from '../support/remittances.js';
import { suiteDatabase } from '../support/suite-database.js';

const SITI = { person_id: 'p1', key_id: 'key_1', name: 'Siti', roles: ['preparer'] } as const;

describe('the command that takes a line as paid', () => {
  let pool: Pool;
  suiteDatabase((opened) => (pool = opened), { statementTimeoutMs: 0 });

  it('no line is taken as paid before the read model has applied the ticks of its source, which may have matched the line', async () => {
    const world = new Remittances();
    const { event_id } = world.pay(100);
    world.remit([{ reference: 'nobody', amount: 100 }], { batch: 'B' });
    const applied = world.log.events.length;
    const id = breakId('live-sim', 'PROCESSOR_ONLY', 'B 0');
    world.acts(id).match('B 0', [event_id]);
    world.run();

    const take = async (count: number): Promise<unknown> => {
      await projectUpTo(pool, recon, world.log.events, count);
      const store = await storeOf(world.log.events);
      const reads = new DecisionReads(store, pool, async () => undefined);
      const notifications = { take: () => Promise.reject(new Error('nothing is taken')) };
      const known = { merchant: () => undefined };
      const handler = new TakeAsPaidHandler({
        store,
        clock: () => world.log.clockMs,
        operators: { of: async () => SITI },
        known,
        notifications,
        reads,
      });
      const ids = { correlation_id: 'c', causation_id: 'c' };
      return handler.execute(new TakeAsPaid(id, { charge_id: world.log.id('charge 0'), payment_reference: 'P-1' }, 'why', 'key_1', ids));
    };
    await expect(take(applied)).rejects.toThrow('projection recon');
    await expect(take(world.log.events.length)).rejects.toThrow('The line is already matched.');
  });
});
