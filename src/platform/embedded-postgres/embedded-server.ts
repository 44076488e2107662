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

/** Part of the name of the socket's file, with or without TCP. */
const SOCKET_PORT = 5432;
/** The smallest limit of our platforms for the length of a socket's path, bytes. */
const SOCKET_PATH_MAX = 103;
const LOG_BYTES_MAX = 5_000_000;
/** Higher than any process id of Linux or macOS. */
const NOBODYS_PID = 2 ** 31 - 1;

/**
 * Settings for a ledger in a trial or on a single machine. Durability is that of Postgres: fsync, full_page_writes and synchronous_commit stay on,
 * and checkpoints have their default frequency, so a crash costs a second or two and no commit.
 */
const SETTINGS = {
  shared_buffers: '128MB',
  work_mem: '8MB',
  maintenance_work_mem: '128MB',
  random_page_cost: '1.1', // data on an SSD, or in the page cache
  jit: 'off', // costs tens of milliseconds and never pays for short statements
  // Two cores serve many requests; and containers have 64 MB of /dev/shm, which parallel queries exceed.
  max_parallel_workers_per_gather: '0',
  // There are no replicas: index builds and bulk loads then need no log, and each of these settings saves a process.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  io_method: 'sync',
  // Users restart it, and a failure of that is noticed. A server that restarts itself and whose recovery fails too (a disk that flushes nothing)
  // waits for ever and answers no client, even when the disk works again: measured with 18.4.
  restart_after_crash: 'off',
  TimeZone: 'UTC',
  log_timezone: 'UTC',
  // Errors that clients cause (constraint violations) contain personal data and would grow without bound.
  log_min_messages: 'log',
  log_checkpoints: 'off',
};

export interface PidFile {
  readonly pid: number;
  readonly lines: readonly string[];
}

export interface ConnectionRoom {
  /** Connections of all users together. */
  readonly max: number;
  /** Connections for the superuser alone, included in `max`. */
  readonly reserved: number;
}

/** The server's answer to a connection attempt. */
export type Condition = 'up' | 'starting or stopping' | 'down';

/** The server process of one data directory: its address, whether it runs, and how to start it. */
export class EmbeddedServer {
  readonly pidFile: string;
  readonly logFile: string;
  readonly #portFile: string;
  /** Offset in the log of the first line of the last started server, bytes. */
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
   * Returns the address: a socket in the data directory, which only its owner can enter. Compared with TCP, a statement's round trip takes 26 µs
   * instead of 65 and less than half of the CPU. When the path is too long for a socket, it is a port of 127.0.0.1, chosen once.
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

  /** @throws when the server rejects the connection for a permanent reason */
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
      // The server ended during the connection attempt.
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
   * Ends a server that received SIGTERM from another program: such a server accepts no new clients, and its present ones stay while they are answered.
   */
  async hurryStop(): Promise<void> {
    const pidFile = this.readPidFile();
    if (pidFile?.lines[7]?.startsWith('stopping') && (await this.isOurs(pidFile.pid))) process.kill(pidFile.pid, 'SIGINT');
  }

  /**
   * True when the process is a server of this very data directory. The id alone proves nothing: after a crash, or in a restarted container, it may
   * belong to any process, also to the server of another directory, or of the directory from which this one was copied.
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
   * Makes a pid file harmless that names another program's process, because of which Postgres would refuse to start. It is not removed: with the rest
   * of it, Postgres finds a process that it started and that may still use the data, and refuses to start beside it.
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
        detached: true, // Ctrl-C in our terminal must not reach it
        stdio: ['ignore', log, log],
      },
    );
    child.unref();
    fs.closeSync(log);
    return child;
  }

  /** Returns the first line in which the last started server logged why it gave up, if it did. */
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

/** Returns the command line of a living process; null when no process has this id. */
async function commandOf(pid: number): Promise<string | null> {
  if (process.platform === 'linux') {
    // A process that has ended and that its parent has not yet reaped has an empty one.
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
