import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { withDirectoryLock } from './directory-lock.js';
import { EmbeddedDataDamaged, findBinaries } from './embedded-binaries.js';
import { BOUNDED_USER, ensureCluster, makeBoundedUser, serverUser } from './embedded-cluster.js';
import { CLUSTER_DIRECTORY } from './embedded-name.js';
import { UsersPipe } from './embedded-keeper.js';
import { EmbeddedServer, type ConnectionRoom } from './embedded-server.js';
import { BackOff } from '../async/back-off.js';

export interface EmbeddedPostgresOptions {
  /** Called when an operation takes unusually long, or has failed and is retried. One line each. */
  readonly log?: (message: string) => void;
  /** Applies to the server that this call starts, not to one that runs already. Default: 100, 3 of them for the superuser alone. */
  readonly connections?: ConnectionRoom;
}

export interface EmbeddedPostgres {
  /** URL for the superuser, to the database `postgres`. It does not change while this is in use. */
  readonly url: string;
  /** URL with the same rights, without the connections that are reserved for the superuser: for callers that may open many connections. */
  readonly boundedUrl: string;
  /** Process id of the running server, null while none runs; a server that dies is started again, under another id. */
  readonly pid: number | null;
  /** True when the server already ran, for another process that uses the same directory. */
  readonly adopted: boolean;
  /** Ends this use. The last user's call shuts the server down (running statements are cancelled) and waits for it. */
  stop(): Promise<void>;
}

const POLL_MS = 10;
/** A server that exits at once is retried for this time: remains of a predecessor may take a moment to disappear. */
const GIVE_UP_MS = 10_000;
/** Errors that end with their cause: a predecessor, or another server on our port. */
const PASSING = /lock file ".*" already exists|pre-existing shared memory|could not (bind|create any TCP)|the database system is /;
const PATIENCE_MS = 5_000;
const SHUTDOWN_TIMEOUT_MS = 60_000;
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 5_000;
const STOPPING_LOOKED_FOR_MS = 1_000;

/**
 * Starts a real Postgres with its data in `baseDir`, or joins the one that runs there for another process.
 *
 * - Any number of processes may use one directory, and may start at the same moment; the server ends after the last of them, also when that one was
 *   killed with -9.
 * - Data survive the kill of any process, the server included: committed data are there after the next start.
 * - A server that dies, or receives a signal to stop, while in use is started again by its users, at the same address.
 * - Started by root, Postgres runs as the owner of its data, at first `nobody`. Data stay in `baseDir` even when that user has no access by its path.
 *
 * The first start takes about a second, later ones a quarter of it.
 * @throws EmbeddedPostgresUnavailable when Postgres cannot be run on this machine, EmbeddedDataDamaged when it cannot use the data
 */
export async function startEmbeddedPostgres(baseDir: string, options: EmbeddedPostgresOptions = {}): Promise<EmbeddedPostgres> {
  fs.mkdirSync(baseDir, { recursive: true, mode: 0o700 });
  const base = fs.realpathSync(baseDir);
  const lock = path.join(base, 'lock');
  return withDirectoryLock(lock, async () => {
    const data = path.join(base, CLUSTER_DIRECTORY);
    const runAs = await serverUser(data);
    const binaries = await findBinaries(runAs, base);
    await ensureCluster(base, data, binaries, runAs);

    const log = options.log ?? (() => undefined);
    const server = new EmbeddedServer(base, data, binaries, runAs, options.connections ?? { max: 100, reserved: 3 });
    const users = await UsersPipe.join(base, server.pidFile);
    return Use.begin(lock, { server, users, log }).catch((error: unknown) => {
      users.leave();
      throw error;
    });
  });
}

interface ServerComponents {
  readonly server: EmbeddedServer;
  readonly users: UsersPipe;
  readonly log: (message: string) => void;
}

/**
 * Called under the directory lock: finds the server running, or starts it, and ensures that it will be shut down. Waits while a server recovers, or
 * shuts down for its last users.
 */
async function ensureRunning({ server, users, log }: ServerComponents): Promise<{ readonly adopted: boolean }> {
  const began = Date.now();
  let nextWord = began + PATIENCE_MS;
  for (;;) {
    const found = await lookForServer(server);
    if (found.state === 'running') {
      // A process that is invisible to us (it runs in another container) cannot be signalled from here: a keeper in that container does it.
      if (found.pid !== null) await users.keep(found.pid);
      return { adopted: true };
    }
    if (found.state === 'down') {
      if (await startServer({ server, users, log })) return { adopted: false };
      const reason = server.lastFatalLine();
      const mayPass = reason === undefined || PASSING.test(reason);
      if (!mayPass || Date.now() - began > GIVE_UP_MS) throw new EmbeddedDataDamaged(server.data, reason ?? `see ${server.logFile}`);
    }
    if (Date.now() > nextWord) {
      log('embedded Postgres is still recovering or stopping');
      nextWord += PATIENCE_MS;
    }
    await delay(POLL_MS);
  }
}

