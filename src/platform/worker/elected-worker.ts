import { advisoryLockKey, AdvisoryLock } from '../postgres/advisory-lock.js';
import { atMost } from '../waiting.js';
import { ErrorChanges } from './error-changes.js';

export interface ElectedWorkerOptions {
  /** Names the lock: of all processes with this name one is active. */
  readonly name: string;
  readonly databaseUrl: string;
  /** Between the end of a pass and the next one. */
  readonly intervalMs: number;
  /**
   * Looks for what is to be done and does it. May be cut short at any point: by the signal (the process stops, or has lost the
   * lock) or by the end of the process.
   */
  readonly pass: (signal: AbortSignal) => Promise<void>;
  /** Called before each pass, which is skipped on false; default: true. Never rejects. */
  readonly mayPass?: () => Promise<boolean>;
  /**
   * Called with the error of a pass, or of an election that could not be held, unless the one before failed with the same; the next one is
   * tried all the same.
   */
  readonly onError: (error: unknown) => void;
}

/** The lock under which the workers of this name elect one of them. */
export const electionKey = (name: string): bigint => advisoryLockKey(`chargebook process ${name}`);

/** Between two attempts of a process that was not elected, ms: a lost process is replaced within seconds. */
const STAND_AGAIN_MS = 1_000;

/**
 * A timer of which one runs, whatever the number of processes. The lock elects and does not protect: a process that wakes up late
 * may do a pass beside its successor, and what a pass does must be safe to be done twice.
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

  /** Those that this process has started and not stopped. */
  static get running(): readonly ElectedWorker[] {
    return [...ElectedWorker.#started];
  }

  get name(): string {
    return this.options.name;
  }

  /** How many passes of this process ended well, how many failed, and when the last good one did (ms since the epoch; 0: none has). */
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

  /** The next pass begins now, or as soon as the one under way has ended. */
  wake(): void {
    this.#wake();
  }

  /** Resolves when the pass under way has ended and the lock is given back. */
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
      // Stopped or lost since it was elected: nothing would abort this pass.
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
