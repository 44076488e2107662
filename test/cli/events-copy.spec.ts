import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { MIGRATIONS } from '../../src/app/migrations.js';
import { EmbeddedEventStore } from '../../src/platform/event-store/embedded/embedded-event-store.js';
import { newEvent } from '../support/events.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { runCli, startCli } from '../support/run-cli.js';

const EVENTS = 3_000;

describe('events copy', () => {
  let from: TestDatabase;
  let to: TestDatabase;
  let written: pg.Pool;
  let copied: pg.Pool;

  beforeAll(async () => {
    [from, to] = [await createTestDatabase(MIGRATIONS), await createTestDatabase()];
    [written, copied] = [from, to].map(({ url }) => new pg.Pool({ connectionString: url, max: 1 })) as [pg.Pool, pg.Pool];
    const store = new EmbeddedEventStore({ databaseUrl: from.url });
    await Promise.all(Array.from({ length: EVENTS }, (_, i) => store.append(`charge-${i}`, 'no-stream', [newEvent({ i, name: 'Kopi é' })])));
    await store.close();
  });
  afterAll(async () => {
    await Promise.all([written.end(), copied.end()]);
    await Promise.all([from.drop(), to.drop()]);
  });

  const log = async (pool: pg.Pool): Promise<unknown[]> =>
    (await pool.query('select position, stream, revision, id, type, data::text, metadata::text from event_store.events order by position')).rows;
  const count = async (): Promise<number> =>
    Number((await copied.query<{ n: string }>('select count(*) as n from event_store.events').catch(() => ({ rows: [{ n: '0' }] }))).rows[0]!.n);
  /** True while Postgres still executes a statement of the killed process. */
  const isWritten = async (): Promise<boolean> =>
    (await copied.query('select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()')).rowCount! > 0;

  it('continues after kill -9, and produces the same log, byte for byte', async () => {
    const args = ['events', 'copy', '--from', from.url, '--to', to.url, '--json'];
    const killed = startCli(args, {});
    killed.stdout.resume();
    killed.stderr.resume();
    await eventually(async () => (await count()) > 200);
    killed.kill('SIGKILL');
    await once(killed, 'close');
    await eventually(async () => !(await isWritten()));
    const there = await count();

    const { code, stdout, stderr } = await runCli(args, {});
    expect([code, stderr]).toEqual([0, '']);
    const report = JSON.parse(stdout) as { copied: number };
    expect(report).toEqual({ events: EVENTS, copied: EVENTS - there, digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(await log(copied)).toEqual(await log(written));
  });

  it.each([
    [() => ['--from', to.url, '--to', to.url], 'error: --from and --to are the same store'],
    [() => ['--from', 'mysql://x/y', '--to', to.url], 'error: the URL of an event store must begin with'],
    [
      () => ['--from', from.url.replace(/[^/]*$/, 'nowhere'), '--to', to.url],
      'error: the database cannot be used: database "nowhere" does not exist',
    ],
  ])('prints the reason of a refusal in one line: %#', async (args, line) => {
    const run = await runCli(['events', 'copy', ...args()], {});
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr.trimEnd().split('\n')).toEqual([expect.stringContaining(line)]);
  });
});
