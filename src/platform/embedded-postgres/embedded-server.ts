import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { SERVER_ENVIRONMENT, type Binaries, type RunAs } from './embedded-binaries.js';
import { clusterName } from './embedded-name.js';
import { dataArgument, readPassword, SUPERUSER } from './embedded-cluster.js';

const run = promisify(execFile);

/** The name of the socket's file carries it, whether or not TCP is used. */
const SOCKET_PORT = 5432;
/** The shortest of our platforms' bounds for a socket's path, bytes. */
const SOCKET_PATH_MAX = 103;
const LOG_BYTES_MAX = 5_000_000;
/** Higher than any process id of Linux or macOS. */
const NOBODYS_PID = 2 ** 31 - 1;

/**
 * Settings of a ledger that somebody tries out or runs on one machine. Durability is Postgres's own: fsync, full_page_writes and
 * synchronous_commit stay on, checkpoints come as by default, so that a crash costs a second or two and no commit.
 */
const SETTINGS = {
  shared_buffers: '128MB',
  work_mem: '8MB',
  maintenance_work_mem: '128MB',
  random_page_cost: '1.1', // data on an SSD, or in the page cache
  jit: 'off', // costs tens of milliseconds and never pays for short statements
  // Two cores serve many requests; and containers give 64 MB of /dev/shm, which parallel queries outgrow.
  max_parallel_workers_per_gather: '0',
  // No replicas: index builds and bulk loads need no log then, and a process less is needed for each of these.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  io_method: 'sync',
  // Users start it again, which is noticed when it fails. On its own, a server whose recovery fails too (a disk that flushes nothing)
  // waits for ever and answers nobody, also when the disk works again: measured with 18.4.
  restart_after_crash: 'off',
  TimeZone: 'UTC',
  log_timezone: 'UTC',
  // What clients provoke (constraint violations) carries personal data and would grow without bound.
  log_min_messages: 'log',
  log_checkpoints: 'off',
};

export interface PidFile {
  readonly pid: number;
  readonly lines: readonly string[];
}

export interface ConnectionRoom {
  /** Of all users together. */
  readonly max: number;
  /** Of these, for the superuser alone. */
  readonly reserved: number;
}

/** What the server answers to who wants to connect. */
export type Condition = 'up' | 'starting or stopping' | 'down';

/** The server process of one data directory: its address, whether it runs, and how to start it. */
export class EmbeddedServer {
  readonly pidFile: string;
  readonly logFile: string;
  readonly #portFile: string;
  /** Where the lines of the server that was started last begin, bytes. */
  #logStart = 0;

  constructor(
    base: string,
    readonly data: string,
    private readonly binaries: Binaries,
    private readonly runAs: RunAs,
    private readonly room: ConnectionRoom,
  ) {
    this.pidFile = path.join(data, 'postmaster.pid');
    this.logFile = path.join(base, 'postgres.log');
    this.#portFile = path.join(base, 'port');
  }

