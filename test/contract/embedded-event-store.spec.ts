import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { EmbeddedEventStore, type EmbeddedEventStoreOptions } from '../../src/platform/event-store/embedded/embedded-event-store.js';
import { embeddedEventStoreMigrations } from '../../src/platform/event-store/embedded/embedded-event-store.migrations.js';
import { EmbeddedLog } from '../../src/platform/event-store/embedded/embedded-log.js';
import { OutcomeUnknown, StoreUnavailable, type RecordedEvent } from '../../src/platform/event-store/event-store.js';
import { migrate } from '../../src/platform/postgres/migrations.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import { eventually, within } from '../support/eventually.js';
import { collect, newEvent } from '../support/events.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { eventStoreContract, expectLogOrder } from './event-store.contract.js';

const WRITERS_LOCK = '7310579611652677989';

eventStoreContract('the embedded engine', async () => {
  const database = await createTestDatabase(embeddedEventStoreMigrations);
  const [store, other] = [database.url, database.url].map((databaseUrl) => new EmbeddedEventStore({ databaseUrl }));
  return {
    store: store!,
    other: other!,
    async dispose() {
      await Promise.all([store!.close(), other!.close()]);
      await database.drop();
    },
  };
});

describe('the embedded engine in Postgres', () => {
  let database: TestDatabase;
  let admin: pg.Pool;
  const opened: EmbeddedEventStore[] = [];

  function open(options: Partial<EmbeddedEventStoreOptions> = {}): EmbeddedEventStore {
    const store = new EmbeddedEventStore({ databaseUrl: database.url, ...options });
    opened.push(store);
    return store;
  }

  /** Ends every session of the engine of this kind, in the middle of whatever it does. */
  async function terminate(applicationName: string): Promise<number> {
    const { rowCount } = await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = $1`,
      [applicationName],
    );
    return rowCount ?? 0;
  }

  beforeAll(async () => {
    database = await createTestDatabase(embeddedEventStoreMigrations);
    admin = new pg.Pool({ connectionString: database.url, max: 4 });
  });
  afterAll(async () => {
    await Promise.all(opened.map((store) => store.close()));
    await admin.end();
    await database.drop();
  });

  it('an empty log has no head, and positions count from 1 without a gap', async () => {
    const store = open();
    expect(await store.head()).toBeNull();
    const taken = 'gap-taken';
    await store.append(taken, 'no-stream', [newEvent()]);
    await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        index % 3 === 0
          ? store.append(taken, 'no-stream', [newEvent(), newEvent()])
          : store.append(
              `gap-${index}`,
              'no-stream',
              Array.from({ length: 1 + (index % 4) }, () => newEvent()),
            ),
      ),
    );
    const { rows } = await admin.query<{ position: string }>('select position from event_store.events order by position');
    expect(rows.map(({ position }) => Number(position))).toEqual(rows.map((_, index) => index + 1));
    expect(await store.head()).toBe(BigInt(rows.length));
  });

  it('stores the exact bytes of data and metadata', async () => {
    const event = newEvent(
      JSON.parse('{"z":1,"a":  {"__proto__":[1.50,1e21],"é":"\\u0000\\ud83c\\udfe6"},"10":null,"9":9007199254740991}') as object,
    );
    await open().append('bytes', 'no-stream', [event]);
    const { rows } = await admin.query(`select data::text, metadata::text from event_store.events where stream = 'bytes'`);
    expect(rows).toEqual([{ data: JSON.stringify(event.data), metadata: JSON.stringify(event.metadata) }]);
  });

  it.each([
    ['an update', `update event_store.events set data = '{}'`],
    ['an update of no row', `update event_store.events set type = 'x' where false`],
    ['a delete', 'delete from event_store.events'],
    ['a truncate', 'truncate event_store.events'],
    ['an upsert', `insert into event_store.events select * from event_store.events limit 1 on conflict (position) do update set type = 'x'`],
    ['an update where triggers are off', `set session_replication_role = replica; update event_store.events set type = 'x'`],
  ])('rejects %s, also by the owner and by a superuser', async (_, statement) => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await expect(client.query(statement)).rejects.toThrow(/events are facts/);
    await client.end();
  });

  it('works as an ordinary user that owns its tables, and rejects its changes too', async () => {
    const role = `ordinary_${randomUUID().slice(0, 8)}`;
    await admin.query(`create role ${role} login password 'ordinary'`);
    const own = await createTestDatabase();
    const name = new URL(own.url).pathname.slice(1);
    await admin.query(`alter database ${name} owner to ${role}`);
    const url = Object.assign(new URL(own.url), { username: role, password: 'ordinary' }).toString();
    await migrate(url, embeddedEventStoreMigrations);
    const store = new EmbeddedEventStore({ databaseUrl: url });
    expect(await store.append('a', 'no-stream', [newEvent()])).toEqual({ ok: true, revision: 0, position: 1n });
    const owner = new pg.Client({ connectionString: url });
    await owner.connect();
    await expect(owner.query(`update event_store.events set type = 'x'`)).rejects.toThrow(/permission denied/);
    await expect(owner.query(`delete from event_store.events`)).rejects.toThrow(/permission denied/);
    await owner.query(`grant update on event_store.events to ${role}`);
    await expect(owner.query(`update event_store.events set type = 'x'`)).rejects.toThrow(/events are facts/);
    await owner.end();
    await store.close();
    await own.drop();
    await admin.query(`drop role ${role}`);
  });

  it('notifies every subscriber in every process at once', async () => {
    const [store, other] = [open(), open()];
    const after = await store.head();
    const end = new AbortController();
    const arrived = [0, 0, 0, 0];
    const follow = async (view: EmbeddedEventStore, index: number, streamPrefix?: string): Promise<void> => {
      const options = { signal: end.signal, ...(streamPrefix !== undefined && { streamPrefix }) };
      for await (const { events } of view.subscribe(after, options)) arrived[index]! += events.length;
    };
    const following = [follow(store, 0), follow(other, 1), follow(other, 2), follow(other, 3, 'notified')];
    // Polling alone would take a quarter of a second each, on average: ten seconds.
    await within(2_500, async () => {
      for (let revision = 0; revision < 40; revision += 1) {
        await store.append('notified', revision === 0 ? 'no-stream' : revision - 1, [newEvent()]);
        await eventually(() => arrived.every((count) => count > revision));
      }
    });
    end.abort();
    await Promise.all(following);
  });

  it('keeps every acknowledged append, once, while its connections are cut again and again', async () => {
    const stores = [open(), open()];
    const after = await stores[0]!.head();
    const ACKNOWLEDGED_MIN = 1_500;
    const CUTS = 25;
    const acknowledged = new Map<string, bigint>();
    const unknown = new Set<string>();
    let cuts = 0;
    const isOver = (): boolean => cuts >= CUTS && acknowledged.size >= ACKNOWLEDGED_MIN;

    const follower = new AbortController();
    const followed: RecordedEvent[] = [];
    const following = (async () => {
      for await (const { events } of stores[1]!.subscribe(after, { signal: follower.signal, batchSize: 50 })) followed.push(...events);
    })();
    const writers = Array.from({ length: 32 }, async (_, writer) => {
      while (!isOver()) {
        const event = newEvent({ writer });
        try {
          const result = await stores[writer % 2]!.append(`cut-${event.id}`, 'no-stream', [event]);
          // No other writer uses this stream: a refusal would mean that a retry did not recognise itself.
          if (!result.ok) throw new Error(`refused at ${result.actual}`);
          acknowledged.set(event.id, result.position);
        } catch (error) {
          if (!(error instanceof OutcomeUnknown)) throw error;
          unknown.add(event.id);
        }
      }
    });
    const cutting = (async () => {
      while (!isOver()) {
        const target = acknowledged.size + 40;
        if (cuts < CUTS) {
          cuts += await terminate('chargebook-append');
          await terminate('chargebook-events');
          if (cuts % 3 === 0) await terminate('chargebook-session');
        }
        await eventually(() => acknowledged.size >= target || isOver());
      }
    })();
    await Promise.all([...writers, cutting]);

    const { rows } = await admin.query<{ id: string; position: string }>(
      `select id, position from event_store.events where stream like 'cut-%' order by position`,
    );
    const stored = new Map(rows.map(({ id, position }) => [id, BigInt(position)]));
    expect(stored.size).toBe(rows.length);
    expect(acknowledged.size).toBeGreaterThan(0);
    for (const [id, position] of acknowledged) expect(stored.get(id)).toBe(position);
    for (const id of stored.keys()) expect(acknowledged.has(id) || unknown.has(id)).toBe(true);

    await stores[0]!.append('cut-last', 'no-stream', [newEvent()]);
    const head = await stores[0]!.head();
    await eventually(() => followed.at(-1)?.position === head);
    follower.abort();
    await following;
    expectLogOrder(followed);
    expect(followed.slice(0, -1).map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
  });

  it('rejects at once beyond the limits of its queue in number and bytes, and accepts more when there is room', async () => {
    const few = open({ maxQueued: 10 });
    const small = open({ maxQueuedBytes: 200_000 });
    const holder = await admin.connect();
    await holder.query(`select pg_advisory_lock(${WRITERS_LOCK})`);
    const large = { text: 'x'.repeat(60_000) };
    const fits = [
      ...Array.from({ length: 10 }, (_, index) => few.append(`full-${index}`, 'no-stream', [newEvent()])),
      ...Array.from({ length: 3 }, (_, index) => small.append(`large-${index}`, 'no-stream', [newEvent(large)])),
    ];
    const refusal = await few.append('full-refused', 'no-stream', [newEvent()]).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StoreUnavailable);
    expect(refusal).not.toBeInstanceOf(OutcomeUnknown);
    await expect(small.append('large-refused', 'no-stream', [newEvent(large)])).rejects.toThrow(StoreUnavailable);
    await holder.query(`select pg_advisory_unlock(${WRITERS_LOCK})`);
    holder.release();
    expect((await Promise.all(fits)).every(({ ok }) => ok)).toBe(true);
    expect(await few.append('full-refused', 'no-stream', [newEvent()])).toMatchObject({ ok: true });
    expect(await few.read('large-refused')).toEqual([]);
  });

  it('fails within 5 s when the database is silent, and recovers afterwards', async () => {
    const store = open();
    const holder = await admin.connect();
    await holder.query(`select pg_advisory_lock(${WRITERS_LOCK})`);
    const event = newEvent();
    await within(5_000, () => expect(store.append('silent', 'no-stream', [event])).rejects.toThrow(StoreUnavailable));
    await holder.query(`select pg_advisory_unlock(${WRITERS_LOCK})`);
    holder.release();
    expect(await store.append('silent', 'no-stream', [event])).toMatchObject({ ok: true, revision: 0 });
    expect(await store.read('silent')).toHaveLength(1);
  });

  it('reports within 5 s that nothing was written when the database is away, and works when it is back', async () => {
    const proxy = await switchableProxy(database.url);
    const after = await open().head();
    const store = open({ databaseUrl: proxy.url });
    const following = collect(store, after, ({ length }) => length > 0);
    const failures = await within(5_000, () =>
      Promise.all(
        [store.append('away', 'no-stream', [newEvent()]), store.read('away'), store.head()].map((asked) => asked.catch((error: unknown) => error)),
      ),
    );
    expect(failures).toHaveLength(3);
    for (const failure of failures) {
      expect(failure).toBeInstanceOf(StoreUnavailable);
      expect(failure).not.toBeInstanceOf(OutcomeUnknown);
    }
    proxy.open();
    expect(await store.append('back', 'no-stream', [newEvent()])).toMatchObject({ ok: true });
    expect(await store.read('away')).toEqual([]);
    expect((await following).map(({ stream }) => stream)).toEqual(['back']);
    await store.close();
    await proxy.close();
  });

  it('only an append that the server always rejects fails', async () => {
    await admin.query(`alter table event_store.events add constraint no_poison check (type <> 'Poison')`);
    const store = open();
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => store.append(`poison-${index}`, 'no-stream', [newEvent({}, index === 7 ? 'Poison' : 'Fine')])),
    );
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    expect(results[7]).toMatchObject({ status: 'rejected', reason: { constraint: 'no_poison' } });
    await admin.query('alter table event_store.events drop constraint no_poison');
  });

  it('answers its accepted appends before it closes, and rejects later ones', async () => {
    const store = new EmbeddedEventStore({ databaseUrl: database.url });
    const accepted = Array.from({ length: 50 }, (_, index) => store.append(`closing-${index}`, 'no-stream', [newEvent()]));
    const following = collect(store, await store.head(), () => false);
    await Promise.all([store.close(), store.close()]);
    expect((await Promise.all(accepted)).every(({ ok }) => ok)).toBe(true);
    await following;
    await expect(store.append('closed', 'no-stream', [newEvent()])).rejects.toThrow(StoreUnavailable);
    await expect(store.read('closed')).rejects.toThrow(StoreUnavailable);
  });

  it('delivers large events in pages of bounded bytes', async () => {
    const store = open();
    const after = await store.head();
    const incompressible = Array.from({ length: 14_000 }, () => randomUUID()).join(' ');
    for (let revision = 0; revision < 40; revision += 1) {
      await store.append('large', revision === 0 ? 'no-stream' : revision - 1, [newEvent({ incompressible })]);
    }
    const counts: number[] = [];
    const end = new AbortController();
    for await (const { events, caughtUp } of store.subscribe(after, { signal: end.signal })) {
      counts.push(events.length);
      if (caughtUp) end.abort();
    }
    expect(counts.reduce((sum, count) => sum + count)).toBe(40);
    expect(Math.max(...counts)).toBeLessThan(40);
  });

  it.each([
    ['through the index over streams', { window: 10, few: 1_000 }],
    ['through the log, in windows', { window: 10, few: 5 }],
    ['in one page', { window: 100_000, few: 5 }],
  ])('finds distant events of a prefix: %s', async (_, search) => {
    const store = open();
    const kind = `way-${search.window}-${search.few}`;
    for (let round = 0; round < 8; round += 1) {
      await store.append(
        `${kind}-wanted-${round}`,
        'no-stream',
        Array.from({ length: 4 }, () => newEvent()),
      );
      await Promise.all(Array.from({ length: 15 }, (_item, index) => store.append(`${kind}-${round}-${index}`, 'no-stream', [newEvent()])));
    }
    const pool = createPool({ url: database.url, applicationName: 'test' });
    const log = new EmbeddedLog(pool, () => Promise.resolve(), search);
    const found: RecordedEvent[] = [];
    let page = await log.pageOfPrefix({ position: 0n, id: null }, 7, `${kind}-wanted-`);
    for (; found.push(...page.events), !page.caughtUp; page = await log.pageOfPrefix(page.scanned, 7, `${kind}-wanted-`));
    await pool.end();
    const { rows } = await admin.query<{ position: string }>(
      `select position from event_store.events where starts_with(stream, $1) order by position`,
      [`${kind}-wanted-`],
    );
    expect(rows).toHaveLength(32);
    expect(found.map(({ position }) => String(position))).toEqual(rows.map(({ position }) => position));
    expect(page.scanned.position).toBe(await store.head());
  });
});

/** A way to the database that refuses every connection until it is opened. */
async function switchableProxy(databaseUrl: string): Promise<{ url: string; open(): void; close(): Promise<unknown> }> {
  const { host, port } = new pg.Client({ connectionString: databaseUrl });
  let isOpen = false;
  const server = createServer((client) => {
    if (!isOpen) return void client.destroy();
    const upstream = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.pipe(to);
      from.on('error', () => to.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { username, password, pathname } = new URL(databaseUrl);
  const url = `postgres://${username}:${password}@127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`;
  return {
    url,
    open: () => void (isOpen = true),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