type Found = { readonly state: 'running'; readonly pid: number | null } | { readonly state: 'changing' | 'down' };

async function lookForServer(server: EmbeddedServer): Promise<Found> {
  const pidFile = server.readPidFile();
  const ours = pidFile !== null && (await server.isOurs(pidFile.pid));
  if (ours && !server.isReady) return { state: 'changing' };
  const condition = await server.condition();
  if (condition === 'up') return { state: 'running', pid: ours ? pidFile.pid : null };
  if (condition === 'starting or stopping' || ours) return { state: 'changing' };
  if (pidFile) await server.disarmPidFile(pidFile);
  return { state: 'down' };
}

/** Resolves with true when the server accepts connections, with false when it ended instead. */
async function startServer({ server, users, log }: ServerComponents): Promise<boolean> {
  const child = server.spawn();
  let failure: Error | undefined;
  child.once('error', (error) => (failure = error));
  if (child.pid === undefined) {
    await once(child, 'error').catch(() => undefined);
    throw new Error(`embedded Postgres cannot be run: ${failure?.message}`, { cause: failure });
  }
  await users.keep(child.pid);
  const recovery = setInterval(() => log('embedded Postgres is still recovering'), PATIENCE_MS);
  try {
    while (child.exitCode === null && child.signalCode === null) {
      if (server.readPidFile()?.pid === child.pid && server.isReady) return true;
      await delay(POLL_MS);
    }
  } finally {
    clearInterval(recovery);
  }
  await users.keepNothing();
  if (server.usesPort && /could not (bind|create any TCP)/.test(server.lastFatalLine() ?? '')) await server.changePort();
  return false;
}

/** The types of `pg` omit `ref` and `unref`: a client, like a socket, can let the process end. */
type Guard = pg.Client & { ref(): void; unref(): void };

/** One caller's use of the server, from start to stop. */
class Use implements EmbeddedPostgres {
  #guard: Guard | undefined;
  #stopped: Promise<void> | undefined;
  /** A server that received SIGTERM waits for its clients, and would wait for ever for us. It may have ended before the signal arrives. */
  readonly #hurrying = setInterval(() => void this.components.server.hurryStop().catch(() => undefined), STOPPING_LOOKED_FOR_MS).unref();

  private constructor(
    private readonly lock: string,
    private readonly components: ServerComponents,
    readonly url: string,
    readonly boundedUrl: string,
    readonly adopted: boolean,
  ) {}

  /** Called under the directory lock. */
  static async begin(lock: string, components: ServerComponents): Promise<Use> {
    const { adopted } = await ensureRunning(components);
    const use = new Use(lock, components, await components.server.url(), await components.server.url(BOUNDED_USER), adopted);
    await use.#watch();
    return use;
  }

  get pid(): number | null {
    return this.components.server.readPidFile()?.pid ?? null;
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    clearInterval(this.#hurrying);
    this.#guard?.ref();
    await this.#guard?.end().catch(() => undefined);
    const { server, users } = this.components;
    await withDirectoryLock(this.lock, async () => {
      // If the keeper was killed meanwhile, a new one replaces it.
      const pidFile = server.readPidFile();
      if (pidFile && (await server.isOurs(pidFile.pid))) await users.keep(pidFile.pid);
      if (!users.leave()) return;
      const deadline = Date.now() + SHUTDOWN_TIMEOUT_MS;
      while (await server.isRunning()) {
        if (Date.now() > deadline) throw new Error(`embedded Postgres did not stop within ${SHUTDOWN_TIMEOUT_MS / 1_000} s`);
        await delay(POLL_MS);
      }
    });
  }

  /** Opens a connection that only detects the server's death at once. */
  async #watch(): Promise<void> {
    const guard = new pg.Client({
      connectionString: this.url,
      application_name: 'chargebook-guard',
      connectionTimeoutMillis: 5_000,
    }) as Guard;
    guard.on('error', () => undefined);
    await guard.connect();
    await makeBoundedUser(guard, new URL(this.boundedUrl).password);
    guard.unref();
    guard.once('end', () => void this.#revive());
    this.#guard = guard;
  }

  async #revive(): Promise<void> {
    const { log } = this.components;
    for (const backOff = new BackOff(FIRST_RETRY_MS, LONGEST_RETRY_MS); !this.#stopped;) {
      try {
        await withDirectoryLock(this.lock, async () => {
          if (this.#stopped) return;
          await ensureRunning(this.components);
          await this.#watch();
        });
        return;
      } catch (error) {
        log(`embedded Postgres exited and cannot be restarted: ${(error as Error).message}`);
        await delay(backOff.take(), undefined, { ref: false });
      }
    }
  }
}
