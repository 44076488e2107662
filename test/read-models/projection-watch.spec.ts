import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Pool } from 'pg';
import { createPool } from '../../src/platform/postgres/pool.js';
import { readCheckpoint } from '../../src/platform/projector/checkpoint.js';
import { ProjectionLag } from '../../src/platform/projector/projection-lag.js';
import { ProjectionWatch } from '../../src/platform/projector/projection-watch.js';
import { PositionWaiters } from '../../src/platform/projector/position-waiters.js';
import type { Projection } from '../../src/platform/projector/projection.js';
import { Projector } from '../../src/platform/projector/projector.js';
import { projectorMigrations } from '../../src/platform/projector/projector.migrations.js';
import { newEvent } from '../support/events.js';
import { eventually, within } from '../support/eventually.js';
import { InMemoryEventStore } from '../support/in-memory-event-store.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

/** A wait takes this time only when something is wrong. */
const LONG_MS = 60_000;

/** Rows do not matter here, only the checkpoint. */
const nothing = (name: string, apply: () => Promise<void> = async () => undefined): Projection => ({
  name,
  decode: (event) => event,
  readModels: [{ name: 'nothing', version: 1, ddl: () => '', indexes: () => [], apply }],
});

describe('the watch over projections', () => {
  let database: TestDatabase;
  let pool: Pool;
  let store: InMemoryEventStore;
  let watch: ProjectionWatch;
  const projectors: Projector[] = [];
  let appended: number;

  beforeEach(async () => {
    database = await createTestDatabase(projectorMigrations);
    pool = createPool({ url: database.url, applicationName: 'test' });
    store = new InMemoryEventStore();
    appended = 0;
    watch = new ProjectionWatch({ url: database.url, pool, store, projections: ['one', 'two'] });
  });
  afterEach(async () => {
    await Promise.all(projectors.splice(0).map((projector) => projector.stop()));
    await watch.close();
    await store.close();
    await pool.end();
    await database.drop();
  });

  function project(...projections: Projection[]): Projector {
    const projector = new Projector({ url: database.url, store, projections });
    projectors.push(projector);
    projector.start();
    return projector;
  }

  async function append(): Promise<bigint> {
    const result = await store.append(`some-${appended++}`, 'no-stream', [newEvent()]);
    if (!result.ok) throw new Error('not appended');
    return result.position;
  }

  /** Moves the checkpoint as a projector would whose notification got lost. */
  const moveSilently = (name: string, position: bigint): Promise<unknown> =>
    pool.query(`update ${name}.checkpoint set position = $1, ordinal = $1`, [position]);

  it('resolves a wait when its projection reaches the position, separately per projection', async () => {
    await watch.start();
    expect(watch.current('one')).toBeNull();
    const position = await append();
    const projected = watch.waitFor('one', position, LONG_MS);
    project(nothing('one'));
    expect(await projected).toBe(true);
    expect(watch.current('one')).toEqual({ position, ordinal: 1 });
    expect(await watch.waitFor('one', position, 0)).toBe(true);
    expect(await watch.waitFor('two', position, 20)).toBe(false);
    expect(() => watch.current('three')).toThrow('projection three is not followed by this process');
  });

  it('the watch knows positions that were projected before it started', async () => {
    const position = await append();
    project(nothing('one'));
    await eventually(async () => (await readCheckpoint(pool, 'one'))?.position === position);
    await watch.start();
    expect(watch.current('one')).toEqual({ position, ordinal: 1 });
  });

  it('serves five thousand waiters in any order with a handful of queries', async () => {
    await watch.start();
    const positions = Array.from({ length: 5_000 }, (_, n) => BigInt((n * 7_919) % 5_000) + 1n);
    const waiting = positions.map((position) => watch.waitFor('one', position, LONG_MS));
    for (let n = 0; n < 5_000; n++) await append();
    project(nothing('one'));
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([true]));
  });

  it('polls without a notification while a waiter exists', async () => {
    await append();
    project(nothing('one'));
    await watch.start();
    expect(await watch.waitFor('one', 1n, LONG_MS)).toBe(true);
    const waiting = watch.waitFor('one', 9n, LONG_MS);
    await moveSilently('one', 9n);
    expect(await within(1_000, () => waiting)).toBe(true);
  });

  it('the watch recovers when its connections are cut', async () => {
    project(nothing('one'));
    await watch.start();
    expect(await watch.waitFor('one', await append(), LONG_MS)).toBe(true);
    await pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'chargebook-session'`,
    );
    expect(await watch.waitFor('one', await append(), LONG_MS)).toBe(true);
    await eventually(
      async () =>
        (await pool.query(`select 1 from pg_stat_activity where datname = current_database() and application_name = 'chargebook-session'`))
          .rowCount! > 0,
    );
  });

  it('measures the lag from the first event that is not projected', async () => {
    await append();
    const projector = project(nothing('one'));
    await watch.start();
    expect(await watch.waitFor('one', 1n, LONG_MS)).toBe(true);
    expect(watch.lagSeconds('one')).toBe(0);
    await projector.stop();
    await append();
    await eventually(() => watch.lagSeconds('one') > 0.3);
    await append();
    expect(watch.lagSeconds('one')).toBeGreaterThan(0.3);
    project(nothing('one'));
    expect(await watch.waitFor('one', 3n, LONG_MS)).toBe(true);
    expect(watch.lagSeconds('one')).toBe(0);
  });

  it('the watch knows the head of the log, also a moment after another process appends, and no position beyond it', async () => {
    project(nothing('one'));
    await watch.start();
    expect(await watch.isInLog(1n)).toBe(false);
    let looks = 0;
    store.hooks = { beforeRead: () => void (looks += 1) };
    // Questions that come together are answered by one look, those that come while it is under way by the next one.
    const early = watch.isInLog(9n);
    const position = await append();
    const all = [early, ...Array.from({ length: 500 }, () => watch.isInLog(position)), watch.isInLog(position + 1n), watch.isInLog(2n ** 64n)];
    expect(await Promise.all(all)).toEqual([false, ...Array.from({ length: 500 }, () => true), false, false]);
    // The watch's own looks among them, four in a second.
    expect(looks).toBeLessThan(100);
    expect(await watch.waitFor('one', position, LONG_MS)).toBe(true);
    expect(watch.lagSeconds('one')).toBe(0);
  });

  it('drops a head that the store has lost: no lag remains, and its position is not in the log', async () => {
    const projector = project(nothing('one'), nothing('two'));
    await watch.start();
    const kept = await append();
    expect(await watch.waitFor('one', kept, LONG_MS)).toBe(true);
    expect(await watch.waitFor('two', kept, LONG_MS)).toBe(true);
    await projector.stop();
    const lost = await append();
    await eventually(() => watch.lagSeconds('one') > 0);
    expect(await watch.isInLog(lost)).toBe(true);
    store.lose(1);
    await eventually(() => watch.lagSeconds('one') === 0 && watch.standstillSeconds('two') === 0);
    expect(await watch.isInLog(lost)).toBe(false);
    expect(await watch.isInLog(kept)).toBe(true);
    // An empty store has no head at all.
    store.lose(1);
    await eventually(async () => !(await watch.isInLog(1n)));
    expect(watch.lagSeconds('one')).toBe(0);
  });

  it('a read waits for all events before its request, and later reads query the store again', async () => {
    project(nothing('one'));
    await watch.start();
    expect(await watch.waitForHead('one', LONG_MS)).toBe(true);
    await append();
    // The look-up that is under way was sent before the second write.
    let answer = (): void => undefined;
    const head = store.head.bind(store);
    let looks = 0;
    store.head = async () => {
      const found = await head();
      looks += 1;
      if (looks === 1) await new Promise<void>((resolve) => (answer = resolve));
      return found;
    };
    const early = watch.waitForHead('one', LONG_MS);
    await eventually(() => looks === 1);
    const position = await append();
    const late = Array.from({ length: 100 }, () => watch.waitForHead('one', LONG_MS));
    answer();
    expect(await early).toBe(true);
    expect(await Promise.all(late)).toEqual(Array(100).fill(true));
    expect(watch.current('one')!.position).toBe(position);
    // One more for all of them; the watch's own looks, four in a second.
    expect(looks).toBeLessThan(50);
  });

  it('a read waits at most its limit for a silent store, and not at all once the silence is known', async () => {
    project(nothing('one'));
    await watch.start();
    const open: (() => void)[] = [];
    store.hooks = { beforeRead: () => new Promise<void>((resolve) => void open.push(resolve)) };
    expect(await watch.waitForHead('one', 100)).toBe(false);
    await within(1_000, async () => expect(await watch.waitForHead('one', LONG_MS)).toBe(false));
    store.hooks = {};
    for (const answer of open) answer();
    await eventually(() => watch.waitForHead('one', LONG_MS));
  });

  it('ends the gathering of a projection as soon as a reader waits for it', async () => {
    project({ ...nothing('one'), gatherMs: 60_000 });
    await watch.start();
    for (let i = 0; i < 20; i += 1) {
      const position = await append();
      expect(await watch.waitForHead('one', LONG_MS)).toBe(true);
      expect(watch.current('one')!.position).toBe(position);
    }
  });

  it('the lag includes events from before the start of the watch', async () => {
    await store.append('old', 'no-stream', [
      { ...newEvent(), metadata: { ...newEvent().metadata, occurred_on: new Date(Date.now() - 60_000).toISOString() } },
    ]);
    await watch.start();
    expect(watch.lagSeconds('one')).toBeGreaterThan(59);
    expect(watch.lagSeconds('one')).toBeLessThan(90);
  });

  it('the watch reports which projection is stopped and at which event', async () => {
    await watch.start();
    await append();
    project(
      nothing('one', () => Promise.reject(new Error('no rule for it'))),
      nothing('two'),
    );
    await eventually(() => watch.stop('one') !== null);
    expect(watch.stop('one')).toMatchObject({
      projection: 'one',
      event: { ordinal: 1, id: store.all()[0]!.id, type: 'SomethingHappened', stream: 'some-0', revision: 0 },
    });
    expect(watch.stop('one')!.error).toContain('no rule for it');
    expect(watch.stop('two')).toBeNull();
  });

  it('closing the watch ends every wait', async () => {
    await watch.start();
    const waiting = watch.waitFor('one', 1n, 60_000);
    await watch.close();
    expect(await waiting).toBe(false);
    expect(await watch.waitFor('one', 1n, 60_000)).toBe(false);
  });
});

describe('waiters for positions', () => {
  it('waiters resolve when their position is reached, and not before, in any order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(60), { maxLength: 200 }), fc.array(fc.nat(60), { maxLength: 20 }), async (wanted, reached) => {
        const waiters = new PositionWaiters();
        const answered = wanted.map(() => false);
        wanted.forEach((position, index) => void waiters.add(BigInt(position), 60_000).then((hit) => (answered[index] = hit)));
        let furthest = -1;
        for (const position of reached) {
          waiters.reached(BigInt(position));
          furthest = Math.max(furthest, position);
          await Promise.resolve();
          expect(answered).toEqual(wanted.map((each) => each <= furthest));
          expect(waiters.size).toBe(wanted.filter((each) => each > furthest).length);
        }
        waiters.giveUp();
      }),
      { seed: 20_260_131 },
    );
  });

  it('expired waiters do not accumulate while no position is reached', async () => {
    const waiters = new PositionWaiters();
    for (let round = 0; round < 20; round++) {
      const given = await Promise.all(Array.from({ length: 100 }, (_, n) => waiters.add(BigInt(round * 100 + n), 0)));
      expect(given).not.toContain(true);
    }
    expect(waiters.size).toBe(0);
    expect(waiters.held).toBeLessThan(200);
    const last = waiters.add(3n, LONG_MS);
    waiters.reached(3n);
    expect(await last).toBe(true);
  });
});

describe('the lag', () => {
  it('the lag is the age of the oldest sighting that is not projected, for any number of sightings', () => {
    const lag = new ProjectionLag();
    for (let position = 1; position <= 10_000; position++) lag.saw(BigInt(position), position);
    expect(lag.seconds(20_000)).toBeCloseTo(19.999);
    lag.reached(9_000n);
    // Between sightings it is as exact as they are dense.
    expect(lag.seconds(20_000)).toBeLessThanOrEqual(11);
    expect(lag.seconds(20_000)).toBeGreaterThan(10);
    lag.reached(10_000n);
    expect(lag.seconds(20_000)).toBe(0);
  });
});
