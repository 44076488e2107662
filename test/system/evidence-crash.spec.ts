import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { chargeStream } from '../../src/ledger/events/charge.events.js';
import { EmbeddedEventStore } from '../../src/platform/event-store/embedded/embedded-event-store.js';
import { openDispute } from '../support/disputes.js';
import { eventually } from '../support/eventually.js';
import type { TestDatabase } from '../support/postgres.js';
import { startCli } from '../support/run-cli.js';
import { createServiceDatabase } from '../support/service-database.js';
import { startServiceProcess, type ServiceProcess } from '../support/service-process.js';
import { callPatiently, CHARGE_ORDER, newIdempotencyKey, type Answer } from '../support/service.js';

let database: TestDatabase;
let dataDir: string;
let env: Record<string, string>;
let client: pg.Client;
let service: ServiceProcess;
let key: string;
let charge: string;
let dispute: string;

beforeAll(async () => {
  database = await createServiceDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'chargebook-evidence-'));
  env = { DATA_DIR: dataDir, DATABASE_URL: database.url };
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  service = await startServiceProcess(env);
  await eventually(() => /sk_test_[0-9A-Za-z]{36}/.test(service.lines.join('\n')));
  key = /sk_test_[0-9A-Za-z]{36}/.exec(service.lines.join('\n'))![0];
});
afterAll(async () => {
  await service.stop();
  await client.end();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Each test has its own dispute, and the service that the previous one left running. */
beforeEach(async () => {
  const { body } = await callPatiently('POST', `${service.url}/v1/charges`, { key, headers: newIdempotencyKey(), body: CHARGE_ORDER });
  charge = body.id as string;
  const { pathname } = new URL(body.action.simulation_url as string);
  await callPatiently('POST', `${service.url}${pathname}`, { body: { outcome: 'succeed' } });
  const store = new EmbeddedEventStore({ databaseUrl: database.url });
  dispute = await openDispute(store, charge);
  await store.close();
});

const file = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(600_000)]);
const send = (bytes = file): Promise<Answer> =>
  callPatiently('POST', `${service.url}/v1/disputes/${dispute}/evidence?Name=receipt.pdf&Category=receipt`, {
    key,
    body: bytes,
    headers: { 'content-type': 'application/pdf' },
  });
const read = (id: string): Promise<Response> =>
  fetch(`${service.url}/v1/disputes/${dispute}/evidence/${id}`, { headers: { authorization: `Bearer ${key}` } });
/** Rows of the dispute. */
const OF_DISPUTE = {
  dispute_keys: 'dispute_id = $1',
  'dispute_keys that open': 'dispute_id = $1 and wrapped_key is not null',
  dispute_evidence: 'dispute_id = $1',
  dispute_evidence_parts: 'evidence_id in (select evidence_id from dispute_evidence where dispute_id = $1)',
};
async function count(what: keyof typeof OF_DISPUTE): Promise<number> {
  const { rows } = await client.query<{ n: number }>(`select count(*)::int4 as n from ${what.split(' ')[0]} where ${OF_DISPUTE[what]}`, [dispute]);
  return rows[0]!.n;
}
const events = async (type: string): Promise<number> =>
  (await client.query('select from event_store.events where type = $1 and stream = $2', [type, chargeStream(charge)])).rowCount ?? 0;
/** Number of connections of the service and the command that fulfil the condition. */
async function connectionsThat(condition: string, what = 'pid'): Promise<number> {
  // Without this, a transaction would repeat its first answer.
  await client.query('select pg_stat_clear_snapshot()');
  const others = `datname = current_database() and pid <> pg_backend_pid()`;
  return (await client.query(`select ${what} from pg_stat_activity where ${others} and ${condition}`)).rowCount ?? 0;
}
/** Runs `crash` while a statement waits for the locked table. Statements that were sent before it have no effect after it. */
async function diesThere(crash: () => Promise<void>): Promise<void> {
  await eventually(async () => (await connectionsThat(`wait_event_type = 'Lock' and wait_event = 'relation'`)) > 0);
  await crash();
  await connectionsThat('true', 'pg_terminate_backend(pid)');
  await client.query('rollback');
}
const lock = (table: string): Promise<unknown> => client.query(`begin; lock table ${table} in exclusive mode`);

describe('kill -9 of the service while a file is added', () => {
  it.each([
    ['its key', 'dispute_keys', 0, 0],
    ['its bytes', 'dispute_evidence_parts', 1, 0],
    ['its event', 'event_store.events', 1, 1],
  ])('kill -9 before %s leaves no event without bytes, and a repeat of the request adds the file', async (_, table, keys, files) => {
    await lock(table);
    const answer = send().catch(() => 'no answer');
    await diesThere(() => service.kill());
    expect(await answer).toBe('no answer');
    expect([await count('dispute_keys'), await count('dispute_evidence'), await events('ChargeDisputeEvidenceAdded')]).toEqual([keys, files, 0]);

    service = await startServiceProcess(env);
    const again = await send();
    expect(again.status).toBe(201);
    await eventually(async () => (await read(again.body.id as string)).status === 200);
    const response = await read(again.body.id as string);
    expect(Buffer.from(await response.arrayBuffer()).equals(file)).toBe(true);
    expect(await events('ChargeDisputeEvidenceAdded')).toBe(1);
    expect(await count('dispute_keys')).toBe(1);
  });
});

describe('kill -9 of an erasure', () => {
  it.each([
    ['its event and the key', 'dispute_keys'],
    ['the key and the bytes', 'dispute_evidence'],
  ])('the worker finishes an erasure that was killed between %s', async (_, table) => {
    const { body } = await send();
    await eventually(async () => (await read(body.id as string)).status === 200);
    // The worker, too, is only there again afterwards.
    await service.kill();
    await lock(table);
    const cli = startCli(['dispute', 'erase-evidence', dispute], env);
    const ended = once(cli, 'close');
    await diesThere(async () => {
      cli.kill('SIGKILL');
      await ended;
    });
    expect(await events('ChargeDisputeEvidenceErased')).toBe(1);
    expect(await count('dispute_keys that open')).toBe(table === 'dispute_keys' ? 1 : 0);
    expect(await count('dispute_evidence_parts')).toBeGreaterThan(0);

    service = await startServiceProcess(env);
    await eventually(async () => (await count('dispute_keys that open')) === 0);
    await eventually(async () => (await count('dispute_evidence_parts')) === 0);
    expect(await count('dispute_evidence')).toBe(0);
    await eventually(async () => (await read(body.id as string)).status === 404);
    expect((await send(Buffer.from('%PDF-1.7\nanother'))).status).toBe(409);
  });
});
