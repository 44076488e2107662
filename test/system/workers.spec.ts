import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../support/eventually.js';
import type { TestDatabase } from '../support/postgres.js';
import { childrenOf, isAlive, servesRequests } from '../support/processes.js';
import { createServiceDatabase } from '../support/service-database.js';
import { startServiceProcess, type ServiceProcess } from '../support/service-process.js';
import { call, CHARGE_ORDER, type Answer } from '../support/service.js';

const CLIENTS = 16;

let dataDir: string;
let database: TestDatabase;
let running: ServiceProcess | undefined;

beforeAll(async () => {
  database = await createServiceDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'chargebook-workers-'));
});
afterAll(async () => {
  await running?.stop();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const start = (env: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> =>
  startServiceProcess({ DATA_DIR: dataDir, DATABASE_URL: database.url, ...env }, ['--workers', '2']);

let key: string;

/** The tests run in this order: each stops or replaces the service that the previous one left running. */
describe('npm start -- --workers N', () => {
  beforeAll(async () => {
    running = await start();
    key = /sk_test_[0-9A-Za-z]{36}/.exec(running.lines.join('\n'))![0];
  });

  it('one scrape returns the metrics of all workers, also after one was replaced', async () => {
    const service = running!;
    const workers = async (metric = 'nodejs_heap_size_used_bytes'): Promise<string[]> => {
      const answer = await get(service, '/metrics');
      if (answer?.status !== 200) return [];
      return [...answer.text.matchAll(new RegExp(`^${metric}\\{worker="(\\d+)"\\} \\d+`, 'gm'))].map(([, worker]) => worker!).sort();
    };
    // A scrape fails that a busy worker does not answer in time. By their start a dashboard sees restarts.
    for (const metric of ['nodejs_heap_size_used_bytes', 'process_start_time_seconds'])
      await eventually(async () => (await workers(metric)).join() === '1,2');
    process.kill(workersOf(service.pid)[0]!, 'SIGKILL');
    await eventually(async () => ['1,3', '2,3'].includes((await workers()).join()));
  });

  it('the service continues when a worker is killed under load, loses no acknowledged request, and finishes running requests when it stops', async () => {
    const service = running!;
    expect(service.lines.filter((line) => line.startsWith('listening on'))).toHaveLength(1);
    const workers = workersOf(service.pid);
    expect(workers).toHaveLength(2);
    const create = (idempotencyKey: string): Promise<Answer | null> => createCharge(service, key, idempotencyKey);

    const acknowledged = new Map<string, string>();
    let killed = false;
    let afterwards = 0;
    await Promise.all(
      Array.from({ length: CLIENTS }, async (_, client) => {
        for (let i = 0; afterwards < 100; i += 1) {
          const idempotencyKey = `worker-${client}-${i}`;
          // Cut off, or refused: sent again until it is answered.
          for (let answer: Answer | null = null; answer?.status !== 200;) {
            answer = await create(idempotencyKey);
            if (answer?.status === 200) acknowledged.set(idempotencyKey, answer.text);
          }
          if (acknowledged.size >= 100 && !killed) {
            killed = true;
            process.kill(workers[0]!, 'SIGKILL');
          }
          if (killed) afterwards += 1;
        }
      }),
    );

    await eventually(() => workersOf(service.pid).filter((pid) => !workers.includes(pid)).length === 1);
    const count = async (): Promise<number> =>
      ((await get(service, '/v1/charges?PageSize=1', key))?.body.total_item_count as number | undefined) ?? -1;
    await eventually(async () => (await count()) >= acknowledged.size);
    await eventually(async () => (await count()) === acknowledged.size);
    for (const [idempotencyKey, text] of [...acknowledged].slice(-20)) {
      let answer: Answer | null = null;
      await eventually(async () => (answer = await create(idempotencyKey))?.status === 200);
      expect(answer!.text).toBe(text);
    }
    // Requests that run at the stop are finished.
    const underWay = Array.from({ length: CLIENTS }, (_, i) => create(`stop-${i}`));
    await Promise.race(underWay);
    expect(await service.stop('SIGTERM')).toBe(0);
    expect((await Promise.all(underWay)).map((answer) => answer?.status)).toEqual(underWay.map(() => 200));
    expect(workersOf(service.pid)).toEqual([]);
  });

  it('replaces a hanging worker or projector within 10 s while the others serve; a stop does not wait for a hanging one', async () => {
    const service = (running = await start());
    const [hanging, other] = workersOf(service.pid) as [number, number];
    const [projector] = childrenOf(service.pid).filter((pid) => pid !== hanging && pid !== other);
    for (const pid of [hanging, projector!]) process.kill(pid, 'SIGSTOP');
    let served = 0;
    await eventually(async () => {
      // A connection that was handed to the one that hangs ends with it; every other one is answered.
      const health = await fetch(new URL('/health/live', service.url), { headers: { connection: 'close' }, signal: AbortSignal.timeout(500) }).catch(
        () => null,
      );
      if (health?.ok) served += 1;
      return !isAlive(hanging) && !isAlive(projector!);
    });
    expect(served).toBeGreaterThan(10);
    expect(isAlive(other)).toBe(true);
    await eventually(() => childrenOf(service.pid).length === 3 && workersOf(service.pid).length === 2);
    // A projector runs again: a response without a lag.
    await eventually(async () => {
      const created = await createCharge(service, key, randomUUID());
      const list = await get(service, '/v1/charges', key);
      return created?.status === 200 && list?.status === 200 && !list.headers.has('ledger-lag');
    });

    process.kill(workersOf(service.pid)[0]!, 'SIGSTOP');
    expect(await service.stop('SIGTERM')).toBe(0);
    expect(childrenOf(service.pid)).toEqual([]);
  });

  it('reports a taken port in one line, once', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const failure = await start({ PORT: String(port) }).catch((error: Error) => error.message);
    other.close();
    expect(failure).toBe(`the service ended with 1: HOST, PORT: cannot listen on 127.0.0.1:${port} (EADDRINUSE)`);
  });
});

/** Null when the connection was cut off: it may have been one of the worker that was killed. */
function get({ url }: ServiceProcess, path: string, key?: string): Promise<Answer | null> {
  return call('GET', new URL(path, url), key === undefined ? {} : { key }).catch(() => null);
}

/** Null when the connection was cut off. */
function createCharge({ url }: ServiceProcess, key: string, idempotencyKey: string): Promise<Answer | null> {
  return call('POST', new URL('/v1/charges', url), {
    key,
    body: { ...CHARGE_ORDER, reference_id: idempotencyKey },
    headers: { 'idempotency-key': idempotencyKey },
  }).catch(() => null);
}

/** Processes that serve requests for `pid`: the other child projects. */
const workersOf = (pid: number): number[] => childrenOf(pid).filter(servesRequests);
