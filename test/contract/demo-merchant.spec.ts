import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DEMO_MERCHANT_ID, ensureDemoMerchant } from '../../src/domain/merchants/demo-merchant.js';
import { loadMerchants } from '../../src/domain/merchants/load-merchants.js';
import { hashKey } from '../../src/platform/auth/api-key.js';
import { embeddedEventStoreMigrations } from '../../src/platform/event-store/embedded/embedded-event-store.migrations.js';
import { EmbeddedEventStore } from '../../src/platform/event-store/embedded/embedded-event-store.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

let database: TestDatabase;
let stores: EmbeddedEventStore[];

beforeAll(async () => {
  database = await createTestDatabase(embeddedEventStoreMigrations);
  stores = Array.from({ length: 4 }, () => new EmbeddedEventStore({ databaseUrl: database.url }));
});
afterAll(async () => {
  await Promise.all(stores.map((store) => store.close()));
  await database.drop();
});

it('one of several concurrent first starts registers the demo merchant, and no later start does', async () => {
  const ensure = () => Promise.all(stores.map((store) => ensureDemoMerchant({ store, clock: Date.now })));
  const registered = (await ensure()).filter((answer) => answer !== null);
  expect(registered).toEqual([
    { merchant_id: DEMO_MERCHANT_ID, key_id: expect.stringMatching(/^key_/), api_key: expect.stringMatching(/^sk_test_/) },
  ]);
  expect(await ensure()).toEqual([null, null, null, null]);

  const known = await loadMerchants(stores[0]!);
  expect(known.keyByHash(hashKey(registered[0]!.api_key))).toMatchObject({ merchant_id: DEMO_MERCHANT_ID, scopes: ['*'], mode: 'test' });
});
