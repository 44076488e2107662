import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../support/eventually.js';
import { childrenOf, isAlive, procOf } from '../support/processes.js';
import { startServiceProcess, type ServiceProcess } from '../support/service-process.js';
import { call, callPatiently, CHARGE_ORDER, type Answer } from '../support/service.js';

const CLIENTS = 64;

let dataDir: string;
let running: ServiceProcess | undefined;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'chargebook-crash-'));
});
afterEach(async () => {
  await running?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const start = async (): Promise<ServiceProcess> => (running = await startServiceProcess({ DATA_DIR: dataDir }));
const create = (url: string, key: string, idempotencyKey: string): Promise<Answer> =>
  call('POST', `${url}/v1/charges`, { key, body: { ...CHARGE_ORDER, reference_id: idempotencyKey }, headers: { 'idempotency-key': idempotencyKey } });

/** SIGKILL to Postgres itself: nobody gets to say goodbye. */
const killPostgres = (): void => {
  process.kill(Number(readFileSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');
};

describe('kill -9 in the middle of 64 parallel creates', () => {
  it.each([
    ['of the service', (service: ServiceProcess) => service.kill()],
    [
      'of the service and Postgres',
      async (service: ServiceProcess) => {
        killPostgres();
        await service.kill();
      },
    ],
  ])(
    '%s: what was acknowledged is there once, what was not gives one charge when it is sent again',
    async (_, crash) => {
      const first = await start();
      const key = /sk_test_[0-9A-Za-z]{36}/.exec(first.lines.join('\n'))![0];
      const acknowledged = new Map<string, string>();
      const unacknowledged = new Set<string>();
      let crashed: Promise<unknown> | undefined;
      await Promise.all(
        Array.from({ length: CLIENTS }, async (_client, client) => {
          for (let i = 0; crashed === undefined || i < 1; i += 1) {
            const idempotencyKey = `crash-${client}-${i}`;
            try {
              const answer = await create(first.url, key, idempotencyKey);
              if (answer.status === 200) acknowledged.set(idempotencyKey, answer.text);
              else unacknowledged.add(idempotencyKey);
            } catch {
              unacknowledged.add(idempotencyKey);
            }
            if (acknowledged.size >= 300) crashed ??= crash(first);
          }
        }),
      );
      await crashed;
      expect(unacknowledged.size).toBeGreaterThan(0);

      const second = await start();
      const repeat = async ([idempotencyKey, text]: [string, string]): Promise<void> => {
        const again = await create(second.url, key, idempotencyKey);
        expect([again.status, again.headers.get('idempotent-replayed'), again.text]).toEqual([200, 'true', text]);
      };
      await Promise.all([...acknowledged].map(repeat));
      await Promise.all(
        [...unacknowledged].flatMap((idempotencyKey) => [create(second.url, key, idempotencyKey), create(second.url, key, idempotencyKey)]),
      );
      // An answer with Ledger-Lag promised nothing about reads: the background process of a restart may still be starting.
      const total = acknowledged.size + unacknowledged.size;
      const countCharges = async (): Promise<number> => (await call('GET', `${second.url}/v1/charges`, { key })).body.total_item_count;
      await eventually(async () => (await countCharges()) >= total);
      expect(await countCharges()).toBe(total);
      const references = new Set<string>();
      for (let page = 1; (page - 1) * 100 < total; page += 1) {
        const { body } = await call('GET', `${second.url}/v1/charges?PageSize=100&PageNumber=${page}`, { key });
        for (const item of body.items as { reference_id: string }[]) references.add(item.reference_id);
      }
      expect(references).toEqual(new Set([...acknowledged.keys(), ...unacknowledged]));
      expect(await second.stop('SIGTERM')).toBe(0);
    },
    120_000,
  );
});

describe('kill -9 of the service in the middle of refunds of one charge', () => {
  it('gives back exactly what was paid: what was acknowledged once, what was not when it is asked for again', async () => {
    const first = await start();
    const key = /sk_test_[0-9A-Za-z]{36}/.exec(first.lines.join('\n'))![0];
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
    expect(acknowledged.size).toBeLessThan(CLIENTS);
    expect(refused.size).toBe(0);

    const second = await start();
    const answers = await Promise.all(keys.map((idempotencyKey) => refund(second.url, idempotencyKey, 130)));
    expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 201));
    for (const [i, idempotencyKey] of keys.entries()) expect(answers[i]!.text).toBe(acknowledged.get(idempotencyKey) ?? answers[i]!.text);
    answers.push(await refund(second.url, 'rest'));
    const sum = (what: 'amount' | 'fee_amount'): number => answers.reduce((total, { body }) => total + (body[what] as number), 0);
    expect([sum('amount'), sum('fee_amount')]).toEqual([charge.amount, 70]);
    const read = async (path: string): Promise<any> => (await call('GET', `${second.url}${path}`, { key })).body;
    await eventually(async () => (await read(`/v1/charges/${charge.id}`)).refunded_amount === charge.amount, 30_000);
    expect(await read('/v1/balances/IDR')).toMatchObject({ pending_amount: 0, available_amount: 0, reserved_amount: 0, fee_amount: 0 });
    expect(await second.stop('SIGTERM')).toBe(0);
  }, 120_000);
});

describe('kill -9 of the service while its background process is still starting', () => {
  it('leaves nobody behind', async () => {
    const service = await start();
    const children = ownChildrenOf(service.pid);
    expect(children.length).toBeGreaterThan(0);
    await service.kill();
    await eventually(() => children.every((pid) => !isAlive(pid)));
  }, 60_000);
});

describe('reads while 64 create, and the projector and then Postgres are killed', () => {
  it('miss nothing that was answered before they came, or say that they may', async () => {
    const service = await start();
    const key = /sk_test_[0-9A-Za-z]{36}/.exec(service.lines.join('\n'))![0];
    const answered: string[] = [];
    const reads = { seen: 0, marked: 0, missed: 0 };
    let ended = false;
    const creating = Array.from({ length: CLIENTS }, async (_, client) => {
      for (let i = 0; !ended; i += 1) {
        const answer = await create(service.url, key, `read-${client}-${i}`).catch(() => undefined);
        if (answer?.status === 200) answered.push((answer.body as { id: string }).id);
      }
    });
    await eventually(() => answered.length >= CLIENTS);
    const reading = Array.from({ length: 8 }, async (_, reader) => {
      while (!ended) {
        const read = await call('GET', `${service.url}/v1/charges/${answered.at(-1 - reader)}`, { key }).catch(() => undefined);
        if (read?.headers.has('ledger-lag')) reads.marked += 1;
        else if (read?.status === 200) reads.seen += 1;
        else if (read?.status === 404) reads.missed += 1;
      }
    });
    const sees = async (more: number): Promise<void> => {
      const before = reads.seen;
      await eventually(() => reads.seen >= before + more, 30_000);
    };
    try {
      await sees(100);
      for (const projector of ownChildrenOf(service.pid)) process.kill(projector, 'SIGKILL');
      await sees(100);
      killPostgres();
      await sees(100);
    } finally {
      ended = true;
      await Promise.all([...creating, ...reading]);
    }
    expect(reads.missed).toBe(0);
    const { body } = await call('GET', `${service.url}/v1/charges`, { key });
    expect((body as { total_item_count: number }).total_item_count).toBeGreaterThanOrEqual(answered.length);
    expect(await service.stop()).toBe(0);
  }, 120_000);
});

describe('a stop', () => {
  it('lets requests that are under way finish, and ends with 0', async () => {
    const service = await start();
    const key = /sk_test_[0-9A-Za-z]{36}/.exec(service.lines.join('\n'))![0];
    // On connections that stand: one that a busy machine has not accepted yet is refused when the service stops listening.
    await eventually(async () => {
      const answers = await Promise.all(Array.from({ length: CLIENTS }, (_, i) => create(service.url, key, `warm-${i}`)));
      return answers.every(({ status }) => status === 200);
    });
    const underWay = Array.from({ length: CLIENTS }, (_, i) =>
      create(service.url, key, `stop-${i}`).then(
        ({ status }) => status,
        () => 'refused',
      ),
    );
    await Promise.race(underWay);
    const code = await service.stop('SIGTERM');
    // Nothing that was accepted is cut off.
    expect(new Set(await Promise.all(underWay))).toEqual(new Set([200]));
    expect(code).toBe(0);
  }, 60_000);
});

/** Processes that `pid` started and that run our code. */
const ownChildrenOf = (pid: number): number[] => childrenOf(pid).filter((child) => procOf(child, 'cmdline').includes('main'));
