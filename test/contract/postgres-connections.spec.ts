import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { advisoryLockKey, AdvisoryLock } from '../../src/platform/postgres/advisory-lock.js';
import { isConnectionFailure } from '../../src/platform/postgres/connection-failure.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres.js';
import { Listener } from '../../src/platform/postgres/listener.js';
import { createPool, inTransaction } from '../../src/platform/postgres/pool.js';
import { BUSY, eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

const applicationName = 'connections.spec';
/** Application name of the connection of a process for its locks and notifications. */
const SESSION = 'chargebook-session';
const ELSEWHERE = '?application=elsewhere';

let database: TestDatabase;
let pool: pg.Pool;

beforeEach(async () => {
  database = await createTestDatabase();
  pool = createPool({ url: database.url, applicationName });
});

afterEach(async () => {
  await pool.end();
  await database.drop();
});

/** Ends every session of this name in the database, as an operator or a dying server would. */
async function cutOff(name: string): Promise<void> {
  await pool.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = $1', [name]);
}

/** How many connections the process holds for locks and notifications in the test's database. */
async function sessions(): Promise<number> {
  const { rowCount } = await pool.query('select from pg_stat_activity where datname = current_database() and application_name = $1', [SESSION]);
  return rowCount!;
}

describe('a pool that ends', () => {
  it('a pool that ends does not report the loss of a connection that it is closing', async () => {
    const lost: Error[] = [];
    const ending = createPool({ url: database.url, applicationName: 'ending', onConnectionLost: (error) => lost.push(error) });
    const [idle, closing] = await Promise.all([ending.connect(), ending.connect()]);
    idle.release();
    closing.release();
    idle.emit('error', new Error('lost while idle'));
    const ended = ending.end();
    // A server that stops may end the session before it has read that the client closes it.
    closing.emit('error', new Error('terminating connection due to administrator command'));
    await ended;
    expect(lost.map(({ message }) => message)).toEqual(['lost while idle']);
  });
});

describe('column types', () => {
  it('columns are exact and have the format of API responses', async () => {
    const { rows } = await pool.query(`select
      9007199254740993::int8 as int8, array[1, null, 9007199254740993]::int8[] as int8s, 7::int4 as int4,
      count(*) as count, sum(9007199254740993::int8) as sum,
      timestamptz '2026-01-31 15:15:30.1239+07' as moment, timestamptz '2026-01-31 08:15:30+00' as whole_second,
      array[timestamptz '2026-01-31 08:15:30.5+00', null] as moments,
      timestamptz 'infinity' as never, date '2026-01-31' as date, timestamp '2026-01-31 08:15:30' as local`);
    expect(rows).toEqual([
      {
        int8: 9007199254740993n,
        int8s: [1n, null, 9007199254740993n],
        int4: 7,
        count: 1n,
        sum: '9007199254740993',
        moment: '2026-01-31T08:15:30.123+00:00',
        whole_second: '2026-01-31T08:15:30.000+00:00',
        moments: ['2026-01-31T08:15:30.500+00:00', null],
        never: 'infinity',
        date: '2026-01-31',
        local: '2026-01-31 08:15:30',
      },
    ]);
  });

  it('column types apply to our own connections only', async () => {
    const driver = new pg.Client({ connectionString: database.url });
    await driver.connect();
    expect((await driver.query('select 1::int8 as one')).rows).toEqual([{ one: '1' }]);
    await driver.end();
  });
});

describe('a pool', () => {
  it('a transaction that throws is rolled back and returns its connection', async () => {
    await pool.query('create table notes (id int4 primary key)');
    const work = inTransaction(pool, async (client) => {
      await client.query('insert into notes values (1)');
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    await inTransaction(pool, (client) => client.query('insert into notes values (2)'));
    expect((await pool.query('select id from notes')).rows).toEqual([{ id: 2 }]);
    expect(pool.idleCount).toBe(pool.totalCount);
  });

  it('cancels a statement that takes too long, as a failure of the database', async () => {
    const hasty = createPool({ url: database.url, applicationName, statementTimeoutMs: 100 });
    const failure: unknown = await hasty.query('select pg_sleep(20)').catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: '57014' });
    expect(isConnectionFailure(failure)).toBe(true);
    await hasty.end();
  });

  it('a pool survives cuts of its idle and its busy connections', async () => {
    const lost: Error[] = [];
    const victim = createPool({ url: database.url, applicationName: 'victim', onConnectionLost: (error) => lost.push(error) });
    const busy = victim.query('select pg_sleep(20)').catch((error: unknown) => error);
    const held = await victim.connect();
    await victim.query('select 1');
    await eventually(
      async () =>
        (await pool.query(`select 1 from pg_stat_activity where datname = current_database() and query like '%pg_sleep(20)' and state = 'active'`))
          .rowCount! > 0,
    );
    await cutOff('victim');
    expect(isConnectionFailure(await busy)).toBe(true);
    await eventually(async () => isConnectionFailure(await held.query('select 1').catch((error: unknown) => error)));
    held.release(true);
    await eventually(() => lost.length > 0);
    expect((await victim.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await victim.end();
  });

  it('a limit of the database for idle sessions does not apply to the connections of a pool', async () => {
    const { rows: named } = await pool.query<{ name: string }>('select current_database() as name');
    await pool.query(`alter database ${named[0]!.name} set idle_session_timeout = '2s'`);
    const lasting = createPool({ url: database.url, applicationName: 'lasting' });
    expect((await lasting.query('show idle_session_timeout')).rows).toEqual([{ idle_session_timeout: '0' }]);
    await lasting.end();
  });

  it.each(['53100', '58030', '58P01', 'XX001', 'XX002'])(
    'treats %s, a disk that is full, failing or damaged, as a failure of the database',
    async (state) => {
      const failure: unknown = await pool
        .query(`do $$ begin raise exception 'simulated' using errcode = '${state}'; end $$`)
        .catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: state });
      expect(isConnectionFailure(failure)).toBe(true);
    },
  );

  it('a wrong statement is no failure of the database', async () => {
    for (const mistake of ['select 1 / 0', 'selec 1', 'select * from nowhere']) {
      const failure: unknown = await pool.query(mistake).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(Error);
      expect(isConnectionFailure(failure)).toBe(false);
    }
    expect(isConnectionFailure(new TypeError('x is undefined'))).toBe(false);
    expect(isConnectionFailure('ECONNREFUSED')).toBe(false);
  });

  it('treats an unreachable server as a failure of the database', async () => {
    for (const url of ['postgres://nobody@127.0.0.1:1/none', 'postgres://nobody@%2Fnowhere:5432/none']) {
      const nowhere = createPool({ url, applicationName });
      expect(isConnectionFailure(await nowhere.query('select 1').catch((error: unknown) => error))).toBe(true);
      await nowhere.end();
    }
  });
});

describe('a listener', () => {
  it('a listener receives notifications, reconnects and reports the reconnect', async () => {
    const heard: string[] = [];
    let reconnects = 0;
    const listener = new Listener({
      url: database.url,
      channels: { 'Odd "name"': (payload) => heard.push(payload) },
      onReconnect: () => reconnects++,
    });
    await listener.start();
    await pool.query('select pg_notify($1, $2)', ['Odd "name"', 'first']);
    await eventually(() => heard.includes('first'));

    await cutOff(SESSION);
    await eventually(() => reconnects === 1);
    await pool.query('select pg_notify($1, $2)', ['Odd "name"', 'second']);
    await eventually(() => heard.includes('second'));

    await listener.close();
    await eventually(async () => (await sessions()) === 0);
    expect(reconnects).toBe(1);
  });

  it('a listener that is closed before it listens reports no lost connection', async () => {
    const lost: Error[] = [];
    const url = 'postgres://127.0.0.1:1/nobody';
    const listener = new Listener({ url, channels: {}, onConnectionLost: (error) => lost.push(error) });
    const started = listener.start();
    await listener.close();
    await started;
    expect(lost).toEqual([]);
  });
});

describe('the session of a process', () => {
  it('listeners and locks of a process share one session, which ends with the last of them', async () => {
    const heard: string[] = [];
    const listeners = ['one', 'two'].map((channel) => new Listener({ url: database.url, channels: { [channel]: () => heard.push(channel) } }));
    const locks = [1n, 2n, 3n].map((key) => new AdvisoryLock({ url: database.url, key, onLost: () => undefined }));
    await Promise.all(listeners.map((listener) => listener.start()));
    expect(await Promise.all(locks.map((lock) => lock.tryAcquire()))).toEqual([true, true, true]);
    await pool.query(`select pg_notify('one', ''), pg_notify('two', '')`);
    await eventually(() => heard.length === 2);
    expect(await sessions()).toBe(1);

    await locks[0]!.release();
    const { rows } = await pool.query<{ key: number }>(
      `select objid::int4 as key from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database()) order by 1`,
    );
    expect(rows.map(({ key }) => key)).toEqual([2, 3]);
    await Promise.all([...listeners.map((listener) => listener.close()), ...locks.map((lock) => lock.release())]);
    await eventually(async () => (await sessions()) === 0);
  });
});

describe('an advisory lock', () => {
  /** Another address of the same database is another session, as if of another process. */
  const candidate = (onLost: (error: Error) => void = () => undefined, parameters = '') =>
    new AdvisoryLock({ url: `${database.url}${parameters}`, key: advisoryLockKey('the leader'), onLost });

  it.each(['in one process', 'of two processes'])('one candidate at a time holds an advisory lock, %s', async (where) => {
    const [one, other] = [candidate(), candidate(undefined, where === 'of two processes' ? ELSEWHERE : '')];
    expect(await Promise.all([one.tryAcquire(), one.tryAcquire()])).toEqual([true, true]);
    expect(await other.tryAcquire()).toBe(false);
    expect(other.held).toBe(false);
    await one.release();
    expect(one.held).toBe(false);
    await eventually(() => other.tryAcquire());
    await other.release();
  });

  it('an advisory lock reports its loss once and can be acquired again', async () => {
    const lost: Error[] = [];
    const holder = candidate((error) => lost.push(error));
    await holder.tryAcquire();
    await cutOff(SESSION);
    await eventually(() => lost.length > 0);
    expect(holder.held).toBe(false);
    await eventually(() => holder.tryAcquire());
    expect(lost).toHaveLength(1);
    await holder.release();
  });

  it('an advisory lock reports no loss when a candidate that does not hold it is cut off', async () => {
    const lost: Error[] = [];
    const [holder, waiter] = [candidate(undefined, ELSEWHERE), candidate((error) => lost.push(error))];
    await holder.tryAcquire();
    expect(await waiter.tryAcquire()).toBe(false);
    await cutOff(SESSION);
    await holder.release();
    await eventually(() => waiter.tryAcquire().catch(() => false));
    expect(lost).toEqual([]);
    await waiter.release();
  });
});

describe('a leader on a slow machine', () => {
  const SILENT_MS = 5_000;
  /** A step of the event loop that takes longer than a leader may be silent, and less than twice as long. */
  const slowStep = (): void => {
    for (const until = performance.now() + 1.2 * SILENT_MS; performance.now() < until;);
  };

  it('a silent leader loses its lock, and may be silent for twice as long with the next one', async () => {
    let losses = 0;
    const lock = new AdvisoryLock({ url: database.url, key: advisoryLockKey('slow'), onLost: () => (losses += 1) });
    expect(await lock.tryAcquire()).toBe(true);
    slowStep();
    await eventually(() => losses === 1);
    await eventually(() => lock.tryAcquire().catch(() => false));
    slowStep();
    // Its heartbeats have run.
    await eventually(() => pool.query('select 1').then(({ rowCount }) => rowCount === 1));
    const rival = new AdvisoryLock({ url: `${database.url}${ELSEWHERE}`, key: advisoryLockKey('slow'), onLost: () => undefined });
    expect(await rival.tryAcquire()).toBe(false);
    expect([losses, lock.held]).toEqual([1, true]);
    await Promise.all([lock.release(), rival.release()]);
  });
});

describe('a server that hangs silently', () => {
  let directory: string;
  let postgres: EmbeddedPostgres;

  beforeAll(async () => {
    directory = fs.mkdtempSync(path.join(os.tmpdir(), 'chargebook-pg-'));
    postgres = await startEmbeddedPostgres(directory);
  });
  afterAll(async () => {
    await postgres.stop();
    fs.rmSync(directory, { recursive: true });
  });

  it('pool, listener and lock detect a silent server within five seconds and recover when it resumes', async () => {
    const { url } = postgres;
    const [losses, noticed] = [new Map<string, number>(), (what: string) => () => losses.set(what, Date.now() - began)];
    const hung = createPool({ url, applicationName });
    await hung.query('select 1');
    let reconnected = false;
    const listener = new Listener({
      url,
      channels: {},
      onConnectionLost: noticed('listener'),
      onReconnect: () => (reconnected = true),
    });
    await listener.start();
    const lock = new AdvisoryLock({ url, key: 1n, onLost: noticed('lock') });
    await lock.tryAcquire();

    let hangNow = (): void => undefined;
    const hang = new Promise<void>((resolve) => (hangNow = resolve));
    const transaction = inTransaction(hung, async (client) => {
      await client.query('select 1');
      await hang;
      await client.query('select 2');
    }).catch((error: unknown) => {
      noticed('transaction')();
      return error;
    });
    const { rows: sessions } = await hung.query<{ pid: number }>('select pid from pg_stat_activity');
    const signalServer = (signal: NodeJS.Signals) => [postgres.pid!, ...sessions.map(({ pid }) => pid)].forEach((pid) => process.kill(pid, signal));

    const began = Date.now();
    signalServer('SIGSTOP');
    hangNow();
    try {
      const failure: unknown = await hung.query('select 1').catch((error: unknown) => error);
      noticed('pool')();
      expect(isConnectionFailure(failure)).toBe(true);
      expect(isConnectionFailure(await transaction)).toBe(true);
      await eventually(() => losses.size === 4);
      // Five seconds are promised.
      for (const milliseconds of losses.values()) expect(milliseconds).toBeLessThan(BUSY * 5_000);
    } finally {
      signalServer('SIGCONT');
    }
    await eventually(() => reconnected);
    await eventually(() => lock.tryAcquire().catch(() => false));
    expect((await hung.query('select 1 as one')).rows).toEqual([{ one: 1 }]);

    await Promise.all([hung.end(), listener.close(), lock.release()]);
  });
});
