import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../support/eventually.js';
import { sized } from '../support/nightly.js';
import { childrenOf, isAlive, procOf } from '../support/processes.js';
import { runCli } from '../support/run-cli.js';
import { startServiceProcess, type ServiceProcess } from '../support/service-process.js';
import { call, callPatiently, callUntilShown, CHARGE_ORDER, type Answer, type CallOptions } from '../support/service.js';

const CLIENTS = sized(32, 64);
/** A crash follows so many acknowledged creates. */
const ACKNOWLEDGED = 5 * CLIENTS;

let dataDir: string;
let running: ServiceProcess | undefined;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'chargebook-crash-'));
});
afterAll(async () => {
  await running?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const start = async (): Promise<ServiceProcess> => (running = await startServiceProcess({ DATA_DIR: dataDir }));
/** The service that the previous test left running, or else a new one. */
const service = async (): Promise<ServiceProcess> => (running && isAlive(running.pid) ? running : start());
/** Returns the key of a merchant for this test only. */
async function newKey(url: string): Promise<string> {
  const { code, stdout } = await runCli(['merchant', 'create', '--name', 'Kopi Kita', '--json'], { DATA_DIR: dataDir });
  expect(code).toBe(0);
  const key = (JSON.parse(stdout) as { api_key: string }).api_key;
  await eventually(async () => (await call('GET', `${url}/v1/balances`, { key })).status !== 401);
  return key;
}

const order = (key: string, idempotencyKey: string): CallOptions => ({
  key,
  body: { ...CHARGE_ORDER, reference_id: idempotencyKey },
  headers: { 'idempotency-key': idempotencyKey },
});
const create = (url: string, key: string, idempotencyKey: string): Promise<Answer> => call('POST', `${url}/v1/charges`, order(key, idempotencyKey));
/** Hundreds at once take a busy machine longer than one request may take. */
const createAgain = (url: string, key: string, idempotencyKey: string): Promise<Answer> =>
  callPatiently('POST', `${url}/v1/charges`, order(key, idempotencyKey));

/** SIGKILL to Postgres itself, without an orderly stop. */
const killPostgres = (): void => {
  process.kill(Number(readFileSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');
};

describe('kill -9 in the middle of parallel creates', () => {
  it.each([
    ['of the service', (service: ServiceProcess) => service.kill()],
    [
      'of the service and Postgres',
      async (service: ServiceProcess) => {
        killPostgres();
        await service.kill();
      },
    ],
  ])('kill -9 %s: an acknowledged create exists once, and a repeat of an unacknowledged one gives one charge', async (_, crash) => {
    const first = await service();
    const key = await newKey(first.url);
    const acknowledged = new Map<string, string>();
    const unacknowledged = new Set<string>();
    let crashed: Promise<unknown> | undefined;
    await Promise.all(
      Array.from({ length: CLIENTS }, async (_client, client) => {
        // Until the crash has taken a request of each client: one batch may answer all that were under way when it began.
        for (let i = 0; ; i += 1) {
          const idempotencyKey = `crash-${client}-${i}`;
          const answer = await create(first.url, key, idempotencyKey).catch(() => undefined);
          if (answer?.status === 200) acknowledged.set(idempotencyKey, answer.text);
          else unacknowledged.add(idempotencyKey);
          if (answer?.status !== 200 && crashed !== undefined) return;
          if (acknowledged.size >= ACKNOWLEDGED) crashed ??= crash(first);
        }
      }),
    );
    await crashed;
    expect(unacknowledged.size).toBeGreaterThanOrEqual(CLIENTS);

    const second = await start();
    const repeat = async ([idempotencyKey, text]: [string, string]): Promise<void> => {
      const again = await createAgain(second.url, key, idempotencyKey);
      expect([again.status, again.headers.get('idempotent-replayed'), again.text]).toEqual([200, 'true', text]);
    };
    await Promise.all([...acknowledged].map(repeat));
    await Promise.all(
      [...unacknowledged].flatMap((idempotencyKey) => [createAgain(second.url, key, idempotencyKey), createAgain(second.url, key, idempotencyKey)]),
    );
    // An answer with Ledger-Lag promised nothing about reads: the background process of a restart may still be starting.
    const total = acknowledged.size + unacknowledged.size;
    const countCharges = async (): Promise<number> => (await call('GET', `${second.url}/v1/charges`, { key })).body.total_item_count;
    await eventually(async () => (await countCharges()) === total);
    const references = new Set<string>();
    for (let page = 1; (page - 1) * 100 < total; page += 1) {
      const { body } = await callUntilShown('GET', new URL(`/v1/charges?PageSize=100&PageNumber=${page}`, second.url), { key });
      for (const item of body.items as { reference_id: string }[]) references.add(item.reference_id);
    }
    expect(references).toEqual(new Set([...acknowledged.keys(), ...unacknowledged]));
  });
});

describe('kill -9 of the service during refunds of one charge', () => {
  it('refunds exactly the paid amount despite kill -9: acknowledged refunds once, the others when they are repeated', async () => {
    const first = await service();
    const key = await newKey(first.url);
    const charge = (await create(first.url, key, 'refunded')).body as { id: string; amount: number; action: { simulation_url: string } };
    const { pathname } = new URL(charge.action.simulation_url);
    const play = (outcome: string): Promise<Answer> => call('POST', `${first.url}${pathname}`, { body: { outcome } });
    for (const outcome of ['succeed', 'settle']) expect((await play(outcome)).status).toBe(200);
    const refund = (url: string, idempotencyKey: string, amount?: number): Promise<Answer> => {
      const options = { key, body: { amount }, headers: { 'idempotency-key': idempotencyKey } };
      return callPatiently('POST', `${url}/v1/charges/${charge.id}/refunds`, options);
    };
    const acknowledged = new Map<string, string>();
    const refused = new Set<string>();
    let crashed: Promise<void> | undefined;
    const keys = Array.from({ length: CLIENTS }, (_, client) => `refund-${client}`);
    await Promise.all(
      keys.map(async (idempotencyKey) => {
        const answer = await refund(first.url, idempotencyKey, 130).catch(() => undefined);
        if (answer?.status === 201) acknowledged.set(idempotencyKey, answer.text);
        if (answer?.status === 422) refused.add(idempotencyKey);
        crashed ??= first.kill();
      }),
    );
    await crashed;
    // A busy machine may have answered all of them before it killed.
    expect(refused.size).toBe(0);

    const second = await start();
    const answers = await Promise.all(keys.map((idempotencyKey) => refund(second.url, idempotencyKey, 130)));
    expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 201));
    for (const [i, idempotencyKey] of keys.entries()) expect(answers[i]!.text).toBe(acknowledged.get(idempotencyKey) ?? answers[i]!.text);
    answers.push(await refund(second.url, 'rest'));
    const sum = (what: 'amount' | 'fee_amount'): number => answers.reduce((total, { body }) => total + (body[what] as number), 0);
    expect([sum('amount'), sum('fee_amount')]).toEqual([charge.amount, 70]);
    const read = async (path: string): Promise<any> => (await call('GET', `${second.url}${path}`, { key })).body;
    await eventually(async () => (await read(`/v1/charges/${charge.id}`)).refunded_amount === charge.amount);
    expect(await read('/v1/balances/IDR')).toMatchObject({ pending_amount: 0, available_amount: 0, reserved_amount: 0, fee_amount: 0 });
    expect(await second.stop('SIGTERM')).toBe(0);
  });
});

describe('kill -9 of the service while its background process is still starting', () => {
  it('kill -9 of a starting service leaves no child process behind', async () => {
    const starting = await start();
    const children = ownChildrenOf(starting.pid);
    expect(children.length).toBeGreaterThan(0);
    await starting.kill();
    await eventually(() => children.every((pid) => !isAlive(pid)));
  });
});

describe('reads during sixteen creates, while the projector and then Postgres are killed', () => {
  it('a read contains every earlier acknowledged create or reports its lag', async () => {
    const { url, pid } = await service();
    const key = await newKey(url);
    const answered: string[] = [];
    const reads = { seen: 0, marked: 0, missed: 0 };
    let ended = false;
    // More would keep the processes that are to come back from doing so.
    const creating = Array.from({ length: 16 }, async (_, client) => {
      for (let i = 0; !ended; i += 1) {
        const answer = await create(url, key, `read-${client}-${i}`).catch(() => undefined);
        if (answer?.status === 200) answered.push((answer.body as { id: string }).id);
      }
    });
    await eventually(() => answered.length >= 64);
    const reading = Array.from({ length: 8 }, async (_, reader) => {
      while (!ended) {
        const read = await call('GET', `${url}/v1/charges/${answered.at(-1 - reader)}`, { key }).catch(() => undefined);
        if (read?.headers.has('ledger-lag')) reads.marked += 1;
        else if (read?.status === 200) reads.seen += 1;
        else if (read?.status === 404) reads.missed += 1;
      }
    });
    const sees = async (more: number): Promise<void> => {
      const before = reads.seen;
      await eventually(() => reads.seen >= before + more);
    };
    try {
      await sees(100);
      for (const projector of ownChildrenOf(pid)) process.kill(projector, 'SIGKILL');
      await sees(100);
      killPostgres();
      await sees(100);
    } finally {
      ended = true;
      await Promise.all([...creating, ...reading]);
    }
    expect(reads.missed).toBe(0);
    const { body } = await callUntilShown('GET', new URL('/v1/charges', url), { key });
    expect((body as { total_item_count: number }).total_item_count).toBeGreaterThanOrEqual(answered.length);
  });
});

describe('a stop', () => {
  it('a stop lets running requests finish and exits with 0', async () => {
    const stopping = await service();
    const { url } = stopping;
    const key = await newKey(url);
    // On connections that stand: one that a busy machine has not accepted yet is refused when the service stops listening.
    await eventually(async () => {
      const answers = await Promise.all(Array.from({ length: CLIENTS }, (_, i) => create(url, key, `warm-${i}`)));
      return answers.every(({ status }) => status === 200);
    });
    const underWay = Array.from({ length: CLIENTS }, (_, i) =>
      create(url, key, `stop-${i}`).then(
        ({ status }) => status,
        () => 'refused',
      ),
    );
    await Promise.race(underWay);
    const code = await stopping.stop('SIGTERM');
    // Nothing that was accepted is cut off.
    expect(new Set(await Promise.all(underWay))).toEqual(new Set([200]));
    expect(code).toBe(0);
  });
});

/** Processes that `pid` started and that run our code. */
const ownChildrenOf = (pid: number): number[] => childrenOf(pid).filter((child) => procOf(child, 'cmdline').includes('main'));
