import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { account } from '../../src/domain/accounts/account.decider.js';
import { accountStream, type AccountEvent, settlementTotals } from '../../src/ledger/events/account.events.js';
import type { AccountQueue } from '../../src/domain/accounts/account-queue.js';
import { openAccounts } from '../../src/domain/accounts/open-accounts.js';
import { issueKey, registerMerchant, revokeKey } from '../../src/domain/merchants/merchant.commands.js';
import type { DirectoryDeps } from '../../src/domain/operators/directory.js';
import { MIGRATIONS } from '../../src/app/migrations.js';
import { EmbeddedEventStore } from '../../src/platform/event-store/embedded/embedded-event-store.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import { eventually, within } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { putBack } from '../support/put-back.js';
import { startServiceProcess, type ServiceProcess } from '../support/service-process.js';
import { call, callPatiently, newIdempotencyKey, type Answer } from '../support/service.js';

const CONTEXT = { actor: 'System', correlation_id: 'c', causation_id: 'c' };

describe('a database that is restored under running processes', () => {
  let database: TestDatabase;
  let dataDir: string;
  let store: EmbeddedEventStore;
  const running: ServiceProcess[] = [];

  beforeEach(async () => {
    database = await createTestDatabase(MIGRATIONS);
    dataDir = await mkdtemp(join(tmpdir(), 'chargebook-rewind-'));
    store = new EmbeddedEventStore({ databaseUrl: database.url });
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((service) => service.stop()));
    await store.close();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const start = async (): Promise<ServiceProcess> => {
    const service = await startServiceProcess({ DATA_DIR: dataDir, DATABASE_URL: database.url, ROLES: 'api' });
    running.push(service);
    return service;
  };
  const order = (amount: number): object => ({
    amount,
    currency: 'IDR',
    bank_account_name: 'Siti',
    bank_account_number: '12345678',
    bank_name: 'BCA',
  });
  const payout = ({ url }: ServiceProcess, key: string, amount: number, patiently = callPatiently): Promise<Answer> =>
    patiently('POST', new URL('/v1/payouts', url), { key, headers: newIdempotencyKey(), body: order(amount) });

  it('a restored database pays out no missing money, and a key revoked since stops working within a second', async () => {
    const deps: DirectoryDeps = { store, clock: Date.now };
    const { merchant_id, key } = await registerMerchant(deps, { name: 'Kopi', email: null, country: 'ID', mode: 'test' });
    const second = await issueKey(deps, { kind: 'merchant', merchant_id }, { name: 'Second', scopes: ['*'], expires_on: null });
    const owner = { merchant_id, currency: 'IDR' };
    const stream = accountStream(merchant_id, 'IDR');
    await settle(owner, 1, 10_000_000);
    const before = (await store.head())!;
    const services = [await start(), await start()];

    // Both processes know the account: 8,000,000 are left, at revision 2.
    expect([(await payout(services[0]!, key, 1_000_000)).status, (await payout(services[1]!, key, 1_000_000)).status]).toEqual([201, 201]);
    for (const service of services) expect((await payout(service, key, 20_000_000)).status).toBe(422);
    expect((await store.read(stream)).map(({ type }) => type)).toEqual(['FundsSettled', 'PayoutRequested', 'PayoutRequested']);

    await putBack(database, before);
    // Another process spends nearly all of it, up to the same revision, and revokes a key.
    await spend(owner, 9_000_000, 600_000);
    await revokeKey(deps, { kind: 'merchant', merchant_id }, second.key_id);
    expect((await store.read(stream)).at(-1)!.revision).toBe(2);

    const answers = await Promise.all([...services, ...services, ...services].map((service) => payout(service, key, 500_000, call)));
    const state = (await store.read(stream)).reduce((folded, event) => account.evolve(folded, event as unknown as AccountEvent), account.initial);
    expect(state.available).toBe(400_000n);
    // Refused, by an account that was read again or by a process that has not yet read again.
    for (const { status } of answers) expect([422, 503]).toContain(status);

    for (const { url } of services) {
      const statusOf = async (): Promise<number> => (await call('GET', new URL('/v1/balances', url), { key: second.key })).status;
      // It gives no verdict about keys until it has read all events again.
      await within(1_000, () => eventually(async () => [401, 503].includes(await statusOf())));
      await eventually(async () => (await statusOf()) === 401);
      // It reports this, and recovers by itself.
      await eventually(async () => (await call('GET', new URL('/health/ready', url))).status === 200);
      expect((await call('GET', new URL('/health/ready', url))).body.checks.event_store.went_back_on).toEqual(expect.any(String));
      expect((await call('GET', new URL('/metrics', url))).text).toMatch(/^event_store_went_back [1-9]/m);
    }
    expect((await payout(services[1]!, key, 300_000)).status).toBe(201);
    expect((await payout(services[0]!, key, 300_000)).status).toBe(422);
  });

  async function settle(owner: { merchant_id: string; currency: string }, settlement_number: number, net_amount: number): Promise<void> {
    const lines = [{ kind: 'charge' as const, record_id: randomUUID(), net_amount, fee_amount: 0 }];
    const closed_on = '2026-02-03T08:00:00.000+00:00';
    const closed = { ...owner, settlement_id: randomUUID(), settlement_number, lines, totals: settlementTotals(lines), closed_on };
    await byAnother((accounts) => accounts.submit(owner, { command: (now) => ({ kind: 'settle-funds', closed, now }), context: CONTEXT }));
  }

  async function spend(owner: { merchant_id: string; currency: string }, ...amounts: readonly number[]): Promise<void> {
    await byAnother(async (accounts) => {
      for (const amount of amounts) {
        const wanted = {
          ...owner,
          payout_id: randomUUID(),
          amount,
          fee: { type: 'FIXED' as const, value: 1 },
          bank_account_name: 'Siti',
          bank_account_number: '12345678',
          bank_name: 'BCA',
          reference_id: null,
          description: null,
          meta_data: {},
          fingerprint: 'fingerprint',
          created_by: 'key_1',
        };
        await accounts.submit(owner, { command: (now) => ({ kind: 'request-payout', order: wanted, now }), context: CONTEXT });
      }
    });
  }

  /** A process that starts now and has read the current events. */
  async function byAnother(work: (accounts: AccountQueue) => Promise<unknown>): Promise<void> {
    const pool = createPool({ url: database.url, applicationName: 'test', maxConnections: 1 });
    await work(openAccounts(pool, store, Date.now));
    await pool.end();
  }
});
