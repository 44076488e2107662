import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DEMO_MERCHANT_ID, ensureDemoMerchant } from '../../src/domain/merchants/demo-merchant.js';
import { beginCalendar } from '../../src/domain/calendar/calendar.commands.js';
import { registerMerchant } from '../../src/domain/merchants/merchant.commands.js';
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

it('holidays of a file do not count: the demo merchant is registered after them, and not in a log in use', async () => {
  const [first, second] = await Promise.all([createTestDatabase(embeddedEventStoreMigrations), createTestDatabase(embeddedEventStoreMigrations)]);
  const [store, inUse] = [new EmbeddedEventStore({ databaseUrl: first.url }), new EmbeddedEventStore({ databaseUrl: second.url })];
  const days = [{ country: 'ID', year: 2027, days: ['2027-12-25'] }];
  await beginCalendar({ store, clock: Date.now }, days, 'holidays.json');
  expect(await ensureDemoMerchant({ store, clock: Date.now })).toMatchObject({ merchant_id: DEMO_MERCHANT_ID });
  await beginCalendar({ store: inUse, clock: Date.now }, days, 'holidays.json');
  await registerMerchant({ store: inUse, clock: Date.now }, { name: 'Kopi Kita', email: null, country: 'ID', mode: 'live' });
  expect(await ensureDemoMerchant({ store: inUse, clock: Date.now })).toBeNull();
  await Promise.all([store.close(), inUse.close()]);
  await Promise.all([first.drop(), second.drop()]);
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
