import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { BUSY, eventually } from '../support/eventually.js';
import type { TestDatabase } from '../support/postgres.js';
import { createServiceDatabase } from '../support/service-database.js';
import { startServiceProcess, type ServiceProcess } from '../support/service-process.js';
import { call, callPatiently, CHARGE_ORDER, newIdempotencyKey, type Answer } from '../support/service.js';

/** Maximum time until a standby takes over, whatever happened to the leader (docs/operations.md). */
const TAKEOVER_MS = 10_000;
const PAYOUT = { amount: 1_000_000, currency: 'IDR', bank_account_name: 'Toko Melati', bank_account_number: '1234567890', bank_name: 'BCA' };

/** Four processes as on four machines: two serve requests, two offer to project and to work. */
describe('several processes', () => {
  let database: TestDatabase;
  let dataDir: string;
  let admin: pg.Pool;
  let apis: ServiceProcess[];
  let leader: ServiceProcess;
  let standby: ServiceProcess;
  let key: string;

  beforeAll(async () => {
    database = await createServiceDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'chargebook-processes-'));
    admin = new pg.Pool({ connectionString: database.url, max: 1 });
    const start = (ROLES: string): Promise<ServiceProcess> => startServiceProcess({ DATA_DIR: dataDir, DATABASE_URL: database.url, ROLES });
    const [first, background] = await Promise.all([start('api'), start('projector,worker')]);
    leader = background;
    key = /sk_test_[0-9A-Za-z]{36}/.exec(first.lines.join('\n'))![0];
    await eventually(leads);
    const [second, other] = await Promise.all([start('api'), start('projector,worker')]);
    apis = [first, second];
    standby = other;
  });
  afterAll(async () => {
    leader.resume();
    await Promise.all([leader, standby, ...apis].map((process) => process.stop()));
    await admin.end();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Returns true when the projector's lock and the lock of each process are held. */
  async function leads(): Promise<boolean> {
    const { rows } = await admin.query<{ n: number }>(
      `select count(distinct objid)::int4 as n from pg_locks l join pg_stat_activity a using (pid)
        where l.locktype = 'advisory' and l.granted and a.datname = current_database() and l.database = a.datid`,
    );
    return rows[0]!.n >= 5;
  }
  const post = (nth: number, path: string, body: object, headers = newIdempotencyKey(), ask: typeof callPatiently = call): Promise<Answer> =>
    ask('POST', new URL(path, apis[nth % apis.length]!.url), { key, body, headers });
  const get = async (path: string): Promise<any> => (await call('GET', new URL(path, apis[0]!.url), { key })).body;
  const charge = (nth: number, amount: number): Promise<Answer> => post(nth, '/v1/charges', { ...CHARGE_ORDER, amount });
  const countCharges = async (): Promise<number> => (await get('/v1/charges?PageSize=1')).total_item_count as number;
  const succeeded = async (): Promise<number> =>
    ((await get('/v1/payouts?PageSize=100')) as { payout_status: string }[]).filter(({ payout_status }) => payout_status === 'SUCCEEDED').length;

  it('several processes apply each of fifty writers’ changes to one customer once, whichever process receives them', async () => {
    const { id } = (await post(0, '/v1/customers', { name: 'Sari' }, newIdempotencyKey(), callPatiently)).body as { id: string };
    const writer = async (nth: number): Promise<number[]> => {
      const statuses: number[] = [];
      for (let i = 0; i < 4; i += 1) {
        const body = { id, name: `Writer ${nth}, ${i}` };
        statuses.push((await call('PUT', new URL('/v1/customers', apis[nth % apis.length]!.url), { key, body })).status);
      }
      return statuses;
    };
    const statuses = (await Promise.all(Array.from({ length: 50 }, (_, nth) => writer(nth)))).flat();
    expect(statuses).toEqual(Array(200).fill(200));
    const names: string[] = [];
    for (let page = 1; page <= 3; page += 1) {
      for (const { type, data } of (await get(`/v1/customers/${id}/events?PageSize=100&PageNumber=${page}`)) as {
        type: string;
        data: { name: string };
      }[]) {
        if (type === 'CustomerUpdated') names.push(data.name);
      }
    }
    expect(names).toHaveLength(200);
    expect(new Set(names).size).toBe(200);
  });

  it('several processes make one charge of 50 equal concurrent requests and return 50 equal responses', async () => {
    const headers = newIdempotencyKey();
    const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => post(i, '/v1/charges', CHARGE_ORDER, headers)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]!.status).toBe(200);
    expect(answers.filter((answer) => answer.headers.get('idempotent-replayed') === null)).toHaveLength(1);
    expect(await countCharges()).toBe(1);
  });

  it('several processes accept 37 of 100 concurrent payouts when money suffices for 37; the standby pays them while the leader is paused, and the leader does no harm when it wakes', async () => {
    const created = await charge(0, 37_500_000); // 37,237,500 net
    for (const outcome of ['succeed', 'settle']) await call('POST', created.body.action.simulation_url, { body: { outcome } });
    const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => post(i, '/v1/payouts', PAYOUT, newIdempotencyKey(), callPatiently)));
    // Reads show both charges before projecting stops.
    await eventually(async () => (await countCharges()) === 2);
    leader.pause();
    const pausedMs = performance.now();
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(37);
    expect(answers.filter(({ status, body }) => status === 422 && body.code === 'insufficient-balance')).toHaveLength(63);

    // The store accepts events without a projector: writes succeed, and reads report that they are behind.
    expect((await charge(1, 20_000)).status).toBe(200);
    const late = await call('GET', new URL('/v1/charges?PageSize=1', apis[0]!.url), { key });
    expect([late.body.total_item_count, late.headers.get('ledger-lag')]).toEqual([2, expect.any(String)]);
    await eventually(async () => (await countCharges()) === 3);
    expect(performance.now() - pausedMs).toBeLessThan(BUSY * TAKEOVER_MS);
    await eventually(async () => (await succeeded()) === 37);

    leader.resume();
    [leader, standby] = [standby, leader];
    for (let i = 0; i < 20; i += 1) expect((await charge(i, 20_000)).status).toBe(200);
    await eventually(async () => (await countCharges()) === 23);
    await expectNothingLostOrDoubled();
  });

  it('a process that was paused takes over within seconds when the leader is killed', async () => {
    await leader.kill();
    const killedMs = performance.now();
    const charges = await Promise.all(Array.from({ length: 20 }, (_, i) => charge(i, 2_000_000)));
    expect(new Set(charges.map(({ status }) => status))).toEqual(new Set([200]));
    await eventually(async () => (await countCharges()) === 43);
    // A worker's part, too: settling is a process's work.
    for (const outcome of ['succeed', 'settle']) await call('POST', charges[0]!.body.action.simulation_url, { body: { outcome } });
    expect((await post(0, '/v1/payouts', PAYOUT)).status).toBe(201);
    await eventually(async () => (await succeeded()) === 38);
    expect(performance.now() - killedMs).toBeLessThan(BUSY * TAKEOVER_MS);
    await expectNothingLostOrDoubled();
  });

  /** Every event is projected once, every payout was handed over and paid once, and the books balance. */
  async function expectNothingLostOrDoubled(): Promise<void> {
    await eventually(async () => {
      const { rows } = await admin.query<{ same: boolean }>(
        'select (select count(*) from event_store.events) = (select ordinal from ledger.checkpoint) as same',
      );
      return rows[0]!.same;
    });
    const { rows } = await admin.query<{ type: string; most: number }>(
      `select type, max(n)::int4 as most from (
         select type, data->>'payout_id' as payout, count(*) as n from event_store.events where type like 'Payout%' group by 1, 2) per_payout
        group by type`,
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { most } of rows) expect(most).toBe(1);
    const paid = await succeeded();
    const balance = await get('/v1/balances/IDR');
    expect(balance.reserved_amount).toBe(0);
    // Fee of 0.7 % of each settled charge; each payout is paid once.
    expect(balance.available_amount).toBe(37_237_500 + (paid === 38 ? 1_986_000 : 0) - paid * PAYOUT.amount);
    const { rows: stops } = await admin.query('select * from projector.stops');
    expect(stops).toEqual([]);
  }

  it('a read on one process shows the writes of another at once, during heavy writing', async () => {
    const before = await countCharges();
    const unmarked: number[] = [];
    const customer = async (nth: number): Promise<void> => {
      for (let i = 0; i < 25; i += 1) {
        const { body } = await charge(nth + i, 20_000);
        const read = await call('GET', new URL(`/v1/charges/${body.id}`, apis[(nth + i + 1) % 2]!.url), { key });
        if (read.headers.get('ledger-lag') === null) unmarked.push(read.status);
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, nth) => customer(nth)));
    // A read without a reported lag shows the acknowledged charge.
    expect(unmarked.length).toBeGreaterThan(0);
    expect(new Set(unmarked)).toEqual(new Set([200]));
    await eventually(async () => (await countCharges()) === before + 200);
  });

  it('a hundred concurrent refunds of one charge return exactly the paid amount, to the cent and with all of its fee', async () => {
    for (const outcomes of [['succeed'], ['succeed', 'settle']]) {
      const { body: of } = await post(0, '/v1/charges', { ...CHARGE_ORDER, currency: 'MYR', channel_code: 'wallet_tng', action_flow: 'embedded' });
      for (const outcome of outcomes) await call('POST', of.action.simulation_url, { body: { outcome } });
      const refund = (nth: number, body: object): Promise<Answer> =>
        post(nth, `/v1/charges/${of.id}/refunds`, body, newIdempotencyKey(), callPatiently);
      const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => refund(i, { amount: 150 })));
      const given = answers.filter(({ status }) => status === 201).map(({ body }) => body as { id: string; amount: number; fee_amount: number });
      expect(given).toHaveLength(66);
      // The account has the money of this charge alone: it may be the one that refuses.
      const refusals = answers.filter(({ status }) => status !== 201).map(({ body }) => body.code as string);
      expect(refusals.filter((code) => code !== 'refund-exceeds-charge' && code !== 'insufficient-balance')).toEqual([]);
      given.push((await refund(0, {})).body);
      const sum = (what: 'amount' | 'fee_amount'): number => given.reduce((total, each) => total + each[what], 0);
      expect([sum('amount'), sum('fee_amount')]).toEqual([of.amount, 150]);
      await eventually(async () => (await get(`/v1/charges/${of.id}`)).refunded_amount === of.amount);
      expect(await get('/v1/balances/MYR')).toMatchObject({ pending_amount: 0, available_amount: 0, reserved_amount: 0, fee_amount: 0 });
    }
  });

  it('several processes accept 37 of 100 concurrent refunds when money suffices for 37', async () => {
    const CHARGES = 10;
    const sold = await Promise.all(
      Array.from({ length: CHARGES }, (_, i) => post(i, '/v1/charges', { ...CHARGE_ORDER, currency: 'SGD', channel_code: 'qr_paynow' })),
    );
    for (const { body } of sold) for (const outcome of ['succeed', 'settle']) await call('POST', body.action.simulation_url, { body: { outcome } });
    // Each has brought 9,870; a refund of 1,000 costs 987.
    const payout = await post(0, '/v1/payouts', { ...PAYOUT, currency: 'SGD', amount: CHARGES * 9_870 - 37 * 987 });
    expect(payout.status).toBe(201);
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        post(i, `/v1/charges/${sold[i % CHARGES]!.body.id}/refunds`, { amount: 1_000 }, newIdempotencyKey(), callPatiently),
      ),
    );
    expect(answers.filter(({ status, body }) => status === 201 && body.net_amount === 987)).toHaveLength(37);
    expect(answers.filter(({ status, body }) => status === 422 && body.code === 'insufficient-balance')).toHaveLength(63);
    await eventually(async () => (await get('/v1/balances/SGD')).reserved_amount === 0);
    expect(await get('/v1/balances/SGD')).toMatchObject({ available_amount: 0, fee_amount: CHARGES * 130 - 37 * 13 + payout.body.fee_amount });
  });
});
