import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { runCli } from '../support/run-cli.js';
import { BUSY, eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { childrenOf, isAlive, servesRequests } from '../support/processes.js';
import { startServiceProcess, type ServiceProcess } from '../support/service-process.js';
import { call, CHARGE_ORDER, type Answer } from '../support/service.js';

const CLIENTS = 64;
const BACK_WITHIN_MS = BUSY * 15_000;
/** Three times as long as the slowest answer may take. */
const UNANSWERED_MS = 15_000;
const PAYOUT = { amount: 1_000_000, currency: 'IDR', bank_account_name: 'Toko Melati', bank_account_number: '1234567890003', bank_name: 'BCA' };
const AFFORDED = 37;

/** A process that gets the signal allocates memory until V8 has no more, and aborts. */
const TAKES_ALL = `process.on('SIGUSR2',()=>{for(const%20all=[];;)all.push(Array(1e5).fill(all.length))})`;
const NODE_OPTIONS = `--max-old-space-size=300 --import=data:text/javascript,${TAKES_ALL}`;

let dataDir: string;
let database: TestDatabase;
let service: ServiceProcess | undefined;

beforeEach(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'chargebook-memory-'));
});
afterEach(async () => {
  await service?.stop();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

/** A minute or two: `FAULTS=all npm test -- out-of-memory`. The connection that is lost with a process is api-workers.spec.ts's. */
(process.env['FAULTS'] === 'all' ? describe : describe.skip)('running out of memory, under 64 clients', () => {
  it('memory exhaustion ends the serving and the projecting process: both restart, and nothing is lost, doubled or overdrawn', async () => {
    const { url, pid, lines } = (service = await startServiceProcess({ DATA_DIR: dataDir, DATABASE_URL: database.url, NODE_OPTIONS }, [
      '--workers',
      '2',
    ]));
    const key = /sk_test_[0-9A-Za-z]{36}/.exec(lines.join('\n'))![0];
    let unanswered = 0;
    /** Null when the connection was cut off, or no answer came in time. */
    const post = async (path: string, idempotencyKey: string, body: object): Promise<Answer | null> => {
      const answered = new AbortController();
      const waiting = delay(UNANSWERED_MS, 'nobody answers' as const, { ref: false, signal: answered.signal }).catch(() => null);
      const sent = call('POST', new URL(path, url), { key, body, headers: { 'idempotency-key': idempotencyKey } }).catch(() => null);
      const answer = await Promise.race([sent, waiting]);
      answered.abort();
      if (answer !== 'nobody answers') return answer;
      unanswered += 1;
      return null;
    };
    const create = (id: string): Promise<Answer | null> => post('/v1/charges', id, { ...CHARGE_ORDER, reference_id: id });
    const payOut = (id: string): Promise<Answer | null> => post('/v1/payouts', id, PAYOUT);
    /** As a client does: sent again until it is answered. */
    const answered = async (send: () => Promise<Answer | null>): Promise<Answer> => {
      for (;;) {
        const answer = await send();
        if (answer && answer.status !== 503) return answer;
      }
    };

    const funded = await answered(() => post('/v1/charges', 'funding', { ...CHARGE_ORDER, amount: 37_500_000 }));
    for (const outcome of ['succeed', 'settle']) await call('POST', funded.body.action.simulation_url, { body: { outcome } });

    const before = childrenOf(pid);
    expect(before).toHaveLength(3);
    const serves = before.filter(servesRequests);
    const dying = [serves[0]!, before.find((child) => !serves.includes(child))!];
    const first = new Map<string, Answer>();
    const cutOff = new Set<string>();
    let isDying = false;
    const isBack = (): boolean => childrenOf(pid).filter((child) => !dying.includes(child)).length === 3;
    const client = async (nth: number): Promise<void> => {
      for (let i = 0; !isBack() || i < 2; i += 1) {
        const id = `${nth}-${i}`;
        const send = (): Promise<Answer | null> => (i === 1 && nth < 50 ? payOut(id) : create(id));
        const answer = await send();
        if (answer && answer.status !== 503) first.set(id, answer);
        else cutOff.add(id);
        if (first.size >= CLIENTS && !isDying) {
          isDying = true;
          for (const child of dying) process.kill(child, 'SIGUSR2');
        }
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, nth) => client(nth)));
    for (const child of dying) expect(isAlive(child)).toBe(false);
    expect(cutOff.size).toBeGreaterThan(0);
    expect(unanswered).toBe(0);
    const backMs = performance.now();
    await eventually(async () => {
      const answer = await create('back');
      return answer?.status === 200 && !answer.headers.has('ledger-lag');
    }, BACK_WITHIN_MS);
    expect(performance.now() - backMs).toBeLessThan(BACK_WITHIN_MS);

    const isPayout = (id: string): boolean => id.endsWith('-1') && Number(id.split('-')[0]) < 50;
    let payouts = 0;
    const repeat = async (id: string): Promise<void> => {
      const again = await answered(() => (isPayout(id) ? payOut(id) : create(id)));
      const known = first.get(id);
      if (known?.status === 422) expect(again.status).toBe(422);
      else if (known) expect([id, again.status, again.text]).toEqual([id, known.status, known.text]);
      if (!isPayout(id)) expect([id, again.status]).toEqual([id, 200]);
      else if (again.status === 201) payouts += 1;
    };
    await Promise.all([...first.keys(), ...cutOff].map(repeat));
    expect(payouts).toBe(AFFORDED);
    const charges = [...first.keys(), ...cutOff].filter((id) => !isPayout(id)).length + 2;
    const get = async (path: string): Promise<any> => (await call('GET', new URL(path, url), { key })).body;
    await eventually(async () => (await get('/v1/charges?PageSize=1')).total_item_count === charges);
    await eventually(async () => (await get('/v1/balances/IDR')).available_amount === 37_237_500 - AFFORDED * PAYOUT.amount);
    const verified = await runCli(['audit', 'verify', '--json'], { DATABASE_URL: database.url, DATA_DIR: dataDir });
    expect([verified.code, JSON.parse(verified.stdout)]).toEqual([0, expect.objectContaining({ broken_at: null })]);
  }, 180_000);
});
