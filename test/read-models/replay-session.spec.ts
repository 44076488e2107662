import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { createPool } from '../../src/platform/postgres/pool.js';
import { readCheckpoint } from '../../src/platform/projector/checkpoint.js';
import type { Projection } from '../../src/platform/projector/projection.js';
import { Projector } from '../../src/platform/projector/projector.js';
import { projectorMigrations } from '../../src/platform/projector/projector.migrations.js';
import { ReplaySession, ReplayUnderWay, type RebuildOptions } from '../../src/platform/projector/replay-session.js';
import { quarantinedEvents, skippedBy, quarantineEvent } from '../../src/ledger/streams/quarantine.js';
import { askForRetry, readFailures } from '../../src/platform/projector/failures.js';
import { newEvent } from '../support/events.js';
import { eventually } from '../support/eventually.js';
import { InMemoryEventStore } from '../support/in-memory-event-store.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { gate, seen } from './seen.js';

const REBUILD: RebuildOptions = { keepsOld: false, accepts: () => false, verifiedOnly: new Set() };

describe('a session of replays', () => {
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

  function start(...projections: readonly Projection[]): Projector {
    const projector = new Projector({ url: database.url, store, projections, skipped: skippedBy(store) });
    ends.push(() => projector.stop());
    projector.start();
    return projector;
  }

  const session = <T>(work: (session: ReplaySession) => Promise<T>, signal = new AbortController().signal): Promise<T> =>
    ReplaySession.run(
      { url: database.url, store, signal, watch: { step: () => undefined, advance: () => undefined }, skipped: skippedBy(store) },
      work,
    );

  async function append(count: number): Promise<void> {
    for (let n = 0; n < count; n++) await store.append(`some-${store.all().length}`, 'no-stream', [newEvent()]);
  }

  async function reaches(name: string, wanted: number): Promise<void> {
    await eventually(async () => (await readCheckpoint(pool, name))?.ordinal === wanted);
  }

  async function schemas(): Promise<string[]> {
    const { rows } = await pool.query<{ name: string }>(`select nspname as name from pg_namespace where nspname like 'one%' order by 1`);
    return rows.map(({ name }) => name);
  }

  async function expectAllSeen(name: string): Promise<void> {
    const { rows } = await pool.query<{ id: string }>(`select id from ${name}.seen order by ordinal`);
    expect(rows.map(({ id }) => id)).toEqual(store.all().map(({ id }) => id));
  }

  const oidOf = async (table: string): Promise<number> =>
    (await pool.query<{ oid: number }>('select $1::regclass::oid as oid', [table])).rows[0]!.oid;

  it('rebuilds beside the live tables while they continue, and the leader continues with the new ones', async () => {
    await append(30);
    const building = gate();
    const projector = start(seen('one'));
    await reaches('one', 30);
    const before = await oidOf('one.seen');
    const rebuilding = session((replays) => replays.rebuild([seen('one', { onBatch: building.pass })], REBUILD));
    await building.reached;
    await append(5);
    await reaches('one', 35);
    building.open();
    expect(await rebuilding).toMatchObject([{ name: 'one', version: 'seen=1', events: 35, differences: 0, switched: true }]);
    expect(await oidOf('one.seen')).not.toBe(before);
    await append(1);
    await reaches('one', 36);
    await expectAllSeen('one');
    expect(projector.progress[0]!.stop).toBeNull();
    expect(await schemas()).toEqual(['one']);
    const { rowCount } = await pool.query(`select 1 from pg_indexes where schemaname = 'one' and indexname = 'seen_type'`);
    expect(rowCount).toBe(1);
  });

  it('names rows that differ, and switches only when the differences are accepted', async () => {
    await append(50);
    const projector = start(seen('one'));
    await reaches('one', 50);
    await projector.stop();
    const genuine = store.all()[6]!.id;
    await pool.query(`update one.seen set type = 'Other', version = 9 where ordinal = 7; delete from one.seen where ordinal = 9;
      insert into one.seen values (77, gen_random_uuid(), 'Invented', 1)`);
    const before = await oidOf('one.seen');

    const [verified] = await session((replays) => replays.verify([seen('one')]));
    expect(verified!.tables).toMatchObject([{ name: 'seen', rows: 50, differences: 3 }]);
    const [table] = verified!.tables;
    expect(table!.digest).not.toBe(table!.rebuilt_digest);
    expect(table!.found.map(({ row: _, ...rest }) => rest)).toEqual([
      {
        key: { ordinal: '7' },
        kind: 'changed',
        columns: [
          { column: 'type', live: 'Other', rebuilt: 'SomethingHappened' },
          { column: 'version', live: '9', rebuilt: '1' },
        ],
      },
      { key: { ordinal: '9' }, kind: 'missing', columns: [] },
      { key: { ordinal: '77' }, kind: 'extra', columns: [] },
    ]);

    expect(await session((replays) => replays.rebuild([seen('one')], REBUILD))).toMatchObject([{ differences: 3, switched: false }]);
    expect(await oidOf('one.seen')).toBe(before);
    const accepting = { ...REBUILD, accepts: () => true };
    const verifying = { ...accepting, verifiedOnly: new Set(['one']) };
    expect(await session((replays) => replays.rebuild([seen('one')], verifying))).toMatchObject([{ differences: 3, switched: false }]);
    expect(await session((replays) => replays.rebuild([seen('one')], accepting))).toMatchObject([{ differences: 3, switched: true }]);
    expect((await pool.query('select id, type from one.seen where ordinal = 7')).rows).toEqual([{ id: genuine, type: 'SomethingHappened' }]);
    await expectAllSeen('one');
    expect(await schemas()).toEqual(['one']);
  });

  it('names a bounded number of differing rows, and counts all', async () => {
    await append(60);
    const projector = start(seen('one'));
    await reaches('one', 60);
    await projector.stop();
    await pool.query(`update one.seen set type = 'Other'`);
    const [verified] = await session((replays) => replays.verify([seen('one')]));
    expect(verified!.tables[0]).toMatchObject({ differences: 60 });
    expect(verified!.tables[0]!.found.map(({ key }) => key['ordinal'])).toEqual(Array.from({ length: 20 }, (_, index) => String(index + 1)));
  });

  it('a rollback returns to the kept build after it catches up, and can be reversed', async () => {
    await append(10);
    start(seen('one'));
    await reaches('one', 10);
    const first = await oidOf('one.seen');
    await session((replays) => replays.rebuild([seen('one')], { ...REBUILD, keepsOld: true }));
    const second = await oidOf('one.seen');
    expect(await oidOf('one_former.seen')).toBe(first);
    await append(10);
    await reaches('one', 20);

    expect(await session((replays) => replays.rollback([seen('one')]))).toMatchObject([{ name: 'one', events: 20 }]);
    expect([await oidOf('one.seen'), await oidOf('one_former.seen')]).toEqual([first, second]);
    await append(1);
    await reaches('one', 21);
    await expectAllSeen('one');
    await session((replays) => replays.rollback([seen('one')]));
    expect(await oidOf('one.seen')).toBe(second);
    await append(1);
    await reaches('one', 22);
    await expectAllSeen('one');

    await session((replays) => replays.rebuild([seen('one')], REBUILD));
    expect(await schemas()).toEqual(['one']);
    await expect(session((replays) => replays.rollback([seen('one')]))).rejects.toThrow('has no previous build');
  });

  it('replaces the old version by a raised one, and the code of the old version can roll back', async () => {
    await append(10);
    const old = start(seen('one'));
    await reaches('one', 10);
    await old.stop();
    const raised = seen('one', { version: 2 });
    await expect(session((replays) => replays.verify([raised]))).rejects.toThrow('another version');
    expect(await session((replays) => replays.rebuild([raised], { ...REBUILD, keepsOld: true }))).toMatchObject([
      { version: 'seen=2', tables: null, differences: 0, switched: true },
    ]);
    expect((await readCheckpoint(pool, 'one'))!.version).toBe('seen=2');
    await append(5);
    await expect(session((replays) => replays.rollback([raised]))).rejects.toThrow('is of version seen=1');
    await session((replays) => replays.rollback([seen('one')]));
    start(seen('one'));
    await reaches('one', 15);
    expect((await readCheckpoint(pool, 'one'))!.version).toBe('seen=1');
    await expectAllSeen('one');
  });

  it('only one replay session runs at a time', async () => {
    await session(async () => {
      await expect(session(() => Promise.resolve())).rejects.toBeInstanceOf(ReplayUnderWay);
    });
    await session(() => Promise.resolve());
  });

  it('leaves nothing behind when a replay is aborted or an event cannot be applied', async () => {
    await append(10);
    start(seen('one'));
    await reaches('one', 10);
    const breaking = new AbortController();
    const building = gate();
    const rebuilding = session((replays) => replays.rebuild([seen('one', { onBatch: building.pass })], REBUILD), breaking.signal);
    await building.reached;
    breaking.abort();
    building.open();
    await expect(rebuilding).rejects.toThrow();
    expect(await schemas()).toEqual(['one']);

    const poisoned = seen('one', {
      onBatch: (batch) => {
        if (batch.some(({ ordinal }) => ordinal === 4)) throw new Error('no rule for it');
      },
    });
    await expect(session((replays) => replays.rebuild([poisoned], REBUILD))).rejects.toThrow(/event 4 .* cannot be applied: no rule for it/);
    expect(await schemas()).toEqual(['one']);
    await append(1);
    await reaches('one', 11);
  });

  it('skips an event that was set aside, live and in every replay, and resumes at once when asked', async () => {
    const poisoned = seen('one', {
      onBatch: (batch) => {
        if (batch.some(({ type }) => type === 'Poison')) throw new Error('no rule for Poison');
      },
    });
    await append(5);
    await store.append('poison', 'no-stream', [newEvent({}, 'Poison')]);
    await append(5);
    const poison = store.all()[5]!;
    start(poisoned);
    await eventually(async () => (await readFailures(pool))[0]?.event?.id === poison.id);
    expect((await readCheckpoint(pool, 'one'))!.ordinal).toBe(5);

    const aside = {
      projection: 'one',
      event_id: poison.id,
      event_type: 'Poison',
      event_stream: 'poison',
      event_revision: 0,
      event_position: 6,
      reason: 'a test',
      set_aside_by: 'sari',
    };
    const recorded = await quarantineEvent(store, Date.now, aside);
    expect(await quarantineEvent(store, Date.now, aside)).toEqual(recorded);
    expect(await quarantinedEvents(store, 'one')).toEqual([{ merchant_id: null, ...aside, set_aside_on: recorded.set_aside_on }]);
    expect(await askForRetry(pool, 'one')).toBe(true);
    await reaches('one', 12);
    const { rows } = await pool.query<{ ordinal: bigint }>('select ordinal from one.seen order by ordinal');
    expect(rows.map(({ ordinal }) => Number(ordinal))).toEqual([1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12]);

    const [verified] = await session((replays) => replays.verify([poisoned]));
    expect(verified).toMatchObject({ events: 12, tables: [{ differences: 0, rows: 11 }] });
    expect(await askForRetry(pool, 'one')).toBe(false);
  });

  it('switches no tables under a reader that began before the new build was finished', async () => {
    await append(10);
    start(seen('one'));
    await reaches('one', 10);
    const reader = await pool.connect();
    // It has a view of the database, and will ask for these tables only later.
    await reader.query('begin isolation level repeatable read; select 1 from pg_class limit 1');
    let switched = false;
    const rebuilding = session((replays) => replays.rebuild([seen('one')], REBUILD)).then(() => (switched = true));
    await eventually(async () => (await readCheckpoint(pool, 'one_replay'))?.indexed === true);
    expect((await reader.query('select count(*)::int as seen from one.seen')).rows).toEqual([{ seen: 10 }]);
    expect(switched).toBe(false);
    await reader.query('commit');
    reader.release();
    await rebuilding;
    await expectAllSeen('one');
  });
});
