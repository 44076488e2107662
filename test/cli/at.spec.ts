import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { issueKey } from '../../src/domain/merchants/merchant.commands.js';
import { eventually } from '../support/eventually.js';
import { runCli, type Run } from '../support/run-cli.js';
import { startTestService, type TestService } from '../support/service.js';

const ENCRYPTION_KEY = Buffer.alloc(32, 3).toString('base64');

describe('moments on the command line', () => {
  let service: TestService;
  let env: Readonly<Record<string, string>>;

  beforeAll(async () => {
    service = await startTestService({ ENCRYPTION_KEY });
    await service.newMerchant();
    env = { DATABASE_URL: service.stores.databaseUrl, PUBLIC_URL: 'https://pay.example', ENCRYPTION_KEY };
  });
  afterAll(() => service.stop());

  const at = (...args: string[]): Promise<Run> => runCli(['at', ...args], env);

  it('opens a moment, waits for it, prints its addresses, lists and closes it', async () => {
    const opened = await at('open', '--position', '1', '--wait');
    expect(opened).toMatchObject({ code: 0, stderr: '' });
    expect(opened.stdout).toContain('https://pay.example/at/1/v1/…    with a merchant’s key\nhttps://pay.example/at/1/audit/…');
    expect(opened.stdout).toContain('https://pay.example/at/1/console    in a browser');
    const { key } = await issueKey(service.deps, { kind: 'finance' }, { name: 'auditor', scopes: [], expires_on: null });
    expect(await service.call('GET', '/at/1/audit/merchants', { key })).toMatchObject({ status: 200, body: { items: [{ name: 'Kopi Kita' }] } });
    const listed = JSON.parse((await at('list', '--json')).stdout) as { items: { position: number; state: string; opened_by: string }[] };
    expect(listed.items).toMatchObject([{ position: 1, state: 'READY', opened_by: expect.stringMatching(/^cli:/) }]);
    const again = await at('open', '--time', new Date().toISOString(), '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({ position: expect.any(Number), events_total: expect.any(Number) });
    expect(await at('close', '1')).toEqual({ code: 0, stdout: 'Moment 1 is closed.\n', stderr: '' });
    expect(await at('close', '1')).toEqual({ code: 1, stdout: '', stderr: 'error: moment 1 is not open\n' });
    expect((await at('close', String(JSON.parse(again.stdout).position))).code).toBe(0);
    expect((await at('list')).stdout).toBe('No moment is open.\n');
  });

  it('the head of an answer as of a moment is the root of the log up to it: audit verify accepts it, and no other', async () => {
    expect((await at('open', '--position', '2', '--wait')).code).toBe(0);
    const { key } = await issueKey(service.deps, { kind: 'finance' }, { name: 'auditor', scopes: [], expires_on: null });
    const read = () => service.call('GET', '/at/2/audit/merchants', { key });
    await eventually(async () => (await read()).headers.get('as-of-head') !== null);
    const head = (await read()).headers.get('as-of-head')!;
    expect(head).toMatch(/^2:[0-9a-f]{64}$/);
    const verified = await runCli(['audit', 'verify', '--head', head, '--json'], env);
    expect([verified.code, JSON.parse(verified.stdout)]).toMatchObject([0, { fault: null, broken_at: null }]);
    for (const other of [head.replace('2:', '1:'), head.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))])
      expect((await runCli(['audit', 'verify', '--head', other], env)).code).toBe(1);
    expect(await runCli(['audit', 'verify', '--head', '2:abc'], env)).toMatchObject({ code: 2 });
    expect((await at('close', '2')).code).toBe(0);
  });

  it.each<[string, string[], number, RegExp]>([
    ['no name', ['open'], 2, /--time, --position or --month is required/],
    ['two names', ['open', '--position', '1', '--month', '2026-01'], 2, /cannot be used with/],
    ['position 0', ['open', '--position', '0'], 2, /whole number from 1/],
    ['a time without an offset', ['open', '--time', '2026-01-31T17:00:00'], 2, /with an offset/],
    ['a time in the future', ['open', '--time', '2999-01-31T17:00:00Z'], 1, /^error: Must not be in the future\.\n$/],
    ['a position beyond the log', ['open', '--position', '4711'], 1, /^error: Must be from 1 to \d+, the newest event\.\n$/],
    ['a month that is open', ['open', '--month', '2026-01'], 1, /^error: The month 2026-01 is not closed\.\n$/],
  ])('refuses %s', async (_, args, code, message) => {
    expect(await at(...args)).toEqual({ code, stdout: '', stderr: expect.stringMatching(message) });
  });

  it('names the grant that a role without the right to create databases needs', async () => {
    const admin = new pg.Client({ connectionString: service.stores.databaseUrl });
    await admin.connect();
    await admin.query(`create role moments_reader login password 'reader'`);
    try {
      const url = new URL(service.stores.databaseUrl);
      url.username = 'moments_reader';
      url.password = 'reader';
      const refused = await runCli(['at', 'open', '--position', '2'], { ...env, POINT_IN_TIME_URL: url.href });
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      expect(refused.stderr).toBe(
        'error: moment 2 cannot be built: the role of the database may create no databases; a superuser grants it: alter role "moments_reader" createdb\n',
      );
      expect((await at('close', '2')).code).toBe(0);
    } finally {
      await admin.query('drop role moments_reader');
      await admin.end();
    }
  });
});
