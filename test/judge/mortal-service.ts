import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { FastClock } from './fast-clock.js';
import type { House } from './house.js';

const SCRIPT = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));
const ROLES = { api: 'api', worker: 'projector,worker' } as const;
type Role = keyof typeof ROLES;
/** Pause before a restart, by the true clock. */
const RESTART_S = 1;

/** The service as two processes that are killed and restarted. */
export class MortalService {
  kills = 0;
  /** Restarts of processes that ended by themselves at their start. */
  restarts = 0;
  /** Number of log entries by error message. */
  readonly logged = new Map<string, number>();
  readonly #processes = new Map<Role, ChildProcess>();
  #isStopped = false;

  constructor(
    private readonly clock: FastClock,
    private readonly house: Pick<House, 'env' | 'apiPort'>,
  ) {}

  get url(): string {
    return `http://127.0.0.1:${this.house.apiPort}`;
  }

  async start(): Promise<void> {
    await this.#start('worker');
    await this.#start('api');
  }

  /** Kills one or both processes every `seconds` of the true clock on average, until `signal`. */
  async killOnAndOn(seconds: number, random: (below: number) => number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.clock.pause((seconds * (500 + random(1_000))) / 1_000);
      if (signal.aborted) return;
      const victims: readonly Role[] = [['api'] as const, ['worker'] as const, ['api', 'worker'] as const][random(3)]!;
      await Promise.all(victims.map((role) => this.#kill(role)));
      this.kills += victims.length;
      await Promise.all(victims.map((role) => this.#start(role)));
    }
  }

  /** Moves the clock forward. The processes are stopped meanwhile, so that none sees another's clock. */
  async jump(ms: number): Promise<void> {
    for (const child of this.#processes.values()) child.kill('SIGSTOP');
    await this.clock.jump(ms);
    for (const child of this.#processes.values()) child.kill('SIGCONT');
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all([...this.#processes.keys()].map((role) => this.#kill(role)));
  }

  /** Starts a process, and restarts it while it exits by itself (for example because Postgres was too busy), as a service manager does. */
  async #start(role: Role): Promise<void> {
    while (!this.#isStopped && !(await this.#begin(role))) {
      this.restarts += 1;
      await this.clock.pause(RESTART_S);
    }
  }

  /** Returns false when the process exits before it is ready. */
  async #begin(role: Role): Promise<boolean> {
    const env = { ...process.env, ...this.house.env, ...this.clock.environment(role), ROLES: ROLES[role], PORT: String(this.house.apiPort) };
    const child = spawn(process.execPath, ['--enable-source-maps', SCRIPT], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    this.#processes.set(role, child);
    const isReady = new Promise<boolean>((resolve) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        const [, message] = /^\{.*"msg":"([^"]*)/.exec(line) ?? [];
        if (message !== undefined) this.logged.set(message, (this.logged.get(message) ?? 0) + 1);
        if (/^(listening on|running) /.test(line)) resolve(true);
      });
    });
    return Promise.race([isReady, once(child, 'exit').then(() => false)]);
  }

  async #kill(role: Role): Promise<void> {
    const child = this.#processes.get(role);
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGCONT');
    child.kill('SIGKILL');
    await ended;
  }
}
