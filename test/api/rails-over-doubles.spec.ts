import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadServiceSecret } from '../../src/app/service-secret.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import { newSnapAgreement } from '../../src/rails/doubles/snap-access.js';
import { SnapDouble } from '../../src/rails/doubles/snap.js';
import { XenditDouble } from '../../src/rails/doubles/xendit.js';
import { RailCredentials, type Credentials } from '../../src/rails/rail-credentials.js';
import { routeMerchant, setRail, setRoute, type RailShell } from '../../src/rails/rail.handlers.js';
import { eventually } from '../support/eventually.js';
import { runCli } from '../support/run-cli.js';
import { XENDIT_CREDENTIALS } from '../support/rail-credentials.js';
import { CHARGE_ORDER, newIdempotencyKey, startTestService, type TestMerchant, type TestService } from '../support/service.js';

const ENCRYPTION_KEY = Buffer.alloc(32, 7);
const HOLDER = 'Siti Aminah';

/** As an operator sets them, and with nothing of ours in the place of what a process makes of that. */
describe('rails that people have set', () => {
  let service: TestService;
  let pool: pg.Pool;
  let shell: RailShell;
  let xendit: XenditDouble;
  let bank: SnapDouble;
  let merchant: TestMerchant;

  beforeAll(async () => {
    service = await startTestService({ ENCRYPTION_KEY: ENCRYPTION_KEY.toString('base64') });
    const { databaseUrl } = service.stores;
    pool = createPool({ url: databaseUrl, applicationName: 'test', maxConnections: 1 });
    shell = {
      ...service.shell,
      credentials: new RailCredentials(pool, await loadServiceSecret(databaseUrl, ENCRYPTION_KEY)),
      by: userInfo().username,
    };
    const common = { port: 0, seed: 1, faults: {}, slowMs: 0, lateMs: 0 };
    xendit = await XenditDouble.listen({
      ...common,
      ...{ secretKey: XENDIT_CREDENTIALS.secret_key, callbackToken: XENDIT_CREDENTIALS.callback_token },
      ...{ callbackUrl: `${service.url}/v1/rails/in/notifications`, perMinute: 600, refundsAfterMs: null },
    });
    const agreement = newSnapAgreement();
    bank = await SnapDouble.listen({
      ...common,
      ...{ profile: 'standard', agreement, callbackUrl: null, perSecond: 100, settlesAfterMs: 0, holder: HOLDER },
    });
    const sandbox = { mode: 'sandbox', allow_private: true } as const;
    const given = (credentials: object) => () => Promise.resolve(credentials as Credentials);
    await setRail(shell, 'in', { kind: 'xendit', ...sandbox, base_url: xendit.url }, given(XENDIT_CREDENTIALS));
    await setRail(shell, 'out', { kind: 'snap', profile: 'standard', ...sandbox, base_url: bank.url }, given(agreement.credentials));
    merchant = await service.newMerchant();
    const money = await create({ ...CHARGE_ORDER, amount: 50_000_000 });
    for (const outcome of ['succeed', 'settle']) await service.call('POST', money.action.simulation_url, { body: { outcome } });
    await routeMerchant(shell, merchant.merchant_id, { use: 'QR_QRIS', rail: 'in', merchant_name_id: null });
    await setRoute(shell, 'test', 'payout.IDR', 'out');
  }, 60_000);
  afterAll(async () => {
    await Promise.all([xendit.close(), bank.close(), pool.end()]);
    await service.stop();
  }, 30_000);

  const create = async (body: object) => (await service.call('POST', '/v1/charges', { key: merchant.key, headers: newIdempotencyKey(), body })).body;

  it('take a charge to its provider, and book what the provider says when it notifies', async () => {
    let charge: any;
    await eventually(async () => {
      charge = await create({ ...CHARGE_ORDER, amount: 1_000_000 });
      return charge.processor_reference !== undefined;
    });
    expect(charge).toMatchObject({ status: 'PENDING', action: { qr_string: expect.any(String) }, processor_reference: expect.any(String) });
    await fetch(`${xendit.url}/control/pay`, { method: 'POST', body: JSON.stringify({ reference_id: charge.id }) });
    await eventually(async () => (await service.call('GET', `/v1/charges/${charge.id}`, { key: merchant.key })).body.status === 'SUCCEEDED', 20_000);
  }, 60_000);

  it('are recorded beside what is printed, where they are sandboxes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'chargebook-recorded-'));
    await copyFile(new URL('../golden/rails/fixtures/snap-error-4043601.json', import.meta.url), join(folder, 'snap-error-4043601.json'));
    const record = (...more: string[]) =>
      runCli(['processor', 'record', 'out', '--fixtures', folder, '--json', ...more], {
        DATABASE_URL: service.stores.databaseUrl,
        EVENTSTORE_URL: process.env['EVENTSTORE_URL'] ?? '',
        ENCRYPTION_KEY: ENCRYPTION_KEY.toString('base64'),
      });
    try {
      expect(await record()).toMatchObject({ code: 2, stderr: expect.stringContaining('--sandbox') });
      const recorded = await record('--sandbox', '--account', '1234567890', '--holder', HOLDER);
      expect(recorded).toMatchObject({ code: 0, stderr: '' });
      const { files, drift, unprinted } = JSON.parse(recorded.stdout) as { files: string[]; drift: unknown[]; unprinted: string[] };
      expect(files).toContain(join(folder, 'recorded-out-snap-transfer-status.json'));
      expect(unprinted).toContain('snap-transfer-status');
      expect(drift).toEqual([]);
      const inquired = await readFile(join(folder, 'recorded-out-snap-account-inquiry-external.json'), 'utf8');
      expect(inquired).toContain('beneficiaryAccountName');
      expect(inquired).not.toContain(HOLDER);
    } finally {
      await rm(folder, { recursive: true });
    }
  }, 60_000);

  it('take a payout to its bank, and book it when the bank says that it is paid', async () => {
    const body = {
      amount: 1_000_000,
      currency: 'IDR',
      bank_account_name: HOLDER,
      bank_account_number: '1234567890',
      bank_name: 'BCA',
      bank_code: '014',
    };
    const paid = async () => {
      const { id } = (await service.call('POST', '/v1/payouts', { key: merchant.key, headers: newIdempotencyKey(), body })).body;
      let payout: any;
      await eventually(async () => {
        payout = (await service.call('GET', `/v1/payouts/${id}`, { key: merchant.key })).body;
        return payout.payout_status === 'SUCCEEDED';
      }, 30_000);
      return payout;
    };
    // Until the process has seen the route, its own simulated bank pays, which checks no name.
    await eventually(async () => (await paid()).beneficiary?.match === 'EXACT', 30_000);
    const inSen = await service.call('POST', '/v1/payouts', {
      key: merchant.key,
      headers: newIdempotencyKey(),
      body: { ...body, amount: 1_000_050 },
    });
    expect([inSen.status, inSen.body.code]).toEqual([422, 'amount-out-of-range']);
  }, 60_000);
});
