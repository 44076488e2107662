import { advisoryLockKey, AdvisoryLock } from '../postgres/advisory-lock.js';
import { atMost } from '../async/waiting.js';
import { ErrorChanges } from './error-changes.js';

export interface ElectedWorkerOptions {
  /** Names the lock: of all processes with this name one is active. */
  readonly name: string;
  readonly databaseUrl: string;
  /** Time between the end of a pass and the next one. */
  readonly intervalMs: number;
  /**
   * Finds pending work and does it. May be interrupted at any point: by the signal (the process stops, or has lost the lock) or by the end of the
   * process.
   */
  readonly pass: (signal: AbortSignal) => Promise<void>;
  /** Called before each pass, which is skipped on false; default: true. Never rejects. */
  readonly mayPass?: () => Promise<boolean>;
  /** Called with the error of a pass, or of a failed election, unless the previous one failed with the same; the next one is still tried. */
  readonly onError: (error: unknown) => void;
}

/** Returns the key of the lock with which the workers of this name elect one of them. */
export const electionKey = (name: string): bigint => advisoryLockKey(`chargebook process ${name}`);

/** Interval between attempts of a process that was not elected, ms: a lost process is replaced within seconds. */
const STAND_AGAIN_MS = 1_000;

/**
 * A timer that runs in one process, whatever the number of processes. The lock elects and does not protect: a process that wakes up late may run a
 * pass beside its successor, so a pass must be safe to run twice.
 */
export class ElectedWorker {
  static readonly #started = new Set<ElectedWorker>();
  readonly #lock: AdvisoryLock;
  readonly #stopping = new AbortController();
  readonly #errors = new ErrorChanges();
  #pass: AbortController | undefined;
  #running: Promise<void> | undefined;
  #wake: () => void = () => undefined;
  /** Replaced, not changed. */
  #passes = { done: 0, failed: 0, lastMs: 0 };

  constructor(private readonly options: ElectedWorkerOptions) {
    const { databaseUrl: url, name } = options;
    this.#lock = new AdvisoryLock({
      url,
      key: electionKey(name),
      onLost: (error) => this.#pass?.abort(error),
    });
  }

  /** Workers that this process has started and not stopped. */
  static get running(): readonly ElectedWorker[] {
    return [...ElectedWorker.#started];
  }

  get name(): string {
    return this.options.name;
  }

  /** Number of passes of this process that succeeded and that failed, and the end of the last successful one (ms since the epoch; 0: none). */
  get passes(): { readonly done: number; readonly failed: number; readonly lastMs: number } {
    return this.#passes;
  }

  /** True while this process is the elected one. */
  get leads(): boolean {
    return this.#lock.held;
  }

  start(): void {
    ElectedWorker.#started.add(this);
    this.#running ??= this.#run();
  }

  /** Starts the next pass now, or as soon as the current one has ended. */
  wake(): void {
    this.#wake();
  }

  /** Resolves when the current pass has ended and the lock is released. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#pass?.abort();
    this.#wake();
    await this.#running;
    await this.#lock.release();
    ElectedWorker.#started.delete(this);
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const woken = new Promise<void>((resolve) => (this.#wake = resolve));
      await this.#passIfElected();
      if (signal.aborted) return;
      await atMost(this.leads ? this.options.intervalMs : STAND_AGAIN_MS, woken);
    }
  }

  async #passIfElected(): Promise<void> {
    try {
      if (!(await this.#lock.tryAcquire()) || (await this.options.mayPass?.()) === false) return;
      this.#pass = new AbortController();
      // It was stopped, or has lost the lock, since it was elected: nothing would abort this pass.
      if (!this.#stopping.signal.aborted && this.#lock.held) {
        await this.options.pass(this.#pass.signal);
        this.#passes = { ...this.#passes, done: this.#passes.done + 1, lastMs: Date.now() };
        this.#errors.clear(this.name);
      }
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      this.#passes = { ...this.#passes, failed: this.#passes.failed + 1 };
      if (this.#errors.isNew(this.name, error)) this.options.onError(error);
    }
  }
}
