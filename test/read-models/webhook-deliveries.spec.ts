import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { outbox } from '../../projections/webhooks/outbox.js';
import { KeyWrapping } from '../../src/ledger/crypto/key-wrapping.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import { WebhookDeliveries } from '../../src/domain/webhooks/webhook-deliveries.js';
import { EVENT_KINDS, messageId } from '../../src/ledger/published/outbox-messages.js';
import { timestamp } from '../../src/ledger/time.js';
import { deliveriesMigrations } from '../../src/domain/webhooks/deliveries.migrations.js';
import { deliverTest, findDeliveries, redeliver } from '../../src/domain/webhooks/delivery-log.js';
import { longestDelayMs } from '../../src/domain/webhooks/schedule.js';
import { DeliveryQueue } from '../../src/domain/webhooks/delivery-queue.js';
import { SignatureKeyEncryption } from '../../src/domain/webhooks/signature-key-encryption.js';
import { Sender } from '../../src/domain/webhooks/sender.js';
import { WorkerLease } from '../../src/domain/webhooks/worker-lease.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { project } from '../support/projected.js';

const SECRET = Buffer.alloc(32, 7);
const LEASE_MS = 25_000;

let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await createTestDatabase(deliveriesMigrations);
  pool = createPool({ url: database.url, applicationName: 'test' });
  await project(pool, outbox, [], 1);
  for (const schema of ['outbox', 'ledger', 'customers']) {
    await pool.query(
      `create schema if not exists ${schema}; create table ${schema}.checkpoint (ordinal bigint); insert into ${schema}.checkpoint values (1)`,
    );
  }
});
beforeEach(async () => {
  await pool.query('truncate outbox.endpoints, outbox.notices, web_hook_queues, web_hook_deliveries, web_hook_workers');
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** Endpoints that took something before, each with `pending` deliveries that are due. @returns their merchants */
async function provenEndpoints(count: number, url: string, pending: number): Promise<string[]> {
  const merchants = Array.from({ length: count }, () => randomUUID());
  const encryption = new SignatureKeyEncryption(SECRET);
  await pool.query(`insert into outbox.endpoints select m, $2, '[]', k, '[]', now(), true, 0, 1 from unnest($1::uuid[], $3::text[]) u (m, k)`, [
    merchants,
    url,
    merchants.map((merchant) => encryption.encrypt(merchant, Buffer.alloc(24, 1))),
  ]);
  const dueOn = timestamp(Date.now() - 1_000);
  await pool.query(
    `insert into web_hook_queues (merchant_id, fed, next_due_on, succeeded_on) select m, 0, case when $3 > 0 then $2::timestamptz end, $2 from unnest($1::uuid[]) m`,
    [merchants, dueOn, pending],
  );
  await pool.query(
    `insert into web_hook_deliveries (id, merchant_id, webhook_id, kind, status, due_on, created_on, updated_on)
     select gen_random_uuid(), m, gen_random_uuid(), 'test', 'PENDING', $2, $2, $2 from unnest($1::uuid[]) m, generate_series(1, $3)`,
    [merchants, dueOn, pending],
  );
  return merchants;
}

const proven = (worker: bigint, limit: number) => ({ worker, health: 'proven', limit, per_endpoint_max: 64, in_hand: new Map() }) as const;

describe('deliveries in the queue', () => {
  it('deliveries of an endpoint with a long backlog leave room for the others', async () => {
    const [busy] = await provenEndpoints(1, 'http://127.0.0.1:9/', 100);
    const others = await provenEndpoints(4, 'http://127.0.0.1:9/', 1);
    // They came last.
    await pool.query("update web_hook_queues set next_due_on = next_due_on + interval '500 ms' where merchant_id <> $1", [busy]);
    const claimed = await new DeliveryQueue(pool, Date.now).claim(proven(1n, 10), LEASE_MS);
    const merchants = claimed.map(({ merchant_id }) => merchant_id);
    expect(merchants).toEqual(expect.arrayContaining(others));
    expect(merchants.filter((merchant) => merchant === busy)).toHaveLength(2);
  });

  it('deliveries of a dead process are due at once; those of a running one stay claimed', async () => {
    await provenEndpoints(2, 'http://127.0.0.1:9/', 2);
    const queue = new DeliveryQueue(pool, Date.now);
    const [dying, living] = [new WorkerLease(database.url), new WorkerLease(database.url)];
    for (const life of [dying, living]) await queue.enrol(await life.id());
    const lost = await queue.claim(proven(await dying.id(), 2), LEASE_MS);
    const held = await queue.claim(proven(await living.id(), 2), LEASE_MS);
    expect([lost.length, held.length]).toEqual([2, 2]);
    expect(await queue.releaseOfTheDead(LEASE_MS)).toBe(0);
    await dying.end();
    expect(await queue.releaseOfTheDead(LEASE_MS)).toBe(2);
    const again = await queue.claim(proven(await living.id(), 10), LEASE_MS);
    expect(again.map(({ id }) => id).sort()).toEqual(lost.map(({ id }) => id).sort());
    expect(await queue.releaseOfTheDead(LEASE_MS)).toBe(0);
    await living.end();
  });
});

describe('deliveries and a clock that jumped forth and back', () => {
  it('deliveries planned in the future or held by a process that died there are due again', async () => {
    let now = Date.now() + 30 * 86_400_000;
    const queue = new DeliveryQueue(pool, () => now);
    const dying = new WorkerLease(database.url);
    await provenEndpoints(1, 'http://127.0.0.1:9/', 3);
    await queue.enrol(await dying.id());
    const taken = await queue.claim(proven(await dying.id(), 2), LEASE_MS);
    expect(taken).toHaveLength(2);
    const attempt = { attempted_on: timestamp(now), status: 'FAILED', response_code: 500, latency_ms: 1, error: null } as const;
    await queue.record([{ delivery: taken[0]!, status: 'PENDING', due_on: timestamp(now + 5_000), attempt }]);
    await dying.end();
    now -= 30 * 86_400_000;
    expect(await queue.releaseOfTheDead(LEASE_MS)).toBe(0);
    expect(await queue.recall(longestDelayMs([5]) + LEASE_MS)).toBe(2);
    expect(await queue.recall(longestDelayMs([5]) + LEASE_MS)).toBe(0);
    const again = [];
    for (const health of ['failing', 'proven'] as const) again.push(...(await queue.claim({ ...proven(1n, 100), health }, LEASE_MS)));
    expect(again.map(({ id }) => id)).toEqual(expect.arrayContaining(taken.map(({ id }) => id)));
  });
});

describe('the log of a delivery', () => {
  it('keeps the last 50 attempts of a delivery and counts all of them', async () => {
    const [merchant] = await provenEndpoints(1, 'http://127.0.0.1:9/', 1);
    const queue = new DeliveryQueue(pool, Date.now);
    for (let attempt = 1; attempt <= 60; attempt += 1) {
      const [delivery] = await queue.claim(proven(1n, 10), LEASE_MS);
      const attempted_on = timestamp(Date.now());
      const went = { attempted_on, status: 'SUCCEEDED', response_code: 200, latency_ms: attempt, error: null } as const;
      await queue.record([{ delivery: delivery!, status: 'SUCCEEDED', due_on: null, attempt: went }]);
      if (attempt < 60) await redeliver(pool, merchant!, delivery!.id, timestamp(Date.now() - 1_000));
      if (attempt === 3) {
        const { items } = await findDeliveries(pool, merchant!, { number: 1, size: 10 });
        expect([items[0]!.total_attempts, items[0]!.attempts.map(({ latency_ms }) => latency_ms)]).toEqual([3, [1, 2, 3]]);
      }
    }
    const { items } = await findDeliveries(pool, merchant!, { number: 1, size: 10 });
    expect(items[0]!.total_attempts).toBe(60);
    expect(items[0]!.attempts.map(({ latency_ms }) => latency_ms)).toEqual(Array.from({ length: 50 }, (_, index) => index + 11));
  });
});

describe('the worker', () => {
  let server: Server;
  let url: string;
  let taken: string[];
  let hanging: number;
  let deliveries: WebhookDeliveries;

  beforeEach(async () => {
    taken = [];
    hanging = 0;
    server = createServer((request, response) => {
      if (request.url === '/hang') hanging += 1;
      else {
        taken.push(String(request.headers['webhook-id']));
        response.writeHead(204).end();
      }
      request.resume();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    deliveries = new WebhookDeliveries({
      queue: new DeliveryQueue(pool, Date.now),
      lease: new WorkerLease(database.url),
      outbox: { head: () => Promise.resolve(null), applied: () => Promise.resolve(null) },
      sender: new Sender({ allowPrivate: true, resolve: () => Promise.reject(new Error('no names here')), totalTimeoutMs: 60_000 }),
      keyEncryption: new SignatureKeyEncryption(SECRET),
      sources: {
        pool,
        wrapping: new KeyWrapping(SECRET, 'customer'),
        evidence: { namesOf: () => Promise.resolve(new Map()) },
        merchantCreatedOn: () => timestamp(0),
      },
      retrySeconds: [5],
      clock: Date.now,
      random: () => 0,
      limits: {
        places: { proven: { total: 8, per_endpoint: 4 }, new: { total: 8, per_endpoint: 1 }, failing: { total: 8, per_endpoint: 1 } },
        slow_max: 16,
      },
      disable: () => Promise.resolve(),
      onError: (error) => {
        throw error;
      },
    });
  });
  afterEach(async () => {
    await deliveries.stop();
    server.closeAllConnections();
    server.close();
  });

  it('continues to deliver to others when receivers begin to hang, and cuts off those with the most hanging attempts', async () => {
    await provenEndpoints(14, `${url}/hang`, 1);
    const [greedy] = await provenEndpoints(1, `${url}/hang`, 4);
    const [healthy] = await provenEndpoints(1, `${url}/take`, 0);
    deliveries.start();
    await eventually(() => hanging >= 8);
    const { webhook_id } = await deliverTest(pool, healthy!, timestamp(Date.now()));
    deliveries.wake();
    // The hanging attempts last for a minute.
    await eventually(() => taken.includes(webhook_id));
    // 18 hang; 16 slow ones are let be.
    const cutOff = async () => (await pool.query("select merchant_id, log from web_hook_deliveries where status = 'FAILED'")).rows;
    await eventually(async () => (await cutOff()).length === 2);
    for (const { merchant_id, log } of await cutOff()) {
      expect(merchant_id).toBe(greedy);
      expect(log).toMatchObject([{ response_code: null, error: 'given up before there was an answer' }]);
    }
  });

  it('a delivery in whose place the log has another message is cancelled, and that message is not sent under its id', async () => {
    const [merchant] = await provenEndpoints(1, url, 1);
    const of = [merchant, randomUUID()];
    await pool.query('update web_hook_deliveries set sequence = 1 where merchant_id = $1', [merchant]);
    await pool.query('update web_hook_queues set fed = 1 where merchant_id = $1', [merchant]);
    await pool.query(`insert into outbox.notices select $1, 1, 1, $2, now(), 0, 0, 'record', 'key'`, of);
    deliveries.start();
    const status = async () => (await findDeliveries(pool, merchant!, { number: 1, size: 1 })).items[0]!.status;
    await eventually(async () => (await status()) === 'CANCELLED');
    expect(taken).toEqual([]);
  });

  it('a delivery waits while the read models behind its body are being built', async () => {
    const [merchant] = await provenEndpoints(1, url, 1);
    const event = randomUUID();
    const id = messageId(event, EVENT_KINDS[0], 0);
    await pool.query('update web_hook_deliveries set sequence = 1, webhook_id = $2 where merchant_id = $1', [merchant, id]);
    await pool.query('update web_hook_queues set fed = 1 where merchant_id = $1', [merchant]);
    // The read models have applied the first event.
    await pool.query(`insert into outbox.notices select $1, 1, 2, $2, now(), 0, 0, 'record', 'key'`, [merchant, event]);
    deliveries.start();
    const claims = 'select 1 from web_hook_deliveries where merchant_id = $1 and claim is not null';
    await eventually(async () => (await pool.query(claims, [merchant])).rowCount === 1);
    await deliveries.stop();
    expect(taken).toEqual([]);
    expect((await findDeliveries(pool, merchant!, { number: 1, size: 1 })).items).toMatchObject([{ status: 'PENDING', total_attempts: 0 }]);
  });

  it('a stopping worker returns the deliveries that it holds', async () => {
    const [merchant] = await provenEndpoints(1, `${url}/hang`, 3);
    deliveries.start();
    await eventually(() => hanging === 3);
    await deliveries.stop();
    const { items } = await findDeliveries(pool, merchant!, { number: 1, size: 10 });
    expect(items.map(({ status, attempts }) => [status, attempts.length])).toEqual(Array(3).fill(['PENDING', 0]));
    for (const { next_attempt_on } of items) expect(Date.parse(next_attempt_on!)).toBeLessThanOrEqual(Date.now());
  });
});
