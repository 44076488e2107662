import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readdirSync, chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Debian and its derivatives install libfaketime below this folder. */
const LIBRARIES = '/usr/lib';
const DIRECTORY = 'JUDGE_CLOCK';
/** Interval in which a process reads its file again, s by the true clock. */
const LOOKS_EVERY_S = 1;

/**
 * The clock of a run. It is faster than the true clock and jumps forward by hours while nothing happens. Every process of the run uses it,
 * also Postgres, because the service decides only by the database's clock. Only libfaketime can give Node a different clock: each process
 * reads its offset from a file.
 */
export class FastClock {
  /** Offset of each process at its start, s, by file. */
  readonly #files = new Map<string, number>();
  #jumpedMs = 0;

  private constructor(
    private readonly directory: string,
    private readonly library: string,
    readonly speed: number,
  ) {
    this.#files.set(this.#fileOf('runner'), 0);
  }

  /** Restarts this program under a clock of `speed` and returns the child process; in that process, returns the clock. */
  static enter(speed: number): FastClock | ChildProcess {
    const library = findLibrary();
    const directory = process.env[DIRECTORY];
    if (directory !== undefined) return new FastClock(directory, library, speed);
    const made = mkdtempSync(join(tmpdir(), 'chargebook-clock-'));
    // Postgres does not run as root and must read the folder.
    chmodSync(made, 0o755);
    const clock = new FastClock(made, library, speed);
    const env = { ...process.env, ...clock.#environment('runner', 0), [DIRECTORY]: made };
    const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], { env, stdio: 'inherit' });
    child.once('exit', () => rmSync(made, { recursive: true, force: true }));
    return child;
  }

  /** Environment of a process that starts now. A process that inherits this one's environment counts from this one's start (FAKETIME_SHARED). */
  environment(name: string): Record<string, string> {
    return this.#environment(name, this.#jumpedMs / 1_000);
  }

  /** Corrects the offset of a process that counts from its own start. `aheadMs` is its measured lead over this process. */
  correct(name: string, aheadMs: number): Promise<void> {
    const file = this.#fileOf(name);
    this.#write(file, this.#files.get(file)! - aheadMs / 1_000);
    return this.pause(2 * LOOKS_EVERY_S);
  }

  /** Moves every process's clock forward. Processes that read it meanwhile may differ by `ms` for a second of the true clock. */
  async jump(ms: number): Promise<void> {
    const before = performance.now();
    for (const [file, ahead] of this.#files) this.#write(file, ahead + ms / 1_000);
    while (performance.now() - before < ms) await delay(10 * this.speed);
    this.#jumpedMs += ms;
    await this.pause(LOOKS_EVERY_S + 0.2);
  }

  /** Waits for `seconds` of the true clock. */
  pause(seconds: number): Promise<void> {
    return delay(seconds * 1_000 * this.speed);
  }

  /** Time of the true clock since the start of this process. */
  #trueMs(): number {
    return (performance.now() - this.#jumpedMs) / this.speed;
  }

  get minutes(): number {
    return this.#trueMs() / 60_000;
  }

  #environment(name: string, ahead: number): Record<string, string> {
    const file = this.#fileOf(name);
    this.#write(file, ahead);
    return { LD_PRELOAD: this.library, FAKETIME_TIMESTAMP_FILE: file, FAKETIME_CACHE_DURATION: String(LOOKS_EVERY_S), NO_FAKE_STAT: '1' };
  }

  #fileOf(name: string): string {
    return join(this.directory, name);
  }

  #write(file: string, ahead: number): void {
    this.#files.set(file, ahead);
    writeFileSync(`${file}.draft`, `${ahead < 0 ? '-' : '+'}${Math.abs(ahead).toFixed(6)} x${this.speed}\n`);
    renameSync(`${file}.draft`, file);
  }
}

function findLibrary(): string {
  const found = readdirSync(LIBRARIES)
    .map((name) => join(LIBRARIES, name, 'faketime/libfaketimeMT.so.1'))
    .find((path) => existsSync(path));
  if (found === undefined) throw new Error('this run needs libfaketime (Debian: apt-get install libfaketime)');
  return found;
}
