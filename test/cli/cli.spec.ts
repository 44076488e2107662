import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { readConfig } from '../../src/app/config.js';
import { MerchantDirectory } from '../../src/domain/merchants/merchant-directory.js';
import { hashKey } from '../../src/platform/auth/api-key.js';
import { openStores, type Stores } from '../../src/app/stores.js';
import { MONEY_WORKERS } from '../../src/app/workers/money-workers.js';
import { AdvisoryLock } from '../../src/platform/postgres/advisory-lock.js';
import { electionKey } from '../../src/platform/worker/elected-worker.js';
import { eventually, within } from '../support/eventually.js';
import { createTestDatabase } from '../support/postgres.js';
import { runCli, startCli, type Run } from '../support/run-cli.js';

const API_KEY = /^sk_test_[0-9A-Za-z]{36}$/;
const KEY_ID = /^key_[0-9a-f]{20}$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const WHEN = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/;

describe('the command line', () => {
  let dataDir: string;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'chargebook-cli-'));
    // As a first start of the service leaves it.
    const stores = await openStores(readConfig({ DATA_DIR: dataDir }), () => undefined);
    await stores.close();
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  const cli = (...args: string[]): Promise<Run> => runCli(args, { DATA_DIR: dataDir });

  /** Requires one JSON document on standard output and nothing on standard error. */
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

  describe('without a ledger', () => {
    it.each([
      ['audit', 'verify'],
      ['audit', 'key'],
      ['projections', 'status'],
      ['projections', 'verify'],
      ['projections', 'rebuild'],
      ['recon', 'status'],
      ['events', 'export'],
      ['merchant', 'create', '--name', 'Kopi Senja'],
      ['finance-key', 'issue', '--name', 'Auditor'],
      ['operator', 'list'],
      ['rail', 'list'],
      ['encryption-key', 'rotate'],
      ['seed', '--charges', '1'],
    ])('%s %s ends with exit code 1, and creates none', async (...args) => {
      const missing = join(dataDir, 'mistyped');
      const none = await runCli(args, { DATA_DIR: missing });
      expect(none).toEqual({
        code: 1,
        stdout: '',
        stderr: `error: there is no ledger in ${missing} (DATA_DIR): the service creates one at its first start\n`,
      });
      expect(existsSync(missing)).toBe(false);
    });

    it('an empty database is named without its password, and stays empty', async () => {
      const database = await createTestDatabase();
      const url = new URL(database.url);
      const { code, stderr } = await runCli(['audit', 'verify'], { DATABASE_URL: database.url, DATA_DIR: join(dataDir, 'mistyped') });
      expect([code, stderr]).toEqual([
        1,
        `error: there is no ledger in ${url.protocol}//${url.host}${url.pathname} (DATABASE_URL): the service creates one at its first start\n`,
      ]);
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      expect((await client.query("select from pg_class where relnamespace = 'public'::regnamespace")).rowCount).toBe(0);
      await client.end();
      await database.drop();
      expect(existsSync(join(dataDir, 'mistyped'))).toBe(false);
    });

    it('a DATA_DIR that is a file is named', async () => {
      const file = join(dataDir, 'a-file');
      await writeFile(file, '');
      const said = { code: 1, stdout: '', stderr: `error: DATA_DIR: ${file} cannot be used: it is a file\n` };
      expect(await runCli(['audit', 'verify'], { DATA_DIR: file })).toEqual(said);
    });
  });

  describe('files and days that do not exist', () => {
    it.each([
      [['recon', 'import', 'none.xml', '--source', 'test-bca', '--api-key', 'ok_x'], 1, 'none.xml: no such file'],
      [['recon', 'import', '.', '--source', 'test-bca', '--api-key', 'ok_x'], 1, 'it is a directory'],
      [['recon', 'import', 'package.json/a.xml', '--source', 'test-bca', '--api-key', 'ok_x'], 1, 'package.json/a.xml: a part of its path is a file'],
      [
        ['recon', 'source', 'bca', '--mode', 'test', '--settings', 'none.json', '--reason', 'x', '--api-key', 'ok_x'],
        1,
        'none.json cannot be read: no such file',
      ],
      [['audit', 'verify', '--from', 'none.json'], 1, '--from none.json: no such file'],
      [['audit', 'verify', '--offline', 'none.json', '--head', '0'.repeat(64)], 1, 'none.json: no such file'],
      [['audit', 'verify', '--offline', 'none.json', '--key', '0'.repeat(64)], 1, 'none.json: no such file'],
      [['recon', 'close', '2026-13-45', '--source', 'test-bca', '--reason', 'x'], 2, 'Must be a day'],
      [['recon', 'close', '2026-02-30', '--source', 'test-bca', '--reason', 'x'], 2, 'Must be a day'],
      [['period', 'close', '2026-13', '--mode', 'test', '--reason', 'x'], 2, 'Must be a month'],
      [['period', 'show', '2026-1', '--mode', 'test'], 2, 'Must be a month'],
    ])('%j are named in one line', async (args, code, words) => {
      const line = await refused(code, ...args);
      expect([args, line.includes(words), / at |ENO|EIS/.test(line)]).toEqual([args, true, false]);
    });
  });

  describe('without a running service', () => {
    it('creates a merchant twice, and leaves no server behind', async () => {
      const first = await json<{ merchant_id: string }>('merchant', 'create', '--name', 'Kopi Senja');
      expect(first).toEqual({
        merchant_id: expect.stringMatching(UUID),
        key_id: expect.stringMatching(KEY_ID),
        api_key: expect.stringMatching(API_KEY),
      });
      const second = await cli('merchant', 'create', '--name', 'Kopi Senja', '--country', 'my', '--mode', 'live', '--email', 'a@b.example');
      expect(second.stdout).toMatch(/^Merchant {2}[0-9a-f-]{36}\nKey id {4}key_\w+\nAPI key {3}sk_live_\w+\n/);
      expect(existsSync(join(dataDir, 'postgres/data/postmaster.pid'))).toBe(false);

      const merchants = await json<{ merchant_id: string }[]>('merchant', 'list');
      expect(merchants).toHaveLength(2);
      expect(merchants[0]).toMatchObject({ merchant_id: first.merchant_id, name: 'Kopi Senja', country: 'ID', mode: 'test' });
      expect(merchants[1]).toMatchObject({ country: 'MY', mode: 'live', default_currency: 'MYR' });
      expect((await cli('merchant', 'list')).stdout).toContain(`${first.merchant_id}  Kopi Senja`);
    });

    it('Ctrl-C ends a command, and leaves no server behind', async () => {
      const child = startCli(['seed', '--charges', '1000000'], { DATA_DIR: dataDir });
      child.stdout.resume();
      child.stderr.resume();
      await eventually(() => existsSync(join(dataDir, 'postgres/data/postmaster.pid')));
      child.kill('SIGINT');
      const [code] = (await once(child, 'close')) as [number];
      expect(code).toBe(130);
      expect(existsSync(join(dataDir, 'postgres/data/postmaster.pid'))).toBe(false);
    });
  });

  describe('beside a running service', () => {
    let stores: Stores;
    let directory: MerchantDirectory;
    let merchantId: string;

    beforeAll(async () => {
      stores = await openStores(readConfig({ DATA_DIR: dataDir }), () => undefined);
      directory = new MerchantDirectory(stores.eventStore);
      directory.start();
      await directory.ready();
      merchantId = (await json<{ merchant_id: string }>('merchant', 'create', '--name', 'Warung Bu Tini')).merchant_id;
    });
    afterAll(async () => {
      await directory.stop();
      await stores.close();
    });

    it('issues keys that the service accepts, and revokes them within a second', async () => {
      const issued = await json<{ key_id: string; api_key: string }>(
        ...[
          'key',
          'issue',
          '--merchant',
          merchantId,
          '--name',
          'Reports',
          '--scopes',
          'charges:read,balances:read',
          '--expires',
          '2099-01-01T07:00:00+07:00',
        ],
      );
      expect(issued).toEqual({ key_id: expect.stringMatching(KEY_ID), api_key: expect.stringMatching(API_KEY) });
      const hash = hashKey(issued.api_key);
      await within(1_000, () => eventually(() => directory.find(hash) !== undefined));
      expect(directory.find(hash)).toMatchObject({
        key_id: issued.key_id,
        merchant_id: merchantId,
        scopes: ['charges:read', 'balances:read'],
        expires_on: '2099-01-01T00:00:00.000+00:00',
      });

      const revoked = await json<{ key_id: string; revoked_on: string }>('key', 'revoke', issued.key_id);
      expect(revoked).toEqual({ key_id: issued.key_id, revoked_on: expect.stringMatching(WHEN) });
      await within(1_000, () => eventually(() => directory.find(hash)?.revoked_on !== null));
      expect(directory.find(hash)?.revoked_on).toBe(revoked.revoked_on);
      expect(await json('key', 'revoke', issued.key_id)).toEqual(revoked);
    });

    it('rotates keys with an overlap', async () => {
      const { key_id } = await json<{ key_id: string }>('key', 'issue', '--merchant', merchantId);
      const rotated = await json<{ replaced: { revoked_on: string } }>('key', 'rotate', key_id, '--overlap', '2h');
      expect(rotated).toEqual({
        key_id: expect.stringMatching(KEY_ID),
        api_key: expect.stringMatching(API_KEY),
        replaced: { key_id, revoked_on: expect.stringMatching(WHEN) },
      });
      expect(Math.abs(Date.parse(rotated.replaced.revoked_on) - Date.now() - 7_200_000)).toBeLessThan(60_000);
    });

    it('lists keys with their state, and without secrets', async () => {
      const other = await json<{ merchant_id: string; key_id: string }>('merchant', 'create', '--name', 'Toko Buku');
      const { key_id } = await json<{ key_id: string }>(
        'key',
        'issue',
        '--merchant',
        other.merchant_id,
        '--name',
        'Till',
        '--scopes',
        'charges:read',
      );
      await json('key', 'revoke', other.key_id);
      const held = { merchant_id: other.merchant_id, issued_on: expect.stringMatching(WHEN), expires_on: null };
      expect(await json('key', 'list', '--merchant', other.merchant_id)).toEqual([
        { ...held, key_id: other.key_id, name: 'First key', scopes: ['*'], state: 'revoked', revoked_on: expect.stringMatching(WHEN) },
        { ...held, key_id, name: 'Till', scopes: ['charges:read'], state: 'active', revoked_on: null },
      ]);
      const all = await json<{ merchant_id: string }[]>('key', 'list');
      expect(new Set(all.map(({ merchant_id }) => merchant_id))).toEqual(new Set([...all.map(({ merchant_id }) => merchant_id), merchantId]));
      expect((await cli('key', 'list', '--merchant', other.merchant_id)).stdout).toMatch(new RegExp(`${key_id} .* Till .* active .* charges:read`));
    });

    it('issues, lists, rotates and revokes finance keys', async () => {
      const issued = await json<{ key_id: string }>('finance-key', 'issue', '--name', 'Auditor');
      expect(issued).toEqual({ key_id: expect.stringMatching(KEY_ID), finance_key: expect.stringMatching(/^fk_[0-9A-Za-z]{36}$/) });
      const rotated = await json<{ key_id: string }>('key', 'rotate', issued.key_id, '--overlap', '0');
      expect(rotated).toMatchObject({ finance_key: expect.stringMatching(/^fk_/) });
      expect(await json('finance-key', 'list')).toMatchObject([
        { key_id: issued.key_id, name: 'Auditor', state: 'revoked' },
        { key_id: rotated.key_id, name: 'Auditor', state: 'active', revoked_on: null },
      ]);
      expect(await json('key', 'revoke', rotated.key_id)).toMatchObject({ key_id: rotated.key_id });
    });

    it('operator commands add operators, set roles until two controllers exist, rotate keys and suspend; events name the user of the command line', async () => {
      const reason = ['--reason', 'joins the finance desk'];
      const add = (name: string, ...more: string[]) =>
        json<{ person_id: string }>('operator', 'add', '--name', name, '--email', `${name}@bank.example`, ...reason, ...more);
      const [siti, budi] = [await add('Siti', '--roles', 'controller'), await add('Budi', '--roles', 'controller,preparer')];
      expect(await refused(1, 'operator', 'roles', siti.person_id, '--roles', 'approver', ...reason)).toContain(
        '2 operators are controllers, so roles take a proposal',
      );
      const issued = await json<{ key_id: string }>('operator', 'key', siti.person_id);
      expect(issued).toMatchObject({ operator_key: expect.stringMatching(/^ok_[0-9A-Za-z]{36}$/), expires_on: expect.stringMatching(WHEN) });
      const rotated = await json<{ key_id: string }>('key', 'rotate', issued.key_id, '--overlap', '0');
      expect(rotated).toMatchObject({ operator_key: expect.stringMatching(/^ok_/) });
      await json('operator', 'suspend', budi.person_id, '--reason', 'on leave');
      expect(await json('operator', 'list')).toMatchObject([
        {
          ...{ person_id: siti.person_id, name: 'Siti', email: 'siti@bank.example', roles: ['controller'], state: 'active' },
          keys: [
            { key_id: issued.key_id, state: 'revoked' },
            { key_id: rotated.key_id, state: 'active' },
          ],
        },
        { person_id: budi.person_id, roles: ['preparer', 'controller'], state: 'suspended', keys: [] },
      ]);
      const events = await json<{ type: string; actor: string }[]>('events', 'show', 'merchant-operators');
      expect(new Set(events.map(({ actor }) => actor))).toEqual(new Set([`cli:${userInfo().username}`]));
      expect(events.slice(-2)).toMatchObject([{ type: 'OperatorKeyRevoked' }, { type: 'OperatorSuspended' }]);
      expect(await json('policy', 'show')).toEqual({ live: null, test: null });
    });

    it('sets channels and fees of a merchant', async () => {
      expect(await json('channel', 'set', 'qr_qris', '--merchant', merchantId, '--max', '5000', '--settlement', 't+1')).toEqual({
        ...{ merchant_id: merchantId, channel_code: 'QR_QRIS', enabled: true, currency: 'IDR', min_amount: 100, max_amount: 5_000 },
        ...{ settlement_cycle: 'T+1', fee: { type: 'PERCENTAGE', value: 0.7 } },
      });
      expect(await json('fee', 'set', '--merchant', merchantId, '--channel', 'qr_qris', '--percentage', '0.5')).toEqual({
        merchant_id: merchantId,
        of: { kind: 'charge', channel_code: 'QR_QRIS' },
        fee: { type: 'PERCENTAGE', value: 0.5 },
      });
      await directory.confirm();
      expect(directory.merchants.channelTerms(merchantId, 'QR_QRIS')).toMatchObject({ max_amount: 5_000, fee: { type: 'PERCENTAGE', value: 0.5 } });

      const shown = await json<{ channels: object[] }>('merchant', 'show', merchantId.toUpperCase());
      expect(shown).toMatchObject({
        ...{ merchant_id: merchantId, name: 'Warung Bu Tini', mode: 'test', rails: [] },
        channels: expect.arrayContaining([
          {
            ...{ channel_code: 'QR_QRIS', enabled: true, currency: 'IDR', min_amount: 100, max_amount: 5_000, settlement_cycle: 'T+1' },
            fee: { type: 'PERCENTAGE', value: 0.5 },
          },
        ]),
        currencies: expect.arrayContaining([{ currency: 'IDR', payout_fee: { type: 'FIXED', value: 250_000 }, dispute_fee: expect.any(Number) }]),
      });
      expect((await cli('merchant', 'show', merchantId)).stdout).toMatch(/QR_QRIS +yes +IDR +100 +5000 +T\+1 +0\.5 %/);
      expect(await refused(1, 'merchant', 'show', '0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d')).toContain('there is no merchant 0198c0de');
    });

    it('shows a stream without secrets', async () => {
      const events = await json<{ revision: number; type: string; data: object }[]>('events', 'show', `merchant-${merchantId}`);
      expect(events.slice(0, 2)).toMatchObject([
        { revision: 0, type: 'MerchantRegistered', merchant_id: merchantId, actor: 'System', data: { name: 'Warung Bu Tini' } },
        { revision: 1, type: 'ApiKeyIssued', data: { key_hash: '[sealed]' } },
      ]);
      expect((await cli('events', 'show', `merchant-${merchantId}`)).stdout).toMatch(/^0 {2}MerchantRegistered {2}\d{4}-/);
    });

    it('seeds charges in every state, according to the rules of the service', async () => {
      const seeded = await json<{ merchants: { merchant_id: string; api_key: string }[] }>('seed', '--charges', '40', '--merchants', '2');
      expect(seeded).toEqual({
        charges: 40,
        seconds: expect.any(Number),
        merchants: Array(2).fill({ merchant_id: expect.stringMatching(UUID), api_key: expect.stringMatching(API_KEY) }),
      });
      await directory.confirm();
      for (const { merchant_id, api_key } of seeded.merchants) expect(directory.find(hashKey(api_key))).toMatchObject({ merchant_id });

      const types = new Map<string, number>();
      for (const { type } of await exported()) types.set(type, (types.get(type) ?? 0) + 1);
      expect(types.get('ChargeCreated')).toBe(40);
      const states = [
        'ChargePaid',
        'ChargeFailed',
        'ChargeExpired',
        'ChargeCancelled',
        'ChargeReversed',
        'ChargeSettlementClaimed',
        'ChargeReversalClaimed',
        'FundsSettled',
      ];
      for (const state of states) expect(types.get(state)).toBeGreaterThan(0);
    });

    it('seeding beside a service that settles warns about balances over time', async () => {
      const locks = Object.values(MONEY_WORKERS).map(
        (name) => new AdvisoryLock({ url: stores.databaseUrl, key: electionKey(name), onLost: () => undefined }),
      );
      await Promise.all(locks.map((lock) => lock.tryAcquire()));
      const beside = await cli('seed', '--charges', '1', '--json');
      expect(beside).toMatchObject({ code: 0, stderr: expect.stringContaining('a step instead of a month') });
      await Promise.all(locks.map((lock) => lock.release()));
      expect(await cli('seed', '--charges', '1', '--json')).toMatchObject({ code: 0, stderr: '' });
    });

    it('exports every event in order, as lines, as one document and as a table', async () => {
      const lines = await exported();
      expect(lines.map(({ position }) => position)).toEqual(lines.map((_, index) => index + 1));
      expect(await json('events', 'export')).toEqual(lines);
      const csv = await cli('events', 'export', '--format', 'csv');
      const rows = csv.stdout.trimEnd().split('\r\n');
      expect(rows[0]).toBe('position,stream,revision,id,type,occurred_on,merchant_id,actor,correlation_id,causation_id,data');
      expect(rows).toHaveLength(lines.length + 1);
      expect(csv.stdout).not.toMatch(/[0-9a-f]{64}/);
    });

    it('an export with a closed reader ends without a message', async () => {
      const child = startCli(['events', 'export'], { DATA_DIR: dataDir });
      let stderr = '';
      child.stderr.on('data', (chunk) => (stderr += String(chunk)));
      child.stdout.destroy();
      const [code] = (await once(child, 'close')) as [number];
      expect({ code, stderr }).toEqual({ code: 141, stderr: '' });
    });

    it('projections status prints positions and lags', async () => {
      const status = await json<{ head: number; projections: object[] }>('projections', 'status');
      expect(status.head).toBe((await exported()).length);
      const { head } = status;
      expect(status.projections).toContainEqual(
        expect.objectContaining({
          name: 'ledger',
          version: expect.any(Number),
          position: 0,
          lag_events: head,
          lag_seconds: expect.any(Number),
          state: 'idle',
        }),
      );
      expect((await cli('projections', 'status')).stdout).toContain('PROJECTION');
    });

    it('impossible commands print one line', async () => {
      const nobody = '00000000-0000-4000-8000-000000000000';
      expect(await refused(1, 'key', 'revoke', 'key_none', '--json')).toBe('error: There is no key key_none.');
      expect(await refused(1, 'key', 'issue', '--merchant', nobody, '--json')).toBe(`error: There is no merchant ${nobody}.`);
      expect(await refused(1, 'key', 'issue', '--merchant', merchantId, '--expires', '2020-01-01T00:00:00Z')).toContain('expired already');
      expect(await refused(1, 'events', 'show', 'charge-none')).toBe('error: there is no stream charge-none');
      expect(await refused(1, 'fee', 'set', '--merchant', merchantId, '--payouts', 'usd', '--fixed', '1')).toBe(
        'error: There are no payouts in USD.',
      );
    });

    async function exported(): Promise<{ position: number; type: string }[]> {
      const run = await cli('events', 'export');
      expect(run).toMatchObject({ code: 0, stderr: '' });
      return run.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { position: number; type: string });
    }
  });

  it.each([
    [['merchant', 'create'], '--name'],
    [['merchant', 'create', '--name', 'x', '--mode', 'live-ish'], 'test or live'],
    [['merchant', 'create', '--name', 'x', '--country', 'XX'], 'two letters'],
    [['merchant', 'create', '--name', ''], '1 to 255'],
    [['merchant', 'create', '--name', '好运来'], 'Add a Latin form'],
    [['merchant', 'create', '--nam', 'x'], '--nam'],
    [['key', 'issue', '--merchant', 'x'], 'UUID'],
    [['key', 'issue', '--merchant', '00000000-0000-4000-8000-000000000000', '--scopes', 'charges:all'], 'charges:all'],
    [['key', 'issue', '--merchant', '00000000-0000-4000-8000-000000000000', '--expires', 'tomorrow'], 'RFC 3339'],
    [['key', 'rotate', 'key_1', '--overlap', '24'], '24h'],
    [['rail', 'set', 'bca', '--base', 'https://api..example'], 'Must be an http or https address'],
    [['listen', '--forward-to', 'http:\\\\127.0.0.1\\hooks'], 'Must be an http or https address'],
    [['seed', '--charges', '0'], '1 to'],
    [['events', 'export', '--format', 'xml'], 'ndjson, csv'],
    [['bogus'], 'bogus'],
  ])('%j is wrong usage', async (args, names) => {
    expect(await refused(2, ...args)).toContain(names);
  });

  it('a wrong value in the environment is named', async () => {
    const run = await runCli(['merchant', 'list'], { DATA_DIR: dataDir, PORT: 'many' });
    expect(run).toMatchObject({ code: 1, stdout: '', stderr: 'error: PORT must be a whole number from 0 to 65535, not "many"\n' });
  });

  it('an unreachable database prints one line', async () => {
    const run = await runCli(['merchant', 'list', '--json'], { DATA_DIR: dataDir, DATABASE_URL: 'postgres://u:secret@127.0.0.1:1/x' });
    expect(run).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'error: DATABASE_URL: the database cannot be used: connect ECONNREFUSED 127.0.0.1:1\n',
    });
  });

  it.each([[['--help']], [['key', '--help']], [['key', 'issue', '--help']], [['seed', '--help']], [['help', 'listen']]])(
    'help lists --json in %j',
    async (args) => {
      expect(await runCli(args, {})).toMatchObject({ code: 0, stdout: expect.stringContaining('--json'), stderr: '' });
    },
  );

  it('prints the version', async () => {
    const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };
    expect(await runCli(['--version'], {})).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('prints help without a database', async () => {
    const run = await runCli(['--help'], { PORT: 'many' });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain('events');
  });
});
