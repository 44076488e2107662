import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../support/eventually.js';
import type { TestDatabase } from '../support/postgres.js';
import { childrenOf } from '../support/processes.js';
import { createServiceDatabase } from '../support/service-database.js';
import { startServiceProcess, type ServiceProcess } from '../support/service-process.js';
import { call, CHARGE_ORDER, newIdempotencyKey } from '../support/service.js';

interface Line {
  readonly pid: number;
  readonly role?: string;
  readonly worker?: number;
  readonly msg: string;
}

describe.each([
  ['npm start', []],
  ['npm start -- --workers 2', ['--workers', '2']],
])('output of %s', (_, args) => {
  let dataDir: string;
  let database: TestDatabase;
  let service: ServiceProcess;

  beforeAll(async () => {
    database = await createServiceDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'chargebook-logs-'));
    service = await startServiceProcess({ DATA_DIR: dataDir, DATABASE_URL: database.url, LOG_LEVEL: 'debug' }, args);
  });
  afterAll(async () => {
    await service.stop();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const logged = (): Line[] => service.lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as Line);

  it('the output has the lines of every process with its role, and lines for people', async () => {
    await eventually(() => logged().some(({ role, msg }) => role === 'projector' && /^projection \w+ continues in schema/.test(msg)));
    expect(logged().filter(({ role }) => role === undefined)).toEqual([]);
    const projecting = new Set(logged().flatMap(({ role, pid }) => (role === 'projector' ? [pid] : [])));
    expect(projecting.has(service.pid)).toBe(false);
    const serving = (): string[] => [...new Set(logged().flatMap(({ role, pid, worker }) => (role === 'api' ? [`${pid} ${worker}`] : [])))];
    await eventually(() => serving().length === (args.length === 0 ? 1 : 2));
    if (args.length === 0) expect(serving()).toEqual([`${service.pid} undefined`]);
    else expect(serving().map((which) => which.split(' ')[1])).toEqual(expect.arrayContaining(['1', '2']));
    expect(service.lines.filter((line) => /^listening on http:\S+$/.test(line))).toHaveLength(1);
    expect(service.lines.filter((line) => /CHARGEBOOK_KEY=sk_test_\w{36}$/.test(line))).toHaveLength(1);
  });

  // The last: nothing can be read afterwards.
  it('the service continues when its output is closed', async () => {
    const key = /sk_test_[0-9A-Za-z]{36}/.exec(service.lines.join('\n'))![0];
    await eventually(() => logged().some(({ role }) => role === 'projector'));
    const before = childrenOf(service.pid);
    const projector = logged().find(({ role }) => role === 'projector')!.pid;
    service.closeOutput();
    // The supervisor logs its end and the successor logs its start, to a closed output.
    process.kill(projector, 'SIGKILL');
    await eventually(async () => {
      const charge = await call('POST', `${service.url}/v1/charges`, { key, headers: newIdempotencyKey(), body: CHARGE_ORDER });
      const list = await call('GET', `${service.url}/v1/charges`, { key });
      return charge.status === 200 && list.status === 200 && !list.headers.has('ledger-lag');
    });
    const after = (): number[] => childrenOf(service.pid);
    await eventually(() => after().length === before.length && after().filter((pid) => before.includes(pid)).length === before.length - 1);
    expect(await service.stop('SIGTERM')).toBe(0);
  });
});
