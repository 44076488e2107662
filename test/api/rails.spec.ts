import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { XenditSimulator } from '../../tools/provider-simulators/xendit.js';
import { newFinanceKey } from '../support/finance.js';
import { eventually } from '../support/eventually.js';
import { XENDIT_CREDENTIALS } from '../support/rail-credentials.js';
import { runCli, type Run } from '../support/run-cli.js';
import { startTestService, type TestService } from '../support/service.js';

describe('rails of a service', () => {
  const ENCRYPTION_KEY = randomBytes(32).toString('base64');
  let service: TestService;
  let simulator: XenditSimulator;
  let dataDir: string;

  beforeAll(async () => {
    service = await startTestService({ ENCRYPTION_KEY, METRICS_PORT: '0' });
    dataDir = await mkdtemp(join(tmpdir(), 'chargebook-rails-'));
    simulator = await XenditSimulator.listen({
      ...{ port: 0, seed: 1, faults: {}, slowMs: 0, perMinute: 600, lateMs: 0, refundsAfterMs: null, callbackUrl: null },
      ...{ secretKey: XENDIT_CREDENTIALS.secret_key, callbackToken: XENDIT_CREDENTIALS.callback_token },
    });
  });
  afterAll(async () => {
    await simulator.close();
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const cli = (...args: string[]): Promise<Run> =>
    runCli(args, { DATA_DIR: dataDir, DATABASE_URL: service.stores.databaseUrl, ENCRYPTION_KEY, PUBLIC_URL: 'https://pay.example' });
  const health = async () =>
    (await service.call('GET', '/health/rails')).body as { status: string; rails: { rail: string; state: string; reasons: string[] }[] };
  const figures = async (url: string) => (await fetch(new URL('/metrics', url))).text();

  async function credentials(name: string, change: object = {}): Promise<string> {
    const file = join(dataDir, name);
    await writeFile(file, JSON.stringify({ ...XENDIT_CREDENTIALS, ...change }), { mode: 0o600 });
    return file;
  }
  const set = async (name: string, file: string) =>
    cli('rail', 'set', name, '--kind', 'xendit', '--mode', 'sandbox', '--base', simulator.url, '--allow-private', '--credentials', file);

  it('health is green without rails', async () => {
    expect(await health()).toEqual({ status: 'green', rails: [] });
  });

  it('a new rail is soon known to every process, and its health needs no key', async () => {
    expect(await set('in', await credentials('right'))).toMatchObject({ code: 0, stderr: '' });
    await eventually(async () => (await health()).rails.length === 1);
    expect(await health()).toEqual({ status: 'green', rails: [{ rail: 'in', mode: 'sandbox', state: 'green', reasons: [] }] });
    expect(await figures(service.url)).toMatch(/^rail_state\{rail="in"\} 0$/m);
  });

  it('a check asks the provider, and reports each finding', async () => {
    const checked = await cli('rail', 'check', 'in', '--json');
    expect(checked).toMatchObject({ code: 0, stderr: '' });
    const { findings } = JSON.parse(checked.stdout) as { findings: { check: string; level: string; detail: string }[] };
    expect(findings.filter(({ level }) => level !== 'ok')).toEqual([]);
    expect(findings).toContainEqual({ check: 'notifications', level: 'ok', detail: 'https://pay.example/v1/rails/in/notifications' });
    expect(findings.map(({ check }) => check)).toEqual(expect.arrayContaining(['credentials', 'tls', 'name', 'key', 'token', 'balance']));
  });

  it('a failing check prints the remedy without the key, and exits with 1', async () => {
    expect(await set('wrong', await credentials('wrong', { secret_key: 'xnd_development_not_of_this_double' }))).toMatchObject({ code: 0 });
    const checked = await cli('rail', 'check', 'wrong');
    expect(checked).toMatchObject({ code: 1, stderr: expect.stringContaining('rail rotate wrong') });
    expect(checked.stdout).toContain('error');
    expect(checked.stdout + checked.stderr).not.toContain('not_of_this_double');
  });

  it('a paused rail is amber, with the person who paused it', async () => {
    await cli('rail', 'pause', 'in');
    await eventually(async () => (await health()).rails[0]!.state === 'amber');
    expect((await health()).rails[0]!.reasons).toEqual([expect.stringMatching(/^paused by .+ since /)]);
    await cli('rail', 'resume', 'in');
    await eventually(async () => (await health()).rails[0]!.state === 'green');
  });

  it('the console shows rails, permissions with their evidence, and merchants’ own rails', async () => {
    await cli('rail', 'allow', 'in', 'channel:wallet_ovo', '--evidence', 'recorded <b>on</b> 2026-11-20');
    const { key } = await newFinanceKey(service);
    const signedIn = await service.call('POST', '/console/login', {
      body: new URLSearchParams({ key }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: service.url },
    });
    const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!;
    const page = async () => (await service.call('GET', '/console/rails', { headers: { cookie } })).text;
    await eventually(async () => (await page()).includes('channel:WALLET_OVO'));
    const text = await page();
    expect(text).toContain('xendit sandbox');
    expect(text).toContain('GREEN');
    expect(text).toContain('recorded &lt;b&gt;on&lt;/b&gt; 2026-11-20');
    expect(text).not.toContain(XENDIT_CREDENTIALS.secret_key);
    expect(text).not.toContain('with separate rails');

    const { merchant_id } = await service.newMerchant({ name: 'Toko Rel' });
    expect(await cli('merchant', 'rail', '--merchant', merchant_id, '--use', 'qr_qris', '--rail', 'in')).toMatchObject({ code: 0 });
    await eventually(async () => (await page()).includes('with separate rails'));
    expect(await page()).toContain('Toko Rel');
    const own = (await service.call('GET', `/console/merchants/${merchant_id}`, { headers: { cookie } })).text;
    expect(own).toContain('Its own rails');
    expect(own).toContain('QR_QRIS');
  });
});