  /**
   * A socket in the data directory, which only its owner can enter: measured against TCP, a statement's round trip takes 26 µs
   * instead of 65 and less than half of the CPU. Where the path is too long for a socket: a port of 127.0.0.1, chosen once.
   */
  async url(user = SUPERUSER): Promise<string> {
    const credentials = `${user}:${readPassword(this.data)}`;
    if (this.#hasSocket) return `postgres://${credentials}@${encodeURIComponent(this.data)}:${SOCKET_PORT}/postgres`;
    const port = this.#storedPort() ?? (await this.changePort());
    return `postgres://${credentials}@127.0.0.1:${port}/postgres`;
  }

  async changePort(): Promise<number> {
    const port = await freePort();
    await fsp.writeFile(this.#portFile, String(port));
    return port;
  }

  get usesPort(): boolean {
    return !this.#hasSocket;
  }

  /** @throws when the server refuses us for a reason that time does not heal */
  async condition(): Promise<Condition> {
    const client = new pg.Client({ connectionString: await this.url(), connectionTimeoutMillis: 3_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return 'up';
    } catch (error) {
      const { code, syscall } = error as NodeJS.ErrnoException;
      if (code === '53300') return 'up'; // too many connections
      if (code === '57P03' || (error as Error).message === 'timeout expired') return 'starting or stopping';
      if (syscall !== undefined || this.usesPort) return 'down';
      // The server went in the middle of it.
      if (/^Connection terminated/.test((error as Error).message)) return 'starting or stopping';
      throw error;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  /** Null when there is none, or it is being written. */
  readPidFile(): PidFile | null {
    try {
      const lines = fs.readFileSync(this.pidFile, 'utf8').split('\n');
      const pid = Number(lines[0]);
      return Number.isSafeInteger(pid) && pid > 0 ? { pid, lines } : null;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  get isReady(): boolean {
    return this.readPidFile()?.lines[7]?.startsWith('ready') ?? false;
  }

  /**
   * Ends one that somebody else told to stop (SIGTERM) once its clients have gone: it takes no new ones, and those that it has stay for
   * as long as they are answered.
   */
  async hurryStop(): Promise<void> {
    const pidFile = this.readPidFile();
    if (pidFile?.lines[7]?.startsWith('stopping') && (await this.isOurs(pidFile.pid))) process.kill(pidFile.pid, 'SIGINT');
  }

  /**
   * True when the process is a server of this very data directory. The number alone says nothing: after a crash, or in a restarted
   * container, it may belong to anybody, also to the server of another directory, or of the one this was copied from.
   */
  async isOurs(pid: number): Promise<boolean> {
    const command = await commandOf(pid);
    return command !== null && command.split(' ').includes(`cluster_name=${this.#clusterName}`);
  }

  async isRunning(): Promise<boolean> {
    const pidFile = this.readPidFile();
    return pidFile !== null && (await this.isOurs(pidFile.pid));
  }

  /**
   * Makes a pid file that names somebody else's process harmless; Postgres would refuse to start because of it. It is not removed:
   * the rest of it lets Postgres find, and refuse to start beside, a process of its own that may still use the data.
   */
  async disarmPidFile({ lines }: PidFile): Promise<void> {
    const draft = `${this.pidFile}.${randomUUID()}`;
    await fsp.writeFile(draft, [NOBODYS_PID, ...lines.slice(1)].join('\n'), { mode: 0o600 });
    if (this.runAs.uid !== undefined) await fsp.chown(draft, this.runAs.uid, this.runAs.gid!);
    await fsp.rename(draft, this.pidFile);
  }

  /** Starts the process and returns at once. */
  spawn(): ChildProcess {
    const log = this.#openLog();
    const settings = {
      ...SETTINGS,
      max_connections: String(this.room.max),
      superuser_reserved_connections: String(this.room.reserved),
      cluster_name: this.#clusterName,
      unix_socket_directories: this.#hasSocket ? '.' : '',
      listen_addresses: this.#hasSocket ? '' : '127.0.0.1',
      port: String(this.#hasSocket ? SOCKET_PORT : this.#storedPort()),
    };
    const child = spawn(
      this.binaries.postgres,
      ['-D', dataArgument(this.data, this.runAs), ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      {
        ...this.runAs,
        cwd: this.data,
        env: SERVER_ENVIRONMENT,
        detached: true, // Ctrl-C in our terminal is not meant for it
        stdio: ['ignore', log, log],
      },
    );
    child.unref();
    fs.closeSync(log);
    return child;
  }

  /** The first line in which the server that was started last said why it gave up, if it did. */
  lastFatalLine(): string | undefined {
    const lines = fs.readFileSync(this.logFile).subarray(this.#logStart).toString().split('\n');
    return lines.map((line) => /\b(?:FATAL|PANIC): +(.*)/.exec(line)?.[1]).find((reason) => reason !== undefined);
  }

  get #hasSocket(): boolean {
    return Buffer.byteLength(path.join(this.data, `.s.PGSQL.${SOCKET_PORT}`)) <= SOCKET_PATH_MAX;
  }

  get #clusterName(): string {
    return clusterName(this.data);
  }

  #storedPort(): number | null {
    try {
      return Number(fs.readFileSync(this.#portFile, 'utf8'));
    } catch {
      return null;
    }
  }

  #openLog(): number {
    const { size } = fs.statSync(this.logFile, { throwIfNoEntry: false }) ?? { size: 0 };
    if (size > LOG_BYTES_MAX) fs.renameSync(this.logFile, `${this.logFile}.1`);
    const log = fs.openSync(this.logFile, 'a', 0o600);
    this.#logStart = fs.fstatSync(log).size;
    return log;
  }
}

/** The command line of a living process; null when there is none of this number. */
async function commandOf(pid: number): Promise<string | null> {
  if (process.platform === 'linux') {
    // A process that has ended and was not yet fetched by its parent has an empty one.
    return fsp.readFile(`/proc/${pid}/cmdline`, 'utf8').then(
      (text) => text.replaceAll('\0', ' ') || null,
      () => null,
    );
  }
  return run('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).then(
    ({ stdout }) => stdout,
    () => null,
  );
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
