import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { createPool } from '../../src/platform/postgres/pool.js';
import { createBuild } from '../../src/platform/projector/build.js';
import { bridgeFrom, readBridged } from '../../src/platform/projector/bridge.js';
import { readCheckpoint } from '../../src/platform/projector/checkpoint.js';
import type { Bridge, MeantDifference, OrdinalEvent, Projection, ReadModel } from '../../src/platform/projector/projection.js';
import { projectionStatus } from '../../src/platform/projector/projection-status.js';
import { Projector } from '../../src/platform/projector/projector.js';
import { projectorMigrations } from '../../src/platform/projector/projector.migrations.js';
import type { Rebuilt } from '../../src/platform/projector/replay-session.js';
import { askForRetry, readFailures } from '../../src/platform/projector/failures.js';
import { newEvent } from '../support/events.js';
import { eventually } from '../support/eventually.js';
import { InMemoryEventStore } from '../support/in-memory-event-store.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { replaying } from '../support/replaying.js';

/** Columns of a row besides its key: the SQL type, and the value for an event. */
type Shape = Readonly<Record<string, readonly [type: string, of: (event: OrdinalEvent) => number]>>;

/** A projection `one` with a row for each event in the table `rows`; a version with a bridge has one more table. */
function counted(version: number, shape: Shape, bridge?: Bridge): Projection {
  const names = Object.keys(shape);
  return {
    name: 'one',
    decode: (event) => event,
    readModels: [
      {
        name: 'rows',
        version,
        ddl: (schema) =>
          `create table ${schema}.rows (ordinal bigint primary key, ${names.map((name) => `${name} ${shape[name]![0]} not null`).join(', ')})${bridge ? `; create table ${schema}.notes (ordinal bigint primary key)` : ''}`,
        indexes: (schema) => [`create index rows_by_${names[0]} on ${schema}.rows (${names[0]})`],
        async apply(tx, schema, batch) {
          for (const event of batch) {
            const values = names.map((name) => shape[name]![1](event));
            await tx.query(`insert into ${schema}.rows (ordinal, ${names.join(', ')}) values (${[event.ordinal, ...values].join(', ')})`);
          }
        },
        ...(bridge && { bridge }),
      },
    ],
  };
}

const BEFORE: Shape = { worth: ['bigint', ({ ordinal }) => 100 * ordinal], rank: ['int', ({ ordinal }) => ordinal % 3] };
/** Every third row is worth less by its number; `worth` has another name; `added` is new. */
const AFTER: Shape = {
  amount: ['bigint', ({ ordinal }) => 100 * ordinal - (ordinal % 3 === 0 ? ordinal : 0)],
  rank: ['int', ({ ordinal }) => ordinal % 3],
  added: ['int', () => 7],
};
const BRIDGE: Bridge = {
  from: 1,
  views: (schema) => ({ rows: `select ordinal, amount as worth, rank from ${schema}.rows` }),
  meant: (schema) => ({
    rows: {
      columns: ['worth'],
      when: `rebuilt.worth <= live.worth and exists (select from ${schema}.rows r where r.ordinal = rebuilt.ordinal and r.added = 7)`,
      sum: 'live.worth - rebuilt.worth',
      words: 'worth less',
    },
  }),
};
const PREVIOUS = counted(1, BEFORE);
const RAISED = counted(2, AFTER, BRIDGE);
/** Two rows hold something else, and one of the meant ones is worth more. */
const WRONG = counted(
  2,
  {
    ...AFTER,
    amount: ['bigint', ({ ordinal }) => 100 * ordinal + (ordinal === 6 ? 1 : 0)],
    rank: ['int', ({ ordinal }) => (ordinal === 4 || ordinal === 5 ? 9 : ordinal % 3)],
  },
  BRIDGE,
);

