import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { getPriority } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, type Pool } from 'pg';
import { loadLog } from '../../bench/catch-up.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import { readCheckpoint } from '../../src/platform/projector/checkpoint.js';
import { readFailures } from '../../src/platform/projector/failures.js';
import { newEvent } from '../support/events.js';
import { setApprovalPolicy } from '../../src/domain/operators/approval-policy.commands.js';
import { eventually } from '../support/eventually.js';
import { newOperator } from '../support/finance.js';
import { sized } from '../support/nightly.js';
import { CHARGE_ORDER, newIdempotencyKey, startTestService, type TestMerchant, type TestService } from '../support/service.js';
import { isAlive } from '../support/processes.js';
import { runCli, startCli, type Run } from '../support/run-cli.js';

/** In the log before the tests. */
const CHARGES = sized(1_000, 3_000);

describe('replays on the command line, beside a service', () => {
  let service: TestService;
  let merchant: TestMerchant;
  let pool: Pool;
  let env: Readonly<Record<string, string>>;

  beforeAll(async () => {
    service = await startTestService();
    env = { DATABASE_URL: service.stores.databaseUrl };
    pool = createPool({ url: service.stores.databaseUrl, applicationName: 'test', statementTimeoutMs: 0 });
    await loadLog(pool, CHARGES);
    merchant = await service.newMerchant();
    const head = await service.stores.eventStore.head();
    for (const name of ['ledger', 'customers', 'outbox', 'event_index'])
      await eventually(async () => ((await readCheckpoint(pool, name))?.position ?? -1n) >= head!);
  });
  afterAll(async () => {
    await pool.end();
    await service.stop();
  });

  const cli = (...args: string[]): Promise<Run> => runCli(['projections', ...args], env);

  /** The process and its server sessions must run at a lower priority than requests. A new session may not have it yet. */
  async function expectInBackground(pid: number): Promise<void> {
    await eventually(async () => {
      const { rows } = await pool.query<{ pid: number }>(
        `select pid from pg_stat_activity where datname = current_database() and application_name = 'chargebook-replay'`,
      );
      // Some of these sessions may have ended meanwhile.
      const working = [pid, ...rows.map((row) => row.pid)].filter(isAlive);
      return rows.length > 0 && working.every((process) => getPriority(process) >= 5);
    });
  }

  async function schemas(): Promise<string[]> {
    const { rows } = await pool.query<{ name: string }>(
      `select nspname as name from pg_namespace where nspname like 'ledger%' or nspname like 'customers%' or nspname like 'outbox%' order by 1`,
    );
    return rows.map(({ name }) => name);
  }

  interface Created {
    readonly id: string;
    readonly position: string;
  }

  async function createCharge(): Promise<Created> {
    const { status, body, text, headers } = await service.call('POST', '/v1/charges', {
      key: merchant.key,
      body: CHARGE_ORDER,
      headers: newIdempotencyKey(),
    });
    if (status !== 200) throw new Error(`a create was answered with ${status}: ${text}`);
    return { id: (body as { id: string }).id, position: headers.get('ledger-position')! };
  }

  /** Repeats a read with the header `ledger-lag`, with the position that it must include. */
  async function readCharge({ id, position }: Created): ReturnType<typeof service.call> {
    const read = (headers = {}): ReturnType<typeof service.call> => service.call('GET', `/v1/charges/${id}`, { key: merchant.key, headers });
    const answer = await read();
    return answer.headers.has('ledger-lag') ? read({ 'min-ledger-position': position }) : answer;
  }

  it('rebuilds under load: no request fails, reads include every write, and no row differs', async () => {
    let ended = false;
    let written = 0;
    const customers = Array.from({ length: 2 }, async () => {
      while (!ended) {
        const [one, list] = await Promise.all([
          readCharge(await createCharge()),
          service.call('GET', '/v1/charges?PageSize=5', { key: merchant.key }),
        ]);
        expect([one.status, list.status]).toEqual([200, 200]);
        written++;
      }
    });
    const rebuilt = await cli('rebuild', '--json').finally(() => (ended = true));
    await Promise.all(customers);
    expect(rebuilt).toMatchObject({ code: 0, stderr: '' });
    const answer = JSON.parse(rebuilt.stdout) as { events: number; seconds: number; projections: unknown };
    expect(answer).toMatchObject({ differences: 0, switched: true, events_per_second: expect.any(Number) });
    expect(answer.events).toBeGreaterThan(CHARGES);
    expect(answer.projections).toMatchObject([
      { name: 'ledger', switched: true },
      { name: 'customers', switched: true },
      { name: 'outbox', differences: 0, switched: false },
      { name: 'event_index', switched: true },
      { name: 'recon', switched: true },
    ]);
    expect(written).toBeGreaterThan(0);
    expect(await schemas()).toEqual(['customers', 'ledger', 'outbox']);
  });

  it('verify names a row that was changed by hand, and rebuild keeps it until --accept-differences', async () => {
    const created = await createCharge();
    const { id } = created;
    expect((await readCharge(created)).status).toBe(200);
    await pool.query('update ledger.charges set net_amount = 1 where id = $1', [id]);
    const verified = await cli('verify', '--json');
    expect(verified).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: 1 rows of ledger\.charges differ from the replay of the events.*\n$/),
    });
    const { tables } = JSON.parse(verified.stdout) as { tables: { name: string; differences: number; digest: string; rebuilt_digest: string }[] };
    expect(tables.filter(({ differences }) => differences > 0)).toMatchObject([
      { name: 'ledger.charges', differences: 1, found: [{ key: { id }, kind: 'changed', columns: [{ column: 'net_amount', live: '1' }] }] },
    ]);
    expect(tables.filter(({ digest, rebuilt_digest }) => digest !== rebuilt_digest).map(({ name }) => name)).toEqual(['ledger.charges']);

    const refused = await cli('rebuild', 'ledger');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/^error: not switched: .*--accept-differences/) });
    expect(refused.stdout).toMatch(new RegExp(`ledger\\.charges +${id} +net_amount +1 +\\d+`));
    expect(await cli('rebuild', 'ledger', '--accept-differences')).toMatchObject({ code: 0 });
    const { body } = await service.call('GET', `/v1/charges/${id}`, { key: merchant.key });
    expect((body as { net_amount: number }).net_amount).not.toBe(1);
    expect(await cli('verify', 'ledger', '--json')).toMatchObject({ code: 0, stderr: '' });
  });

  it('rebuild switches despite differences after another person’s approval of exactly these', async () => {
    const created = await createCharge();
    expect((await readCharge(created)).status).toBe(200);
    await pool.query('update ledger.charges set net_amount = 1 where id = $1', [created.id]);
    const [siti, ani] = [await newOperator(service, 'Siti', ['preparer']), await newOperator(service, 'Ani', ['controller'])];
    const policy = { mode: 'live', payouts: [], payouts_day: [], merchants: {}, adjustments: [], settings: 1, expires_hours: 1 } as const;
    await setApprovalPolicy(service.deps, policy, randomUUID(), 'key_1');
    await eventually(async () => (await service.call('GET', '/audit/proposals', { key: ani.key })).status === 200);
    const run = (...args: string[]): Promise<Run> =>
      runCli(['projections', 'rebuild', 'ledger', ...args], { ...env, CHARGEBOOK_OPERATOR_KEY: siti.key });
    expect(await run('--accept-differences')).toMatchObject({ code: 1, stderr: expect.stringContaining('--reason') });
    const proposed = await run('--accept-differences', '--reason', 'put right by hand', '--url', service.url, '--json');
    expect([proposed.code, proposed.stderr]).toEqual([3, '']);
    const { id, kind, content, digest } = JSON.parse(proposed.stdout);
    expect([kind, content]).toEqual(['ACCEPT_DIFFERENCES', { projection: 'ledger', digest: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
    expect(await run('--proposal', id)).toMatchObject({ code: 1, stderr: expect.stringContaining('not switched') });
    const body = { digest, reason: 'as agreed' };
    expect(await service.call('POST', `/audit/proposals/${id}/approve`, { key: ani.key, body })).toMatchObject({ body: { status: 'EXECUTED' } });
    // Now another difference exists.
    await pool.query('update ledger.charges set net_amount = 2 where id = $1', [created.id]);
    expect(await run('--proposal', id)).toMatchObject({ code: 1, stderr: expect.stringContaining('not switched') });
    await pool.query('update ledger.charges set net_amount = 1 where id = $1', [created.id]);
    expect(await run('--proposal', id)).toMatchObject({ code: 0 });
    expect(await cli('verify', 'ledger')).toMatchObject({ code: 0 });
    await setApprovalPolicy(service.deps, { ...policy, settings: 0 }, randomUUID(), 'key_1');
  });

  describe('a rebuild killed at any point', () => {
    const held: Client[] = [];

    /** Runs `sql` in a transaction that stays open and blocks other sessions. */
    async function hold(sql: string): Promise<void> {
      // A plain client has no time limit; a connection of the service's pool ends an idle transaction.
      const client = new Client({ connectionString: service.stores.databaseUrl });
      held.push(client);
      await client.connect();
      await client.query(sql);
    }

    async function letGo(): Promise<void> {
      for (const client of held.splice(0)) {
        await client.end();
      }
    }

    const isWaitedFor = (statement: string) => async (): Promise<boolean> =>
      (
        await pool.query(
          `select from pg_stat_activity where datname = current_database() and application_name = 'chargebook-replay' and wait_event_type = 'Lock' and query like $1`,
          [statement],
        )
      ).rowCount! > 0;
    const buildOid = async (): Promise<number | null> =>
      (await pool.query<{ oid: number | null }>(`select to_regclass('ledger_replay.checkpoint')::oid as oid`)).rows[0]!.oid;

    interface Point {
      /** Held from before the start of the rebuild. */
      readonly before?: string;
      /** Held from the creation of the rebuild's own tables, not those left by a killed rebuild. */
      readonly built?: string;
      readonly isReached: () => Promise<boolean>;
    }
    const isSwitching = `select from pg_stat_activity where datname = current_database() and application_name = 'chargebook-replay' and query like '%pg_stat_activity%' and query not like '%pg_cancel%'`;
    const POINTS: [string, Point][] = [
      ['while it writes', { built: 'begin; lock table ledger_replay.charges in share mode', isReached: isWaitedFor('%') }],
      [
        'while it compares',
        {
          before: 'begin; lock table ledger.settlement_lines in access exclusive mode',
          // Postgres shows no more than the first 1,024 bytes of a statement.
          isReached: isWaitedFor('select count(*)::text as rows, md5(%'),
        },
      ],
      ['while it makes indexes', { built: 'begin; lock table ledger_replay.charges in row exclusive mode', isReached: isWaitedFor('create index%') }],
      [
        'while it waits to switch',
        {
          before: 'begin isolation level repeatable read; select 1 from pg_class limit 1',
          isReached: async () => (await pool.query(isSwitching)).rowCount! > 0,
        },
      ],
    ];

    async function kill(child: ChildProcessWithoutNullStreams): Promise<void> {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }

    it.each(POINTS)('%s: the live tables serve, and the next rebuild cleans up', async (_, { before, built, isReached }) => {
      const leftOver = await buildOid();
      if (before !== undefined) await hold(before);
      const child = startCli(['projections', 'rebuild', 'ledger'], env);
      child.stdout.resume();
      child.stderr.resume();
      try {
        await eventually(async () => ![null, leftOver].includes(await buildOid()));
        if (built !== undefined) await hold(built);
        await eventually(isReached);
        await expectInBackground(child.pid!);
      } finally {
        await kill(child);
        await letGo();
      }
      const { id } = await createCharge();
      expect(await service.call('GET', `/v1/charges/${id}`, { key: merchant.key })).toMatchObject({ status: 200 });
    });

    it('the next rebuild drops the leftover tables', async () => {
      // The lock is released with the connection of the killed process.
      await eventually(
        async () =>
          (await pool.query(`select from pg_stat_activity where datname = current_database() and application_name like 'chargebook-replay%'`))
            .rowCount === 0,
      );
      expect(await schemas()).toEqual(['customers', 'ledger', 'ledger_replay', 'outbox']);
      const rebuilt = await cli('rebuild', 'ledger', '--json');
      expect(rebuilt).toMatchObject({ code: 0, stderr: '' });
      expect(JSON.parse(rebuilt.stdout)).toMatchObject({ differences: 0, switched: true });
      expect(await schemas()).toEqual(['customers', 'ledger', 'outbox']);
    });
  });

  it('an event that cannot be applied stops the projection, and is skipped once it is set aside, in replays too', async () => {
    const alien = newEvent({}, 'Alien');
    await service.stores.eventStore.append('alien', 'no-stream', [alien]);
    await eventually(async () => (await readFailures(pool)).some(({ projection, event }) => projection === 'ledger' && event?.id === alien.id));
    const parked = await cli('status');
    expect(parked.stdout).toMatch(new RegExp(`ledger is stopped at event \\d+, Alien ${alien.id} \\(alien at 0\\)`));

    const other = await cli('set-aside', 'ledger', '--event', merchant.merchant_id, '--reason', 'a test');
    expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('only the event that stops a projection can be set aside') });
    const aside = await cli('set-aside', 'ledger', '--event', alien.id, '--reason', 'a test', '--json');
    expect(aside).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(aside.stdout)).toMatchObject({ projection: 'ledger', event_id: alien.id, event_type: 'Alien', reason: 'a test' });

    const { id } = await createCharge();
    await eventually(async () => (await service.call('GET', `/v1/charges/${id}`, { key: merchant.key })).status === 200);
    const verified = await cli('verify', 'ledger', '--json');
    expect(verified).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(verified.stdout)).toMatchObject({ set_aside: [{ event_id: alien.id }] });
    expect(await cli('retry', 'ledger')).toMatchObject({ code: 1, stderr: expect.stringContaining('is not stopped') });
    expect(JSON.parse((await runCli(['events', 'types', '--json'], env)).stdout)).toMatchObject({
      types: expect.arrayContaining([
        { type: 'Alien', version: 1, version_today: null, events: 1 },
        { type: 'EventSetAside', version: 1, version_today: 1, events: 1 },
      ]),
    });
  });
});
