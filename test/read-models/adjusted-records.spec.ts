import { describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { recon } from '../../projections/reconciliation/reconciliation.projection.js';
import { adjustmentKind, type AdjustmentContent } from '../../src/domain/approvals/adjustment-kind.js';
import { accountSnapshots } from '../../src/domain/accounts/open-accounts.js';
import { DecisionReads } from '../../src/platform/projector/decision-reads.js';
import { projectUpTo } from '../support/projected.js';
import { storeOf } from '../support/in-memory-event-store.js';
import { Remittances } from '../support/remittances.js';
import { suiteDatabase } from '../support/suite-database.js';

const PROPOSAL = '5d0e2f6a-91c3-5b7e-a4f8-2c6b1e9d7f30';

describe('decisions about items at a processor', () => {
  let pool: Pool;
  suiteDatabase((opened) => (pool = opened), { statementTimeoutMs: 0 });

  const OF = { mode: 'live', currency: 'IDR' } as const;

  /** Decides the adjustment on all events of the log, while `recon` has applied the first `applied` of them. */
  async function decide({ log }: Remittances, content: AdjustmentContent, applied = log.events.length) {
    await projectUpTo(pool, recon, log.events, applied);
    const store = await storeOf(log.events);
    const reads = new DecisionReads(store, pool, async () => undefined);
    const kind = adjustmentKind(store, { reads, snapshots: accountSnapshots(pool), timeZone: 'UTC' });
    const target = await kind.targetOf(content, { proposal_id: PROPOSAL, reason: 'why' });
    const decision = await (await target.load(store)).decide(log.now);
    return 'refusal' in decision ? decision.refusal : decision.events.map(({ data }) => data);
  }

  const open = (amount: number, position: number): AdjustmentContent => ({ kind: 'OPENING', ...OF, amount, source: 'live-sim', position });
  const writeOff = (amount: number, item_id: string): AdjustmentContent => ({ kind: 'WRITE_OFF', ...OF, amount, item_id });

  it('opens a source with the sum and the number of the items up to its position', async () => {
    const world = new Remittances();
    world.pay(100);
    world.pay(50);
    const position = world.log.events.length;
    world.pay(7);
    expect(await decide(world, open(150, position))).toMatchObject([{ kind: 'OPENING', amount: 150, items: 2, position }]);
  });

  it('refuses an opening up to a position that the log does not have yet', async () => {
    const world = new Remittances();
    world.pay(100);
    expect(await decide(world, open(100, 1_000_000_000))).toBe('position-ahead');
  });

  it('decides no opening before the read model has reached its position', async () => {
    const world = new Remittances();
    world.pay(100);
    const applied = world.log.events.length;
    world.pay(7_000_000);
    await expect(decide(world, open(100, world.log.events.length), applied)).rejects.toThrow('recon');
    await expect(decide(world, open(100, 1_000_000_000), applied)).rejects.toThrow('recon');
  });

  it('decides no opening before the read model knows which items earlier adjustments have closed', async () => {
    const world = new Remittances();
    const { event_id } = world.pay(100);
    world.pay(50);
    const position = world.log.events.length;
    world.house('WRITE_OFF', 100, { item_id: event_id });
    await expect(decide(world, open(150, position), position)).rejects.toThrow('recon');
    expect(await decide(world, open(150, position))).toBe('opening-differs');
    expect(await decide(world, open(50, position))).toMatchObject([{ amount: 50, items: 1 }]);
  });

  it('writes off no item before the read model knows which items an opening has closed', async () => {
    const world = new Remittances();
    const { event_id } = world.pay(100);
    const position = world.log.events.length;
    world.house('OPENING', 100, { position });
    await expect(decide(world, writeOff(100, event_id), position)).rejects.toThrow('recon');
    expect(await decide(world, writeOff(100, event_id))).toBe('item-not-found');
  });

  it('reports an item or a source as missing only when the read model has applied all events', async () => {
    const world = new Remittances();
    const applied = world.log.events.length;
    const { event_id } = world.pay(100);
    world.set('live-two');
    await expect(decide(world, writeOff(100, event_id), applied)).rejects.toThrow('recon');
    await expect(decide(world, { ...open(100, 1), source: 'live-two' } as AdjustmentContent, applied)).rejects.toThrow('recon');
    expect(await decide(world, writeOff(100, event_id))).toMatchObject([{ kind: 'WRITE_OFF', amount: 100, item_id: event_id }]);
  });

  it.each(['PAYOUT', 'RETURN'])('writes off no %s: only an item of a processor', async (kind) => {
    const world = new Remittances();
    world.payout(300);
    world.payoutGoes('PayoutSucceeded', 0);
    world.payoutGoes('PayoutReturned', 0);
    const type = kind === 'PAYOUT' ? 'PayoutRequested' : 'PayoutReturned';
    const { id } = world.log.events.find((event) => event.type === type)!;
    expect(await decide(world, writeOff(300, id))).toBe('item-not-of-kind');
  });
});