describe('a raised version with a bridge', () => {
  let database: TestDatabase;
  let pool: Pool;
  let store: InMemoryEventStore;
  const ends: (() => Promise<unknown>)[] = [];

  beforeEach(async () => {
    database = await createTestDatabase(projectorMigrations);
    pool = createPool({ url: database.url, applicationName: 'test' });
    store = new InMemoryEventStore();
    await append(10);
    const before = start(PREVIOUS);
    await reaches(10, 1);
    await before.stop();
  });
  afterEach(async () => {
    await Promise.all(ends.splice(0).map((end) => end()));
    await store.close();
    await pool.end();
    await database.drop();
  });

  function start(projection: Projection): Projector {
    const projector = new Projector({ url: database.url, store, projections: [projection] });
    ends.push(() => projector.stop());
    projector.start();
    return projector;
  }

  async function append(count: number): Promise<void> {
    for (let n = 0; n < count; n++) await store.append(`some-${store.all().length}`, 'no-stream', [newEvent()]);
  }

  async function reaches(ordinal: number, version: number): Promise<void> {
    await eventually(async () => {
      const live = await readCheckpoint(pool, 'one');
      return live?.ordinal === ordinal && live.version === `rows=${version}`;
    });
  }

  const rebuild = (projection: Projection, acceptsDifferences = false): Promise<Rebuilt[]> =>
    replaying(database.url, store, (session) =>
      session.rebuild([projection], { keepsOld: false, accepts: () => acceptsDifferences, verifiedOnly: new Set() }),
    );

  const MEANT = { rows: 3, sum: '18', words: 'worth less' };

  it('compares a raised version with the previous one at its checkpoint and makes it live', async () => {
    await append(5);
    start(RAISED);
    await reaches(15, 2);
    const bridged = await readBridged(pool, 'one');
    expect(bridged).toMatchObject({ former_version: 'rows=1', position: 10, meant: [{ table: 'rows', ...MEANT }] });
    const { rows } = await pool.query<{ sum: bigint; index: bigint }>(
      `select sum(amount)::int8 as sum, (select count(*) from pg_indexes where schemaname = 'one' and indexname = 'rows_by_amount') as index from one.rows`,
    );
    expect([Number(rows[0]!.sum), Number(rows[0]!.index)]).toEqual([100 * 120 - (3 + 6 + 9 + 12 + 15), 1]);
    expect((await projectionStatus(pool, store, [RAISED])).projections[0]).toMatchObject({ state: 'live', stop: null, bridged });
    await append(1);
    await reaches(16, 2);
  });

  it('leaves the previous tables live when anything else differs, and reports the difference', async () => {
    await append(5);
    const refused = start(WRONG);
    await eventually(async () => (await readFailures(pool)).length === 1);
    const [stop] = await readFailures(pool);
    expect(stop).toMatchObject({ projection: 'one', event: null, retry_on: null, attempts: 1, differing: [{ table: 'rows', rows: 3 }] });
    expect(stop!.error).toContain('(rows=1) at event 10 beyond the intended differences: 3 rows of rows');
    expect(refused.progress[0]).toMatchObject({ phase: 'stopped', stop: { differing: stop!.differing } });
    expect((await projectionStatus(pool, store, [WRONG])).projections[0]).toMatchObject({ state: 'stopped', position: 10, bridged: null });

    // Again only when asked.
    expect(await askForRetry(pool, 'one')).toBe(true);
    await eventually(async () => ![undefined, stop!.since].includes((await readFailures(pool))[0]?.since));
    await refused.stop();

    // The previous service resumes at its checkpoint, and then the corrected version takes over.
    const previous = start(PREVIOUS);
    await reaches(15, 1);
    await previous.stop();
    start(RAISED);
    await reaches(15, 2);
    expect((await readBridged(pool, 'one'))?.position).toBe(15);
    await eventually(async () => (await readFailures(pool)).length === 0);
  });

  it('an engineer accepts the differences of a raised version, and the service continues with it', async () => {
    start(WRONG);
    await eventually(async () => (await readFailures(pool))[0]?.differing !== undefined);
    const [shown] = await rebuild(WRONG);
    expect(shown).toMatchObject({
      differences: 3,
      switched: false,
      tables: [{ name: 'rows', rows: 10, differences: 3, meant: { rows: 0, sum: '0' } }],
    });
    expect(
      shown!.tables![0]!.found.map(({ key, columns }) => [
        key.ordinal,
        ...columns.map(({ column, live, rebuilt }) => `${column} ${live} ${rebuilt}`),
      ]),
    ).toEqual([
      ['4', 'rank 1 9'],
      ['5', 'rank 2 9'],
      ['6', 'worth 600 601'],
    ]);
    expect((await readCheckpoint(pool, 'one'))!.version).toBe('rows=1');

    expect(await rebuild(WRONG, true)).toMatchObject([{ differences: 3, switched: true }]);
    await eventually(async () => (await readFailures(pool)).length === 0);
    await append(1);
    await reaches(11, 2);
    const { rows } = await pool.query<{ name: string }>(`select nspname as name from pg_namespace where nspname like 'one%'`);
    expect(rows).toEqual([{ name: 'one' }]);
  });

  it('a rebuild compares a raised version and makes it live while the service still runs the previous one', async () => {
    start(PREVIOUS);
    await append(2);
    await reaches(12, 1);
    expect(await rebuild(RAISED)).toMatchObject([{ differences: 0, switched: true, tables: [{ rows: 12, meant: { rows: 4, sum: '30' } }] }]);
    expect(await readBridged(pool, 'one')).toMatchObject({ position: 12, meant: [{ table: 'rows', rows: 4 }] });
  });

  it('compares no version that the bridge of a raised version does not start from', async () => {
    start(counted(3, { ...AFTER, rank: ['int', () => 0] }, { ...BRIDGE, from: 2 }));
    await reaches(10, 3);
    expect(await readBridged(pool, 'one')).toBeNull();
  });

  it('compares each version that the bridge starts from with the rows of that version', async () => {
    // Of version 1, the rank was the number itself.
    const ranked = { ...AFTER, rank: ['int', ({ ordinal }) => ordinal] } satisfies Shape;
    const views: Bridge['views'] = (schema, from) => ({
      rows: `select ordinal, amount as worth, ${from === 1 ? 'rank % 3 as rank' : 'rank'} from ${schema}.rows`,
    });
    start(counted(3, ranked, { ...BRIDGE, from: [1, 2], views }));
    await reaches(10, 3);
    expect(await readBridged(pool, 'one')).toMatchObject({ former_version: 'rows=1', meant: [{ table: 'rows', ...MEANT }] });
  });

  it('restarts a half-built version whose checkpoint is beyond that of the live tables', async () => {
    await createBuild(pool, RAISED, 'one_rebuild');
    await pool.query('update one_rebuild.checkpoint set ordinal = 11');
    start(RAISED);
    await reaches(10, 2);
    expect((await pool.query('select from one.rows')).rowCount).toBe(10);
  });
});

