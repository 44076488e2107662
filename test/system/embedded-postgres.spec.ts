import { execFileSync, spawn, spawnSync, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { withDirectoryLock } from '../../src/platform/embedded-postgres/directory-lock.js';
import { EmbeddedDataDamaged, EmbeddedPostgresUnavailable } from '../../src/platform/embedded-postgres/embedded-binaries.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import { built } from '../support/built.js';
import { eventually, within } from '../support/eventually.js';
import { isConnectionFailure } from '../../src/platform/postgres/connection-failure.js';

const asRoot = process.getuid?.() === 0;

/** A cluster to copy: making one takes longer than all that most of these tests do with it. */
let finished: string;
let directory: string;
let children: ChildProcessWithoutNullStreams[];
let started: EmbeddedPostgres[];

beforeAll(async () => {
  finished = fs.mkdtempSync(path.join(os.tmpdir(), 'chargebook-pg-'));
  await (await startEmbeddedPostgres(finished)).stop();
});

afterAll(() => fs.rmSync(finished, { recursive: true }));

beforeEach(() => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'chargebook-pg-'));
  children = [];
  started = [];
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  for (const postgres of started) await postgres.stop();
  await eventually(() => serverPid() === null);
  fs.rmSync(directory, { recursive: true, force: true });
});

function copyFinishedCluster(base = directory): void {
  fs.mkdirSync(base, { recursive: true });
  execFileSync('cp', ['-a', path.join(finished, 'data'), base]); // owners too
}

async function start(base = directory): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres(base);
  started.push(postgres);
  return postgres;
}

const ORDINARY_USER = { uid: 65534, gid: 65534 };

/** Whether the user may read this checkout; below root's home or a folder of mode 0700 only its owner may. */
function mayEnter(asUser: { uid: number; gid: number }): boolean {
  const { status } = spawnSync(process.execPath, ['-e', 'fs.accessSync(process.argv[1])', built('test/support/postgres-user.js')], {
    ...asUser,
    cwd: '/',
  });
  return status === 0;
}

