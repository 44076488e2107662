import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Pool, PoolClient } from 'pg';
import type { EventStore } from '../../src/platform/event-store/event-store.js';
import type { ConnectionOptions } from '../../src/platform/postgres/connection-options.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import { FenceLost, readCheckpoint } from '../../src/platform/projector/checkpoint.js';
import { Pace } from '../../src/platform/projector/pace.js';
import type { Projection } from '../../src/platform/projector/projection.js';
import { ProjectionRunner } from '../../src/platform/projector/projection-runner.js';
import { projectionStatus } from '../../src/platform/projector/projection-status.js';
import { createPipeliningPool, Projector } from '../../src/platform/projector/projector.js';
import { projectorMigrations } from '../../src/platform/projector/projector.migrations.js';
import { newEvent } from '../support/events.js';
import { eventually } from '../support/eventually.js';
import { InMemoryEventStore } from '../support/in-memory-event-store.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { gate, seen } from './seen.js';

describe('the projector', () => {
  let database: TestDatabase;
  let pool: Pool;
  let store: InMemoryEventStore;
  const ends: (() => Promise<unknown>)[] = [];

  beforeEach(async () => {
    database = await createTestDatabase(projectorMigrations);
    pool = createPool({ url: database.url, applicationName: 'test' });
    store = new InMemoryEventStore();
  });
  afterEach(async () => {
    await Promise.all(ends.splice(0).map((end) => end()));
    await store.close();
    await pool.end();
    await database.drop();
  });

  function start(projections: readonly Projection[], from: EventStore = store): Projector & { reports: string[] } {
    const reports: string[] = [];
    const projector = new Projector({
      url: database.url,
      store: from,
      projections,
      report: (level, message) => reports.push(`${level}: ${message}`),
    });
    ends.push(() => projector.stop());
    projector.start();
    return Object.assign(projector, { reports });
  }

  /** A runner that was never elected: as a process that was, and does not know that another one is now. */
  function stray(
    projection: Projection,
    from: EventStore = store,
    limits: Pick<ConnectionOptions, 'statementTimeoutMs' | 'settings'> = {},
  ): { end: Promise<unknown>; stop: () => void } {
    const stopping = new AbortController();
    const batches = createPipeliningPool({ url: database.url, applicationName: 'stray', ...limits }, 1);
    const runner = new ProjectionRunner(projection, {
      store: from,
      log: from,
      batches,
      ddl: pool,
      report: () => undefined,
      skipped: () => Promise.resolve(new Set()),
      pace: new Pace(),
    });
    const end = runner.run(stopping.signal).then(
      () => undefined,
      (error: unknown) => error,
    );
    ends.push(async () => {
      stopping.abort();
      await end;
      await batches.end();
    });
    return { end, stop: () => stopping.abort() };
  }

  /** Does a step of a slow machine, in Postgres or in this process. */
  async function takeTime(by: 'Postgres' | 'the process', ms: number, tx: PoolClient): Promise<void> {
    if (by === 'Postgres') await tx.query('select pg_sleep($1)', [ms / 1_000]);
    else {
      await tx.query('select 1');
      for (const until = performance.now() + ms; performance.now() < until;);
    }
  }

  async function append(count: number, type = 'Happened'): Promise<void> {
    for (let n = 0; n < count; n++) await store.append(`some-${store.all().length}`, 'no-stream', [newEvent({}, type)]);
  }

  const ordinal = async (name: string): Promise<number> => (await readCheckpoint(pool, name))?.ordinal ?? 0;
  const reaches = (name: string, wanted: number): Promise<void> => eventually(async () => (await ordinal(name)) === wanted);

  async function rows(name: string): Promise<{ ordinal: bigint; id: string; version: number }[]> {
    return (await pool.query<{ ordinal: bigint; id: string; version: number }>(`select ordinal, id, version from ${name}.seen order by ordinal`))
      .rows;
  }

  async function expectAllSeen(name: string): Promise<void> {
    const found = await rows(name);
    expect(found.map(({ id }) => id)).toEqual(store.all().map(({ id }) => id));
    expect(found.map((row) => Number(row.ordinal))).toEqual(store.all().map((_, index) => index + 1));
  }

  it('projects the whole log in order, numbered from 1, and then new events', async () => {
    await append(20);
    start([seen('one'), seen('two')]);
    await reaches('one', 20);
    await append(5);
    await Promise.all([reaches('one', 25), reaches('two', 25)]);
    await expectAllSeen('one');
    await expectAllSeen('two');
    const checkpoint = await readCheckpoint(pool, 'one');
    expect(checkpoint).toMatchObject({ position: 25n, ordinal: 25, version: 'seen=1', event: { id: store.all()[24]!.id, revision: 0 } });
  });

  it('another process resumes at the checkpoint', async () => {
    await append(3);
    const first = start([seen('one')]);
    await reaches('one', 3);
    await first.stop();
    await append(3);
    start([seen('one')]);
    await reaches('one', 6);
    await expectAllSeen('one');
  });

  it('elects one of two projectors, and the other one when it ends', async () => {
    const [one, other] = [start([seen('one')]), start([seen('one')])];
    await eventually(() => one.leads || other.leads);
    const [leader, standby] = one.leads ? [one, other] : [other, one];
    await append(2);
    await reaches('one', 2);
    expect(standby.leads).toBe(false);
    await leader.stop();
    await append(2);
    await reaches('one', 4);
    expect(standby.leads).toBe(true);
    await expectAllSeen('one');
  });

  it('a projector that wakes between two batches does no harm when another process leads', async () => {
    await append(2);
    const paused = gate();
    // Its batch was read long ago; then the process slept.
    const slow: EventStore = Object.assign(Object.create(store) as EventStore, {
      read: store.read.bind(store),
      async *subscribe(...args: Parameters<EventStore['subscribe']>) {
        for await (const batch of store.subscribe(...args)) {
          await paused.pass();
          yield batch;
        }
      },
    });
    const sleeper = stray(seen('one'), slow);
    await paused.reached;
    start([seen('one')]);
    await append(1);
    await reaches('one', 3);
    paused.open();
    expect(await sleeper.end).toBeInstanceOf(FenceLost);
    await append(1);
    await reaches('one', 4);
    await expectAllSeen('one');
  });

  it('a projector that wakes inside its transaction does no harm: the new leader waits for the fence, and one of them fails', async () => {
    await append(2);
    const paused = gate();
    const sleeper = stray(seen('one', { onBatch: paused.pass }));
    await paused.reached;
    const leader = start([seen('one')]);
    // The leader's fence waits for the sleeper's transaction.
    await eventually(
      async () =>
        (
          await pool.query(
            `select 1 from pg_locks join pg_stat_activity using (pid) where datname = current_database() and not granted and locktype in ('transactionid', 'tuple')`,
          )
        ).rowCount! > 0,
    );
    paused.open();
    await eventually(() => leader.reports.some((report) => report.includes('another process is the projector')));
    sleeper.stop();
    await append(2);
    await reaches('one', 4);
    await expectAllSeen('one');
  });

  it.each(['Postgres', 'the process'] as const)(
    'a batch for which %s needs more time than the limits is applied in the end: with fewer events and longer limits at each attempt',
    async (by) => {
      const sizes: number[] = [];
      await append(20);
      const slow = seen('one', {
        async onBatch(batch, tx) {
          sizes.push(batch.length);
          // Even one event takes longer than the limits.
          await takeTime(by, 250 + 50 * batch.length, tx);
        },
      });
      stray(slow, store, { statementTimeoutMs: 200, settings: { idle_in_transaction_session_timeout: '200' } });
      await reaches('one', 20);
      await expectAllSeen('one');
      expect(sizes.slice(0, 2)).toEqual([20, 10]);
    },
  );

  it('an event that cannot be applied stops its projection alone; earlier events stay, and it resumes once it can', async () => {
    let mended = false;
    const poisoned = seen('poisoned', {
      onBatch: (batch) => {
        if (!mended && batch.some(({ type }) => type === 'Poison')) throw new Error('no rule for Poison');
      },
    });
    await append(37);
    await append(1, 'Poison');
    await append(20);
    const poison = store.all()[37]!;
    const projector = start([poisoned, seen('healthy')]);
    await reaches('healthy', 58);
    await eventually(() => projector.progress[0]?.phase === 'stopped');
    expect(await ordinal('poisoned')).toBe(37);
    expect(projector.progress[0]!.stop).toMatchObject({
      projection: 'poisoned',
      event: { ordinal: 38, id: poison.id, type: 'Poison', stream: poison.stream },
    });
    expect(projector.reports.join()).toContain('no rule for Poison');

    await eventually(async () => (await projectionStatus(pool, store, [poisoned])).projections[0]!.stop !== null);
    const status = await projectionStatus(pool, store, [poisoned, seen('healthy')]);
    expect(status.head).toBe(58);
    expect(status.projections).toMatchObject([
      {
        name: 'poisoned',
        version: 1,
        position: 37,
        lag_events: 21,
        state: 'stopped',
        stop: { event: { ordinal: 38, id: poison.id, type: 'Poison' } },
      },
      { name: 'healthy', position: 58, lag_events: 0, lag_seconds: 0, state: 'live', stop: null },
    ]);
    await append(1);
    await reaches('healthy', 59);

    mended = true;
    await reaches('poisoned', 59);
    await expectAllSeen('poisoned');
    await eventually(async () => (await projectionStatus(pool, store, [poisoned])).projections[0]!.stop === null);
  });

  it('rebuilds a raised version beside the live one and switches after it catches up', async () => {
    await append(30);
    const before = start([seen('one')]);
    await reaches('one', 30);
    await before.stop();

    const building = gate();
    start([seen('one', { version: 2, onBatch: building.pass })]);
    await building.reached;
    await append(5);
    // The old rows are there, as they were.
    expect(new Set((await rows('one')).map(({ version }) => version))).toEqual(new Set([1]));
    expect((await projectionStatus(pool, store, [seen('one', { version: 2 })])).projections[0]).toMatchObject({ state: 'rebuilding', version: 1 });
    building.open();
    await reaches('one', 35);
    expect(new Set((await rows('one')).map(({ version }) => version))).toEqual(new Set([2]));
    await expectAllSeen('one');
    await append(1);
    await reaches('one', 36);
    const { rows: schemas } = await pool.query<{ name: string }>(`select nspname as name from pg_namespace where nspname like 'one%'`);
    expect(schemas).toEqual([{ name: 'one' }]);
  });

  it('leaves rows of a newer service version alone and reports the version', async () => {
    await append(2);
    const newer = start([seen('one', { version: 2 })]);
    await reaches('one', 2);
    await newer.stop();
    const older = start([seen('one', { version: 1 })]);
    await eventually(() => older.progress[0]?.phase === 'stopped');
    expect(older.progress[0]!.stop!.event).toBeNull();
    expect(older.progress[0]!.stop!.error).toContain('newer version of the service (seen=2; this one has seen=1)');
    expect((await rows('one')).map(({ version }) => version)).toEqual([2, 2]);
  });

  it('resumes an interrupted rebuild', async () => {
    await append(10);
    const before = start([seen('one')]);
    await reaches('one', 10);
    await before.stop();
    const half = start([
      seen('one', {
        version: 2,
        onBatch: (batch) => (batch.some((event) => event.ordinal > 7) ? Promise.reject(new Error('broken off')) : undefined),
      }),
    ]);
    await eventually(async () => (await readCheckpoint(pool, 'one_rebuild'))?.ordinal === 7);
    await half.stop();
    const given: number[] = [];
    start([seen('one', { version: 2, onBatch: (batch) => void given.push(...batch.map((event) => event.ordinal)) })]);
    await eventually(async () => (await readCheckpoint(pool, 'one'))?.version === 'seen=2');
    expect(given).toEqual([8, 9, 10]);
    await expectAllSeen('one');
  });

  it('waits for readers before it switches', async () => {
    await append(3);
    const before = start([seen('one')]);
    await reaches('one', 3);
    await before.stop();
    const reader = await pool.connect();
    await reader.query('begin; select * from one.seen; select * from one.checkpoint');
    start([seen('one', { version: 2 })]);
    await eventually(async () => (await readCheckpoint(pool, 'one_rebuild'))?.ordinal === 3);
    expect((await reader.query('select version from one.seen')).rows).toContainEqual({ version: 1 });
    await reader.query('commit');
    reader.release();
    await eventually(async () => (await readCheckpoint(pool, 'one'))?.version === 'seen=2');
  });

  it('creates the indexes for readers after the load', async () => {
    const atFirstBatch: boolean[] = [];
    const hasIndex = async (): Promise<boolean> =>
      (await pool.query(`select 1 from pg_indexes where schemaname = 'one' and indexname = 'seen_type'`)).rowCount === 1;
    await append(3);
    start([seen('one', { onBatch: async () => void atFirstBatch.push(await hasIndex()) })]);
    await eventually(async () => (await readCheckpoint(pool, 'one'))?.indexed === true);
    expect(atFirstBatch[0]).toBe(false);
    expect(await hasIndex()).toBe(true);
  });

  it('detects an event store that was restored to an older state and reports the remedy', async () => {
    await append(5);
    const before = start([seen('one'), seen('two')]);
    await Promise.all([reaches('one', 5), reaches('two', 5)]);
    await before.stop();

    const older = new InMemoryEventStore();
    for (const event of store.all().slice(0, 3)) await older.append(event.stream, 'no-stream', [event]);
    const onOlder = start([seen('one')], older);
    await eventually(() => onOlder.progress[0]?.phase === 'stopped');
    expect(onOlder.progress[0]!.stop!.error).toMatch(/event store is not the one .*last event 5 .*drop schema one cascade/);
    await onOlder.stop();
    // The older store continued with other events since.
    for (let n = 0; n < 5; n++) await older.append(`other-${n}`, 'no-stream', [newEvent()]);
    const onOther = start([seen('one')], older);
    await eventually(() => onOther.progress[0]?.phase === 'stopped');
    await onOther.stop();
    expect(await ordinal('one')).toBe(5);
    await expectAllSeen('one');
    await older.close();

    // The right one again.
    start([seen('one')]);
    await append(1);
    await reaches('one', 6);
  });

  it('the projector recovers when its connections are cut', async () => {
    await append(2);
    const projector = start([seen('one')]);
    await reaches('one', 2);
    await pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'chargebook-%'`,
    );
    await append(2);
    await reaches('one', 4);
    await expectAllSeen('one');
    expect(projector.progress[0]!.stop).toBeNull();
  });

  it('a projection does not wait after its session was ended between two batches', async () => {
    await append(1);
    const { reports } = start([seen('one')]);
    await reaches('one', 1);
    // A backend leaves pg_stat_activity before it closes its connection: only with a timeout does the function wait for its end.
    const end = `select pg_terminate_backend(pid, 30000) from pg_stat_activity where datname = current_database() and application_name = 'chargebook-projector' and state = 'idle'`;
    await eventually(async () => (await pool.query(end)).rowCount === 1);
    await append(1);
    await reaches('one', 2);
    expect(reports.filter((report) => report.includes('waits'))).toEqual([]);
  });
});
