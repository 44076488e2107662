import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { eventually } from '../support/eventually.js';
import type { TestDatabase } from '../support/postgres.js';
import { randomNumbers } from '../support/random-numbers.js';
import { createServiceDatabase } from '../support/service-database.js';
import { startServiceProcess, type ServiceProcess } from '../support/service-process.js';
import { call, callPatiently, CHARGE_ORDER, newIdempotencyKey, type Answer } from '../support/service.js';

const WRITERS = 4;
const ROUNDS = 15;

describe('a database that ends sessions at any moment', () => {
  let database: TestDatabase;
  let dataDir: string;
  let admin: pg.Pool;
  let processes: ServiceProcess[];
  let key: string;
  const random = randomNumbers(7);

  beforeAll(async () => {
    database = await createServiceDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'chargebook-hostile-'));
    admin = new pg.Pool({ connectionString: database.url, max: 1 });
    const start = (ROLES: string): Promise<ServiceProcess> => startServiceProcess({ DATA_DIR: dataDir, DATABASE_URL: database.url, ROLES });
    processes = await Promise.all([start('api'), start('projector,worker')]);
    key = /sk_test_[0-9A-Za-z]{36}/.exec(processes[0]!.lines.join('\n'))![0];
    await eventually(async () => !(await get('/v1/charges')).headers.has('ledger-lag'));
  });
  afterAll(async () => {
    await Promise.all(processes.map((process) => process.stop()));
    await admin.end();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const get = (path: string): Promise<Answer> => call('GET', new URL(path, processes[0]!.url), { key });
  const change = (method: string, path: string, body: object): Promise<Answer> =>
    callPatiently(method, new URL(path, processes[0]!.url), { key, body, headers: newIdempotencyKey() });

  /** Ends one session of the service, in the middle of whatever it does: of all with the same chance. */
  async function endOne(): Promise<void> {
    await admin.query(
      `with service as (select pid, row_number() over (order by backend_start, pid) - 1 as nth, count(*) over () as n
                          from pg_stat_activity where datname = current_database() and application_name like 'chargebook-%')
       select pg_terminate_backend(pid) from service where nth = floor($1::float8 * n)`,
      [random(1_000) / 1_000],
    );
  }

  it('each read shows every answered write, or reports a lag, or is refused', async () => {
    const wrong: string[] = [];
    let shown = 0;
    const read = async (path: string, shows: (body: any) => boolean): Promise<void> => {
      if (random(2) === 0) await endOne();
      const { status, headers, body } = await get(path);
      if (status === 503 || headers.has('ledger-lag')) return;
      if (status === 200 && shows(body)) shown += 1;
      else wrong.push(`${path}: ${status}`);
    };
    const writer = async (): Promise<void> => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const charge = await change('POST', '/v1/charges', CHARGE_ORDER);
        await read(`/v1/charges/${charge.body.id}`, ({ status }) => status === 'PENDING');
        await read('/v1/charges?PageSize=100&IsDescending=true', ({ items }) => items.some(({ id }: { id: string }) => id === charge.body.id));
        const cancelled = await change('POST', `/v1/charges/${charge.body.id}/cancel`, {});
        expect([charge.status, cancelled.status]).toEqual([200, 200]);
        await read(`/v1/charges/${charge.body.id}`, ({ status }) => status === 'CANCELLED');
        const { body } = await change('POST', '/v1/customers', { name: 'Sari' });
        await read(`/v1/customers/${body.id}`, ({ name }) => name === 'Sari');
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, writer));
    expect(wrong).toEqual([]);
    expect(shown).toBeGreaterThan(0);
    // Nothing was lost, and nothing was recorded twice.
    await eventually(async () => {
      const { status, headers, body } = await get('/v1/charges?PageSize=1&Status=CANCELLED');
      return status === 200 && !headers.has('ledger-lag') && body.total_item_count === WRITERS * ROUNDS;
    });
    expect((await get('/v1/charges?PageSize=1')).body.total_item_count).toBe(WRITERS * ROUNDS);
  });
});