/** Another process that uses the directory's Postgres. */
async function user(base = directory, asUser: { uid?: number; gid?: number } = {}) {
  const child = spawn(process.execPath, [built('test/support/postgres-user.js'), base], asUser);
  children.push(child);
  const complaint: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => complaint.push(chunk.toString()));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const next = async (): Promise<string> => {
    const line = (await lines.next()) as IteratorResult<string, undefined>;
    if (line.done) throw new Error(`the process ended: ${complaint.join('')}`);
    return line.value;
  };
  return {
    child,
    ...(JSON.parse(await next()) as { url: string; pid: number; adopted: boolean }),
    stop: async () => {
      child.stdin.end();
      expect(await next()).toBe('stopped');
    },
    kill: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

/** Process id of the server in this directory, null when none is alive. */
function serverPid(base = directory): number | null {
  try {
    const pid = Number(fs.readFileSync(path.join(base, 'data/postmaster.pid'), 'utf8').split('\n', 1)[0]);
    return isAlive(pid) ? pid : null;
  } catch {
    return null;
  }
}

/** A process that has ended, and whose parent has not asked for its exit code, is not alive. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return !fs.existsSync('/proc/self/stat') || !/\) Z /.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

const notes = async (url: string) => (await query<{ note: string }>(url, 'select note from notes order by note')).map(({ note }) => note);

describe('embedded Postgres', () => {
  it('embedded Postgres is durable, uses UTF-8 and requires a password', async () => {
    const { url } = await start();
    const settings = await query<{ name: string; setting: string }>(url, 'select name, setting from pg_settings');
    expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toMatchObject({
      fsync: 'on',
      full_page_writes: 'on',
      synchronous_commit: 'on',
      data_checksums: 'on',
      server_encoding: 'UTF8',
    });
    const stranger = new URL(url);
    stranger.password = 'guess';
    await expect(query(stranger.toString(), 'select 1')).rejects.toThrow(/password authentication failed/);
  });

  it('embedded Postgres keeps committed data over a stop and a start', async () => {
    copyFinishedCluster();
    const first = await start();
    await query(first.url, `create table notes (note text); insert into notes values ('é'), ('🙂')`);
    await first.stop();
    expect(serverPid()).toBeNull();

    const second = await start();
    expect(second.adopted).toBe(false);
    expect(second.url).toBe(first.url);
    expect(await notes(second.url)).toEqual(['é', '🙂']);
  });

  it('concurrent first starts share one server', async () => {
    const users = await Promise.all([user(), user(), start(), start()]);
    expect(new Set(users.map(({ pid }) => pid)).size).toBe(1);
    expect(users.filter(({ adopted }) => !adopted)).toHaveLength(1);
  });

  it('embedded Postgres runs until its last user stops', async () => {
    copyFinishedCluster();
    const [one, other] = [await user(), await start()];
    expect(other).toMatchObject({ adopted: true, pid: one.pid, url: one.url });
    await one.stop();
    expect(await query(other.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await other.stop();
    expect(serverPid()).toBeNull();
  });

  it('embedded Postgres runs until its last user is killed, also when that user started it', async () => {
    copyFinishedCluster();
    const one = await user();
    const other = await user();
    await one.kill();
    expect(await query(other.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await other.kill();
    await eventually(() => serverPid() === null);
  });

  it('embedded Postgres can be used at once after its last user was killed', async () => {
    copyFinishedCluster();
    const one = await user();
    await query(one.url, `create table notes (note text); insert into notes values ('kept')`);
    await one.kill();
    const next = await start();
    expect(await notes(next.url)).toEqual(['kept']);
  });

  it('embedded Postgres recovers when it was killed together with its users and its keeper', async () => {
    copyFinishedCluster();
    const one = await user();
    await query(one.url, `create table notes (note text)`);
    const writer = new pg.Client({ connectionString: one.url });
    writer.on('error', () => undefined);
    await writer.connect();
    for (const note of ['a', 'b', 'c']) await writer.query('insert into notes values ($1)', [note]);
    await writer.query('begin');
    await writer.query(`insert into notes values ('never committed')`);
    killKeeperOf(directory);
    process.kill(one.pid, 'SIGKILL');
    await one.kill();
    await writer.end().catch(() => undefined);

    const next = await start();
    expect(next.adopted).toBe(false);
    expect(await notes(next.url)).toEqual(['a', 'b', 'c']);
  });

  it('embedded Postgres restarts at the same address when it dies while in use', async () => {
    copyFinishedCluster();
    const [one, other] = [await start(), await user()];
    const pool = createPool({ url: one.url, applicationName: 'test' });
    await pool.query('select 1');
    const before = one.pid!;
    process.kill(before, 'SIGKILL');
    await eventually(() => one.pid !== null && one.pid !== before);
    await eventually(async () => {
      const answer = await pool.query('select 1').catch((error: unknown) => error);
      if (answer instanceof Error) expect(isConnectionFailure(answer)).toBe(true);
      return !(answer instanceof Error);
    });
    await pool.end();

    // … and it still goes with its last user.
    await one.stop();
    expect(await query(other.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await other.kill();
    await eventually(() => serverPid() === null);
  });

  it('embedded Postgres restarts when it is stopped from outside while in use', async () => {
    copyFinishedCluster();
    const postgres = await start();
    const before = postgres.pid!;
    const client = new pg.Client({ connectionString: postgres.url });
    client.on('error', () => undefined);
    await client.connect();
    // It takes no new clients from now on, and waits for those that it has.
    process.kill(before, 'SIGTERM');
    await eventually(() => postgres.pid !== null && postgres.pid !== before);
    await eventually(async () => (await query(postgres.url, 'select 1').catch(() => [])).length === 1);
    await client.end().catch(() => undefined);
  });

  it('the last user stops the server when its keeper was killed', async () => {
    copyFinishedCluster();
    const one = await start();
    killKeeperOf(directory);
    await one.stop();
    expect(serverPid()).toBeNull();
  });

  it('the next user adopts a server that survived its users and keeper, and starts a new keeper', async () => {
    copyFinishedCluster();
    const one = await user();
    killKeeperOf(directory);
    await one.kill();
    expect(serverPid()).toBe(one.pid);
    const next = await user();
    expect(next).toMatchObject({ adopted: true, pid: one.pid });
    await next.kill();
    await eventually(() => serverPid() === null);
  });

  describe('when a stale pid file names a living process', () => {
    const staleFile = () => path.join(directory, 'data/postmaster.pid');

    async function leaveStaleFile(foreignPid: number): Promise<void> {
      copyFinishedCluster();
      const one = await user();
      await query(one.url, `create table notes (note text); insert into notes values ('kept')`);
      killKeeperOf(directory);
      process.kill(one.pid, 'SIGKILL');
      await one.kill();
      const lines = fs.readFileSync(staleFile(), 'utf8').split('\n');
      fs.writeFileSync(staleFile(), [foreignPid, ...lines.slice(1)].join('\n'));
    }

    it('with a stale pid file of another program, starts and leaves that process alone', async () => {
      // Postgres regards only processes of the same user as a possible server.
      const { uid, gid } = fs.statSync(path.join(finished, 'data'));
      const foreign = spawn('sleep', ['60'], asRoot ? { uid, gid } : {});
      try {
        await leaveStaleFile(foreign.pid!);
        const next = await start();
        expect(next.adopted).toBe(false);
        expect(await notes(next.url)).toEqual(['kept']);
        expect(isAlive(foreign.pid!)).toBe(true);
      } finally {
        foreign.kill('SIGKILL');
      }
    });

    it('with a stale pid file of the Postgres of another directory, starts its own', async () => {
      const elsewhere = fs.mkdtempSync(path.join(os.tmpdir(), 'chargebook-pg-'));
      const foreign = await startEmbeddedPostgres(elsewhere);
      try {
        await leaveStaleFile(foreign.pid!);
        const next = await start();
        expect(next.adopted).toBe(false);
        expect(await notes(next.url)).toEqual(['kept']);
        expect(await query(foreign.url, 'select 1 as one')).toEqual([{ one: 1 }]);
      } finally {
        await foreign.stop();
        fs.rmSync(elsewhere, { recursive: true });
      }
    });
  });

  it('embedded Postgres reports in one line that it has no binaries for a platform, and names DATABASE_URL instead', async () => {
    const architecture = Object.getOwnPropertyDescriptor(process, 'arch')!;
    Object.defineProperty(process, 'arch', { ...architecture, value: 's390x' });
    try {
      const refusal: unknown = await startEmbeddedPostgres(directory).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(EmbeddedPostgresUnavailable);
      expect((refusal as Error).message).toMatch(
        /^embedded Postgres cannot run here: there are no binaries for \w+-s390x.*; set DATABASE_URL .* instead$/,
      );
    } finally {
      Object.defineProperty(process, 'arch', architecture);
    }
  });

  describe('embedded Postgres with damaged data', () => {
    /** Returns the reason in the middle of the one line of the error. */
    async function refusal(): Promise<string> {
      const error: unknown = await within(2_000, () => start().catch((failure: unknown) => failure));
      expect(error).toBeInstanceOf(EmbeddedDataDamaged);
      expect(serverPid()).toBeNull();
      const [, reason] = /^the embedded Postgres cannot use its data in \S+: (.+); restore the directory from a backup$/.exec(
        (error as Error).message,
      )!;
      return reason!;
    }
    const data = (name = '') => path.join(directory, 'data', name);

    it.each(['PG_VERSION', 'global/pg_control', 'postgresql.conf', 'pg_wal', 'pg_xact', 'chargebook.password'])(
      'fails at once when %s is missing, and creates nothing in its place',
      async (name) => {
        copyFinishedCluster();
        fs.rmSync(data(name), { recursive: true });
        const before = fs.readdirSync(data(), { recursive: true }).sort();
        expect(await refusal()).toBe(`${name} missing`);
        expect(fs.readdirSync(data(), { recursive: true }).sort()).toEqual(before);
      },
    );

    it.each(['pg_wal', 'pg_xact'])('fails at once when %s is empty', async (name) => {
      copyFinishedCluster();
      for (const file of fs.readdirSync(data(name))) fs.rmSync(data(`${name}/${file}`), { recursive: true });
      expect(await refusal()).toMatch(/^could not /);
    });

    it('fails at once when pg_control is truncated', async () => {
      copyFinishedCluster();
      fs.truncateSync(data('global/pg_control'), 100);
      expect(await refusal()).toMatch(/^could not read file "global\/pg_control"/);
    });
  });

  it('removes the remains of a killed first start', async () => {
    fs.mkdirSync(path.join(directory, 'data.new-killed/base'), { recursive: true });
    await start();
    expect(fs.readdirSync(directory).filter((name) => name.startsWith('data.'))).toEqual([]);
  });

  it('uses TCP when the path is too long for a socket', async () => {
    const deep = path.join(directory, 'd'.repeat(100));
    copyFinishedCluster(deep);
    const postgres = await start(deep);
    expect(new URL(postgres.url).hostname).toBe('127.0.0.1');
    expect(await query(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    const other = await user(deep);
    expect(other).toMatchObject({ adopted: true, url: postgres.url });
    await other.stop();
    await postgres.stop();
    expect(serverPid(deep)).toBeNull();
    expect((await start(deep)).url).toBe(postgres.url);
  });

  (asRoot ? it : it.skip)('as root, keeps its data below a folder that nobody else may enter (needs root)', async () => {
    const locked = path.join(directory, 'locked');
    fs.mkdirSync(locked, { mode: 0o700 });
    const base = path.join(locked, 'below');
    const first = await start(base);
    await query(first.url, `create table notes (note text); insert into notes values ('kept')`);
    expect(fs.statSync(path.join(base, 'data')).uid).not.toBe(0);
    process.kill(first.pid!, 'SIGKILL');
    await eventually(async () => (await notes(first.url).catch((): string[] => [])).includes('kept'));
    await first.stop();
    expect(serverPid(base)).toBeNull();
    expect(fs.statSync(locked).mode & 0o777).toBe(0o700);
  });

  (asRoot && mayEnter(ORDINARY_USER) ? it : it.skip)('runs for an ordinary user (needs root, and a checkout that others may read)', async () => {
    fs.chownSync(directory, ORDINARY_USER.uid, ORDINARY_USER.gid);
    const one = await user(directory, ORDINARY_USER);
    const other = await user(directory, ORDINARY_USER);
    expect(other).toMatchObject({ adopted: true, pid: one.pid });
    await one.kill();
    await other.stop();
    expect(serverPid()).toBeNull();
  });
});

/** The keeper is the one process whose arguments name both the users' pipe and the pid file. */
function killKeeperOf(base: string): void {
  const pipe = path.join(fs.realpathSync(base), 'users');
  const keepers = fs.readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const commandLine = fs.readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0');
      return commandLine.includes('chargebook-keeper') && commandLine.includes(pipe);
    } catch {
      return false;
    }
  });
  expect(keepers).toHaveLength(1);
  process.kill(Number(keepers[0]), 'SIGKILL');
}

describe('the directory lock', () => {
  it('one of many callers at a time holds the directory lock', async () => {
    let inside = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 20 }, () =>
        withDirectoryLock(directory, async () => {
          most = Math.max(most, ++inside);
          await new Promise(setImmediate);
          inside--;
        }),
      ),
    );
    expect(most).toBe(1);
  });

  it('releases the directory lock when its holder throws', async () => {
    await expect(withDirectoryLock(directory, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await withDirectoryLock(directory, async () => 'in')).toBe('in');
  });
});
