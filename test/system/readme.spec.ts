import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { built } from '../support/built.js';
import { eventually } from '../support/eventually.js';
import type { TestDatabase } from '../support/postgres.js';
import { createServiceDatabase } from '../support/service-database.js';
import { startServiceProcess, type ServiceProcess } from '../support/service-process.js';

/**
 * The pages are followed as a person follows them: every block that is marked `sh`, from the first to the last, in one shell of one
 * folder, with the keys that the first start printed in the place of `sk_test_…` and `fk_…`.
 */
describe('the pages that are read first', () => {
  let folder: string;
  let database: TestDatabase;
  let service: ServiceProcess;
  let keys: { readonly merchant: string; readonly finance: string };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chargebook-readme-'));
    database = await createServiceDatabase();
    service = await startServiceProcess({ DATA_DIR: join(folder, 'data'), DATABASE_URL: database.url });
    const printed = service.lines.join('\n');
    keys = { merchant: /sk_test_\w{36}/.exec(printed)![0], finance: /fk_\w{36}/.exec(printed)![0] };
  });
  afterAll(async () => {
    await service.stop();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Returns the output of the blocks of `page`, each after a line that identifies it. Ends at the first command that fails. */
  async function follow(page: string, { without }: { without?: string } = {}): Promise<string> {
    const text = await readFile(new URL(`../../${page}`, import.meta.url), 'utf8');
    const blocks = text
      .split('```sh\n')
      .slice(1)
      .map((block) => block.split('\n```')[0]!);
    const script = blocks.map((block, index) => `echo; echo "=== ${index + 1}"\n${block}`).join('\n');
    const own = script
      .split('\n')
      .filter((line) => without === undefined || !line.startsWith(without))
      .join('\n')
      .replaceAll('http://127.0.0.1:3000', service.url)
      .replaceAll('npm run -s cli --', `'${process.execPath}' '${built('src/cli/main.js')}'`)
      .replaceAll('sk_test_…', keys.merchant)
      .replaceAll('fk_…', keys.finance);
    const cwd = join(folder, `${page.replace('/', '-')}${without === undefined ? '' : '-otherwise'}`);
    await mkdir(cwd);
    const env = { ...process.env, DATA_DIR: join(folder, 'data'), DATABASE_URL: database.url, PORT: new URL(service.url).port };
    const deps = spawn('bash', ['--norc', '-e', '-u', '-o', 'pipefail', '-c', own], { cwd, env });
    let output = '';
    for (const stream of [deps.stdout, deps.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    const [code] = (await once(deps, 'close')) as [number];
    if (code !== 0) throw new Error(`${page} ends with ${code}:\n${output}`);
    return output;
  }

  it('each command of README has its documented result', async () => {
    const output = await follow('README.md');
    expect(output).toContain('{"status":"SUCCEEDED","settlement_status":"PENDING"}');
    expect(output).toMatch(/"total_amount":9930,"available_amount":0,"pending_amount":9930,"reserved_amount":0,"fee_amount":70/);
    expect(output).toMatch(/charge\.succeeded {2}#\d+/);
    expect(output).toContain('0 differences');
    expect(output).not.toContain('/problems/');
  }, 180_000);

  it('each command of docs/tutorial.md has its documented result', async () => {
    const output = await follow('docs/tutorial.md');
    expect(output).toContain('{"status":"SUCCEEDED","settlement_status":"PENDING"}');
    expect(output).toContain('"payout_status":"PENDING"');
    expect(output).toMatch(/"dispute_status":"LOST".*"lost_reason":"DECIDED".*"dispute_status":"WON".*"is_final":true.*"name":"parcel.txt"/);
    expect(output).toMatch(/charge\.succeeded {2}#\d+/);
    expect(output).toContain('0 differences');
    expect(output).not.toContain('/problems/');
    expect(await readFile(join(folder, 'docs-tutorial.md/journal.csv'), 'utf8')).toMatch(/^position,event_id,/);
    // No later block takes the refund's charge away.
    const refunds = async () => {
      const answer = await fetch(`${service.url}/v1/refunds`, { headers: { authorization: `Bearer ${keys.merchant}` } });
      return ((await answer.json()) as { refund_status: string }[]).map(({ refund_status }) => refund_status);
    };
    await eventually(async () => !(await refunds()).some((status) => ['PENDING', 'PROCESSING'].includes(status)));
    expect(await refunds()).toEqual(['SUCCEEDED']);
  }, 180_000);

  it('each command of docs/finance.md has its documented result', async () => {
    const output = await follow('docs/finance.md');
    expect(output).toContain('"difference":0');
    expect(output).not.toContain('/problems/');
    const files = await readdir(join(folder, 'docs-finance.md'));
    expect(files.sort()).toEqual([
      'at-banks.csv',
      'available.csv',
      'disputes.csv',
      'journal.csv',
      'priced.csv',
      'scenario.json',
      'settled.ndjson',
      'settlements.csv',
      'statement.csv',
      'statement.html',
    ]);
  });

  const hasJq = spawnSync('sh', ['-c', 'command -v jq']).status === 0;
  (hasJq ? it : it.skip)(`fields are found by jq as well as by sed${hasJq ? '' : ' (skipped: jq is not installed)'}`, async () => {
    const output = await follow('docs/finance.md', { without: 'field() { sed' });
    expect(output).toContain('"difference":0');
    expect(output).not.toContain('/problems/');
  });

  it('README is short', async () => {
    const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
    expect(readme.split('\n').length).toBeLessThan(136);
  });
});
