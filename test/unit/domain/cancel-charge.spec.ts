import type { CommandBus } from '@nestjs/cqrs';
import { describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { ChargesController } from '../../../src/domain/charges/charges.controller.js';
import type { HttpExchange, MerchantCaller } from '../../../src/platform/http/edge/access.js';
import type { Reads } from '../../../src/platform/http/reads.js';
import type { ProjectionWatch } from '../../../src/platform/projector/projection-watch.js';
import { ReadYourWrites } from '../../../src/platform/projector/read-your-writes.js';
import { InMemoryEventStore } from '../../support/in-memory-event-store.js';

const ID = '0b0f2d6e-3f0e-4c55-9d3b-2a4f0a1c7e11';

/**
 * Cancels a charge that no projection shows. `shown`: for each wait, whether the projections reached the cancellation.
 * @returns the number of queries for the charge, and the code of the result
 */
async function cancel(...shown: readonly boolean[]): Promise<{ looks: number; code: string }> {
  const headers = new Map<string, unknown>();
  const waits = shown.values();
  let looks = 0;
  const reply = { header: (name: string, value: unknown) => headers.set(name.toLowerCase(), value), hasHeader: (name: string) => headers.has(name) };
  const watch = { wrote: () => undefined, waitFor: async () => waits.next().value ?? false, lagSeconds: () => 3 } as unknown as ProjectionWatch;
  const controller = new ChargesController(
    { execute: async () => ({ events: [], position: 7n }) } as unknown as CommandBus,
    new ReadYourWrites(watch),
    { query: async () => ((looks += 1), { rows: [] }) } as unknown as Pool,
    new InMemoryEventStore(),
    {} as Reads,
  );
  const exchange = { reply, ids: { correlation_id: 'c', causation_id: 'r' } } as unknown as HttpExchange;
  const { code } = await controller.cancel(ID, { merchant_id: ID } as MerchantCaller, exchange).then(
    () => ({ code: 'answered' }),
    (problem: { code: string }) => problem,
  );
  return { looks, code };
}

describe('cancelling a charge that no read model shows', () => {
  it('returns not-found when the projections have processed the cancellation', async () => {
    expect(await cancel(true)).toEqual({ looks: 1, code: 'not-found' });
  });

  it('queries the read model again when the projections process the cancellation late', async () => {
    expect(await cancel(false, true)).toEqual({ looks: 2, code: 'not-found' });
  });

  it('returns unavailable when the projections do not process the recorded cancellation: the same request is to be retried', async () => {
    expect(await cancel(false, false)).toEqual({ looks: 1, code: 'unavailable' });
  });
});
