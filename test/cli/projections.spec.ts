import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Pool } from 'pg';
import { loadLog } from '../../bench/catch-up.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import { readCheckpoint } from '../../src/platform/projector/checkpoint.js';
import { eventually } from '../support/eventually.js';
import { CHARGE_ORDER, newIdempotencyKey, startTestService, type TestMerchant, type TestService } from '../support/service.js';
import { runCli, startCli, type Run } from './run-cli.js';

jest.setTimeout(120_000);

describe('replays on the command line, beside a service', () => {
  let service: TestService;
  let merchant: TestMerchant;
  let pool: Pool;
  let env: Readonly<Record<string, string>>;

  beforeAll(async () => {
    service = await startTestService();
    env = { DATABASE_URL: service.stores.databaseUrl };
    pool = createPool({ url: service.stores.databaseUrl, applicationName: 'test', statementTimeoutMs: 0 });
    await loadLog(pool, 8_000);
    merchant = await service.newMerchant();
    const head = await service.stores.eventStore.head();
    for (const name of ['ledger', 'customers', 'outbox', 'event_index'])
      await eventually(async () => ((await readCheckpoint(pool, name))?.position ?? -1n) >= head!, 60_000);
  });
  afterAll(async () => {
    await pool.end();
    await service.stop();
  });

  const cli = (...args: string[]): Promise<Run> => runCli(['projections', ...args], env);

  async function schemas(): Promise<string[]> {
    const { rows } = await pool.query<{ name: string }>(
      `select nspname as name from pg_namespace where nspname like 'ledger%' or nspname like 'customers%' or nspname like 'outbox%' order by 1`,
    );
    return rows.map(({ name }) => name);
  }

  async function createCharge(): Promise<string> {
    const { status, body, text } = await service.call('POST', '/v1/charges', { key: merchant.key, body: CHARGE_ORDER, headers: newIdempotencyKey() });
    if (status !== 200) throw new Error(`a create was answered with ${status}: ${text}`);
    return (body as { id: string }).id;
  }

  it('rebuilds under load: no request fails, every write is read, and there are no differences', async () => {
    let ended = false;
    let written = 0;
    const customers = Array.from({ length: 4 }, async () => {
      while (!ended) {
        const id = await createCharge();
        const [one, list] = await Promise.all([
          service.call('GET', `/v1/charges/${id}`, { key: merchant.key }),
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
    expect(answer.events).toBeGreaterThan(8_000);
    expect(answer.projections).toMatchObject([
      { name: 'ledger', switched: true },
      { name: 'customers', switched: true },
      { name: 'outbox', differences: 0, switched: false },
      { name: 'event_index', switched: true },
    ]);
    expect(written).toBeGreaterThan(0);
    expect(await schemas()).toEqual(['customers', 'ledger', 'outbox']);
  });

  it('finds and names a row that was changed by hand, and leaves it until told', async () => {
    const id = await createCharge();
    await pool.query('update ledger.charges set net_amount = 1 where id = $1', [id]);
    const verified = await cli('verify', '--json');
    expect(verified).toMatchObject({ code: 1, stderr: expect.stringMatching(/^error: 1 rows of ledger\.charges are not what the facts give.*\n$/) });
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

  describe('killed at any point', () => {
    /** Brings a rebuild to a point, holding it there or not, and gives back what lets go again. */
    type Bring = () => Promise<() => Promise<unknown>>;

    /** What a transaction of ours that has said `sql` makes somebody else wait for. */
    async function holding(sql: string): Promise<() => Promise<unknown>> {
      const client = await pool.connect();
      await client.query(sql);
      return async () => {
        await client.query('rollback');
        client.release();
      };
    }

    const isWaitedFor = (statement: string) => async (): Promise<boolean> =>
      (
        await pool.query(`select from pg_stat_activity where application_name = 'chargebook-replay' and wait_event_type = 'Lock' and query like $1`, [
          statement,
        ])
      ).rowCount! > 0;
    const replayed = async (ordinal: number): Promise<boolean> =>
      ((await readCheckpoint(pool, 'ledger_replay').catch(() => null))?.ordinal ?? 0) >= ordinal;

    const POINTS: [string, Bring][] = [
      [
        'while it reads',
        async () => {
          await eventually(() => replayed(1), 30_000);
          return () => Promise.resolve();
        },
      ],
      [
        'while it compares',
        async () => {
          await eventually(() => replayed(1), 30_000);
          const letGo = await holding('begin; lock table ledger.search_sizes in access exclusive mode');
          await eventually(isWaitedFor('%full join%'), 30_000);
          return letGo;
        },
      ],
      [
        'while it makes indexes',
        async () => {
          await eventually(() => replayed(1), 30_000);
          const letGo = await holding('begin; lock table ledger_replay.charges in row exclusive mode');
          await eventually(isWaitedFor('create index%'), 30_000);
          return letGo;
        },
      ],
      [
        'while it waits to switch',
        async () => {
          await eventually(() => replayed(1), 30_000);
          const letGo = await holding('begin isolation level repeatable read; select 1 from pg_class limit 1');
          const isSwitching = `select from pg_stat_activity where application_name = 'chargebook-replay' and query like '%pg_stat_activity%' and query not like '%pg_cancel%'`;
          await eventually(async () => (await pool.query(isSwitching)).rowCount! > 0, 30_000);
          return letGo;
        },
      ],
    ];

    async function kill(child: ChildProcessWithoutNullStreams): Promise<void> {
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
    }

    it.each(POINTS)('%s: the live tables serve, and the next rebuild cleans up', async (_, bring) => {
      const child = startCli(['projections', 'rebuild', 'ledger'], env);
      child.stdout.resume();
      child.stderr.resume();
      const letGo = await bring();
      await kill(child);
      await letGo();
      const id = await createCharge();
      expect(await service.call('GET', `/v1/charges/${id}`, { key: merchant.key })).toMatchObject({ status: 200 });
    });

    it('cleans up', async () => {
      // The lock goes with the killed one's connection.
      await eventually(
        async () => (await pool.query(`select from pg_stat_activity where application_name like 'chargebook-replay%'`)).rowCount === 0,
      );
      expect(await schemas()).toEqual(['customers', 'ledger', 'ledger_replay', 'outbox']);
      const rebuilt = await cli('rebuild', 'ledger', '--json');
      expect(rebuilt).toMatchObject({ code: 0, stderr: '' });
      expect(JSON.parse(rebuilt.stdout)).toMatchObject({ differences: 0, switched: true });
      expect(await schemas()).toEqual(['customers', 'ledger', 'outbox']);
    });
  });
});