describe('the bridge of a projection', () => {
  const meant: MeantDifference = { columns: ['sum'], when: 'true', sum: '1', words: 'changed' };
  const model = (name: string, version: number, bridge?: Bridge): ReadModel => ({
    name,
    version,
    ddl: () => '',
    indexes: () => [],
    apply: () => Promise.resolve(),
    ...(bridge && { bridge }),
  });
  const RAISED_TWICE = model('sums', 3, {
    from: [1, 2],
    views: (schema, from) => ({ sums: `sums of ${from} in ${schema}` }),
    meant: (schema) => ({ sums: { ...meant, when: schema } }),
  });
  const RAISED_ONCE = model('counts', 2, { from: 1, views: () => ({ counts: 'counts' }) });
  const from = (live: string, ...readModels: ReadModel[]): unknown =>
    bridgeFrom({ name: 'two', readModels, decode: (event) => event }, live, 'built');

  it('a bridge joins the views and intended differences of its raised read models', () => {
    expect(from('counts=1 others=4 sums=2', RAISED_TWICE, RAISED_ONCE, model('others', 4))).toEqual({
      views: { sums: 'sums of 2 in built', counts: 'counts' },
      meant: { sums: { ...meant, when: 'built' } },
    });
  });

  it('a bridge compares the tables of the other read models when one is new', () => {
    expect(from('sums=1', RAISED_TWICE, model('added', 1))).toMatchObject({ views: { sums: 'sums of 1 in built' } });
  });

  it.each([
    ['a raised read model has none', 'others=3 sums=2', [RAISED_TWICE, model('others', 4)]],
    ['the live version is not among those that it starts from', 'counts=1 sums=0', [RAISED_TWICE, RAISED_ONCE]],
    ['a read model was removed', 'gone=1 sums=2', [RAISED_TWICE]],
  ])('a projection has none when %s', (_, live, readModels) => {
    expect(from(live, ...readModels)).toBeNull();
  });
});
