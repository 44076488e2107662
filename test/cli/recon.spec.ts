import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newOperator } from '../support/finance.js';
import { bankDay, bankFile } from '../support/recon.js';
import { runCli, startCli, type Run } from '../support/run-cli.js';
import { startTestService, type TestService } from '../support/service.js';
import { ACCOUNT, HEADER, PROFILE } from '../support/statement-files.js';

const ENCRYPTION_KEY = Buffer.alloc(32, 9).toString('base64');
/** Held as objects they would take more than what the bound leaves: a file of 25,000 lines peaks at 190 MB, as does one of 100,000. */
const LINES = 40_000;
/** Of resident memory, at any moment. */
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
  }, 60_000);
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

  it('come from sources that controllers set, once, and are refused with one line', async () => {
    const settings = await file('bca.json', { kind: 'BANK', currencies: ['IDR'], account: ACCOUNT, format: 'camt053', time_zone: 'Asia/Jakarta' });
    const source = ['source', 'bca', '--mode', 'test', '--settings', settings, '--reason', 'why'];
    expect(await recon(undefined, ...source)).toMatchObject({ code: 1, stderr: expect.stringContaining('CHARGEBOOK_OPERATOR_KEY') });
    expect(await recon(siti.key, ...source)).toMatchObject({ code: 1, stderr: 'error: This takes the role controller.\n' });
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
  }, 60_000);

  it(`take ${LINES} lines with less than 256 MB of memory`, async () => {
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
