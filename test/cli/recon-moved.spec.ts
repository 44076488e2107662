import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { eventually } from '../support/eventually.js';
import { startRestorableServer, type RestorableServer } from '../support/eventstoredb-process.js';
import { newOperator } from '../support/finance.js';
import { bankDay, bankFile, remittance } from '../support/recon.js';
import { runCli } from '../support/run-cli.js';
import { createServiceDatabase } from '../support/service-database.js';
import { CHARGE_ORDER, newIdempotencyKey, startTestService, type Answer, type TestService } from '../support/service.js';
import { ACCOUNT, PROFILE } from '../support/statement-files.js';

const ENCRYPTION_KEY = Buffer.alloc(32, 9).toString('base64');
const OF_TEST = { mode: 'test', currencies: ['IDR'], time_zone: 'Asia/Jakarta', reason: 'as the contract says' };
const BANK = { ...OF_TEST, name: 'bca', kind: 'BANK', account: ACCOUNT, format: 'camt053' };
const PROCESSOR = { ...OF_TEST, name: 'sim', kind: 'PROCESSOR', format: 'csv', profile: PROFILE, processor: 'SIMULATOR', due_days: 3 };

describe('closed days of the embedded engine', () => {
  let database: Awaited<ReturnType<typeof createServiceDatabase>>;
  let server: RestorableServer;
  let running: TestService | undefined;

  beforeAll(async () => {
    [database, server] = await Promise.all([createServiceDatabase(), startRestorableServer()]);
  });
  afterAll(async () => {
    await running?.stop();
    await server.stop();
    await database.drop();
  });

  /** Starts a process of the service on the same database, which is kept. */
  const start = async (env: Readonly<Record<string, string>> = {}): Promise<TestService> =>
    (running = await startTestService({ ENCRYPTION_KEY, EVENTSTORE_URL: '', ...env }, undefined, undefined, async () => ({
      ...database,
      drop: async () => undefined,
    })));
  const cli = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    runCli(args, { DATABASE_URL: database.url, ENCRYPTION_KEY, EVENTSTORE_URL: '', ...env });

  it('days and proofs are the same after a move to EventStoreDB', async () => {
    const previous = await start();
    const key = await worked(previous);
    const positions = [await closed(previous, key, '2026-11-11'), await closed(previous, key, '2026-11-12')];
    const before = await shown(previous, key, positions);
    // Every list has something to compare.
    expect(Object.entries(before).filter(([, { status, text }]) => status !== 200 || /"(?:items|currencies)":\[\]/.test(text))).toEqual([]);
    const proof = await provenClose(previous, key);
    const verified = await cli(['recon', 'verify', '--json']);
    expect(verified).toMatchObject({ code: 0, stderr: '' });
    await previous.stop();
    running = undefined;

    expect(await cli(['events', 'copy', '--from', database.url, '--to', server.url])).toMatchObject({ code: 0 });
    const pool = new pg.Pool({ connectionString: database.url });
    try {
      await pool.query('drop schema if exists ledger, customers, outbox, event_index, recon cascade');
    } finally {
      await pool.end();
    }
    const moved = { EVENTSTORE_URL: server.url };
    const service = await start(moved);
    await eventually(async () => (await service.call('GET', '/audit/recon/days', { key })).body?.items?.length === 2);
    expect(await shown(service, key, positions)).toEqual(before);
    expect(await cli(['recon', 'verify', '--json'], moved)).toEqual(verified);
    expect(await provenClose(service, key)).toBe(proof);
    expect(await cli(['audit', 'verify', '--head', JSON.parse(proof).head.hash], moved)).toMatchObject({ code: 0 });
    // Later closes continue from the copied ones.
    await closed(service, key, '2026-11-13');
    expect(await cli(['recon', 'verify'], moved)).toMatchObject({ code: 0, stdout: '3 closed days are as they were closed.\n' });
  });
});

