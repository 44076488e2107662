import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { createPool } from '../../src/platform/postgres/pool.js';
import { profileNamed, SHIPPED_PROFILES } from '../../src/domain/reconciliation/formats/shipped-profiles.js';
import { PostgresSimulatorJournal } from '../../src/rails/simulator/simulator-journal.js';
import { eventually } from '../support/eventually.js';
import { newOperator } from '../support/finance.js';
import { bankDay, bankFile } from '../support/recon.js';
import { runCli, startCli, type Run } from '../support/run-cli.js';
import { CHARGE_ORDER, newIdempotencyKey, startTestService, type TestService } from '../support/service.js';
import { DEFECT_DAY, FIRST_DAY, SimulatedTrade } from '../support/simulated-trade.js';
import { ACCOUNT, HEADER, PROFILE } from '../support/statement-files.js';

const ENCRYPTION_KEY = Buffer.alloc(32, 9).toString('base64');
/** Lines in memory as objects would exceed the bound: the command peaks at 190 MB, for a file of 25,000 lines as for one of 100,000. */
const LINES = 40_000;
/** Maximum resident memory at any moment. */
const MEMORY_MAX_KIB = 256 * 1_024;

describe('statements on the command line', () => {
  let service: TestService;
  let dir: string;
  let siti: { key: string };
  let ani: typeof siti;

  beforeAll(async () => {
    service = await startTestService({ ENCRYPTION_KEY });
    dir = await mkdtemp(join(tmpdir(), 'recon-cli-'));
    [siti, ani] = await Promise.all([newOperator(service, 'Siti', ['preparer']), newOperator(service, 'Ani', ['controller'])]);
  });
  afterAll(async () => {
    await rm(dir, { recursive: true, force: true });
    await service.stop();
  });

  const env = (key?: string): Record<string, string> => ({
    DATABASE_URL: service.stores.databaseUrl,
    ENCRYPTION_KEY,
    ...(key !== undefined && { CHARGEBOOK_OPERATOR_KEY: key }),
  });
  const recon = (key: string | undefined, ...args: string[]): Promise<Run> => runCli(['recon', ...args], env(key));
  async function file(name: string, content: string | object): Promise<string> {
    await writeFile(join(dir, name), typeof content === 'string' ? content : JSON.stringify(content));
    return join(dir, name);
  }

  it('controllers set sources, preparers import a file once, and refusals print one line', async () => {
    const settings = await file('bca.json', { kind: 'BANK', currencies: ['IDR'], account: ACCOUNT, format: 'camt053', time_zone: 'Asia/Jakarta' });
    const source = ['source', 'bca', '--mode', 'test', '--settings', settings, '--reason', 'why'];
    expect(await recon(undefined, ...source)).toMatchObject({ code: 1, stderr: expect.stringContaining('CHARGEBOOK_OPERATOR_KEY') });
    expect(await recon(siti.key, ...source)).toMatchObject({ code: 1, stderr: 'error: This operation needs the role controller.\n' });
    const set = await recon(ani.key, ...source, '--json');
    expect(set).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(set.stdout)).toMatchObject({ source: 'test-bca', version: 1 });
    expect(set.stdout).not.toContain('account');
    const wrong = await file('wrong.json', { kind: 'BANK', currencies: ['IDR'], format: 'pdf', time_zone: 'Asia/Jakarta' });
    expect(await recon(ani.key, 'source', 'bca', '--mode', 'test', '--settings', wrong, '--reason', 'why')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('/format'),
    });

    const day = await file('day.xml', bankFile(bankDay(1, 100, [10])));
    expect(await recon(siti.key, 'import', day, '--source', 'test-bca')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('counts from now on'),
    });
    expect(await recon(siti.key, 'import', day, '--source', 'test-bca')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('was imported before'),
    });
    const gap = await file('gap.xml', bankFile(bankDay(3, 999, [10])));
    expect(await recon(siti.key, 'import', gap, '--source', 'test-bca')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: Line 6: gap: [^\n]+\n$/),
    });
    expect(await recon(siti.key, 'import', day, '--source', 'test-bca', '--replaces', '0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d')).toMatchObject({
      code: 2,
    });
    expect((await recon(undefined, 'status')).stdout).toContain('test-bca');
  });

  it('lists shipped profiles without a ledger, and prints one as JSON', async () => {
    const profiles = (...args: string[]): Promise<Run> => runCli(['recon', 'profiles', ...args], { DATA_DIR: join(dir, 'none') });
    const listed = JSON.parse((await profiles('--json')).stdout).profiles;
    expect(listed.map(({ name }: { name: string }) => name)).toEqual(SHIPPED_PROFILES.map(({ name }) => name));
    expect(Object.keys(listed[0])).toEqual(['name', 'report', 'source', 'read_on']);
    const { stdout } = await profiles();
    for (const { name, report } of SHIPPED_PROFILES) expect(stdout).toContain(`${name}\n  ${report}\n`);
    expect(JSON.parse((await profiles('xendit-balance')).stdout)).toEqual(profileNamed('xendit-balance'));
    expect(await profiles('xendit')).toMatchObject({ code: 2, stderr: expect.stringContaining('Allowed choices are xendit-balance') });
  });

  it('a source with a shipped profile imports the report of its owner, and its payments match', async () => {
    const settings = await file('xendit.json', {
      ...{ kind: 'PROCESSOR', currencies: ['IDR'], format: 'csv', profile: 'xendit-balance', processor: 'SIMULATOR', time_zone: 'Asia/Jakarta' },
      ...{ due_days: 3, costs: { QR_QRIS: { type: 'FIXED', value: 70 } }, tax: 11 },
    });
    const source = ['source', 'xendit', '--mode', 'test', '--settings', settings, '--reason', 'why'];
    expect(JSON.parse((await recon(ani.key, ...source, '--json')).stdout)).toMatchObject({ profile: profileNamed('xendit-balance') });

    const merchant = await service.newMerchant();
    const created = await service.call('POST', '/v1/charges', { key: merchant.key, headers: newIdempotencyKey(), body: CHARGE_ORDER });
    await service.call('POST', created.body.action.simulation_url, { body: { outcome: 'succeed' } });
    const pool = createPool({ url: service.stores.databaseUrl, applicationName: 'test' });
    const isKnown = async (): Promise<boolean> =>
      (await pool.query('select from recon.payments where reference = $1', [created.body.code])).rowCount! > 0;
    try {
      await eventually(isKnown);
    } finally {
      await pool.end();
    }
    // The charge is over 100.00; its fee is 0.70, and the tax on that 0.08.
    const [header] = (await readFile(new URL('../golden/remittances/xendit-balance.csv', import.meta.url), 'utf8')).split('\n');
    const paidOn = new Date();
    const row = (part: string, amount: string, side: string): string =>
      `py-1,txn_1,PAYMENT,${part},QRIS,${created.body.code},IDR,${amount},0,${side},${paidOn.toISOString()},+0000 UTC,,`;
    const rows = [header, row('FEE', '0.7', 'DEBIT'), row('TRANSACTION', '100', 'CREDIT'), row('VAT', '0.08', 'DEBIT')];
    const report = await file('balance.csv', `${rows.join('\n')}\n`);
    expect(await recon(siti.key, 'import', report, '--source', 'test-xendit', '--batch', 'B1')).toMatchObject({
      code: 1,
      stderr: 'error: Files of test-xendit determine their batches: no batch is given with them.\n',
    });
    expect(await recon(siti.key, 'import', report, '--source', 'test-xendit', '--batch', ' B1')).toMatchObject({ code: 2 });
    expect(await recon(siti.key, 'import', report, '--source', 'test-xendit')).toMatchObject({ code: 0, stderr: '' });
    const get = async (path: string) => (await service.call('GET', path, { key: siti.key })).body.items;
    await eventually(async () => (await get('/audit/recon/matches?Source=test-xendit')).length > 0);
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Jakarta' }).format(paidOn);
    expect(await get('/audit/recon/lines?Source=test-xendit')).toMatchObject([
      { kind: 'PAYMENT', gross: 10_000, fee: 70, tax: 8, amount: 9_922, batch: `${day}-IDR`, references: ['py-1', created.body.code] },
    ]);
    expect(await get('/audit/recon/matches?Source=test-xendit')).toMatchObject([{ batch: `${day}-IDR`, item: { kind: 'PAYMENT', amount: 10_000 } }]);
    expect(await get('/audit/recon/breaks?Source=test-xendit')).toEqual([]);
  });

  /** Runs `work` while the projector cannot move the checkpoint of `recon`. `release` releases the projector. */
  async function withProjectorHeld(work: (pool: Pool, release: () => Promise<unknown>) => Promise<void>): Promise<void> {
    const pool = createPool({ url: service.stores.databaseUrl, applicationName: 'test' });
    const holding = await pool.connect();
    try {
      await holding.query('begin; lock table recon.checkpoint in exclusive mode');
      await work(pool, () => holding.query('commit'));
    } finally {
      holding.release(true);
      await pool.end();
    }
  }

  it('recon status waits for a delayed projector, and shows records made before the command', () =>
    withProjectorHeld(async (pool, release) => {
      const settings = await file('dana.json', {
        kind: 'PROCESSOR',
        currencies: ['IDR'],
        format: 'csv',
        time_zone: 'Asia/Jakarta',
        profile: PROFILE,
        processor: 'SIMULATOR',
      });
      expect(await recon(ani.key, 'source', 'dana', '--mode', 'live', '--settings', settings, '--reason', 'why')).toMatchObject({
        stderr: '',
        code: 0,
      });
      let isAnswered = false;
      const shown = recon(undefined, 'status').finally(() => (isAnswered = true));
      const isWaiting = async (): Promise<boolean> =>
        (
          await pool.query(
            `select from pg_stat_activity where datname = current_database() and application_name = 'chargebook-cli' and query like '%recon.checkpoint%'`,
          )
        ).rowCount! > 0;
      await eventually(async () => isAnswered || (await isWaiting()));
      await release();
      expect(await shown).toMatchObject({ stdout: expect.stringContaining('live-dana'), stderr: '' });
    }));

  it('recon status warns when the projector is stopped', () =>
    withProjectorHeld(async () => {
      await service.newMerchant();
      expect(await recon(undefined, 'status', '--json')).toMatchObject({ code: 0, stderr: expect.stringContaining('recon is behind the log') });
    }));

  it('days close one after the other, and recon verify proves each from the log', async () => {
    const close = (day: string, key = siti.key): Promise<Run> => recon(key, 'close', day, '--source', 'test-bca', '--reason', 'all of it is in');
    expect(await close('2026-11-11', ani.key)).toMatchObject({ code: 1, stderr: 'error: This operation needs the role preparer.\n' });
    expect(await close('2026-11-12')).toMatchObject({ code: 1, stderr: expect.stringContaining('the next of test-bca is 2026-11-11') });
    // The books have no entry for the balance before the first statement.
    for (let times = 0; times < 2; times += 1)
      expect(await close('2026-11-11')).toMatchObject({
        code: 1,
        stdout: expect.stringContaining('IDR: closing balance 11000; books 1000'),
        stderr: 'error: INCOMPLETE: the books of 2026-11-11 differ from the balance of test-bca\n',
      });
    expect(await recon(undefined, 'verify')).toMatchObject({ code: 0, stdout: '1 closed days are as they were closed.\n' });
    const pool = createPool({ url: service.stores.databaseUrl, applicationName: 'test' });
    const changed = async (change: string, table: string): Promise<void> => {
      await pool.query(change);
      expect(await recon(undefined, 'verify')).toMatchObject({
        code: 1,
        stdout: '1 closed days were verified.\n',
        stderr: expect.stringContaining(`error: 2026-11-11 of test-bca: recon.${table} (`),
      });
    };
    // Nothing that is stored for the day is changed: only a replay shows it.
    try {
      await changed('update recon.lines set amount = amount + 1', 'lines');
      await pool.query('update recon.lines set amount = amount - 1');
      await changed('update recon.day_rows set amount = amount + 1', 'day_rows');
    } finally {
      await pool.end();
    }
    expect(await runCli(['projections', 'rebuild', 'recon', '--accept-differences'], env())).toMatchObject({ code: 0 });
    expect(await recon(undefined, 'verify')).toMatchObject({ code: 0 });
  });

  it('files of the simulator are written from its journal, with the chosen defects, and can be imported', async () => {
    const pool = createPool({ url: service.stores.databaseUrl, applicationName: 'test' });
    const trade = new SimulatedTrade(1);
    try {
      await new PostgresSimulatorJournal(pool).record(trade.deeds);
    } finally {
      await pool.end();
    }
    const files = (day: string, ...args: string[]): Promise<Run> =>
      runCli(['simulator', 'files', '--day', day, '--out', join(dir, 'simulated'), '--format', 'mt940', ...args], env());
    expect(await files('2100-01-01')).toMatchObject({ code: 1, stderr: 'error: 2100-01-01 is not over yet in Jakarta\n' });
    expect(await files(DEFECT_DAY, '--defects', '45')).toMatchObject({ code: 2 });
    expect(await files(FIRST_DAY, '--defects', '1')).toMatchObject({ code: 1, stderr: expect.stringContaining('defect 1') });
    const { code, stdout, stderr } = await files(DEFECT_DAY, '--defects', '1,7,19', '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const written = JSON.parse(stdout);
    // A record that is not in the ledger has no id.
    expect(written).toMatchObject({
      sources: { processor: 'test-simulator', bank: 'test-simulator-bank' },
      breaks: [
        { defect: 1, kind: 'LEDGER_ONLY', id: null, line: null },
        { defect: 7, kind: 'AMOUNT', id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      ],
      refusals: [{ defect: 19, reason: 'sum' }],
    });
    expect(JSON.parse(await readFile(join(dir, 'simulated', 'expected.json'), 'utf8')).breaks).toEqual(written.breaks);
    const source = (name: string, settings: string): Promise<Run> =>
      recon(ani.key, 'source', name, '--mode', 'test', '--settings', join(dir, 'simulated', settings), '--reason', 'why');
    expect(await source('simulator', 'processor.json')).toMatchObject({ code: 0 });
    const remittance = written.files.find((name: string) => name.endsWith('.csv'));
    expect(await recon(siti.key, 'import', join(dir, 'simulated', remittance), '--source', 'test-simulator')).toMatchObject({ code: 0 });
  });

  it(`an import of ${LINES} lines takes less than 256 MB of memory`, async () => {
    const settings = await file('sim.json', {
      kind: 'PROCESSOR',
      currencies: ['IDR'],
      format: 'csv',
      profile: PROFILE,
      processor: 'SIMULATOR',
      time_zone: 'Asia/Jakarta',
    });
    expect(await recon(ani.key, 'source', 'sim', '--mode', 'test', '--settings', settings, '--reason', 'why')).toMatchObject({ code: 0 });
    const path = join(dir, 'large.csv');
    const out = createWriteStream(path);
    out.write(`${HEADER}\n`);
    for (let n = 0; n < LINES; n += 1) {
      const row = `2026-01-31,B${Math.floor(n / 1_000)},Payment,R${n},100,1,0,99,IDR,Siti Rahma\n`;
      if (!out.write(row)) await once(out, 'drain');
    }
    out.end(`TOTAL,,,,${LINES * 100},${LINES},0,${LINES * 99},,\n`);
    await once(out, 'close');
    const child = startCli(['recon', 'import', path, '--source', 'test-sim', '--json'], env(siti.key));
    let said = '';
    child.stdout.on('data', (bytes) => (said += String(bytes)));
    child.stderr.on('data', (bytes) => (said += String(bytes)));
    let peak = 0;
    const ended = once(child, 'close') as Promise<[number]>;
    let isRunning = true;
    void ended.then(() => (isRunning = false));
    while (isRunning) {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
      peak = Math.max(peak, Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0));
      await Promise.race([ended, delay(50)]);
    }
    expect({ code: (await ended)[0], said }).toEqual({ code: 0, said: expect.stringContaining('"replayed":false') });
    expect(peak).toBeGreaterThan(0);
    expect(peak).toBeLessThan(MEMORY_MAX_KIB);
  }, 240_000);
});
