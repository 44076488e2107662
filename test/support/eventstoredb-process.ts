import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.js';
import { EventStoreDBServer } from './eventstoredb-server.js';

/** The server's program, where it is installed: KurrentDB is the later name of EventStoreDB. */
const PROGRAM = ['kurrentd', 'eventstored'].find((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0);

export const hasEventStoreDB = PROGRAM !== undefined;

/** A server whose log is empty at first, and which can be put back to an older state. */
export interface RestorableServer {
  readonly url: string;
  backUp(): Promise<void>;
  /** Puts the log back to its state at `backUp`. */
  restore(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a real server where `npm run test:eventstoredb` runs and one is installed, else a double of one in this process. */
export async function startRestorableServer(): Promise<RestorableServer> {
  if (process.env['EVENTSTORE_URL'] && hasEventStoreDB) return EventStoreDBProcess.start();
  const server = await EventStoreDBServer.start();
  let kept = 0;
  return {
    url: server.url,
    backUp: async () => void (kept = server.log.events.length),
    restore: async () => {
      server.cut();
      server.log.lose(server.log.events.length - kept);
    },
    stop: () => server.stop(),
  };
}

/** A real server on loopback, with a database on disk that outlives it. */
export class EventStoreDBProcess implements RestorableServer {
  #child: ChildProcess | undefined;

  private constructor(
    private readonly directory: string,
    private readonly port: number,
  ) {}

  static async start(): Promise<EventStoreDBProcess> {
    const reserved = createServer().listen(0, '127.0.0.1');
    await once(reserved, 'listening');
    const { port } = reserved.address() as AddressInfo;
    reserved.close();
    const server = new EventStoreDBProcess(await mkdtemp(join(tmpdir(), 'chargebook-esdb-')), port);
    await server.start();
    return server;
  }

  get url(): string {
    return `esdb://127.0.0.1:${this.port}?tls=false`;
  }

  /** Resolves when it serves. */
  async start(): Promise<void> {
    const options = ['--insecure', '--db', this.directory, '--node-ip', '127.0.0.1', '--node-port', String(this.port)];
    const quiet = ['--run-projections', 'None', '--disable-log-file'];
    // Every variable with these prefixes is an option to the server, and one that it does not know ends it: EVENTSTORE_URL is ours.
    const ours = Object.entries(process.env).filter(([name]) => !/^(?:EVENTSTORE|KURRENTDB)_/.test(name));
    const env = { ...Object.fromEntries(ours), EVENTSTORE_TELEMETRY_OPTOUT: 'true' };
    this.#child = spawn(PROGRAM!, [...options, ...quiet], { env, stdio: 'ignore' });
    await eventually(async () => (await fetch(`http://127.0.0.1:${this.port}/health/live`).catch(() => undefined))?.status === 204, 60_000);
  }

  /** Kills the server as a power failure does, except that the operating system still writes its caches. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  async backUp(): Promise<void> {
    await this.#end('SIGTERM');
    await cp(this.directory, this.#backup, { recursive: true });
    await this.start();
  }

  async restore(): Promise<void> {
    await this.#end('SIGTERM');
    await rm(this.directory, { recursive: true });
    await cp(this.#backup, this.directory, { recursive: true });
    await this.start();
  }

  async stop(): Promise<void> {
    await this.#end('SIGTERM');
    for (const directory of [this.directory, this.#backup]) await rm(directory, { recursive: true, force: true });
  }

  get #backup(): string {
    return `${this.directory}-backup`;
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child!;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
}
