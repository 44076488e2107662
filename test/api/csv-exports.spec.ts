import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openDispute } from '../support/disputes.js';
import { eventually } from '../support/eventually.js';
import { newFinanceKey } from '../support/finance.js';
import { documentsOf } from '../support/openapi.js';
import { runCli } from '../support/run-cli.js';
import { CHARGE_ORDER, newIdempotencyKey, startTestService, type Answer, type TestMerchant, type TestService } from '../support/service.js';
import { runningCells } from '../support/spreadsheet.js';

const TEXT = 'x; =1+1;"-2';
const ENCRYPTION_KEY = Buffer.alloc(32, 1).toString('base64');

/** CSV files of the console, found in its source, so that a new one is tested too. */
const CONSOLE = new URL('../../src/web/console/', import.meta.url);
const CONSOLE_FILES = readdirSync(CONSOLE, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .flatMap((file) => {
    const source = readFileSync(new URL(file, CONSOLE), 'utf8');
    const root = /@Controller\('([^']+)'\)/.exec(source)?.[1] ?? 'console';
    return [...source.matchAll(/@Get\('([\w-]+\.csv)'\)/g)].map(([, name]) => `/${root}/${name!}`);
  });

describe('CSV files', () => {
  let service: TestService;
  let merchant: TestMerchant;
  let finance: string;
  let payoutId: string;

  beforeAll(async () => {
    service = await startTestService({ SETTLEMENT_INTERVAL_SECONDS: '3600', ENCRYPTION_KEY });
    merchant = await service.newMerchant({ name: TEXT });
    finance = (await newFinanceKey(service)).key;
    const texts = { reference_id: TEXT, description: TEXT, metadata: { note: TEXT } };
    const ids: string[] = [];
    for (let at = 0; at < 2; at += 1) {
      const { id, action } = (await post('/v1/charges', { ...CHARGE_ORDER, ...texts, amount: 5_000_000 })).body;
      await service.call('POST', action.simulation_url, { body: { outcome: 'succeed' } });
      if (at === 0) await service.call('POST', action.simulation_url, { body: { outcome: 'settle' } });
      ids.push(id);
    }
    await post(`/v1/charges/${ids[1]}/refunds`, { amount: 1_000, ...texts });
    await openDispute(service.stores.eventStore, ids[0]!, 'CHARGEBACK', TEXT);
    await post('/v1/customers', { name: TEXT });
    const bank = { bank_account_name: TEXT, bank_account_number: '1234567890', bank_name: TEXT };
    payoutId = (await post('/v1/payouts', { amount: 1_000_000, currency: 'IDR', ...bank, description: TEXT, reference_id: TEXT })).body.id;
    await eventually(async () => (await service.call('GET', `/v1/payouts/${payoutId}`, { key: merchant.key })).body.payout_status === 'SUCCEEDED');
  });
  afterAll(() => service.stop());

  const post = (path: string, body: object): Promise<Answer> => service.call('POST', path, { key: merchant.key, headers: newIdempotencyKey(), body });

  function expectHarmless(name: string, file: string): void {
    for (const delimiter of [',', ';', '\t']) {
      expect({ name, delimiter, running: runningCells(file, delimiter) }).toEqual({ name, delimiter, running: [] });
    }
  }

  it('files of the API have no cell that a spreadsheet runs', async () => {
    const documents = await documentsOf(service.url);
    const paths = [...documents.values()].flatMap((document: any) =>
      Object.entries<any>(document.paths).flatMap(([path, { get }]) => (get?.responses['200']?.content?.['text/csv'] ? [path] : [])),
    );
    expect(paths.length).toBeGreaterThan(10);
    // Needs a closed month, and has the form of the journal.
    const corrections = '/audit/periods/{month}/corrections';
    const hostile: string[] = [];
    for (const path of paths.filter((each) => each !== corrections)) {
      const key = path.startsWith('/audit') ? finance : merchant.key;
      const explained = `${merchant.merchant_id}/IDR/explain?Bucket=PAYOUTS`;
      const target = path
        .replace('{merchant}/{currency}/explain', explained)
        .replace('{merchant}', merchant.merchant_id)
        .replace('{currency}', 'IDR')
        .replace('{id}', payoutId);
      const { status, text, headers } = await service.call('GET', target, { key, headers: { accept: 'text/csv' } });
      expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'text/csv; charset=utf-8; header=present']);
      expectHarmless(path, text);
      if (text.includes('1+1')) hostile.push(path);
    }
    expect(hostile).toEqual(
      expect.arrayContaining([
        '/v1/statements/{currency}',
        '/v1/payouts/{id}/remittance-advice',
        '/audit/balances/{merchant}/{currency}/explain',
        '/audit/merchants',
        '/audit/payouts',
        '/audit/refunds',
      ]),
    );
  });

  it('files of the console have no cell that a spreadsheet runs', async () => {
    const login = await service.call('POST', '/console/login', {
      body: new URLSearchParams({ key: finance }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: service.url },
    });
    const cookie = login.headers.get('set-cookie')!.split(';')[0]!;
    expect(CONSOLE_FILES.length).toBeGreaterThan(10);
    for (const name of CONSOLE_FILES) {
      const ofMerchant = await service.call('GET', `${name}?MerchantId=${merchant.merchant_id}`, { headers: { cookie } });
      const own = ofMerchant.status === 200 ? ofMerchant : await service.call('GET', name, { headers: { cookie } });
      expect([name, own.status, own.headers.get('content-type')]).toEqual([name, 200, 'text/csv; charset=utf-8; header=present']);
      expectHarmless(name, own.text);
    }
  });

  it('files of the command line have no cell that a spreadsheet runs', async () => {
    const { code, stdout } = await runCli(['events', 'export', '--format', 'csv'], {
      DATABASE_URL: service.stores.databaseUrl,
      EVENTSTORE_URL: process.env['EVENTSTORE_URL'] ?? '',
      ENCRYPTION_KEY,
    });
    expect([code, stdout.includes('1+1')]).toEqual([0, true]);
    expectHarmless('events export', stdout);
  });
});
