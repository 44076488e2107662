import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { FastClock } from './fast-clock.js';
import type { House } from './house.js';

const SCRIPT = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));
const ROLES = { api: 'api', worker: 'projector,worker' } as const;
type Role = keyof typeof ROLES;
/** By the true clock. */
const RESTART_S = 1;

/** The service as two processes that are killed and begin again. */
export class MortalService {
  kills = 0;
  /** Of processes that ended by themselves. */
  restarts = 0;
  /** How often each error was logged. */
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

  /** Kills one of the two, or both, every `seconds` of the true clock on average, until `signal`. */
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

  /** While all are put forward, none of them is to see another's clock. */
  async jump(ms: number): Promise<void> {
    for (const child of this.#processes.values()) child.kill('SIGSTOP');
    await this.clock.jump(ms);
    for (const child of this.#processes.values()) child.kill('SIGCONT');
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all([...this.#processes.keys()].map((role) => this.#kill(role)));
  }

  /** One that gives up by itself, as where Postgres was too busy for it, is begun again, as whoever runs services does. */
  async #start(role: Role): Promise<void> {
    while (!this.#isStopped && !(await this.#begin(role))) {
      this.restarts += 1;
      await this.clock.pause(RESTART_S);
    }
  }

  /** False when it ended before it was ready. */
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
