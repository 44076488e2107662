import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { eventIndex } from '../../projections/audit/event-index.js';
import { MIGRATIONS } from '../../src/app/migrations.js';
import { registerMerchant } from '../../src/domain/merchants/merchant.commands.js';
import { EmbeddedEventStore } from '../../src/platform/event-store/embedded/embedded-event-store.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import type { OrdinalEvent } from '../../src/platform/projector/projection.js';
import type { Tracing } from '../../src/platform/tracing/tracing.js';
import { traceDeliveries } from '../../src/domain/webhooks/trace-deliveries.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { project } from '../support/projected.js';

let database: TestDatabase;
let pool: Pool;
let store: EmbeddedEventStore;
let registered: OrdinalEvent;

beforeAll(async () => {
  database = await createTestDatabase(MIGRATIONS);
  pool = createPool({ url: database.url, applicationName: 'test', maxConnections: 2 });
  store = new EmbeddedEventStore({ databaseUrl: database.url });
  const { merchant_id } = await registerMerchant({ store, clock: Date.now }, { name: 'Kopi', email: null, country: 'ID', mode: 'test' });
  const [first] = await store.read(`merchant-${merchant_id}`, { limit: 1 });
  registered = { ...first!, ordinal: 1 };
});
afterAll(async () => {
  await store.close();
  await pool.end();
  await database.drop();
});

const everything: Tracing = { samples: () => true, record: () => undefined, close: () => Promise.resolve() };

/** Looks for events in the index, and the number of looks; `onLook` is called before each. */
function counted(onLook: (look: number) => Promise<void>): { readonly looking: Pool; readonly looks: () => number } {
  let looks = 0;
  const query = async (...asked: Parameters<Pool['query']>): Promise<unknown> => {
    looks += 1;
    await onLook(looks);
    return pool.query(...asked);
  };
  return { looking: { query } as unknown as Pool, looks: () => looks };
}

describe('the span of a webhook’s attempt', () => {
  it('the span of a delivery attempt has the append of its event as its parent, also when the index of events is half a second late', async () => {
    await project(pool, eventIndex, [], 1);
    const { looking } = counted(async (look) => {
      if (look === 6) await project(pool, eventIndex, [registered], 1);
    });
    const attempt = await traceDeliveries(everything, looking, store)('merchant.registered', 1);
    expect(attempt?.headers['traceparent']).toContain(`00-${registered.metadata.$correlationId.replace(/^req_/, '').replaceAll('-', '')}-`);
  });

  it('only one attempt waits for an index that makes no progress', async () => {
    await project(pool, eventIndex, [], 1);
    const { looking, looks } = counted(() => Promise.resolve());
    const trace = traceDeliveries(everything, looking, store);
    expect(await trace('merchant.registered', 1)).toBeUndefined();
    const waited = looks();
    expect(await trace('merchant.registered', 1)).toBeUndefined();
    expect(looks()).toBe(waited + 1);
    await project(pool, eventIndex, [registered], 1);
    expect(await trace('merchant.registered', 1)).toBeDefined();
  });
});