/** Creates a payment that is remitted and credited, unknown lines, and a payment that is not remitted. @returns a preparer's key */
async function worked(service: TestService): Promise<string> {
  const [{ key }, controller, merchant] = await Promise.all([
    newOperator(service, 'Siti', ['preparer']),
    newOperator(service, 'Ani', ['controller']),
    service.newMerchant(),
  ]);
  await eventually(async () => (await service.call('GET', '/audit/recon/sources', { key: controller.key })).status === 200);
  for (const body of [BANK, PROCESSOR]) expect((await service.call('POST', '/audit/recon/sources', { key: controller.key, body })).status).toBe(200);
  const codes = await Promise.all([paid(service, merchant.key), paid(service, merchant.key)]);
  const batch = { batch: 'BATCH-2026-1', gross: 100 };
  const lines = [
    { ...batch, reference: codes[0] },
    { ...batch, reference: 'nobody', gross: 7 },
  ];
  await imported(service, key, 'test-sim', remittance(lines, '2026-11-11'));
  const credit = '<NtryDtls><TxDtls><RmtInf><Ustrd>BATCH-2026-1</Ustrd></RmtInf></TxDtls></NtryDtls>';
  await imported(service, key, 'test-bca', bankFile(bankDay(1, 0, [105], { details: credit }), bankDay(2, 105, [-3]), bankDay(3, 102, [4])));
  return key;
}

async function imported(service: TestService, key: string, source: string, file: string): Promise<void> {
  const sent = { key, body: Buffer.from(file), headers: { 'content-type': 'application/octet-stream' } };
  expect((await service.call('POST', `/audit/recon/sources/${source}/statements`, sent)).status).toBe(201);
}

async function paid(service: TestService, key: string): Promise<string> {
  const charge = await service.call('POST', '/v1/charges', { key, body: CHARGE_ORDER, headers: newIdempotencyKey() });
  expect((await service.call('POST', charge.body.action.simulation_url, { body: { outcome: 'succeed' } })).status).toBe(200);
  return charge.body.code;
}

/** Closes a day: a request responds before its close has ended when that takes seconds, and its repeat receives the same. @returns the position */
async function closed(service: TestService, key: string, day: string): Promise<number> {
  const body = { day, reason: 'all of it is in' };
  let answer!: Answer;
  const send = () => service.call('POST', '/audit/recon/sources/test-bca/close', { key, body });
  await eventually(async () => (answer = await send()).body.status !== 'OPEN');
  expect(answer).toMatchObject({ status: 200, body: { day, status: 'COMPLETE' } });
  return answer.body.position;
}

/** @returns the proof of the last close, under a head of the whole log */
async function provenClose(service: TestService, key: string): Promise<string> {
  let proof: Answer;
  await eventually(async () => {
    const [{ position: newest }] = (await service.call('GET', '/audit/events?Limit=200', { key })).body.items.slice(-1);
    const [close] = (await service.call('GET', '/audit/events?Type=DayClosed', { key })).body.items;
    proof = await service.call('GET', `/audit/chain/proof?EventId=${close.id}`, { key });
    return proof.body.head?.events === newest;
  });
  return proof!.text;
}

interface Shown {
  readonly status: number;
  readonly text: string;
  readonly as_of: string | null;
}

/** Reads the lists of reconciliation, current and as of each of the positions, as exact texts. */
async function shown(service: TestService, key: string, positions: readonly number[]): Promise<Record<string, Shown>> {
  const paths = ['statements', 'lines', 'days', 'matches', 'receivable']
    .map((list) => `/audit/recon/${list}`)
    .concat('/audit/suspense', '/audit/trial-balance')
    .concat(
      positions.flatMap((position) => ['lines', 'matches', 'breaks', 'days', 'receivable'].map((list) => `/audit/recon/${list}?AsOf=${position}`)),
    );
  const answers = await Promise.all(paths.map(async (path): Promise<[string, Answer]> => [path, await service.call('GET', path, { key })]));
  return Object.fromEntries(answers.map(([path, { status, text, headers }]) => [path, { status, text, as_of: headers.get('as-of-position') }]));
}
