import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { runCli, startCli } from '../support/run-cli.js';

let folder: string;
const children: ChildProcessWithoutNullStreams[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'simulate-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rm(folder, { recursive: true });
});

interface Simulated {
  readonly url: string;
  readonly set: string;
  end(): Promise<number | null>;
}

async function simulated(...args: string[]): Promise<Simulated> {
  const child = startCli(['--json', 'rails', 'simulate', '--port', '0', ...args], {}, folder);
  children.push(child);
  let stdout = '';
  child.stdout.on('data', (chunk) => (stdout += String(chunk)));
  await eventually(() => stdout.endsWith('\n'));
  return {
    ...(JSON.parse(stdout) as { url: string; set: string }),
    end: async () => {
      child.kill('SIGINT');
      const [code] = (await once(child, 'exit')) as [number | null];
      return code;
    },
  };
}

const credentials = async (): Promise<any> => JSON.parse(await readFile(join(folder, 'rail-credentials.json'), 'utf8'));

describe('rails simulate', () => {
  it('serves Xendit, with credentials for "rail set" that it creates once', async () => {
    const first = await simulated();
    expect(first.set).toBe(`rail set <name> --kind xendit --mode sandbox --base ${first.url} --allow-private --credentials rail-credentials.json`);
    expect((await stat(join(folder, 'rail-credentials.json'))).mode & 0o777).toBe(0o600);
    const made = await credentials();
    expect(made).toEqual({ secret_key: expect.stringMatching(/^xnd_development_/), callback_token: expect.any(String) });
    expect([0, 130]).toContain(await first.end());
    const second = await simulated('--fault', '5xx-after:1', '--fault', 'slow:0', '--fault', 'garbage');
    expect(await credentials()).toEqual(made);
    const faults = await fetch(`${second.url}/control/faults`, { method: 'POST' });
    expect(await faults.json()).toEqual({ '5xx-after': 1, slow: 0, garbage: 0.1 });
    await fetch(`${second.url}/control/faults`, { method: 'POST', body: '{"garbage":0}' });
    const authorization = `Basic ${Buffer.from(`${made.secret_key}:`).toString('base64')}`;
    expect((await fetch(`${second.url}/balance`, { headers: { authorization } })).status).toBe(200);
    expect((await fetch(`${second.url}/balance`)).status).toBe(401);
  });

  it('serves a bank of SNAP, and keeps its key', async () => {
    const first = await simulated('--profile', 'bca');
    expect(first.set).toContain('--kind snap --profile bca --mode sandbox');
    const made = await credentials();
    await first.end();
    await (await simulated('--profile', 'bca')).end();
    expect(await credentials()).toEqual(made);
    await rm(join(folder, 'rail-credentials.json.bank-key.pem'));
    const { code, stderr } = await runCli(['rails', 'simulate', '--port', '0', '--profile', 'bca'], {}, folder);
    expect([code, stderr]).toEqual([1, expect.stringContaining('bank-key.pem is missing')]);
  });

  it.each([
    ['--fault', 'sleepy'],
    ['--fault', 'slow:2'],
    ['--profile', 'none'],
    ['--seed', '0'],
  ])('rejects %s %s', async (...args) => {
    expect((await runCli(['rails', 'simulate', ...args], {}, folder)).code).toBe(2);
  });
});
