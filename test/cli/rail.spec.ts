import { createHash } from 'node:crypto';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readConfig } from '../../src/app/config.js';
import { openStores, type Stores } from '../../src/app/stores.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import { SNAP_CREDENTIALS, XENDIT_CREDENTIALS } from '../support/rail-credentials.js';
import { runCli, type Run } from '../support/run-cli.js';

const WHEN = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/;

describe('rails on the command line', () => {
  let dataDir: string;
  let stores: Stores;
  let merchants: { readonly test: string; readonly live: string };
  let files: Record<'xendit' | 'next' | 'snap', string>;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'chargebook-rail-cli-'));
    stores = await openStores(readConfig({ DATA_DIR: dataDir }), () => undefined);
    const create = async (mode: string) => (await json<{ merchant_id: string }>('merchant', 'create', '--name', mode, '--mode', mode)).merchant_id;
    merchants = { test: await create('test'), live: await create('live') };
    files = {
      xendit: await written('xendit.json', XENDIT_CREDENTIALS),
      next: await written('next.json', { ...XENDIT_CREDENTIALS, secret_key: 'xnd_development_fedcba9876543210' }),
      snap: await written('snap.json', SNAP_CREDENTIALS),
    };
  });
  afterAll(async () => {
    await stores.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  const cli = (...args: string[]): Promise<Run> => runCli(args, { DATA_DIR: dataDir });

  async function written(name: string, credentials: object): Promise<string> {
    const path = join(dataDir, name);
    await writeFile(path, JSON.stringify(credentials), { mode: 0o600 });
    return path;
  }

  async function json<Document>(...args: string[]): Promise<Document> {
    const run = await cli(...args, '--json');
    expect(run).toMatchObject({ code: 0, stderr: '' });
    return JSON.parse(run.stdout) as Document;
  }

  async function refused(code: number, ...args: string[]): Promise<string> {
    const run = await cli(...args);
    expect(run).toMatchObject({ code, stdout: '' });
    expect(run.stderr.trimEnd().split('\n')).toHaveLength(1);
    return run.stderr.trimEnd();
  }

  const setXendit = (...args: string[]) => ['rail', 'set', 'in', '--kind', 'xendit', '--mode', 'sandbox', '--credentials', files.xendit, ...args];
  const fingerprint = (value: string): string => createHash('sha256').update(value).digest('hex').slice(0, 8);

  it('rail set is idempotent, and rail list shows no secrets', async () => {
    expect(await json('rail', 'list')).toEqual([]);
    const made = await json(...setXendit());
    expect(made).toMatchObject({
      rail: 'in',
      kind: 'xendit',
      mode: 'sandbox',
      base_url: 'https://api.xendit.co',
      credentials: { version: 1 },
      paused: null,
    });
    expect(await json(...setXendit())).toEqual(made);
    const snap = ['--kind', 'snap', '--profile', 'bca', '--mode', 'sandbox', '--base', 'http://127.0.0.1:9/', '--allow-private', '--tls', '1.2'];
    const run = await cli('rail', 'set', 'out', ...snap, '--credentials', files.snap);
    expect(run).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('snap bca sandbox at http://127.0.0.1:9.'),
      stderr: expect.stringContaining('TLS 1.2'),
    });
    const [first] = await json<{ credentials: { fingerprints: object[] } }[]>('rail', 'list');
    expect(first!.credentials.fingerprints).toContainEqual({ field: 'secret_key', sha256: fingerprint(XENDIT_CREDENTIALS.secret_key) });
    expect((await cli('rail', 'list')).stdout).toMatch(/^in +xendit sandbox +green +– +1 +–$/m);
  });

  it('impossible settings, routes and credentials are rejected', async () => {
    expect(await refused(1, 'rail', 'set', 'new', '--kind', 'xendit', '--mode', 'live', '--credentials', files.xendit)).toContain('xnd_production_');
    expect(await refused(1, 'rail', 'set', 'new', '--kind', 'xendit', '--mode', 'sandbox')).toContain('--credentials');
    expect(await refused(1, 'rail', 'set', 'in', '--credentials', files.next)).toContain('rail rotate in');
    expect(await refused(1, 'rail', 'set', 'in', '--mode', 'live')).toContain('Use another name');
    expect(await refused(1, 'rail', 'pause', 'none-such')).toContain('no rail none-such');
    expect(await refused(2, 'rail', 'set', 'Big Name')).toContain('a-z, 0-9');
    expect(await refused(2, 'rail', 'set', 'none')).toContain('none');
    expect(await refused(2, 'rail', 'set', 'new', '--kind', 'stripe')).toContain('xendit, snap');
    expect(await refused(2, 'rail', 'route', '--mode', 'test', '--use', 'qr_none', '--rail', 'in')).toContain('qr_qris');
    await chmod(files.next, 0o644);
    expect(await refused(1, 'rail', 'rotate', 'in', '--credentials', files.next)).toContain('chmod 600');
    await chmod(files.next, 0o600);
  });

  it('rail rotate keeps the previous credentials until they are retired', async () => {
    const rotated = await json('rail', 'rotate', 'in', '--credentials', files.next);
    expect(rotated).toMatchObject({ credentials: { version: 2 }, previous_credentials: { version: 1 } });
    expect(await json('rail', 'rotate', 'in', '--credentials', files.next)).toEqual(rotated);
    expect(await refused(1, 'rail', 'rotate', 'in', '--credentials', files.xendit)).toContain('retire-old');
    expect(await versions('in')).toEqual([1, 2]);
    expect(await json('rail', 'retire-old', 'in')).toMatchObject({ rail: 'in', credentials: { version: 2 } });
    expect(await json('rail', 'retire-old', 'in')).toMatchObject({ rail: 'in', credentials: { version: 2 } });
    expect(await versions('in')).toEqual([2]);
  });

  it('rails are paused, resumed and permitted actions, and the log names the person', async () => {
    expect(await json('rail', 'pause', 'in')).toEqual({
      rail: 'in',
      paused: { paused_by: expect.any(String), paused_on: expect.stringMatching(WHEN) },
    });
    expect((await cli('rail', 'list')).stdout).toMatch(/^in .* amber +paused by/m);
    expect(await json('rail', 'resume', 'in')).toEqual({ rail: 'in', paused: null });
    await json('rail', 'allow', 'in', 'channel:wallet_ovo', '--evidence', 'recorded on 2026-11-20');
    await json('rail', 'allow', 'out', 'pay-again', '--until', '2099-01-01', '--evidence', 'letter 17');
    expect(await refused(1, 'rail', 'allow', 'out', 'pay-again', '--evidence', 'letter 17')).toContain('--until');
    expect(await refused(2, 'rail', 'allow', 'out', 'everything', '--evidence', 'x')).toContain('pay-again');
    const [, out] = await json<{ allowed: object[] }[]>('rail', 'list');
    expect(out!.allowed).toEqual([
      {
        what: 'pay-again',
        until: '2099-01-01T00:00:00.000+00:00',
        evidence: 'letter 17',
        allowed_by: expect.any(String),
        allowed_on: expect.any(String),
      },
    ]);
    await json('rail', 'withdraw', 'out', 'pay-again', '--evidence', 'letter 18');
    const events = await json<{ type: string; data: object }[]>('events', 'show', 'rails');
    expect(events.map(({ type }) => type)).toEqual([
      ...['RailSet', 'RailCredentialsSet', 'RailSet', 'RailCredentialsSet', 'RailCredentialsSet', 'RailCredentialsRetired'],
      ...['RailPaused', 'RailResumed', 'RailAllowed', 'RailAllowed', 'RailAllowanceWithdrawn'],
    ]);
    for (const value of [...Object.values(XENDIT_CREDENTIALS), ...Object.values(SNAP_CREDENTIALS)]) {
      expect(JSON.stringify(events)).not.toContain(JSON.stringify(value));
    }
  });

  it('rail route and merchant rail set rails by mode and by merchant', async () => {
    expect(await json('rail', 'route', '--mode', 'test', '--use', 'QR_QRIS', '--rail', 'in')).toEqual({ mode: 'test', use: 'QR_QRIS', rail: 'in' });
    expect(await refused(1, 'rail', 'route', '--mode', 'live', '--use', 'qr_qris', '--rail', 'in')).toContain('serves test merchants');
    expect(await refused(1, 'rail', 'route', '--mode', 'test', '--use', 'payout.idr', '--rail', 'in')).toContain('offers QR_QRIS');
    expect((await json<{ default_for: string[] }[]>('rail', 'list')).map(({ default_for }) => default_for)).toEqual([['test QR_QRIS'], []]);

    const own = ['merchant', 'rail', '--use', 'payout.IDR', '--rail', 'out', '--merchant-name-id', 'shop-1', '--merchant'];
    expect(await json(...own, merchants.test)).toEqual({ merchant_id: merchants.test, use: 'payout.IDR', rail: 'out', merchant_name_id: 'shop-1' });
    expect(await refused(1, ...own, merchants.live)).toContain('serves test merchants, and this one is a live merchant');
    expect(await refused(1, ...own, '00000000-0000-4000-8000-000000000000')).toContain('no such merchant');
    const rails = async () => (await json<{ rails: object[] }[]>('merchant', 'list'))[0]!.rails;
    expect(await rails()).toEqual([{ use: 'payout.IDR', rail: 'out', merchant_name_id: 'shop-1' }]);
    await json('merchant', 'rail', '--merchant', merchants.test, '--use', 'payout.IDR', '--rail', 'none');
    expect(await rails()).toEqual([]);
    await json('rail', 'route', '--mode', 'test', '--use', 'qr_qris', '--rail', 'none');
    expect((await json<{ default_for: string[] }[]>('rail', 'list')).flatMap(({ default_for }) => default_for)).toEqual([]);
  });

  async function versions(rail: string): Promise<number[]> {
    const pool = createPool({ url: stores.databaseUrl, applicationName: 'test', maxConnections: 1 });
    const { rows } = await pool.query<{ version: number }>('select distinct version from rail_credentials where rail = $1 order by version', [rail]);
    await pool.end();
    return rows.map(({ version }) => version);
  }
});
