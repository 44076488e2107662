import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadServiceSecret } from '../../src/app/service-secret.js';
import { daysIn } from '../../src/ledger/days.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import { newSnapAgreement } from '../../tools/provider-simulators/snap-access.js';
import { SnapSimulator } from '../../tools/provider-simulators/snap.js';
import { XenditSimulator } from '../../tools/provider-simulators/xendit.js';
import { RailCredentials, type Credentials } from '../../src/rails/settings/rail-credentials.js';
import { routeMerchant, setRail, setRoute, type RailDeps } from '../../src/rails/settings/rail.commands.js';
import { eventually } from '../support/eventually.js';
import { newOperator } from '../support/finance.js';
import { runCli, type Run } from '../support/run-cli.js';
import { XENDIT_CREDENTIALS } from '../support/rail-credentials.js';
import { CHARGE_ORDER, newIdempotencyKey, startTestService, type TestMerchant, type TestService } from '../support/service.js';

const ENCRYPTION_KEY = Buffer.alloc(32, 7);
const HOLDER = 'Siti Aminah';

/** The rails are set up as an operator does it; no part of the service is replaced. */
describe('rails over provider simulators', () => {
  let service: TestService;
  let pool: pg.Pool;
  let deps: RailDeps;
  let xendit: XenditSimulator;
  let bank: SnapSimulator;
  let sourceAccount: string;
  let merchant: TestMerchant;

  beforeAll(async () => {
    service = await startTestService({ ENCRYPTION_KEY: ENCRYPTION_KEY.toString('base64') });
    const { databaseUrl } = service.stores;
    pool = createPool({ url: databaseUrl, applicationName: 'test', maxConnections: 1 });
    deps = {
      ...service.deps,
      credentials: new RailCredentials(pool, await loadServiceSecret(databaseUrl, ENCRYPTION_KEY)),
      by: userInfo().username,
    };
    const common = { port: 0, seed: 1, faults: {}, slowMs: 0, lateMs: 0 };
    xendit = await XenditSimulator.listen({
      ...common,
      ...{ secretKey: XENDIT_CREDENTIALS.secret_key, callbackToken: XENDIT_CREDENTIALS.callback_token },
      ...{ callbackUrl: `${service.url}/v1/rails/in/notifications`, perMinute: 600, refundsAfterMs: null },
    });
    const agreement = newSnapAgreement();
    sourceAccount = agreement.credentials.source_account;
    bank = await SnapSimulator.listen({
      ...common,
      ...{ profile: 'standard', agreement, callbackUrl: null, perSecond: 100, settlesAfterMs: 0, holder: HOLDER },
    });
    const sandbox = { mode: 'sandbox', allow_private: true } as const;
    const given = (credentials: object) => () => Promise.resolve(credentials as Credentials);
    await setRail(deps, 'in', { kind: 'xendit', ...sandbox, base_url: xendit.url }, given(XENDIT_CREDENTIALS));
    await setRail(deps, 'out', { kind: 'snap', profile: 'standard', ...sandbox, base_url: bank.url }, given(agreement.credentials));
    merchant = await service.newMerchant();
    const money = await create({ ...CHARGE_ORDER, amount: 50_000_000 });
    for (const outcome of ['succeed', 'settle']) await service.call('POST', money.action.simulation_url, { body: { outcome } });
    await routeMerchant(deps, merchant.merchant_id, { use: 'QR_QRIS', rail: 'in', merchant_name_id: null });
    await setRoute(deps, 'test', 'payout.IDR', 'out');
  });
  afterAll(async () => {
    await Promise.all([xendit.close(), bank.close(), pool.end()]);
    await service.stop();
  });

  const create = async (body: object) => (await service.call('POST', '/v1/charges', { key: merchant.key, headers: newIdempotencyKey(), body })).body;

  it('a charge is created at its provider, and booked as paid when the provider notifies', async () => {
    let charge: any;
    await eventually(async () => {
      charge = await create({ ...CHARGE_ORDER, amount: 1_000_000 });
      return charge.processor_reference !== undefined;
    });
    expect(charge).toMatchObject({ status: 'PENDING', action: { qr_string: expect.any(String) }, processor_reference: expect.any(String) });
    await fetch(`${xendit.url}/control/pay`, { method: 'POST', body: JSON.stringify({ reference_id: charge.id }) });
    await eventually(async () => (await service.call('GET', `/v1/charges/${charge.id}`, { key: merchant.key })).body.status === 'SUCCEEDED');
  });

  it('recordings of a sandbox match the printed fixtures, without the name of the account holder', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'chargebook-recorded-'));
    await copyFile(new URL('../golden/rails/fixtures/snap-error-4043601.json', import.meta.url), join(folder, 'snap-error-4043601.json'));
    const record = (...more: string[]): Promise<Run> => cli(['processor', 'record', 'out', '--fixtures', folder, '--json', ...more]);
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
  });

  /** Runs the CLI beside the service, as an operator does. */
  const cli = (args: readonly string[], more: Record<string, string> = {}): Promise<Run> =>
    runCli(args, {
      DATABASE_URL: service.stores.databaseUrl,
      EVENTSTORE_URL: process.env['EVENTSTORE_URL'] ?? '',
      ENCRYPTION_KEY: ENCRYPTION_KEY.toString('base64'),
      ...more,
    });
  const PAYOUT = {
    amount: 1_000_000,
    currency: 'IDR',
    bank_account_name: HOLDER,
    bank_account_number: '1234567890',
    bank_name: 'BCA',
    bank_code: '014',
  };
  async function paidPayout(): Promise<any> {
    const { id } = (await service.call('POST', '/v1/payouts', { key: merchant.key, headers: newIdempotencyKey(), body: PAYOUT })).body;
    let payout: any;
    await eventually(async () => {
      payout = (await service.call('GET', `/v1/payouts/${id}`, { key: merchant.key })).body;
      return payout.payout_status === 'SUCCEEDED';
    });
    return payout;
  }

  it('a payout is sent to its bank, and succeeds when the bank reports it as paid', async () => {
    // Until the process has the route, its built-in simulated bank pays, which does not check names.
    await eventually(async () => (await paidPayout()).beneficiary?.match === 'EXACT');
    const inSen = await service.call('POST', '/v1/payouts', {
      key: merchant.key,
      headers: newIdempotencyKey(),
      body: { ...PAYOUT, amount: 1_000_050 },
    });
    expect([inSen.status, inSen.body.code]).toEqual([422, 'amount-out-of-range']);
  });

  it('the bank’s statements of days of the house account are imported and matched with payouts', async () => {
    const control = async (name: string, body: object = {}): Promise<any> =>
      (await fetch(`${bank.url}/control/${name}`, { method: 'POST', body: JSON.stringify(body) })).json();
    const folder = await mkdtemp(join(tmpdir(), 'chargebook-statement-'));
    const file = async (name: string, content: string): Promise<string> => {
      await writeFile(join(folder, name), content);
      return join(folder, name);
    };
    try {
      // The bank's clock is two days behind when it pays, so that the day is over for the service at any time of the run.
      await control('clock', { advance_ms: -2 * 24 * 3_600_000 });
      let payout: any;
      await eventually(async () => (payout = await paidPayout()).beneficiary?.match === 'EXACT');
      const { transfers } = await control('truth');
      await control('clock', { advance_ms: 2 * 24 * 3_600_000 });
      const { paid_at, amount, partner_reference } = transfers.at(-1);
      const day = daysIn('Asia/Jakarta')(paid_at);
      const state = (...args: string[]): Promise<Run> => cli(['rail', 'statement', 'out', '--day', day, ...args]);

      const stated = await state();
      expect(stated).toMatchObject({ code: 0, stderr: '' });
      expect(stated.stdout).toContain(`D${amount / 100},00NTRF${partner_reference}//`);
      expect(JSON.parse((await state('--json')).stdout)).toEqual({
        rail: 'out',
        days: [{ day, opening: 10_000_000_000_000, closing: 10_000_000_000_000 - amount, lines: 1 }],
        mt940: stated.stdout,
      });

      const [ani, siti] = [await newOperator(service, 'Ani', ['controller']), await newOperator(service, 'Siti', ['preparer'])];
      const settings = { kind: 'BANK', currencies: ['IDR'], account: sourceAccount, format: 'mt940', time_zone: 'Asia/Jakarta' };
      const source = ['source', 'out', '--mode', 'test', '--settings', await file('out.json', JSON.stringify(settings)), '--reason', 'its bank'];
      expect(await cli(['recon', ...source], { CHARGEBOOK_OPERATOR_KEY: ani.key })).toMatchObject({ code: 0 });
      const take = ['recon', 'import', await file('out.sta', stated.stdout), '--source', 'test-out'];
      expect(await cli(take, { CHARGEBOOK_OPERATOR_KEY: siti.key })).toMatchObject({ code: 0, stderr: '' });
      const list = async (path: string): Promise<any[]> => (await service.call('GET', path, { key: siti.key })).body.items;
      await eventually(async () => (await list(`/audit/recon/matches?Payout=${payout.id}`)).length > 0);
      expect(await list(`/audit/recon/matches?Payout=${payout.id}`)).toMatchObject([{ item: { kind: 'PAYOUT', payout_id: payout.id } }]);
      expect(await list('/audit/recon/breaks?Source=test-out')).toEqual([]);

      const refused = async (...args: string[]): Promise<string> => {
        const run = await cli(['rail', 'statement', ...args]);
        expect(run).toMatchObject({ code: 1, stdout: '' });
        return run.stderr;
      };
      expect(await refused('out', '--day', '2100-01-01')).toBe('error: 2100-01-01 is not over yet in Jakarta\n');
      expect(await refused('in', '--day', day)).toContain('rail in is not a bank of SNAP');
      expect(await refused('none-such', '--day', day)).toContain('There is no rail none-such');
      await control('faults', { 'wrong-amount': 1 });
      expect(await refused('out', '--day', day)).toMatch(
        /^error: \d{4}-\d\d-\d\d: the bank’s statement disagrees with itself: it opens with 100000000000\.00, its lines add up to -\d+\.00, and it closes with \d+\.00\n$/,
      );
      await control('faults', { 'wrong-amount': 0, garbage: 1 });
      expect(await refused('out', '--day', day)).toMatch(/^error: \d{4}-\d\d-\d\d: the bank[^\n]+\n$/);
      await control('faults', { garbage: 0 });
      expect(await cli(['rail', 'statement', 'out', '--day', 'today'])).toMatchObject({ code: 2 });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
