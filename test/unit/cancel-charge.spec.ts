import type { CommandBus } from '@nestjs/cqrs';
import { expect, it } from '@jest/globals';
import type { FastifyReply } from 'fastify';
import type { Pool } from 'pg';
import { ChargesController } from '../../src/charges/charges.controller.js';
import type { MerchantCaller } from '../../src/platform/http/access.js';
import type { Reads } from '../../src/platform/http/reads.js';
import type { ProjectionWatch } from '../../src/platform/projector/projection-watch.js';
import { ReadYourWrites } from '../../src/platform/projector/read-your-writes.js';
import { InMemoryEventStore } from '../support/in-memory-event-store.js';

const ID = '0b0f2d6e-3f0e-4c55-9d3b-2a4f0a1c7e11';

/** Of a charge that no projection has shown yet. `isBehind`: they have not come to the cancellation either. */
function cancel(isBehind: boolean): Promise<unknown> {
  const headers = new Map<string, unknown>();
  const reply = { header: (name: string, value: unknown) => headers.set(name.toLowerCase(), value), hasHeader: (name: string) => headers.has(name) };
  const watch = { wrote: () => undefined, waitFor: async () => !isBehind, lagSeconds: () => 3 } as unknown as ProjectionWatch;
  const controller = new ChargesController(
    { execute: async () => ({ events: [], position: 7n }) } as unknown as CommandBus,
    new ReadYourWrites(watch),
    { query: async () => ({ rows: [] }) } as unknown as Pool,
    new InMemoryEventStore(),
    {} as Reads,
  );
  const ids = { request_id: 'r', correlation_id: 'c', causation_id: 'c' };
  return controller.cancel(ID, { merchant_id: ID } as MerchantCaller, ids, reply as unknown as FastifyReply);
}

it('a cancelled charge that cannot be read yet is no unknown one: the same request is to come again', async () => {
  await expect(cancel(true)).rejects.toMatchObject({ code: 'unavailable' });
  await expect(cancel(false)).rejects.toMatchObject({ code: 'not-found' });
});
